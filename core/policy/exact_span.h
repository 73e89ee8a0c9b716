// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/text_scan.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sg::policy {

/// A span of time as written in decimals: exact to 1e-18 ns, saturating at about 1200 years. Doubles would turn 0.07 s
/// into 70.00000000000001 ms, and rounding up into 71.
class ExactSpan
{
public:
    constexpr ExactSpan() = default;
    static ExactSpan ofNanos(std::int64_t ns);
    /// Number: digits, optionally a point and digits, nothing else; any length.
    static std::optional<ExactSpan> fromNumber(std::string_view text, std::int64_t nanosPerUnit);

    bool isZero() const { return value_ == 0 && !more_; }
    bool isPositive() const { return value_ > 0 || (value_ == 0 && more_); }
    std::int64_t ceilMs() const; ///< whole ms, rounded up; not for negative spans
    ExactSpan plus(const ExactSpan& other) const;
    ExactSpan minus(const ExactSpan& other) const;
    bool operator<(const ExactSpan& other) const;

private:
    __extension__ typedef __int128 Value;
    static Value saturated(Value value);
    Value value_ = 0;   // 1e-18 ns
    bool more_ = false; // digits beyond those kept: a little more than the value
};

constexpr std::int64_t kNanosPerMs = 1'000'000;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// Numbers with units d h m s ms us/µs ns, at least one, without blanks: "1m6.3s". Reads as far as it goes.
std::optional<ExactSpan> scanDuration(TextScan& scan);
std::optional<ExactSpan> parseDuration(std::string_view text);
/// Since 1970. RFC 3339 with Z or an offset, any number of decimals.
std::optional<ExactSpan> parseRfc3339(std::string_view text);

} // namespace sg::policy
