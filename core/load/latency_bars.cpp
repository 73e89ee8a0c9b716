// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/latency_bars.h"

#include <cmath>

namespace sg::load {

namespace {
constexpr int kLatencyBars = 48;
constexpr double kLeastMs = 0.01;

std::vector<LatencyBar> barsOf(const stats::Histogram& good, const stats::Histogram& bad)
{
    if (good.empty() && bad.empty())
        return {};
    const double low = toMs(std::min(good.min().value_or(Nanos::max()), bad.min().value_or(Nanos::max()))) * 0.8;
    const double high = toMs(std::max(good.max().value_or(Nanos(0)), bad.max().value_or(Nanos(0)))) * 1.25;
    const double first = std::log10(std::max(low, kLeastMs));
    const double step = (std::log10(std::max(high, 0.1)) - first) / kLatencyBars;
    std::vector<LatencyBar> bars;
    for (int i = 0; i < kLatencyBars; ++i) {
        LatencyBar bar;
        bar.lowMs = std::pow(10, first + i * step);
        bar.highMs = std::pow(10, first + (i + 1) * step);
        if (i == 0 && low < kLeastMs) // the logarithm of 0 has no place on an axis, what took no time has
            bar.lowMs = 0;
        bar.answered = good.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bar.failed = bad.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bars.push_back(bar);
    }
    return bars;
}

std::optional<double> percentile(const stats::Histogram& values, double percent)
{
    const auto value = values.percentile(percent);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

} // namespace

std::vector<LatencyBar> latencyOf(const Tally& tally)
{
    stats::Histogram bad = tally.figures().of(measure::Metric::Response, measure::Outcome::Failed);
    bad.add(tally.figures().of(measure::Metric::Response, measure::Outcome::CutOff));
    return barsOf(tally.response(), bad);
}

TokenTimes tokenTimesOf(const Tally& tally, measure::Metric metric)
{
    static const stats::Histogram none;
    const stats::Histogram& values = tally.figures().of(metric);
    return {barsOf(values, none), values.count(), percentile(values, 50), percentile(values, 95)};
}

} // namespace sg::load
