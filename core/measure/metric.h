// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/sample.h"

#include <functional>
#include <span>

namespace sg::measure {

enum class Metric {
    // One value a request; Itl and ChunkGap: one a token, one a piece.
    Response,
    Service,
    ClientQueue,
    ScheduleDelay,
    Headers,
    Ttft,
    Tpot,
    Itl,
    ChunkGap,
    UserTokenRate,
    Attempts,
    Waited,
    InputTokens,
    OutputTokens,
    // One value a run.
    SuccessRate,
    FailureRate,
    RequestedRate,
    DispatchedRate,
    AchievedRate,
    Goodput,
    GoodShare,
    TokenRate,
    Dropped,
    Cost,
};
constexpr int kMetricCount = static_cast<int>(Metric::Cost) + 1;
constexpr int kDistributionCount = static_cast<int>(Metric::OutputTokens) + 1;
constexpr bool isDistribution(Metric metric)
{
    return metric <= Metric::OutputTokens;
}

enum class Unit { Milliseconds, Percent, PerSecond, TokensPerSecond, Count, Tokens, UsDollars };
std::string_view toString(Unit unit); // "ms", "%", "1/s", "tokens/s", "", "tokens", "$"

enum class Better { Lower, Higher, Neither };

struct MetricInfo
{
    Metric metric;
    const char* name; ///< in objectives and reports: "ttft"
    const char* words;
    Unit unit;
    Better better;
    const char* formula; ///< what is shown on hover and written into a report
};
/// In the order of Metric.
std::span<const MetricInfo> metrics();
const MetricInfo& infoOf(Metric metric);
std::optional<Metric> metricNamed(std::string_view name);

/// Calls `take` with each value that `sample` has of a distribution, in the metric's unit, and how often it has it. No
/// token, no sample; no count from the provider, no value that would need one.
void valuesOf(const Sample& sample, Metric metric, const std::function<void(double value, std::int64_t count)>& take);
/// Of the metrics that have one value a request; empty also for Itl and ChunkGap.
std::optional<double> valueOf(const Sample& sample, Metric metric);

} // namespace sg::measure
