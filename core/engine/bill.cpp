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

template <typename Use>
void forEachCharge(const chain::RunRecord& record, const PriceLookup& priceOf, Use use)
{
    for (const chain::Step& step : record.steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
            use(*attempt, provider::chargeOf(attempt->usage, priceOf(attempt->endpoint)));
}

} // namespace

Bill billOf(const chain::RunRecord& record, const PriceLookup& priceOf)
{
    Bill bill;
    forEachCharge(record, priceOf, [&](const chain::AttemptRecord& attempt, const provider::UsageCharge& charge) {
        if (charge.total) {
            bill.nanoUsd = (cost::NanoDollars(bill.nanoUsd) + *charge.total).count();
            if (charge.basis == provider::CostBasis::Estimated)
                bill.estimatedNanoUsd = (cost::NanoDollars(bill.estimatedNanoUsd) + *charge.total).count();
        } else if (!isUnbilled(attempt)) {
            bill.hasUnknown = true;
        }
    });
    return bill;
}

observe::RequestMoney moneyOf(const Bill& bill)
{
    observe::RequestMoney money;
    money.costIsLowerBound = bill.hasUnknown;
    money.costIsEstimated = bill.estimatedNanoUsd > 0;
    money.estimated = bill.estimatedNanoUsd;
    if (!bill.hasUnknown || bill.nanoUsd > 0)
        money.cost = bill.nanoUsd;
    return money;
}

QString basisOf(const chain::RunRecord& record, const PriceLookup& priceOf)
{
    std::vector<std::pair<int, QString>> lines;
    forEachCharge(record, priceOf, [&](const chain::AttemptRecord& attempt, const provider::UsageCharge& charge) {
        if (charge.total || !isUnbilled(attempt))
            lines.emplace_back(attempt.number, provider::inWords(charge));
    });
    if (lines.empty())
        return record.attempts > 0 ? QStringLiteral("refused: nothing is billed")
                                   : QStringLiteral("no provider was asked");
    if (lines.size() == 1)
        return lines.front().second;
    QStringList all;
    for (const auto& [number, words] : lines)
        all += QStringLiteral("attempt %1: %2").arg(number).arg(words);
    return all.join(QStringLiteral("; "));
}

} // namespace sg::engine
