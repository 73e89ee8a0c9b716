// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/policy/token_bucket.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::policy {

/// Requests and tokens a minute, reserved by estimate and settled by usage; both or neither. Thread-safe.
class DualLimiter
{
public:
    /// Not set: that side does not limit.
    DualLimiter(std::optional<double> requestsPerMinute, std::optional<double> tokensPerMinute);
    struct Ticket
    {
        double tokens = 0;
        bool held = false;
    };
    struct Answer
    {
        std::optional<Ticket> ticket;       ///< empty when refused; then nothing was taken
        std::optional<Nanos> wait;          ///< 0 when granted; the longer wait; empty = never
        std::vector<std::string> limitedBy; ///< "requests", "tokens"
    };
    /// An estimate that is negative or NaN counts as 0.
    Answer acquire(double tokens, Instant now);
    /// Puts estimate minus actual back, debt allowed, and ends the ticket; an ended ticket changes nothing. An actual
    /// amount that is negative or NaN is unknown: the estimate stands.
    void reconcile(Ticket& ticket, double actualTokens, Instant now);
    void cancel(Ticket& ticket, Instant now); ///< gives both back and ends the ticket
    /// Other limits; what is taken stays taken. A side that did not limit begins full.
    void resize(std::optional<double> requestsPerMinute, std::optional<double> tokensPerMinute, Instant now);
    struct Available
    {
        std::optional<double> requests, tokens;
    };
    Available available(Instant now);

private:
    void refill(Instant now);
    std::mutex mutex_;
    std::optional<TokenLevel> requests_, tokens_;
    std::optional<Instant> last_;
};

} // namespace sg::policy
