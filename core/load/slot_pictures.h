// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "core/measure/time_axis.h"

namespace sg::load {

/// A run's time axis as the screen gets it, ten times a second. Remembers what it read from the slots' histograms: most
/// of them no longer change, and to ask 900 of them each time would take longer than the run's own work.
class SlotPictures
{
public:
    /// Fills `seconds`, `secondStatuses`, `attemptCauses` and `heatEdgesMs`.
    void fill(RunProgress& picture, const measure::TimeAxis& axis);

    static const std::vector<double>& heatEdgesMs(); ///< five a decade, from 1 ms to 1000 s; the end rows hold the rest

private:
    struct Known
    {
        std::int64_t count = -1; ///< of the histogram when it was read
        std::optional<float> p50Ms, p95Ms, p99Ms;
        std::vector<std::uint32_t> heat;
    };
    static Known read(const stats::Histogram& latency);

    Nanos slotWidth_{0};
    std::vector<Known> known_;
};

} // namespace sg::load
