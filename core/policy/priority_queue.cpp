// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/priority_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sg::policy {

PriorityQueue::PriorityQueue(std::size_t capacity)
    : capacity_(capacity)
{
}

PriorityQueue::Pushed PriorityQueue::push(std::string id, int priority)
{
    const std::scoped_lock lock(mutex_);
    Pushed answer{true, {}};
    if (size_ >= capacity_) {
        ++dropped_;
        if (size_ == 0 || byPriority_.rbegin()->first >= priority)
            return {false, std::move(id)};
        const auto lowest = std::prev(byPriority_.end());
        answer.dropped = std::move(lowest->second.back());
        lowest->second.pop_back();
        if (lowest->second.empty())
            byPriority_.erase(lowest);
        --size_;
    }
    byPriority_[priority].push_back(std::move(id));
    ++size_;
    return answer;
}

std::optional<std::string> PriorityQueue::pop()
{
    const std::scoped_lock lock(mutex_);
    if (size_ == 0)
        return {};
    const auto first = byPriority_.begin();
    std::string id = std::move(first->second.front());
    first->second.pop_front();
    if (first->second.empty())
        byPriority_.erase(first);
    --size_;
    return id;
}

bool PriorityQueue::remove(const std::string& id)
{
    const std::scoped_lock lock(mutex_);
    for (auto line = byPriority_.begin(); line != byPriority_.end(); ++line) {
        const auto entry = std::find(line->second.begin(), line->second.end(), id);
        if (entry == line->second.end())
            continue;
        line->second.erase(entry);
        if (line->second.empty())
            byPriority_.erase(line);
        --size_;
        return true;
    }
    return false;
}

std::size_t PriorityQueue::size() const
{
    const std::scoped_lock lock(mutex_);
    return size_;
}

std::int64_t PriorityQueue::droppedTotal() const
{
    const std::scoped_lock lock(mutex_);
    return dropped_;
}

} // namespace sg::policy
