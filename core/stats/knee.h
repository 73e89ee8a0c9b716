// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>

/// Where a target stops keeping up, read from latency against rate. Pure.
namespace sg::stats {

/// One step of a sweep.
struct RatePoint
{
    double requestedRps = 0;
    std::optional<double> latencyMs; ///< of the percentile that is looked at; empty: no success in this step
};

/// Index of the knee by Kneedle: both axes scaled to 0..1, the point farthest below the diagonal, taken as a knee when
/// the distance falls after it by more than one mean step (sensitivity 1) before the end. Latency that dips is raised
/// to what a lower rate had: more load does not make a server faster. Nothing for fewer than 5 points with a latency,
/// when latency less than doubles, or when the curve does not bend (a straight line, or one that flattens). Source:
/// Satopää, Albrecht, Irwin, Raghavan 2011, "Finding a 'Kneedle' in a Haystack", ICDCSW, section III.
std::optional<std::size_t> kneeOf(std::span<const RatePoint> points);

} // namespace sg::stats
