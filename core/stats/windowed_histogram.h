// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/packed_histogram.h"
#include "core/stats/window_levels.h"

#include <array>
#include <cstdint>

namespace sg::stats {

/// Durations of the last minutes to hours with two digits, at several resolutions. Percentiles come from a running
/// total, never from a walk over the window. Slots that are over are kept packed; the totals' minimum and maximum are
/// those of everything since the total was last empty. A time older than one seen before counts as that one. Not
/// thread-safe.
class WindowedHistogram
{
public:
    explicit WindowedHistogram(const WindowLevels& levels = fineLevels());

    void record(Nanos value, Instant now);
    /// Over the window by the finest level that covers it. Valid until the next call.
    const Histogram& total(Nanos window, Instant now);
    std::size_t bytes() const; ///< held by slots and totals

private:
    struct Total
    {
        int slots = 0;
        std::uint64_t lastAsked = 0;
        Histogram value{2};
    };
    struct Level
    {
        explicit Level(WindowLevel shape)
            : slot(shape.slot)
            , ring(static_cast<std::size_t>(shape.slots))
        {
        }
        void advance(Instant now);
        void step();
        bool holds(std::int64_t index) const;
        std::size_t place(std::int64_t index) const;
        const Histogram& total(int slots, std::uint64_t asked);
        void build(Total& target) const;

        Nanos slot;
        std::vector<PackedHistogram> ring;
        Histogram open{2};
        std::vector<Total> totals;
        std::int64_t current = 0;
        Instant nextSlotAt{};
        bool started = false;
    };

    std::vector<Level> levels_;
    std::uint64_t asked_ = 0;
};

} // namespace sg::stats
