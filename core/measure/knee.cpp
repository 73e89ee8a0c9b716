// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/knee.h"

#include <algorithm>
#include <array>

namespace sg::measure {

namespace {

constexpr double kReached = 0.95;
constexpr double kLatencyFactor = 2;
constexpr double kMostFailed = 0.01;

double failedShare(const KneePoint& point)
{
    return point.successShare ? 1 - *point.successShare : 0;
}

} // namespace

KneeSign kneeSignOf(const KneePoint& point, const KneePoint& first)
{
    if (failedShare(point) > std::max(kMostFailed, 2 * failedShare(first)))
        return KneeSign::Failures;
    if (point.achievedRate < point.dueRate.value_or(point.requestedRate) * kReached)
        return KneeSign::RateNotReached;
    if (point.p99Ms && first.p99Ms && *point.p99Ms > *first.p99Ms * kLatencyFactor)
        return KneeSign::LatencyDoubled;
    return KneeSign::None;
}

std::string_view toString(KneeSign sign)
{
    constexpr std::array<std::string_view, 4> kWords{"none", "rate_not_reached", "latency_doubled", "failures"};
    return kWords[static_cast<std::size_t>(sign)];
}

Knee kneeOf(std::span<const KneePoint> points)
{
    Knee knee;
    for (std::size_t i = 0; i < points.size(); ++i) {
        knee.sign = kneeSignOf(points[i], points.front());
        if (knee.sign != KneeSign::None)
            return knee;
        knee.last = i;
    }
    return knee;
}

} // namespace sg::measure
