// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/lane_track.h"

#include <algorithm>

namespace sg::observe {

using policy::BreakerState;

namespace {

constexpr Nanos kDay = std::chrono::hours(24);

int badness(BreakerState state)
{
    switch (state) {
    case BreakerState::ForcedOpen:
        return 3;
    case BreakerState::Open:
        return 2;
    case BreakerState::HalfOpen:
        return 1;
    case BreakerState::Closed:
    case BreakerState::ForcedClosed:
    case BreakerState::MetricsOnly:
        return 0;
    }
    return 0;
}

} // namespace

void LaneTrack::begin(BreakerState state, Instant at, std::string cause)
{
    if (!segments_.empty())
        at = std::max(at, segments_.back().from);
    segments_.push_back({state, at, std::move(cause)});
    while (segments_.size() > 1 && (segments_.size() > kKept || segments_[1].from <= at - kDay))
        segments_.pop_front();
}

void LaneTrack::setCauseBefore(std::string cause)
{
    if (segments_.size() >= 2)
        segments_[segments_.size() - 2].cause = std::move(cause);
}

std::vector<LaneSegment> LaneTrack::view(Nanos window, Instant now, const WallAnchor& anchor) const
{
    const Instant start = now - window;
    auto first = std::upper_bound(segments_.begin(), segments_.end(), start,
                                  [](Instant at, const Segment& segment) { return at < segment.from; });
    if (first != segments_.begin())
        --first;
    const auto shown = static_cast<std::size_t>(segments_.end() - first);
    // A joined segment ends only when it is this long; so there are at most 400 with the cut ones at both ends.
    const Nanos shortest = shown > kShown ? window / static_cast<std::int64_t>(kShown - 2) : Nanos::zero();

    std::vector<LaneSegment> list;
    list.reserve(std::min(shown, kShown));
    Instant begun = start;
    for (auto segment = first; segment != segments_.end(); ++segment) {
        const Instant from = std::max(segment->from, start);
        if (!list.empty() && from - begun < shortest) {
            if (badness(segment->state) > badness(list.back().state)) {
                list.back().state = segment->state;
                list.back().cause = segment->cause;
            }
            continue;
        }
        if (!list.empty())
            list.back().toUnixMs = anchor.toUnixMs(from);
        list.push_back({segment->state, anchor.toUnixMs(from), 0, segment->cause});
        begun = from;
    }
    if (!list.empty())
        list.back().toUnixMs = std::max(anchor.toUnixMs(now), list.back().fromUnixMs);
    return list;
}

} // namespace sg::observe
