// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/load_model.h"
#include "core/measure/knee.h"
#include "core/measure/sample.h"
#include "core/stats/histogram.h"

namespace sg::load {

/// The steps of a sweep. A request belongs to the step in which it was intended. It counts as achieved when it ended
/// within its step and the first step's p99 on top: what comes later is backlog. Pure.
class SweepTrack
{
public:
    explicit SweepTrack(const SweepModel& sweep);

    // Times since the start of the run.
    void onDue(Nanos intended); ///< of every arrival, dropped ones too
    void onFinished(Nanos intended, Nanos ended, Nanos response, measure::Outcome outcome);

    /// Steps whose requests have all had their time.
    std::vector<measure::KneePoint> pointsAt(Nanos now) const;
    measure::Knee kneeAt(Nanos now) const;

private:
    struct Step
    {
        double rate = 0;
        std::int64_t due = 0, judged = 0, successes = 0, inTime = 0;
        stats::Histogram response{3};
    };
    Step& stepAt(Nanos intended);
    Nanos grace() const; ///< beyond the end of a step

    Nanos each_;
    std::vector<Step> steps_;
};

} // namespace sg::load
