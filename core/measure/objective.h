// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/metric.h"
#include "core/measure/spelling.h"

namespace sg::measure {

enum class Statistic { Percentile, Mean, Min, Max, Whole };
enum class Relation { Less, AtMost, Greater, AtLeast };
std::string_view toString(Relation relation); // "<", "<=", ">", ">="

/// One thing a run has to keep, such as "ttft.p99<800ms".
struct Objective
{
    Metric metric = Metric::Response;
    Statistic statistic = Statistic::Percentile; ///< Whole exactly for metrics with one value a run
    double percentile = 95;
    Relation relation = Relation::Less;
    double bound = 0; ///< in the metric's unit
    bool operator==(const Objective&) const = default;
};

/// "p95<2s,success>99.5%,ttft.p99<800ms,goodput>9/s": comma-separated, each METRIC.STATISTIC RELATION BOUND. Without a
/// metric it is the response time; statistics are p1…p100 (p99.9 too), mean, min, max; what has one value a run takes
/// none. A goodput in per cent is the share of good requests.
Parsed<std::vector<Objective>> parseObjectives(std::string_view text);
QString textOf(const Objective& objective);     ///< reads back as the same
QString valueText(Metric metric, double value); ///< "1.84 s", "99.5 %"

bool keeps(double value, const Objective& objective);
/// A success that keeps the bound of each objective about requests. A time or a rate of its answer that is not known,
/// such as the first token of an answer that was not streamed, keeps no bound; waits or gaps that there were none of
/// do. Of the gaps between its tokens or pieces the longest counts.
bool isGood(const Sample& sample, const std::vector<Objective>& objectives);

/// What the run came to; empty: no data, which is no success.
struct ObjectiveVerdict
{
    Objective objective;
    std::optional<double> measured;
    bool met() const { return measured && keeps(*measured, objective); }
};

} // namespace sg::measure
