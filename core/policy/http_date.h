// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace sg::policy {

/// Seconds since 1970 of an HTTP date (RFC 9110, 5.6.7): IMF-fixdate, RFC 850 or asctime. Zones GMT, UTC and +0000. The
/// weekday must be a name of the form's kind, but may be the wrong day. A leap second counts as the second after it.
/// `nowSeconds` decides the century of a two-digit year. Nothing around the date is allowed.
std::optional<std::int64_t> parseHttpDate(std::string_view text, std::int64_t nowSeconds);

/// Seconds since 1970 of a date and time in UTC, or nothing when there is no such date or time. Second 60 is legal.
std::optional<std::int64_t> secondsOf(int year, int month, int day, int hour, int minute, int second);

} // namespace sg::policy
