// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/window_levels.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sg::stats {

/// Slots of equal length, each with a value that can be added to and subtracted from, and running totals over the last
/// n slots, the open one included. A total expires exactly: when time reaches a new slot the one that has left is
/// subtracted. O(1) per addition and per total, O(slots) once for a total not asked for before and per jump in time.
/// A time older than one seen before counts as that one. Not thread-safe.
template <typename T>
class SlotRing
{
public:
    static constexpr std::size_t kTotalsKept = 4; ///< the one longest not asked for is given up first

    explicit SlotRing(WindowLevel level)
        : slot_(level.slot)
        , ring_(static_cast<std::size_t>(level.slots))
    {
    }

    Nanos slotLength() const { return slot_; }
    int capacity() const { return static_cast<int>(ring_.size()); }
    std::int64_t currentIndex() const { return current_; }
    bool started() const { return started_; }

    void add(const T& value, Instant now)
    {
        advance(now);
        ring_[place(current_)] += value;
        for (Total& total : totals_)
            total.value += value;
    }

    /// Over the last `slots` slots (at most the capacity).
    const T& total(int slots, Instant now)
    {
        advance(now);
        slots = std::clamp(slots, 1, capacity());
        ++asked_;
        for (Total& total : totals_) {
            if (total.slots == slots) {
                total.lastAsked = asked_;
                return total.value;
            }
        }
        return newTotal(slots);
    }

    /// The value of one slot by its index on the time line; nothing recorded or no longer held: a default value.
    T slot(std::int64_t index) const { return holds(index) ? ring_[place(index)] : T{}; }

    void advance(Instant now)
    {
        if (started_ && now < nextSlotAt_)
            return;
        const std::int64_t target = slotIndex(now, slot_);
        if (!started_)
            current_ = first_ = target;
        else if (target - current_ >= capacity())
            forget(target);
        while (current_ < target)
            step();
        started_ = true;
        nextSlotAt_ = Instant(slot_ * (current_ + 1));
    }

    void clear()
    {
        std::fill(ring_.begin(), ring_.end(), T{});
        for (Total& total : totals_)
            total.value = T{};
    }

private:
    struct Total
    {
        int slots = 0;
        std::uint64_t lastAsked = 0;
        T value{};
    };

    std::size_t place(std::int64_t index) const
    {
        const std::int64_t rest = index % capacity();
        return static_cast<std::size_t>(rest < 0 ? rest + capacity() : rest);
    }

    bool holds(std::int64_t index) const
    {
        return started_ && index <= current_ && index >= first_ && index > current_ - capacity();
    }

    void step()
    {
        for (Total& total : totals_) {
            if (holds(current_ + 1 - total.slots))
                total.value -= ring_[place(current_ + 1 - total.slots)];
        }
        ++current_;
        ring_[place(current_)] = T{};
    }

    void forget(std::int64_t target)
    {
        clear();
        current_ = first_ = target;
    }

    const T& newTotal(int slots)
    {
        Total made{slots, asked_, T{}};
        for (std::int64_t i = current_ - slots + 1; i <= current_; ++i) {
            if (holds(i))
                made.value += ring_[place(i)];
        }
        if (totals_.size() < kTotalsKept)
            return totals_.emplace_back(std::move(made)).value;
        auto oldest = std::min_element(totals_.begin(), totals_.end(),
                                       [](const Total& a, const Total& b) { return a.lastAsked < b.lastAsked; });
        *oldest = std::move(made);
        return oldest->value;
    }

    Nanos slot_;
    std::vector<T> ring_;
    std::vector<Total> totals_;
    std::int64_t current_ = 0, first_ = 0;
    std::uint64_t asked_ = 0;
    Instant nextSlotAt_{};
    bool started_ = false;
};

/// The same facts at several resolutions, so that a window of a day costs no more than one of minutes. A window is
/// served by the finest level that covers it and reaches back between window - slot and window.
template <typename T>
class Windowed
{
public:
    explicit Windowed(const WindowLevels& levels = fineLevels())
    {
        for (const WindowLevel& level : levels)
            rings_.emplace_back(level);
    }

    void add(const T& value, Instant now)
    {
        for (SlotRing<T>& ring : rings_)
            ring.add(value, now);
    }

    /// Valid until the next call.
    const T& total(Nanos window, Instant now)
    {
        SlotRing<T>& ring = ringFor(window);
        return ring.total(slotsFor(window, ring.slotLength()), now);
    }

    SlotRing<T>& finest() { return rings_.front(); }

private:
    SlotRing<T>& ringFor(Nanos window)
    {
        for (SlotRing<T>& ring : rings_) {
            if (slotsFor(window, ring.slotLength()) <= ring.capacity())
                return ring;
        }
        return rings_.back();
    }

    std::vector<SlotRing<T>> rings_;
};

} // namespace sg::stats
