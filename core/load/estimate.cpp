// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompts.h"
#include "core/load/session.h"

#include <algorithm>

namespace sg::load {

namespace {

constexpr int kSampledPrompts = 50;

/// Null for an endpoint target: what goes straight there meets neither cache nor retries.
const workspace::Chain* chainOf(const LoadPlan& plan, const workspace::Workspace& workspace)
{
    return plan.targetKind == TargetKind::Chain ? workspace.chain(plan.target) : nullptr;
}

/// Each once, in the order of the tiers.
std::vector<std::string> endpointsOf(const LoadPlan& plan, const workspace::Chain* chain)
{
    if (plan.targetKind != TargetKind::Chain)
        return {plan.target};
    std::vector<std::string> names;
    if (!chain)
        return names;
    for (const chain::TierSpec& tier : chain->spec.tiers) {
        const bool serves = tier.enabled && tier.kind == chain::TierKind::Endpoint;
        if (serves && std::ranges::find(names, tier.endpoint) == names.end())
            names.push_back(tier.endpoint);
    }
    return names;
}

/// Means over the run's first prompts.
struct MeanTokens
{
    double input = 0, limit = 0;
};

MeanTokens meanTokens(const LoadPlan& plan)
{
    PromptSource prompts(plan);
    MeanTokens sum;
    for (int i = 0; i < kSampledPrompts; ++i) {
        const provider::Needs needs = provider::needsOf(prompts.next());
        sum.input += static_cast<double>(needs.estimatedInputTokens);
        sum.limit += static_cast<double>(needs.maxOutputTokens);
    }
    return {sum.input / kSampledPrompts, sum.limit / kSampledPrompts};
}

} // namespace

CostEstimate estimateCost(const LoadPlan& plan, const workspace::Workspace& workspace, const cost::PriceBook& prices)
{
    CostEstimate estimate;
    const workspace::Chain* chain = chainOf(plan, workspace);
    const std::vector<std::string> names = endpointsOf(plan, chain);
    const auto planned = plannedRequests(plan);
    if (names.empty() || !planned)
        return estimate; // without a number of requests nothing bounds the cost
    const double requests = static_cast<double>(*planned);
    const auto [input, limit] = meanTokens(plan);
    estimate.inputTokens = static_cast<std::int64_t>(input * requests);
    estimate.outputTokens = static_cast<std::int64_t>(requests * limit / 2);

    const double uncached = chain && chain->spec.cache ? 1 - plan.repeatShare : 1;
    double worst = 0;
    for (const std::string& name : names) {
        const workspace::Endpoint* endpoint = workspace.endpoint(name);
        const auto price = endpoint ? workspace::priceOf(*endpoint, prices) : std::nullopt;
        const auto perRequest = static_cast<std::int64_t>(input);
        const auto dearest =
            price ? cost::worstCase(perRequest, static_cast<std::int64_t>(limit), *price) : std::nullopt;
        if (!dearest) {
            estimate.unpriced.push_back(name);
            continue;
        }
        worst = std::max(worst, dearest->total.toUsd());
        if (name != names.front())
            continue;
        cost::TokenCounts likely;
        likely.input = perRequest;
        likely.output = static_cast<std::int64_t>(limit / 2);
        if (const auto cost = cost::costOf(likely, *price))
            estimate.likelyUsd = cost->total.toUsd() * requests * uncached;
    }
    if (estimate.unpriced.empty())
        estimate.worstUsd = worst * requests * (chain ? chain->spec.attemptBudget : 1);
    return estimate;
}

} // namespace sg::load
