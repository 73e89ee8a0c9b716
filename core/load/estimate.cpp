// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompts.h"
#include "core/load/session.h"

namespace sg::load {

namespace {

constexpr int kSampledPrompts = 50;

std::vector<std::string> endpointsOf(const LoadPlan& plan, const workspace::Workspace& workspace)
{
    if (plan.targetKind == TargetKind::Endpoint)
        return {plan.target};
    std::vector<std::string> names;
    if (const workspace::Chain* chain = workspace.chain(plan.target))
        for (const chain::TierSpec& tier : chain->spec.tiers)
            if (tier.enabled && tier.kind == chain::TierKind::Endpoint)
                names.push_back(tier.endpoint);
    return names;
}

int attemptsAtWorst(const LoadPlan& plan, const workspace::Workspace& workspace)
{
    const workspace::Chain* chain = plan.targetKind == TargetKind::Chain ? workspace.chain(plan.target) : nullptr;
    return chain ? chain->spec.attemptBudget : 1;
}

double meanInputTokens(const LoadPlan& plan)
{
    PromptSource prompts(plan);
    double sum = 0;
    for (int i = 0; i < kSampledPrompts; ++i)
        sum += static_cast<double>(provider::needsOf(prompts.next()).estimatedInputTokens);
    return sum / kSampledPrompts;
}

} // namespace

CostEstimate estimateCost(const LoadPlan& plan, const workspace::Workspace& workspace, const cost::PriceBook& prices)
{
    CostEstimate estimate;
    const std::vector<std::string> names = endpointsOf(plan, workspace);
    if (names.empty() || !plan.requests)
        return estimate; // without a number of requests nothing bounds the cost
    const double requests = static_cast<double>(*plan.requests);
    const double input = meanInputTokens(plan);
    estimate.inputTokens = static_cast<std::int64_t>(input * requests);
    estimate.outputTokens = static_cast<std::int64_t>(requests * plan.maxTokens / 2);

    double worst = 0;
    for (const std::string& name : names) {
        const workspace::Endpoint* endpoint = workspace.endpoint(name);
        const cost::PriceEntry* entry = endpoint ? prices.find(endpoint->model.toStdString()) : nullptr;
        const auto price = endpoint && endpoint->price ? endpoint->price : entry ? std::optional(entry->price) : std::nullopt;
        const auto perRequest = static_cast<std::int64_t>(input);
        const auto dearest = price ? cost::worstCase(perRequest, plan.maxTokens, *price) : std::nullopt;
        if (!dearest) {
            estimate.unpriced.push_back(name);
            continue;
        }
        worst = std::max(worst, dearest->total.toUsd());
        if (name != names.front())
            continue;
        cost::TokenCounts likely;
        likely.input = perRequest;
        likely.output = plan.maxTokens / 2;
        if (const auto cost = cost::costOf(likely, *price))
            estimate.likelyUsd = cost->total.toUsd() * requests * (1 - plan.repeatShare);
    }
    if (estimate.unpriced.empty())
        estimate.worstUsd = worst * requests * attemptsAtWorst(plan, workspace);
    return estimate;
}

} // namespace sg::load
