// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLocale>
#include <QString>

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace sg::cost {

/// Money in whole billionths of a US dollar: fine enough for one token of a cheap model (some ten nano-dollars), and
/// about ±9.2 billion dollars wide. Sums saturate at the ends of the range instead of wrapping around. A value type;
/// any thread.
class NanoDollars
{
public:
    constexpr NanoDollars() = default;
    constexpr explicit NanoDollars(std::int64_t nanos)
        : nanos_(nanos)
    {
    }

    static constexpr NanoDollars max() { return NanoDollars(std::numeric_limits<std::int64_t>::max()); }
    static constexpr NanoDollars min() { return NanoDollars(std::numeric_limits<std::int64_t>::min()); }
    /// Nearest nano-dollar, halves away from zero. Empty for NaN and what the range does not hold.
    static std::optional<NanoDollars> fromUsd(double usd);

    constexpr std::int64_t count() const { return nanos_; }
    /// For charts and rates only; sums stay in nano-dollars.
    constexpr double toUsd() const { return static_cast<double>(nanos_) / 1e9; }

    constexpr NanoDollars operator+(NanoDollars other) const
    {
        std::int64_t sum = 0;
        if (!__builtin_add_overflow(nanos_, other.nanos_, &sum))
            return NanoDollars(sum);
        return nanos_ < 0 ? min() : max();
    }
    constexpr NanoDollars operator-(NanoDollars other) const
    {
        std::int64_t difference = 0;
        if (!__builtin_sub_overflow(nanos_, other.nanos_, &difference))
            return NanoDollars(difference);
        return nanos_ < 0 ? min() : max();
    }
    constexpr NanoDollars& operator+=(NanoDollars other) { return *this = *this + other; }
    constexpr NanoDollars& operator-=(NanoDollars other) { return *this = *this - other; }
    constexpr auto operator<=>(const NanoDollars&) const = default;

private:
    std::int64_t nanos_ = 0;
};

/// For files and headers: "0.000052000", all nine decimals, since a double's shortest form may be 5.2e-05, which not
/// every reader takes.
QByteArray decimalUsd(NanoDollars amount);
/// For people: below $0.01 four decimals, below $100 two, else whole with thin spaces between thousands; halves away
/// from zero; what is not zero never reads as zero ("< $0.0001"); minus is U+2212. The decimal point follows `locale`.
QString formatUsd(NanoDollars amount, const QLocale& locale = QLocale::c());
/// "unknown" when empty: unknown is not zero.
QString formatUsd(std::optional<NanoDollars> amount, const QLocale& locale = QLocale::c());

/// A price per 1,000,000 tokens with all its digits and at least two decimals: "$2.00/M", "$0.0125/M".
QString formatRate(NanoDollars perMillion, const QLocale& locale = QLocale::c());

} // namespace sg::cost
