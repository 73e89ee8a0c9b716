// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/sample.h"
#include "core/stats/histogram.h"

#include <map>

namespace sg::measure {

/// A run second by second. Bounded: long runs make the axis coarser, never longer.
class TimeAxis
{
public:
    static constexpr std::size_t kMostSlots = 900;

    struct Slot
    {
        int answered = 0, failed = 0, good = 0;         ///< by the moment of their end; failed: cut off too
        int attempts = 0, attemptsFailed = 0;           ///< by the moment of their end
        int requested = 0, dispatched = 0, dropped = 0; ///< by the moment they were intended for
        std::int64_t outputTokens = 0;
        int mostInFlight = 0;        ///< requests at a time
        std::map<int, int> statuses; ///< by the moment of their end: HTTP status, 0: without an answer
        stats::Histogram latency{2}; ///< response times of answers
        std::map<int, int> causes{}; ///< of failed attempts: what the caller knows a cause by
    };

    explicit TimeAxis(Instant start)
        : start_(start)
    {
    }
    Slot& at(Instant moment); ///< what was before the start counts as its first moment
    const std::vector<Slot>& slots() const { return slots_; }
    Nanos slotWidth() const { return slotWidth_; }

private:
    void halveResolution();
    Instant start_;
    Nanos slotWidth_{std::chrono::seconds(1)};
    std::vector<Slot> slots_;
};

} // namespace sg::measure
