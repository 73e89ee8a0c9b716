// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/window_levels.h"

#include <cstdint>
#include <vector>

namespace sg::stats {

/// The largest of the values of the last minutes to hours. put() is O(1), peak() walks the slots of the level that
/// covers the window (at most 1440 with fineLevels). Not thread-safe.
class PeakWindow
{
public:
    explicit PeakWindow(const WindowLevels& levels = fineLevels());
    void put(std::int64_t value, Instant at);
    std::int64_t peak(Nanos window, Instant now) const; ///< 0 without values

private:
    struct Slot
    {
        std::int64_t index = INT64_MIN, value = 0;
    };
    struct Level
    {
        Nanos slot;
        std::vector<Slot> ring;
    };
    std::vector<Level> levels_;
};

} // namespace sg::stats
