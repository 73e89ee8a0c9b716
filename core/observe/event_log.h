// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/event.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace sg::observe {

/// The last 1000 lines. Lines that say the same become one that counts, so that a storm does not push out what led to
/// it. Not thread-safe.
class EventLog
{
public:
    static constexpr std::size_t kCapacity = 1000;
    static constexpr std::int64_t kMergeMs = 60'000; ///< after this a line that goes on is begun anew

    /// What makes lines equal, figures left out; 0: never equal to another.
    using Key = std::uint64_t;

    /// Counts one more on a recent line with this key, without making its text; false: there is none.
    bool repeat(Key key, std::int64_t unixMs);
    /// Adds a line and answers its sequence, from 1 on.
    std::uint64_t push(Event event, Key key = 0);
    /// Null when it has been dropped.
    Event* find(std::uint64_t sequence);
    const Event* newest() const { return lines_.empty() ? nullptr : &lines_.back().event; }

    std::vector<Event> newestFirst(std::size_t most) const;
    /// Those after this one that are still here, oldest first.
    std::vector<Event> after(std::uint64_t sequence) const;
    std::uint64_t total() const { return last_; }
    std::uint64_t dropped() const { return last_ - lines_.size(); }

private:
    struct Line
    {
        Event event;
        Key key = 0;
    };
    void dropOldest();

    std::deque<Line> lines_;
    std::unordered_map<Key, std::uint64_t> latest_; ///< line of each key in `lines_`
    std::uint64_t last_ = 0;
};

} // namespace sg::observe
