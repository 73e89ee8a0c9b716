// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>

namespace sg {

using Nanos = std::chrono::nanoseconds;
using Millis = std::chrono::milliseconds;

/// A steady time line without now(): the rooms that use it are given the time and cannot read it.
struct SteadyTimeline
{
    using rep = std::int64_t;
    using period = std::nano;
    using duration = Nanos;
    using time_point = std::chrono::time_point<SteadyTimeline, Nanos>;
    static constexpr bool is_steady = true;
};

/// A moment on the steady time line. The origin is arbitrary (boot, or 0 in virtual time).
using Instant = SteadyTimeline::time_point;

constexpr Instant instantAtMs(std::int64_t ms)
{
    return Instant(Millis(ms));
}
constexpr double toMs(Nanos span)
{
    return static_cast<double>(span.count()) / 1e6;
}
/// Milliseconds to nanoseconds, saturating at the ends of the range; NaN is 0.
constexpr Nanos fromMs(double ms)
{
    const double ns = ms * 1e6;
    if (!(ns == ns))
        return Nanos::zero();
    if (ns >= 9.2e18)
        return Nanos::max();
    if (ns <= -9.2e18)
        return Nanos::min();
    return Nanos(static_cast<std::int64_t>(ns + (ns < 0 ? -0.5 : 0.5)));
}

/// `span` after `t`, held at the ends of the time line instead of running over.
constexpr Instant later(Instant t, Nanos span)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(t.time_since_epoch().count(), span.count(), &sum))
        return span.count() < 0 ? Instant::min() : Instant::max();
    return Instant(Nanos(sum));
}

/// From `from` to `to`, held at the ends of the range instead of running over.
constexpr Nanos spanBetween(Instant from, Instant to)
{
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(to.time_since_epoch().count(), from.time_since_epoch().count(), &difference))
        return to < from ? Nanos::min() : Nanos::max();
    return Nanos(difference);
}

} // namespace sg
