// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <mutex>
#include <optional>

namespace sg::policy {

/// The arithmetic of one bucket: fills evenly, starts full, may go into debt. Not thread-safe, has no clock.
class TokenLevel
{
public:
    /// Negative numbers and NaN are 0.
    TokenLevel(double ratePerSecond, double burst);
    void fill(Nanos elapsed);
    bool has(double n) const;                       ///< false for a negative n and NaN
    void spend(double n);                           ///< what it has; what the tolerance let pass becomes no debt
    void borrow(double n) { tokens_ -= n; }         ///< into debt if need be
    void giveBack(double n);                        ///< at most up to the burst
    void resize(double ratePerSecond, double burst); ///< what is taken stays taken, into debt if need be
    std::optional<Nanos> timeUntil(double n) const; ///< rounded up to a nanosecond; n may be over the burst
    double tokens() const { return tokens_; }
    double burst() const { return burst_; }
    double ratePerSecond() const { return rate_; }

private:
    double rate_, burst_, tokens_;
};

/// Thread-safe. Time, amounts and "never" as said in limiters.h; a negative amount and NaN are refused.
class TokenBucket
{
public:
    TokenBucket(double ratePerSecond, double burst); ///< starts full
    bool tryAcquire(double n, Instant now);          ///< n or nothing, never into debt
    struct Reservation
    {
        double n = 0;
        Nanos wait{0};
    };
    /// Takes n, into debt if need be, and answers the exact wait; nothing is taken when that is over maxWait or never.
    std::optional<Reservation> reserve(double n, Instant now, std::optional<Nanos> maxWait = {});
    /// Gives back, at most up to the burst. Once per reservation: the bucket does not remember them.
    void cancel(const Reservation& reservation, Instant now);
    std::optional<Nanos> waitTime(double n, Instant now); ///< a query
    double available(Instant now);                        ///< negative in debt
    void resize(double ratePerSecond, double burst, Instant now); ///< what is taken stays taken
    double burst() const { return level_.burst(); }
    double ratePerSecond() const { return level_.ratePerSecond(); }

private:
    void refill(Instant now);
    std::mutex mutex_;
    TokenLevel level_;
    std::optional<Instant> last_;
};

} // namespace sg::policy
