// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/rate_curve.h"
#include "core/measure/sample.h"
#include "core/stats/histogram.h"

namespace sg::load {

/// The steps of a load whose rate changes by plan or by hand. A request belongs to the step in which it was intended.
/// It counts as achieved when it ended within its step and the first step's p99 on top: what comes later is backlog.
/// Stages are steps as they are; a ramp is cut into pieces. Pure; bounded.
class StepTrack
{
public:
    static constexpr std::size_t kMostSteps = 200; ///< what is planned beyond has no step
    static constexpr std::size_t kMostPieces = 8;  ///< of a ramp

    /// What lies before `measuredFrom` or after `measuredTo` (both since the start) belongs to no step. Closed loads
    /// and replays have none.
    explicit StepTrack(const LoadModel& model, Nanos measuredFrom = Nanos(0), Nanos measuredTo = Nanos::max());

    bool empty() const { return steps_.empty(); }

    // Times since the start of the run.
    void onRateSet(Nanos now, double perSecond); ///< by hand: from now on it is this, whatever was planned
    void onDue(Nanos intended);                  ///< of every arrival, dropped ones too
    void onDropped(Nanos intended);
    /// `dispatched` empty: not known, and nothing is said of the generator then.
    void onFinished(Nanos intended, std::optional<Nanos> dispatched, Nanos ended, measure::Outcome outcome);

    /// Steps whose requests have all had their time. `stoppedAt`: nothing was due from then on, and all that was has
    /// ended; a step that was cut short counts when half of it was played, one made by hand from 5 s on.
    std::vector<RateStep> stepsAt(Nanos now, std::optional<Nanos> stoppedAt = {}) const;

private:
    struct Step
    {
        Nanos from{0}, to{0};
        double fromRate = 0, toRate = 0;
        std::int64_t due = 0, dropped = 0, judged = 0, successes = 0, inTime = 0;
        stats::Histogram response{3}, delay{2};
    };
    void add(Nanos from, Nanos to, double fromRate, double toRate);
    Step* stepAt(Nanos intended);
    Nanos grace() const; ///< beyond the end of a step
    std::optional<Nanos> playedTo(const Step& step, Nanos now, std::optional<Nanos> stoppedAt) const;
    RateStep read(const Step& step, Nanos to) const;

    std::vector<Step> steps_; ///< in order, not overlapping
    int mostInFlight_ = 0;
};

} // namespace sg::load
