// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/event_log.h"

#include <algorithm>

namespace sg::observe {

bool EventLog::repeat(Key key, std::int64_t unixMs)
{
    if (key == 0)
        return false;
    const std::size_t looked = std::min(kLookBack, lines_.size());
    for (std::size_t back = 1; back <= looked; ++back) {
        Line& line = lines_[lines_.size() - back];
        if (line.key != key)
            continue;
        if (unixMs - line.event.unixMs >= kMergeMs)
            return false;
        ++line.event.repeats;
        return true;
    }
    return false;
}

std::uint64_t EventLog::push(Event event, Key key)
{
    event.sequence = ++last_;
    lines_.push_back({std::move(event), key});
    if (lines_.size() > kCapacity)
        lines_.pop_front();
    return last_;
}

Event* EventLog::find(std::uint64_t sequence)
{
    const std::uint64_t first = last_ - lines_.size() + 1;
    if (sequence < first || sequence > last_)
        return nullptr;
    return &lines_[static_cast<std::size_t>(sequence - first)].event;
}

std::vector<Event> EventLog::newestFirst(std::size_t most) const
{
    std::vector<Event> list;
    list.reserve(std::min(most, lines_.size()));
    for (auto line = lines_.rbegin(); line != lines_.rend() && list.size() < most; ++line)
        list.push_back(line->event);
    return list;
}

} // namespace sg::observe
