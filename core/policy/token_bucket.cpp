// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/token_bucket.h"

#include "core/policy/amount.h"

#include <algorithm>
#include <cmath>

namespace sg::policy {

namespace {

constexpr double kNanosPerSecond = 1e9;

} // namespace

TokenLevel::TokenLevel(double ratePerSecond, double burst)
    : rate_(amount(ratePerSecond))
    , burst_(amount(burst))
    , tokens_(burst_)
{
}

void TokenLevel::fill(Nanos elapsed)
{
    if (tokens_ < burst_)
        tokens_ = std::min(burst_, tokens_ + rate_ * (static_cast<double>(elapsed.count()) / kNanosPerSecond));
}

bool TokenLevel::has(double n) const
{
    return n >= 0 && tokens_ + kTolerance >= n;
}

void TokenLevel::spend(double n)
{
    tokens_ -= std::min(n, std::max(0.0, tokens_));
}

void TokenLevel::giveBack(double n)
{
    tokens_ = std::min(burst_, tokens_ + n);
}

void TokenLevel::resize(double ratePerSecond, double burst)
{
    const double taken = burst_ - tokens_;
    *this = TokenLevel(ratePerSecond, burst);
    tokens_ = burst_ - taken;
}

std::optional<Nanos> TokenLevel::timeUntil(double n) const
{
    if (has(n))
        return Nanos::zero();
    const double missing = n - tokens_;
    if (!(missing > 0) || rate_ == 0)
        return {};
    // Rounded up, so that whoever waits that long is served; less what double arithmetic may have added.
    const double ns = missing / rate_ * kNanosPerSecond;
    const double whole = std::ceil(ns - std::max(1e-4, ns * 1e-14));
    if (!(whole < 9.2e18))
        return {};
    return Nanos(static_cast<std::int64_t>(whole));
}

TokenBucket::TokenBucket(double ratePerSecond, double burst)
    : level_(ratePerSecond, burst)
{
}

void TokenBucket::refill(Instant now)
{
    if (last_ && now > *last_)
        level_.fill(spanBetween(*last_, now));
    last_ = last_ ? std::max(*last_, now) : now;
}

bool TokenBucket::tryAcquire(double n, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    if (!level_.has(n))
        return false;
    level_.spend(n);
    return true;
}

std::optional<TokenBucket::Reservation> TokenBucket::reserve(double n, Instant now, std::optional<Nanos> maxWait)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    if (!(n >= 0))
        return {};
    const auto wait = level_.timeUntil(n);
    if (!wait || (maxWait && *wait > *maxWait))
        return {};
    level_.borrow(n);
    return Reservation{n, *wait};
}

void TokenBucket::cancel(const Reservation& reservation, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    level_.giveBack(reservation.n);
}

std::optional<Nanos> TokenBucket::waitTime(double n, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    if (!(n >= 0) || n > level_.burst() + kTolerance)
        return {};
    return level_.timeUntil(n);
}

void TokenBucket::resize(double ratePerSecond, double burst, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    level_.resize(ratePerSecond, burst);
}

double TokenBucket::available(Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    return level_.tokens();
}

} // namespace sg::policy
