// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"

#include <cstdint>
#include <deque>
#include <variant>

namespace sg::policy {

enum class CallKind : std::uint8_t { Success, Failure, RateLimited };

/// Calls counted over the last span of time or the last so many calls. Sums are kept as calls come and go, so a look is
/// O(1) and memory follows what was recorded, not the length of the window. Not thread-safe.
class CallWindow
{
public:
    struct Sums
    {
        std::int64_t successes = 0, failures = 0, rateLimited = 0, slow = 0;
    };

    explicit CallWindow(const std::variant<TimeWindow, CountWindow>& shape);
    /// Lets go of everything too old at `now`; `now` must not go back.
    void expire(Instant now);
    void record(CallKind kind, bool slow, Instant now);
    void clear();
    const Sums& sums() const { return sums_; }

private:
    struct Bucket
    {
        std::int64_t index;
        Sums sums;
    };
    struct Call
    {
        CallKind kind;
        bool slow;
    };
    std::int64_t indexOf(Instant t) const;
    void expireBuckets(std::int64_t current);
    void recordInBucket(CallKind kind, bool slow, Instant now);
    void recordInList(CallKind kind, bool slow);

    bool timed_;
    std::int64_t bucketNs_ = 1;
    std::uint64_t limit_ = 0; ///< buckets or calls that count
    std::deque<Bucket> buckets_;
    std::deque<Call> calls_;
    Sums sums_;
};

} // namespace sg::policy
