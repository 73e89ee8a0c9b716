// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/load_model.h"
#include "core/load/prompt.h"
#include "core/load/stop_rules.h"
#include "core/load/url_target.h"

namespace sg::load {

enum class TargetKind { Chain, Endpoint, Url };

/// One run: when requests begin, what they ask, what ends it and what it has to keep.
struct LoadPlan
{
    TargetKind targetKind = TargetKind::Chain;
    std::string target; ///< of a URL its host and port
    LoadModel model = ClosedModel{};
    StopRules stop;
    /// Requests intended in the first or the last part are sent and shown, and left out of the figures. A cool-down
    /// needs an end that is known before: a duration or a schedule.
    Nanos warmUp{0}, coolDown{0};
    std::vector<measure::Objective> objectives;
    std::uint64_t seed = 1;
    bool stream = true;
    PromptList prompts;                        ///< asked in turn; empty: synthetic or built-in ones
    std::optional<SyntheticPrompts> synthetic; ///< used without `prompts`
    double repeatShare = 0; ///< 0..1, share of requests that repeat an earlier prompt (what a cache can hit)
    int maxTokens = 200;
    std::optional<UrlTarget> url{}; ///< with TargetKind::Url
};
/// Empty when fine; otherwise a sentence with the remedy.
QString checkPlan(const LoadPlan& plan);
/// "prod-chat", of a URL "prod-chat at 127.0.0.1:8787".
QString targetName(const LoadPlan& plan);
/// Makes the address the plan's target.
void aimAt(LoadPlan& plan, const UrlTarget& url);
/// Where its end is known before the start: the shorter of duration and schedule.
std::optional<Nanos> plannedLength(const LoadPlan& plan);
/// The most that can be started, as far as known before; of an open load about so many.
std::optional<std::int64_t> plannedRequests(const LoadPlan& plan);
/// Users of a closed model; of the others the most in flight.
int concurrencyOf(const LoadPlan& plan);

/// Before the start: what it may cost. Empty: a model has no price.
struct CostEstimate
{
    std::optional<double> likelyUsd, worstUsd;
    std::int64_t inputTokens = 0, outputTokens = 0;
    std::vector<std::string> unpriced;
};

} // namespace sg::load
