// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/call_window.h"

#include <algorithm>

namespace sg::policy {

namespace {

void add(CallWindow::Sums& sums, CallKind kind, bool slow, std::int64_t amount)
{
    switch (kind) {
    case CallKind::Success:
        sums.successes += amount;
        break;
    case CallKind::Failure:
        sums.failures += amount;
        break;
    case CallKind::RateLimited:
        sums.rateLimited += amount;
        break;
    }
    if (slow)
        sums.slow += amount;
}

void subtract(CallWindow::Sums& sums, const CallWindow::Sums& gone)
{
    sums.successes -= gone.successes;
    sums.failures -= gone.failures;
    sums.rateLimited -= gone.rateLimited;
    sums.slow -= gone.slow;
}

} // namespace

CallWindow::CallWindow(const std::variant<TimeWindow, CountWindow>& shape)
    : timed_(std::holds_alternative<TimeWindow>(shape))
{
    if (const auto* count = std::get_if<CountWindow>(&shape)) {
        limit_ = static_cast<std::uint64_t>(std::max(0, count->size));
        return;
    }
    const auto& time = std::get<TimeWindow>(shape);
    bucketNs_ = std::max<std::int64_t>(1, time.bucket.count());
    limit_ = static_cast<std::uint64_t>(std::max<std::int64_t>(1, time.window.count() / bucketNs_));
}

std::int64_t CallWindow::indexOf(Instant t) const
{
    const std::int64_t ns = t.time_since_epoch().count();
    const std::int64_t quotient = ns / bucketNs_;
    return ns % bucketNs_ < 0 ? quotient - 1 : quotient; // floor: the clock may start below zero
}

void CallWindow::expireBuckets(std::int64_t current)
{
    const auto age = [current](const Bucket& b) {
        return static_cast<std::uint64_t>(current) - static_cast<std::uint64_t>(b.index);
    };
    while (!buckets_.empty() && age(buckets_.front()) >= limit_) {
        subtract(sums_, buckets_.front().sums);
        buckets_.pop_front();
    }
}

void CallWindow::expire(Instant now)
{
    if (timed_ && !buckets_.empty())
        expireBuckets(indexOf(now));
}

void CallWindow::recordInBucket(CallKind kind, bool slow, Instant now)
{
    const std::int64_t current = indexOf(now);
    expireBuckets(current);
    if (buckets_.empty() || buckets_.back().index != current)
        buckets_.push_back({current, {}});
    add(buckets_.back().sums, kind, slow, 1);
    add(sums_, kind, slow, 1);
}

void CallWindow::recordInList(CallKind kind, bool slow)
{
    calls_.push_back({kind, slow});
    add(sums_, kind, slow, 1);
    if (calls_.size() > limit_) {
        add(sums_, calls_.front().kind, calls_.front().slow, -1);
        calls_.pop_front();
    }
}

void CallWindow::record(CallKind kind, bool slow, Instant now)
{
    if (timed_)
        recordInBucket(kind, slow, now);
    else
        recordInList(kind, slow);
}

void CallWindow::clear()
{
    buckets_.clear();
    calls_.clear();
    sums_ = {};
}

} // namespace sg::policy
