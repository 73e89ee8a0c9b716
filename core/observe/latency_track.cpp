// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/latency_track.h"

#include <array>
#include <cmath>

namespace sg::observe {

namespace {

constexpr std::size_t kBins = 171; // 0.01 ms to 1 h: an answer from the cache takes microseconds
constexpr double kLowestMs = 0.01;
constexpr double kBinsPerDecade = 20;

std::array<Nanos, kBins + 1> binEdges()
{
    std::array<Nanos, kBins + 1> edges;
    for (std::size_t i = 0; i <= kBins; ++i)
        edges[i] = fromMs(kLowestMs * std::pow(10.0, static_cast<double>(i) / kBinsPerDecade));
    return edges;
}

const std::array<Nanos, kBins + 1>& edgesOfBins()
{
    static const std::array<Nanos, kBins + 1> edges = binEdges();
    return edges;
}

bool isEmpty(const LatencyBin& bin)
{
    return bin.answered == 0 && bin.cached == 0 && bin.failed == 0;
}

// The end bins hold what lies outside.
std::int64_t countIn(const stats::Histogram& histogram, std::size_t bin)
{
    const auto& edges = edgesOfBins();
    const Nanos low = bin == 0 ? Nanos(0) : edges[bin];
    const Nanos high = bin + 1 == kBins ? Nanos::max() : edges[bin + 1];
    return histogram.countBetween(low, high);
}

} // namespace

void LatencyTrack::add(Kind kind, Nanos latency, Instant now)
{
    if (kind == Kind::Failed) {
        failed_.record(latency, now);
        return;
    }
    answered_.record(latency, now);
    if (kind == Kind::Cached)
        cached_.record(latency, now);
}

std::vector<LatencyBin> LatencyTrack::bins(Nanos window, Instant now)
{
    const stats::Histogram& answered = answered_.total(window, now);
    const stats::Histogram& cached = cached_.total(window, now);
    const stats::Histogram& failed = failed_.total(window, now);
    const auto& edges = edgesOfBins();
    std::vector<LatencyBin> bins;
    bins.reserve(kBins);
    std::size_t used = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
        LatencyBin bin{i == 0 ? 0 : toMs(edges[i]), toMs(edges[i + 1]), 0, countIn(cached, i), countIn(failed, i)};
        bin.answered = countIn(answered, i) - bin.cached;
        if (isEmpty(bin) && bins.empty())
            continue;
        bins.push_back(bin);
        if (!isEmpty(bin))
            used = bins.size();
    }
    bins.resize(used);
    return bins;
}

} // namespace sg::observe
