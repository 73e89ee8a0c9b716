// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/event_log.h"

#include <algorithm>

namespace sg::observe {

bool EventLog::repeat(Key key, std::int64_t unixMs)
{
    const auto known = latest_.find(key);
    if (key == 0 || known == latest_.end())
        return false;
    Event* event = find(known->second);
    if (event == nullptr || unixMs - event->unixMs >= kMergeMs)
        return false;
    ++event->repeats;
    return true;
}

std::uint64_t EventLog::push(Event event, Key key)
{
    event.sequence = ++last_;
    if (key != 0)
        latest_.insert_or_assign(key, last_);
    lines_.push_back({std::move(event), key});
    if (lines_.size() > kCapacity)
        dropOldest();
    return last_;
}

void EventLog::dropOldest()
{
    const Line& oldest = lines_.front();
    const auto known = latest_.find(oldest.key);
    if (known != latest_.end() && known->second == oldest.event.sequence)
        latest_.erase(known);
    lines_.pop_front();
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

std::vector<Event> EventLog::after(std::uint64_t sequence) const
{
    const std::uint64_t gone = dropped();
    const std::uint64_t skip = std::min<std::uint64_t>(sequence > gone ? sequence - gone : 0, lines_.size());
    std::vector<Event> list;
    for (auto line = lines_.begin() + static_cast<std::ptrdiff_t>(skip); line != lines_.end(); ++line)
        list.push_back(line->event);
    return list;
}

} // namespace sg::observe
