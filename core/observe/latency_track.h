// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "core/stats/windowed_histogram.h"

namespace sg::observe {

/// How long requests took, from when they were due to their end. Not thread-safe.
class LatencyTrack
{
public:
    enum class Kind { Answered, Cached, Failed };
    void add(Kind kind, Nanos latency, Instant now);

    /// Answered requests, those by the cache included.
    const stats::Histogram& answered(Nanos window, Instant now) { return answered_.total(window, now); }
    /// 20 bins to the decade, from the first to the last that is not empty. `answered` is without `cached`.
    std::vector<LatencyBin> bins(Nanos window, Instant now);

private:
    stats::WindowedHistogram answered_, cached_, failed_;
};

} // namespace sg::observe
