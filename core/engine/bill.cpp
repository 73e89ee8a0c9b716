// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/bill.h"

namespace sg::engine {

namespace {

bool isUnbilled(const chain::AttemptRecord& attempt)
{
    return !attempt.timing.sent || attempt.error.status >= 400;
}

std::optional<cost::Cost> costOf(const chain::AttemptRecord& attempt, const PriceLookup& priceOf)
{
    const auto price = priceOf(attempt.endpoint);
    return price ? cost::costOf(provider::tokenCounts(attempt.usage), *price) : std::nullopt;
}

} // namespace

Bill billOf(const chain::RunRecord& record, const PriceLookup& priceOf)
{
    Bill bill;
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        if (const auto cost = costOf(*attempt, priceOf))
            bill.nanoUsd += cost->total.count();
        else if (!isUnbilled(*attempt))
            bill.hasUnknown = true;
    }
    return bill;
}

} // namespace sg::engine
