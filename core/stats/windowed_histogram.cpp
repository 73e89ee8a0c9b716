// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/windowed_histogram.h"

#include <algorithm>

namespace sg::stats {

namespace {
constexpr std::size_t kTotalsKept = 3; // the one longest not asked for is given up first
}

WindowedHistogram::WindowedHistogram(const WindowLevels& levels)
{
    for (const WindowLevel& level : levels)
        levels_.emplace_back(level);
}

void WindowedHistogram::record(Nanos value, Instant now)
{
    for (Level& level : levels_) {
        level.advance(now);
        level.open.record(value);
        for (Total& total : level.totals)
            total.value.record(value);
    }
}

const Histogram& WindowedHistogram::total(Nanos window, Instant now)
{
    Level* best = &levels_.back();
    for (Level& level : levels_) {
        if (slotsFor(window, level.slot) <= static_cast<int>(level.ring.size())) {
            best = &level;
            break;
        }
    }
    best->advance(now);
    const int slots = std::clamp(slotsFor(window, best->slot), 1, static_cast<int>(best->ring.size()));
    return best->total(slots, ++asked_);
}

std::size_t WindowedHistogram::bytes() const
{
    std::size_t sum = 0;
    for (const Level& level : levels_) {
        for (const PackedHistogram& packed : level.ring)
            sum += sizeof packed + packed.bytes();
    }
    return sum;
}

std::size_t WindowedHistogram::Level::place(std::int64_t index) const
{
    const auto size = static_cast<std::int64_t>(ring.size());
    const std::int64_t rest = index % size;
    return static_cast<std::size_t>(rest < 0 ? rest + size : rest);
}

bool WindowedHistogram::Level::holds(std::int64_t index) const
{
    return index <= current && index > current - static_cast<std::int64_t>(ring.size());
}

void WindowedHistogram::Level::advance(Instant now)
{
    if (started && now < nextSlotAt)
        return;
    const std::int64_t target = slotIndex(now, slot);
    if (!started) {
        current = target;
    } else if (target - current >= static_cast<std::int64_t>(ring.size())) {
        std::fill(ring.begin(), ring.end(), PackedHistogram{});
        open.clear();
        for (Total& total : totals)
            total.value.clear();
        current = target;
    }
    while (current < target)
        step();
    started = true;
    nextSlotAt = Instant(slot * (current + 1));
}

void WindowedHistogram::Level::step()
{
    ring[place(current)] = PackedHistogram(open);
    open.clear();
    for (Total& total : totals) {
        if (holds(current + 1 - total.slots))
            ring[place(current + 1 - total.slots)].subtractFrom(total.value);
    }
    ++current;
    ring[place(current)] = PackedHistogram{};
}

const Histogram& WindowedHistogram::Level::total(int slots, std::uint64_t asked)
{
    for (Total& total : totals) {
        if (total.slots == slots) {
            total.lastAsked = asked;
            return total.value;
        }
    }
    Total* made = nullptr;
    if (totals.size() < kTotalsKept) {
        made = &totals.emplace_back();
    } else {
        made = &*std::min_element(totals.begin(), totals.end(),
                                  [](const Total& a, const Total& b) { return a.lastAsked < b.lastAsked; });
    }
    made->slots = slots;
    made->lastAsked = asked;
    build(*made);
    return made->value;
}

void WindowedHistogram::Level::build(Total& target) const
{
    target.value.clear();
    for (std::int64_t i = current - target.slots + 1; i < current; ++i) {
        if (holds(i))
            ring[place(i)].addTo(target.value);
    }
    target.value.add(open);
}

} // namespace sg::stats
