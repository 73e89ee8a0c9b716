// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/money.h"

#include <cmath>

namespace sg::cost {

namespace {
constexpr std::uint64_t kNanosPerUsd = 1'000'000'000;

std::uint64_t roundedUnits(std::uint64_t nanos, std::uint64_t unit)
{
    return nanos / unit + (nanos % unit >= unit - nanos % unit);
}

QString decimals(std::uint64_t units, int places, const QLocale& locale)
{
    return locale.toString(static_cast<double>(units) / std::pow(10.0, places), 'f', places);
}

QString wholeWithThinSpaces(std::uint64_t dollars, QLocale locale)
{
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(static_cast<qulonglong>(dollars));
    for (qsizetype at = text.size() - 3; at > 0; at -= 3)
        text.insert(at, QChar(0x2009));
    return text;
}

QString unsignedText(std::uint64_t nanos, const QLocale& locale)
{
    // Rounding comes before the choice of form: 0.009996 is one cent, and 99.996 is a hundred dollars.
    if (const auto units = roundedUnits(nanos, kNanosPerUsd / 10'000); units > 0 && units < 100)
        return QLatin1Char('$') + decimals(units, 4, locale);
    const auto cents = roundedUnits(nanos, kNanosPerUsd / 100);
    if (cents < 10'000)
        return QLatin1Char('$') + decimals(cents, 2, locale);
    return QLatin1Char('$') + wholeWithThinSpaces(roundedUnits(nanos, kNanosPerUsd), locale);
}
} // namespace

std::optional<NanoDollars> NanoDollars::fromUsd(double usd)
{
    const double nanos = std::round(usd * 1e9);
    if (!(std::abs(nanos) < 9.2e18))
        return std::nullopt;
    return NanoDollars(static_cast<std::int64_t>(nanos));
}

QByteArray decimalUsd(NanoDollars amount)
{
    const bool negative = amount.count() < 0;
    const auto bits = static_cast<std::uint64_t>(amount.count());
    QByteArray digits = QByteArray::number(static_cast<qulonglong>(negative ? 0 - bits : bits)).rightJustified(10, '0');
    digits.insert(digits.size() - 9, '.');
    return negative ? '-' + digits : digits;
}

QString formatUsd(NanoDollars amount, const QLocale& locale)
{
    const bool negative = amount.count() < 0;
    const auto bits = static_cast<std::uint64_t>(amount.count());
    const std::uint64_t nanos = negative ? 0 - bits : bits;
    const QString sign = negative ? QString(QChar(0x2212)) : QString();
    if (nanos > 0 && roundedUnits(nanos, kNanosPerUsd / 10'000) == 0) {
        const QString smallest = QLatin1Char('$') + decimals(1, 4, locale);
        return (negative ? QStringLiteral("> ") + sign : QStringLiteral("< ")) + smallest;
    }
    return sign + unsignedText(nanos, locale);
}

QString formatUsd(std::optional<NanoDollars> amount, const QLocale& locale)
{
    return amount ? formatUsd(*amount, locale) : QStringLiteral("unknown");
}

QString formatRate(NanoDollars perMillion, const QLocale& locale)
{
    constexpr qsizetype kPlaces = 9;
    QString digits = QString::number(perMillion.count()).rightJustified(kPlaces + 1, QLatin1Char('0'));
    qsizetype kept = kPlaces;
    while (kept > 2 && digits.endsWith(QLatin1Char('0'))) {
        digits.chop(1);
        --kept;
    }
    digits.insert(digits.size() - kept, locale.decimalPoint());
    return QLatin1Char('$') + digits + QLatin1String("/M");
}

} // namespace sg::cost
