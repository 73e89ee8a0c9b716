// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/knee.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sg::stats {

namespace {

constexpr std::size_t kFewest = 5;
constexpr double kLeastRise = 2;       // below it, noise of a flat curve would be scaled up to a knee
constexpr double kLeastDistance = 0.1; // of the diagonal: what a straight line with noise has too

std::vector<std::size_t> byRate(std::span<const RatePoint> points)
{
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return points[i].requestedRps; });
    return order;
}

/// How far each point is below the diagonal, -1..1; nothing when there is no curve to speak of.
std::vector<double> distances(std::span<const RatePoint> points, const std::vector<std::size_t>& order)
{
    const double lowest = points[order.front()].requestedRps;
    const double width = points[order.back()].requestedRps - lowest;
    const double first = *points[order.front()].latencyMs;
    double last = first;
    for (const std::size_t i : order)
        last = std::max(last, *points[i].latencyMs);
    if (!(width > 0) || !(first > 0) || last < kLeastRise * first)
        return {};
    std::vector<double> below;
    double risen = first;
    for (const std::size_t i : order) {
        risen = std::max(risen, *points[i].latencyMs);
        below.push_back((points[i].requestedRps - lowest) / width - (risen - first) / (last - first));
    }
    return below;
}

} // namespace

std::optional<std::size_t> kneeOf(std::span<const RatePoint> points)
{
    std::vector<std::size_t> order = byRate(points);
    std::erase_if(order, [&](std::size_t i) { return !points[i].latencyMs; });
    if (order.size() < kFewest)
        return std::nullopt;
    const std::vector<double> below = distances(points, order);
    if (below.empty())
        return std::nullopt;
    const auto peak = std::ranges::max_element(below);
    const double meanStep = 1.0 / static_cast<double>(below.size() - 1);
    const double least = *std::min_element(peak, below.end());
    if (*peak < kLeastDistance || least > *peak - meanStep)
        return std::nullopt;
    return order[static_cast<std::size_t>(peak - below.begin())];
}

} // namespace sg::stats
