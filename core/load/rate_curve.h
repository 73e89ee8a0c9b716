// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/load_model.h"
#include "core/measure/knee.h"

#include <QJsonObject>
#include <QStringList>

/// Latency against rate: what a run's steps of different rates came to, and where the target stopped to keep up. Pure.
namespace sg::load {

/// A stretch of a run at one rate, or a piece of a ramp. Its requests are those that were intended within it.
struct RateStep
{
    Nanos from{0}, to{0};                      ///< since the start of the run
    double fromRate = 0, toRate = 0;           ///< planned, a second
    double requestedRate = 0;                  ///< their mean
    double dueRate = 0;                        ///< arrivals that chance made of it
    std::optional<double> sentRate;            ///< without what was dropped; empty: not known
    double achievedRate = 0;                   ///< answers that came within the step and the first step's p99 on top
    std::optional<double> answeredRate;        ///< all of its answers, backlog too; empty: not known
    std::optional<double> p50Ms, p95Ms, p99Ms; ///< response time of successes
    std::optional<double> successShare;        ///< 0..1; empty: nothing ended
    std::int64_t requests = 0;                 ///< that ended, without the cancelled
    std::int64_t dropped = 0;                  ///< arrivals that were not sent
    QStringList invalidBecause;                ///< measure::invalidBecause() of this step alone; empty: valid
    bool isRise = true; ///< its rate is above that of every step before it; others may bear an earlier one's backlog
    measure::KneeSign sign = measure::KneeSign::None; ///< against the first rising step; None: it held

    double seconds() const { return toMs(to - from) / 1000; }
    bool held() const { return sign == measure::KneeSign::None; }
    bool operator==(const RateStep&) const = default;
};

struct RateCurve
{
    std::vector<RateStep> steps; ///< in order of time
    // Of rising steps; indices into `steps`.
    std::optional<std::size_t> lastHeld; ///< the last before the first that did not hold; empty: not even the first
    std::optional<std::size_t> beyond;   ///< the first that did not hold; empty: all held
    std::optional<std::size_t> bend;     ///< where p99 bends (stats::kneeOf); steps that are not valid do not count

    /// Two rates at least: with one there is nothing to draw against.
    bool isCurve() const;
    bool operator==(const RateCurve&) const = default;
};

/// Steps in order of time; fills in `isRise` and `sign`.
RateCurve rateCurveOf(std::vector<RateStep> steps);

/// The report's "rate_steps"; null without a step.
QJsonValue rateStepsJson(const RateCurve& curve);
/// The report's "sweep": less of the same, as reports before "rate_steps" had it.
QJsonObject sweepJson(const RateCurve& curve);
/// Of a report; one that has only a "sweep" is read from that. What is missing or no number is unknown.
RateCurve rateCurveIn(const QJsonObject& report);

/// "the rate was not reached", "p99 is above twice that of the first step"; empty for None.
QString signWords(measure::KneeSign sign);
/// Two sentences: the last step that held with what ended it, and where p99 bends. They are different questions, so
/// each says which it answers.
QString kneeWords(const RateCurve& curve);

} // namespace sg::load
