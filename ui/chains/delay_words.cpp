// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/delay_words.h"

#include "ui/format/format.h"

#include <cmath>

namespace sg::ui::delaywords {

Unit unitFor(double longestMs)
{
    if (longestMs < 100)
        return {1, QStringLiteral("ms")};
    if (longestMs < 120e3)
        return {1000, QStringLiteral("s")};
    if (longestMs < 7200e3)
        return {60e3, QStringLiteral("min")};
    return {3600e3, QStringLiteral("h")};
}

QString number(double ms, const Unit& unit)
{
    const double value = ms / unit.ms;
    const bool isWhole = std::abs(value - std::round(value)) < 1e-9;
    if (value == 0 || (isWhole && value >= 10))
        return format::number(value, 0);
    return format::number(value, value < 0.995 ? 2 : value < 99.95 ? 1 : 0);
}

QString text(double ms)
{
    const Unit unit = unitFor(ms);
    return number(ms, ms == 0 ? Unit{1000, QStringLiteral("s")} : unit) + format::thin() +
           (ms == 0 ? QStringLiteral("s") : unit.name);
}

double roundTop(double longestMs, const Unit& unit)
{
    const double value = longestMs / unit.ms;
    if (!(value > 0) || !std::isfinite(value))
        return unit.ms;
    const double decade = std::pow(10, std::floor(std::log10(value)));
    // A little slack for what a division leaves over: 8.000000001 is 8.
    for (double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (factor * decade >= value * (1 - 1e-9))
            return factor * decade * unit.ms;
    return 10 * decade * unit.ms;
}

} // namespace sg::ui::delaywords
