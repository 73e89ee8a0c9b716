// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::policy {

/// At most `limit` permits younger than the window; exact, remembers each instant. Thread-safe; a negative amount is
/// refused, a negative limit is 0.
class SlidingLog
{
public:
    SlidingLog(std::int64_t limit, Nanos window);
    bool tryAcquire(std::int64_t n, Instant now);               ///< n or nothing
    std::optional<Nanos> waitTime(std::int64_t n, Instant now); ///< a query
    std::int64_t available(Instant now); ///< negative after a resize to less than is held
    void resize(std::int64_t limit, Nanos window, Instant now); ///< permits that were given stay given

private:
    Instant expire(Instant now); ///< answers the time that counts
    std::mutex mutex_;
    std::int64_t limit_;
    Nanos window_;
    std::deque<std::pair<Instant, std::int64_t>> permits_;
    std::int64_t held_ = 0;
    std::optional<Instant> last_;
};

/// Sliding window by two counters, aligned at multiples of the window; constant memory, an estimate. Thread-safe; a
/// negative amount and NaN are refused.
class TwoBucketWindow
{
public:
    TwoBucketWindow(double limit, Nanos window);
    bool tryAcquire(double n, Instant now);
    double available(Instant now);

private:
    double estimate(Instant now);
    std::mutex mutex_;
    double limit_;
    Nanos window_;
    std::int64_t index_ = 0;
    double current_ = 0, previous_ = 0;
    std::optional<Instant> last_;
};

} // namespace sg::policy
