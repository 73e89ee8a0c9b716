// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/simulator/script.h"

#include <deque>

namespace sg::simulator {

/// A provider's quota as a script has it. Bounded by the quota; the time does not go back.
class QuotaWindow
{
public:
    explicit QuotaWindow(const Quota& quota)
        : quota_(quota)
    {
    }
    const Quota& quota() const { return quota_; }

    /// False: this request is refused.
    bool take(Instant now)
    {
        if (quota_.first > 0) {
            --quota_.first;
            return true;
        }
        const bool isFull = wait(now) > Nanos(0);
        if (isFull && !quota_.countsRefused)
            return false;
        counted_.push_back(now);
        if (counted_.size() > static_cast<std::size_t>(quota_.requests))
            counted_.pop_front();
        return !isFull;
    }

    /// Until a request would pass; 0: it would now.
    Nanos wait(Instant now) const
    {
        if (counted_.size() < static_cast<std::size_t>(quota_.requests))
            return Nanos(0);
        return std::max(Nanos(0), counted_.front() + fromMs(quota_.windowMs) - now);
    }

private:
    Quota quota_;
    std::deque<Instant> counted_; ///< the newest, at most as many as pass in a window
};

} // namespace sg::simulator
