// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan.h"

namespace sg::load {

QString checkPlan(const LoadPlan& plan)
{
    if (plan.target.empty())
        return QStringLiteral("No target: name a chain or an endpoint.");
    if (!plan.requests && !plan.duration)
        return QStringLiteral("The run has no end: give a number of requests or a duration.");
    if (plan.requests && (*plan.requests < 1 || *plan.requests > 100'000'000))
        return QStringLiteral("Requests must be from 1 to 100,000,000, not %1.").arg(*plan.requests);
    if (plan.duration && (*plan.duration < Millis(100) || *plan.duration > std::chrono::hours(24 * 7)))
        return QStringLiteral("The duration must be from 0.1 s to 7 days.");
    if (plan.concurrency < 1 || plan.concurrency > 10'000)
        return QStringLiteral("Concurrency must be from 1 to 10,000, not %1.").arg(plan.concurrency);
    if (!(plan.repeatShare >= 0 && plan.repeatShare <= 1))
        return QStringLiteral("The share of repeated prompts must be from 0 to 1.");
    if (plan.maxTokens < 1 || plan.maxTokens > 1'000'000)
        return QStringLiteral("Max tokens must be from 1 to 1,000,000, not %1.").arg(plan.maxTokens);
    return {};
}

} // namespace sg::load
