// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/sliding_window.h"

#include "core/policy/amount.h"

#include <algorithm>

namespace sg::policy {

namespace {

Instant notBackwards(std::optional<Instant>& last, Instant now)
{
    last = last ? std::max(*last, now) : now;
    return *last;
}

} // namespace

SlidingLog::SlidingLog(std::int64_t limit, Nanos window)
    : limit_(std::max<std::int64_t>(0, limit))
    , window_(window)
{
}

Instant SlidingLog::expire(Instant now)
{
    now = notBackwards(last_, now);
    while (!permits_.empty() && spanBetween(permits_.front().first, now) >= window_) {
        held_ -= permits_.front().second;
        permits_.pop_front();
    }
    return now;
}

bool SlidingLog::tryAcquire(std::int64_t n, Instant now)
{
    const std::scoped_lock lock(mutex_);
    now = expire(now);
    if (n < 0 || n > limit_ - held_)
        return false;
    if (n == 0)
        return true;
    if (!permits_.empty() && permits_.back().first == now)
        permits_.back().second += n;
    else
        permits_.emplace_back(now, n);
    held_ += n;
    return true;
}

std::optional<Nanos> SlidingLog::waitTime(std::int64_t n, Instant now)
{
    const std::scoped_lock lock(mutex_);
    now = expire(now);
    if (n < 0 || n > limit_)
        return {};
    std::int64_t missing = n - (limit_ - held_);
    Nanos wait{0};
    for (auto permit = permits_.begin(); missing > 0 && permit != permits_.end(); ++permit) {
        missing -= permit->second;
        wait = spanBetween(now, later(permit->first, window_));
    }
    return wait;
}

std::int64_t SlidingLog::available(Instant now)
{
    const std::scoped_lock lock(mutex_);
    expire(now);
    return limit_ - held_;
}

void SlidingLog::resize(std::int64_t limit, Nanos window, Instant now)
{
    const std::scoped_lock lock(mutex_);
    expire(now);
    limit_ = std::max<std::int64_t>(0, limit);
    window_ = window;
}

TwoBucketWindow::TwoBucketWindow(double limit, Nanos window)
    : limit_(limit > 0 ? limit : 0)
    , window_(std::max(window, Nanos(1)))
{
}

double TwoBucketWindow::estimate(Instant now)
{
    const bool first = !last_;
    const std::int64_t ns = notBackwards(last_, now).time_since_epoch().count();
    const std::int64_t window = window_.count();
    const std::int64_t remainder = ns % window;
    const std::int64_t elapsed = remainder < 0 ? remainder + window : remainder;
    const std::int64_t index = ns / window - (remainder < 0 ? 1 : 0); // floor: the clock may start below zero
    if (!first && index != index_) {
        previous_ = index - 1 == index_ ? current_ : 0;
        current_ = 0;
    }
    index_ = index;
    return previous_ * static_cast<double>(window - elapsed) / static_cast<double>(window) + current_;
}

bool TwoBucketWindow::tryAcquire(double n, Instant now)
{
    const std::scoped_lock lock(mutex_);
    const double used = estimate(now);
    if (!(n >= 0) || !(used + n <= limit_ + kTolerance))
        return false;
    current_ += n;
    return true;
}

double TwoBucketWindow::available(Instant now)
{
    const std::scoped_lock lock(mutex_);
    return limit_ - estimate(now);
}

} // namespace sg::policy
