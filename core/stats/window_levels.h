// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <vector>

namespace sg::stats {

/// One resolution of a ring: `slots` slots of `slot` each.
struct WindowLevel
{
    Nanos slot{std::chrono::seconds(1)};
    int slots = 900;
};
using WindowLevels = std::vector<WindowLevel>; ///< finest first

/// 1 s for 15 min, 15 s for 6 h, 60 s for 24 h.
inline WindowLevels fineLevels()
{
    using namespace std::chrono;
    return {{seconds(1), 900}, {seconds(15), 1440}, {seconds(60), 1440}};
}

/// 5 s for 15 min, 60 s for 6 h, 5 min for 24 h: for what is kept once per endpoint and is large.
inline WindowLevels coarseLevels()
{
    using namespace std::chrono;
    return {{seconds(5), 180}, {seconds(60), 360}, {seconds(300), 288}};
}

/// Whole slots from the origin of the time line, rounded down also before it.
constexpr std::int64_t slotIndex(Instant at, Nanos slot)
{
    const std::int64_t ns = at.time_since_epoch().count();
    const std::int64_t index = ns / slot.count();
    return ns < 0 && index * slot.count() != ns ? index - 1 : index;
}

constexpr int slotsFor(Nanos window, Nanos slot)
{
    return static_cast<int>((window.count() + slot.count() - 1) / slot.count());
}

} // namespace sg::stats
