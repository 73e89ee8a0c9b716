// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace sg::policy {

/// Larger priority first, first in first out within one. Bounded; what it drops is counted. Thread-safe.
class PriorityQueue
{
public:
    explicit PriorityQueue(std::size_t capacity);
    /// `dropped`: who had to go when the queue was full, which may be the new one itself (then it is not queued).
    struct Pushed
    {
        bool queued = false;
        std::optional<std::string> dropped;
    };
    Pushed push(std::string id, int priority);
    std::optional<std::string> pop();
    bool remove(const std::string& id); ///< takes an entry out and counts nothing
    std::size_t size() const;
    std::int64_t droppedTotal() const;

private:
    mutable std::mutex mutex_;
    std::size_t capacity_;
    std::map<int, std::deque<std::string>, std::greater<>> byPriority_; ///< no empty lines
    std::size_t size_ = 0;
    std::int64_t dropped_ = 0;
};

} // namespace sg::policy
