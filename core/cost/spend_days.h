// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/money.h"

#include <QDate>
#include <QTimeZone>

#include <vector>

namespace sg::cost {

struct Spent
{
    std::int64_t unixMs = 0;
    NanoDollars amount;
};

struct DaySpend
{
    QDate day; ///< of the zone's calendar
    NanoDollars total;
    std::int64_t entries = 0;
    bool operator==(const DaySpend&) const = default;
};

/// What was spent on each day of a zone's calendar, oldest first; days without an entry are not there. Times are kept
/// in UTC and belong to one day whatever the zone does with its clocks, so the days add up to the whole. Any order of
/// entries; any thread.
std::vector<DaySpend> spendByDay(const std::vector<Spent>& entries, const QTimeZone& zone);

} // namespace sg::cost
