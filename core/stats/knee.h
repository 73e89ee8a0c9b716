// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>

/// Where a target stops keeping up, read from latency against rate. Pure.
namespace sg::stats {

/// One step of a sweep.
struct RatePoint
{
    double requestedRps = 0, achievedRps = 0;
    std::optional<double> latencyMs; ///< of the percentile that is looked at; empty: no success in this step
    bool objectivesHold = true;
};

/// Index of the highest rate that can be promised: in order of the requested rate, the last step before the first one
/// whose objectives do not hold, that has no latency, or that achieved less than 95 % of what was requested. Nothing
/// when the lowest rate fails already, or without a point; the last point when every step holds, which says only that
/// the sweep did not reach the end.
std::optional<std::size_t> highestSustained(std::span<const RatePoint> points);

/// Index of the knee by Kneedle: both axes scaled to 0..1, the point farthest below the diagonal, taken as a knee when
/// the distance falls after it by more than one mean step (sensitivity 1) before the end. Latency that dips is raised
/// to what a lower rate had: more load does not make a server faster. Nothing for fewer than 5 points with a latency,
/// when latency less than doubles, or when the curve does not bend (a straight line, or one that flattens). Source:
/// Satopää, Albrecht, Irwin, Raghavan 2011, "Finding a 'Kneedle' in a Haystack", ICDCSW, section III.
std::optional<std::size_t> kneeOf(std::span<const RatePoint> points);

} // namespace sg::stats
