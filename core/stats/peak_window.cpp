// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/peak_window.h"

#include <algorithm>

namespace sg::stats {

PeakWindow::PeakWindow(const WindowLevels& levels)
{
    for (const WindowLevel& level : levels)
        levels_.push_back({level.slot, std::vector<Slot>(static_cast<std::size_t>(level.slots))});
}

void PeakWindow::put(std::int64_t value, Instant at)
{
    for (Level& level : levels_) {
        const std::int64_t index = slotIndex(at, level.slot);
        const auto size = static_cast<std::int64_t>(level.ring.size());
        Slot& slot = level.ring[static_cast<std::size_t>(((index % size) + size) % size)];
        if (slot.index > index)
            continue;
        slot.value = slot.index == index ? std::max(slot.value, value) : value;
        slot.index = index;
    }
}

std::int64_t PeakWindow::peak(Nanos window, Instant now) const
{
    const Level* best = &levels_.back();
    for (const Level& level : levels_) {
        if (slotsFor(window, level.slot) <= static_cast<int>(level.ring.size())) {
            best = &level;
            break;
        }
    }
    const std::int64_t last = slotIndex(now, best->slot);
    const std::int64_t first = last - slotsFor(window, best->slot) + 1;
    std::int64_t most = 0;
    for (const Slot& slot : best->ring) {
        if (slot.index >= first && slot.index <= last)
            most = std::max(most, slot.value);
    }
    return most;
}

} // namespace sg::stats
