// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/latency_bars.h"

#include <cmath>

namespace sg::load {

namespace {
constexpr int kLatencyBars = 48;
}

std::vector<LatencyBar> latencyOf(const Tally& tally)
{
    const stats::Histogram& good = tally.response();
    stats::Histogram bad = tally.figures().of(measure::Metric::Response, measure::Outcome::Failed);
    bad.add(tally.figures().of(measure::Metric::Response, measure::Outcome::CutOff));
    if (good.empty() && bad.empty())
        return {};
    const double low = toMs(std::min(good.min().value_or(Nanos::max()), bad.min().value_or(Nanos::max()))) * 0.8;
    const double high = toMs(std::max(good.max().value_or(Nanos(0)), bad.max().value_or(Nanos(0)))) * 1.25;
    const double first = std::log10(std::max(low, 0.01));
    const double step = (std::log10(std::max(high, 0.1)) - first) / kLatencyBars;
    std::vector<LatencyBar> bars;
    for (int i = 0; i < kLatencyBars; ++i) {
        LatencyBar bar;
        bar.lowMs = std::pow(10, first + i * step);
        bar.highMs = std::pow(10, first + (i + 1) * step);
        bar.answered = good.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bar.failed = bad.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bars.push_back(bar);
    }
    return bars;
}

} // namespace sg::load
