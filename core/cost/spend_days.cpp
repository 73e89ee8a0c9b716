// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/spend_days.h"

#include <QDateTime>

#include <map>

namespace sg::cost {

std::vector<DaySpend> spendByDay(const std::vector<Spent>& entries, const QTimeZone& zone)
{
    std::map<QDate, DaySpend> days;
    for (const Spent& entry : entries) {
        const QDate day = QDateTime::fromMSecsSinceEpoch(entry.unixMs, zone).date();
        DaySpend& spend = days.try_emplace(day, DaySpend{day, {}, 0}).first->second;
        spend.total += entry.amount;
        ++spend.entries;
    }
    std::vector<DaySpend> list;
    list.reserve(days.size());
    for (const auto& [day, spend] : days)
        list.push_back(spend);
    return list;
}

} // namespace sg::cost
