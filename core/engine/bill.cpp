// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/bill.h"

namespace sg::engine {

namespace {

bool isUnbilled(const chain::AttemptRecord& attempt)
{
    // A cancelled attempt may end before its transport has said when it was sent; an answer says that it was.
    const chain::AttemptTiming& timing = attempt.timing;
    const bool wasSent = timing.sent || timing.headers || timing.firstByte;
    return !wasSent || attempt.error.status >= 400;
}

} // namespace

Bill billOf(const chain::RunRecord& record, const PriceLookup& priceOf)
{
    Bill bill;
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        const provider::UsageCharge charge = provider::chargeOf(attempt->usage, priceOf(attempt->endpoint));
        if (charge.total) {
            bill.nanoUsd = (cost::NanoDollars(bill.nanoUsd) + *charge.total).count();
            if (charge.basis == provider::CostBasis::Estimated)
                bill.estimatedNanoUsd = (cost::NanoDollars(bill.estimatedNanoUsd) + *charge.total).count();
        } else if (!isUnbilled(*attempt)) {
            bill.hasUnknown = true;
        }
    }
    return bill;
}

} // namespace sg::engine
