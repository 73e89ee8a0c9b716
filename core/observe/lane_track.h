// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

#include <deque>

namespace sg::observe {

/// The states one breaker went through, of the last day and at most 2000. Not thread-safe.
class LaneTrack
{
public:
    static constexpr std::size_t kKept = 2000;
    static constexpr std::size_t kShown = 400;

    void begin(policy::BreakerState state, Instant at, std::string cause);
    void setCause(std::string cause) { segments_.back().cause = std::move(cause); }
    /// Of the segment before the last, if there is one.
    void setCauseBefore(std::string cause);
    bool empty() const { return segments_.empty(); }
    policy::BreakerState state() const { return segments_.back().state; }
    Instant lastFrom() const { return segments_.back().from; }

    /// Segments that touch the window, cut to it. More than 400 are joined; a joined one shows its worst state.
    std::vector<LaneSegment> view(Nanos window, Instant now, const WallAnchor& anchor) const;

private:
    struct Segment
    {
        policy::BreakerState state;
        Instant from;
        std::string cause;
    };
    std::deque<Segment> segments_;
};

} // namespace sg::observe
