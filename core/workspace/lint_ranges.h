// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/lint_run.h"

#include <cmath>

/// Numbers of a draft against what a file may say, as the readers of files have it. Internal to the room.
namespace sg::workspace {

constexpr double kDayMs = 86400000;

struct Range
{
    const char* field;
    std::optional<double> value;
    double low, high;
    bool lowIncluded = true;
};

inline QString valueWords(const QString& field, double value)
{
    const bool isSpan = field.contains(QLatin1String("_ms")) && std::isfinite(value);
    return isSpan ? spanWords(fromMs(value)) : QString::number(value, 'g', 12);
}

template <typename TellIt>
void tellOutside(const QString& whose, std::initializer_list<Range> ranges, TellIt tell)
{
    for (const Range& range : ranges) {
        if (!range.value)
            continue;
        const bool isLow = range.lowIncluded ? *range.value >= range.low : *range.value > range.low;
        if (isLow && *range.value <= range.high)
            continue;
        const QString field = QString::fromLatin1(range.field);
        tell(field, Words{QStringLiteral("%1: %2 %3 is out of range")
                              .arg(whose, fieldWords(field), valueWords(field, *range.value)),
                          QStringLiteral("A file with it could not be read again"),
                          QStringLiteral("Choose %1 %2 to %3")
                              .arg(range.lowIncluded ? QStringLiteral("a value from") : QStringLiteral("a value above"),
                                   valueWords(field, range.low), valueWords(field, range.high))});
    }
}

} // namespace sg::workspace
