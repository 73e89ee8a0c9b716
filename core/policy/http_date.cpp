// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/http_date.h"

#include "core/policy/text_scan.h"

#include <array>
#include <chrono>

namespace sg::policy {

namespace {

using Names7 = std::array<std::string_view, 7>;
constexpr Names7 kShortDays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr Names7 kLongDays{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 3> kZones{"GMT", "UTC", "+0000"};

struct Fields
{
    std::optional<int> year, month, day, hour, minute, second; // month from 0
};

bool readTime(TextScan& scan, Fields& fields)
{
    fields.hour = scan.number(2);
    if (!fields.hour || !scan.skip(":"))
        return false;
    fields.minute = scan.number(2);
    if (!fields.minute || !scan.skip(":"))
        return false;
    fields.second = scan.number(2);
    return fields.second.has_value();
}

std::optional<std::int64_t> finish(const TextScan& scan, const Fields& fields)
{
    if (!scan.atEnd())
        return {};
    return secondsOf(*fields.year, *fields.month + 1, *fields.day, *fields.hour, *fields.minute, *fields.second);
}

/// "30 Nov 2026 00:00:20 GMT" with its separator between the parts of the date.
bool readDayMonth(TextScan& scan, std::string_view separator, Fields& fields)
{
    fields.day = scan.number(2);
    if (!fields.day || !scan.skip(separator))
        return false;
    fields.month = scan.oneOf(kMonths);
    return fields.month && scan.skip(separator);
}

bool readTimeAndZone(TextScan& scan, Fields& fields)
{
    return scan.skip(" ") && readTime(scan, fields) && scan.skip(" ") && scan.oneOf(kZones);
}

std::optional<std::int64_t> parseImf(TextScan scan)
{
    Fields fields;
    if (!scan.oneOf(kShortDays) || !scan.skip(", ") || !readDayMonth(scan, " ", fields))
        return {};
    fields.year = scan.number(4);
    if (!fields.year || !readTimeAndZone(scan, fields))
        return {};
    return finish(scan, fields);
}

int yearOf(std::int64_t seconds)
{
    using namespace std::chrono;
    const auto days = floor<std::chrono::days>(sys_seconds(std::chrono::seconds(seconds)));
    return static_cast<int>(year_month_day(days).year());
}

/// RFC 9110: a two-digit year more than 50 years ahead means the past one with these digits.
int fullYear(int twoDigits, std::int64_t nowSeconds)
{
    const int thisYear = yearOf(nowSeconds);
    const int year = thisYear - thisYear % 100 + twoDigits;
    return year > thisYear + 50 ? year - 100 : year;
}

std::optional<std::int64_t> parseRfc850(TextScan scan, std::int64_t nowSeconds)
{
    Fields fields;
    if (!scan.oneOf(kLongDays) || !scan.skip(", ") || !readDayMonth(scan, "-", fields))
        return {};
    fields.year = scan.number(2);
    if (!fields.year || !readTimeAndZone(scan, fields))
        return {};
    fields.year = fullYear(*fields.year, nowSeconds);
    return finish(scan, fields);
}

std::optional<std::int64_t> parseAsctime(TextScan scan)
{
    Fields fields;
    if (!scan.oneOf(kShortDays) || !scan.skip(" "))
        return {};
    fields.month = scan.oneOf(kMonths);
    if (!fields.month || !scan.skip(" "))
        return {};
    fields.day = scan.skip(" ") ? scan.number(1) : scan.number(2);
    if (!fields.day || !scan.skip(" ") || !readTime(scan, fields) || !scan.skip(" "))
        return {};
    fields.year = scan.number(4);
    if (!fields.year)
        return {};
    return finish(scan, fields);
}

} // namespace

std::optional<std::int64_t> secondsOf(int year, int month, int day, int hour, int minute, int second)
{
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok() || hour > 23 || minute > 59 || second > 60)
        return {};
    const auto midnight = sys_days(date).time_since_epoch();
    return std::int64_t(midnight.count()) * 86400 + hour * 3600 + minute * 60 + second;
}

std::optional<std::int64_t> parseHttpDate(std::string_view text, std::int64_t nowSeconds)
{
    const TextScan scan(text);
    if (const auto seconds = parseImf(scan))
        return seconds;
    if (const auto seconds = parseRfc850(scan, nowSeconds))
        return seconds;
    return parseAsctime(scan);
}

} // namespace sg::policy
