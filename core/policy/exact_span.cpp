// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/exact_span.h"

#include "core/policy/http_date.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sg::policy {

namespace {

constexpr std::int64_t kScale = 1'000'000'000'000'000'000; // 18 decimals of a nanosecond

struct Unit
{
    std::string_view name;
    std::int64_t nanos;
};

// Longer names first. The micro sign has two code points, and headers may carry Latin-1.
constexpr std::array<Unit, 10> kUnits{{{"ms", 1'000'000},
                                       {"us", 1'000},
                                       {"\xC2\xB5s", 1'000},
                                       {"\xCE\xBCs", 1'000},
                                       {"\xB5s", 1'000},
                                       {"ns", 1},
                                       {"d", 86'400'000'000'000},
                                       {"h", 3'600'000'000'000},
                                       {"m", 60'000'000'000},
                                       {"s", 1'000'000'000}}};

std::string_view scanNumber(TextScan& scan)
{
    const std::string_view whole = scan.rest();
    TextScan look = scan;
    if (look.digits().empty())
        return {};
    TextScan fraction = look;
    if (fraction.skip(".") && !fraction.digits().empty())
        look = fraction;
    const std::string_view number = whole.substr(0, whole.size() - look.rest().size());
    scan = look;
    return number;
}

std::optional<int> scanOffset(TextScan& scan)
{
    if (scan.skip("Z") || scan.skip("z"))
        return 0;
    const int sign = scan.skip("+") ? 1 : scan.skip("-") ? -1 : 0;
    const auto hours = scan.number(2);
    if (sign == 0 || !hours || !scan.skip(":"))
        return {};
    const auto minutes = scan.number(2);
    if (!minutes || *hours > 23 || *minutes > 59)
        return {};
    return sign * (*hours * 3600 + *minutes * 60);
}

} // namespace

ExactSpan::Value ExactSpan::saturated(Value value)
{
    constexpr Value largest = Value(40) * kScale * kScale; // two of them still add up
    return std::clamp(value, -largest, largest);
}

ExactSpan ExactSpan::ofNanos(std::int64_t ns)
{
    ExactSpan span;
    span.value_ = saturated(Value(ns) * kScale);
    return span;
}

std::optional<ExactSpan> ExactSpan::fromNumber(std::string_view text, std::int64_t nanosPerUnit)
{
    TextScan scan(text);
    const std::string_view number = scanNumber(scan);
    if (number.empty() || !scan.atEnd())
        return {};
    const std::size_t point = std::min(number.find('.'), number.size());
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
    std::int64_t whole = 0;
    for (const char c : number.substr(0, point))
        whole = whole > most ? whole : whole * 10 + (c - '0');
    std::int64_t decimals = 0;
    std::int64_t scale = kScale;
    ExactSpan span;
    for (const char c : number.substr(std::min(point + 1, number.size()))) {
        if (scale > 1) {
            decimals = decimals * 10 + (c - '0');
            scale /= 10;
        } else {
            span.more_ = span.more_ || c != '0';
        }
    }
    // A whole part times its unit stays below 2^63 * 2^47 ns; cut before it is scaled.
    const Value ns = std::min<Value>(Value(whole) * nanosPerUnit, Value(40) * kScale);
    span.value_ = saturated(ns * kScale + Value(decimals) * scale * nanosPerUnit);
    return span;
}

std::int64_t ExactSpan::ceilMs() const
{
    const Value unit = Value(kNanosPerMs) * kScale;
    const Value whole = value_ / unit;
    const bool up = value_ % unit > 0 || (value_ % unit == 0 && more_);
    return static_cast<std::int64_t>(whole + (up ? 1 : 0));
}

ExactSpan ExactSpan::plus(const ExactSpan& other) const
{
    ExactSpan sum;
    sum.value_ = saturated(value_ + other.value_);
    sum.more_ = more_ || other.more_;
    return sum;
}

ExactSpan ExactSpan::minus(const ExactSpan& other) const
{
    ExactSpan difference;
    difference.value_ = saturated(value_ - other.value_);
    difference.more_ = more_;
    return difference;
}

bool ExactSpan::operator<(const ExactSpan& other) const
{
    return value_ != other.value_ ? value_ < other.value_ : !more_ && other.more_;
}

std::optional<ExactSpan> scanDuration(TextScan& scan)
{
    TextScan look = scan;
    std::optional<ExactSpan> sum;
    for (;;) {
        TextScan part = look;
        const std::string_view number = scanNumber(part);
        if (number.empty())
            break;
        const auto unit =
            std::find_if(kUnits.begin(), kUnits.end(), [&part](const Unit& u) { return part.skip(u.name); });
        if (unit == kUnits.end())
            break;
        const auto amount = ExactSpan::fromNumber(number, unit->nanos);
        sum = sum.value_or(ExactSpan()).plus(*amount);
        look = part;
    }
    if (sum)
        scan = look;
    return sum;
}

std::optional<ExactSpan> parseDuration(std::string_view text)
{
    TextScan scan(text);
    const auto span = scanDuration(scan);
    return scan.atEnd() ? span : std::nullopt;
}

std::optional<ExactSpan> parseRfc3339(std::string_view text)
{
    TextScan scan(text);
    std::array<std::optional<int>, 6> fields; // year month day hour minute second
    constexpr std::array<std::size_t, 6> widths{4, 2, 2, 2, 2, 2};
    constexpr std::array<char, 5> separators{'-', '-', 'T', ':', ':'};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        fields[i] = scan.number(widths[i]);
        if (!fields[i])
            return {};
        if (i == separators.size())
            break;
        const std::string_view separator = scan.take(1);
        if (separator.empty() || (separator[0] != separators[i] && !(i == 2 && separator[0] == 't')))
            return {};
    }
    std::optional<ExactSpan> fraction = ExactSpan();
    if (scan.skip(".")) {
        const std::string_view digits = scan.digits();
        fraction = digits.empty() ? std::nullopt : ExactSpan::fromNumber("0." + std::string(digits), kNanosPerSecond);
    }
    const auto offset = scanOffset(scan);
    const auto seconds = secondsOf(*fields[0], *fields[1], *fields[2], *fields[3], *fields[4], *fields[5]);
    if (!fraction || !offset || !seconds || !scan.atEnd())
        return {};
    constexpr std::int64_t nanosLimit = std::numeric_limits<std::int64_t>::max() / kNanosPerSecond;
    const std::int64_t utc = std::clamp(*seconds - *offset, -nanosLimit, nanosLimit);
    return ExactSpan::ofNanos(utc * kNanosPerSecond).plus(*fraction);
}

} // namespace sg::policy
