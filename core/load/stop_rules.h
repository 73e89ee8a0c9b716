// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/tally.h"
#include "core/stats/slot_ring.h"

namespace sg::load {

/// What ends a run: whichever comes first. A schedule also ends by itself.
struct StopRules
{
    std::optional<std::int64_t> requests; ///< started
    std::optional<Nanos> duration;
    std::optional<double> errorShare;         ///< 0..1 of the last 10 s, from 20 requests on
    std::optional<double> budgetUsd;          ///< what is known to be spent, estimates included
    std::optional<Nanos> objectivesBrokenFor; ///< so long without a second that kept them all
    bool whenSaturated = false;               ///< the generator's thread was busy for 3 s in a row
    bool operator==(const StopRules&) const = default;
};

enum class StopReason {
    None,
    ByHand,
    Requests,
    Duration,
    ScheduleOver,
    ErrorShare,
    Budget,
    ObjectivesBroken,
    GeneratorSaturated,
    Knee, ///< of a sweep: the target no longer follows
};
std::string_view toString(StopReason reason); // snake_case
QString inWords(StopReason reason);           ///< a part of a sentence: "the error rate was too high"

/// Watches a run for the rules that need more than a counter. Pure; the time comes in and does not go back.
class StopWatch
{
public:
    StopWatch(const StopRules& rules, std::vector<measure::Objective> objectives);

    void onFinished(const measure::Sample& sample);
    void onSpent(std::int64_t nanoUsd) { spentNanoUsd_ += nanoUsd; }
    /// Once a second. `busy`: 0..1, the generator's thread in that second; empty: not known.
    StopReason onSecond(Instant now, std::optional<double> busy);
    /// After every request.
    StopReason check(Instant now);

private:
    struct Counts
    {
        std::int64_t judged = 0, failed = 0;
        Counts& operator+=(const Counts& other);
        Counts& operator-=(const Counts& other);
    };
    bool objectivesBroken(Instant now);

    StopRules rules_;
    std::vector<measure::Objective> objectives_;
    stats::SlotRing<Counts> latest_;
    measure::Tally second_; ///< the second under way
    std::optional<Instant> secondBegan_, brokenSince_;
    std::int64_t spentNanoUsd_ = 0;
    int busySeconds_ = 0;
};

} // namespace sg::load
