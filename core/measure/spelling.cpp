// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/spelling.h"

#include "core/policy/text.h"

#include <charconv>
#include <cmath>

namespace sg::measure {

namespace {

struct SpanUnit
{
    std::string_view word;
    double ms;
};
// Longer words first: "ms" is not "m" and an s.
constexpr SpanUnit kSpanUnits[] = {{"ms", 1},  {"us", 0.001}, {"µs", 0.001}, {"min", 60e3},
                                   {"s", 1e3}, {"m", 60e3},   {"h", 3600e3}};
constexpr double kLongestMs = 7 * 24 * 3600e3;

QString shortest(double value)
{
    return QString::number(value, 'f', QLocale::FloatingPointShortest);
}

} // namespace

QString shown(const ParseError& error, std::string_view text)
{
    const QString all = sg::text(text);
    const auto column = sg::text(text.substr(0, error.at)).size();
    return QStringLiteral("%1\n  %2\n  %3^").arg(error.problem, all, QString(column, QLatin1Char(' ')));
}

std::string_view Speller::word()
{
    const std::string_view rest = scan_.rest();
    std::size_t n = 0;
    while (n < rest.size() && (policy::isLetter(rest[n]) || rest[n] == '_'))
        ++n;
    return scan_.take(n);
}

bool Speller::skipWord(std::string_view word)
{
    const std::string_view rest = scan_.rest();
    const bool whole = rest.starts_with(word) && (rest.size() == word.size() || !policy::isLetter(rest[word.size()]));
    return whole && scan_.skip(word);
}

Parsed<double> Speller::number()
{
    const std::string_view rest = scan_.rest();
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(value) || rest.front() == '-' || policy::isLetter(rest.front()))
        return wrong(QStringLiteral("A number is expected here."));
    scan_.take(static_cast<std::size_t>(end - rest.data()));
    return value;
}

Parsed<Nanos> Speller::span()
{
    const std::size_t begin = at();
    double ms = 0;
    do {
        const auto amount = number();
        if (!amount)
            return wrong(QStringLiteral("A time is expected here, such as 800ms, 10s or 5min."));
        const SpanUnit* unit = nullptr;
        for (const SpanUnit& one : kSpanUnits)
            if (!unit && scan_.rest().starts_with(one.word))
                unit = &one;
        if (!unit)
            return wrong(QStringLiteral("A time needs its unit: ms, s, min or h."));
        scan_.skip(unit->word);
        ms += *amount * unit->ms;
    } while (policy::isDigit(scan_.peek()));
    if (policy::isLetter(scan_.peek()))
        return wrong(QStringLiteral("A time needs its unit: ms, s, min or h."));
    if (ms > kLongestMs)
        return wrongAt(begin, QStringLiteral("A time is at most 7 days."));
    return fromMs(ms);
}

Parsed<double> Speller::ratePerSecond()
{
    const auto amount = number();
    if (!amount)
        return wrong(QStringLiteral("A rate is expected here, such as 10/s or 600/min."));
    for (const auto& [word, seconds] :
         {std::pair<std::string_view, double>{"/s", 1}, {"rps", 1}, {"/min", 60}, {"/h", 3600}}) {
        if (scan_.rest().starts_with(word) && skipWord(word))
            return *amount / seconds;
    }
    return wrong(QStringLiteral("A rate needs its unit: /s, /min or /h."));
}

QString spanText(Nanos span)
{
    const double ms = toMs(span);
    const bool whole = std::fmod(ms, 1000) == 0 || ms >= 10'000;
    return whole ? shortest(ms / 1000) + QLatin1Char('s') : shortest(ms) + QStringLiteral("ms");
}

QString rateText(double perSecond)
{
    return shortest(perSecond) + QStringLiteral("/s");
}

} // namespace sg::measure
