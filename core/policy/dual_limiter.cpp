// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/dual_limiter.h"

#include "core/policy/amount.h"

#include <algorithm>
#include <utility>

namespace sg::policy {

namespace {

constexpr double kSecondsPerMinute = 60;

std::optional<TokenLevel> levelOf(std::optional<double> perMinute)
{
    if (!perMinute)
        return {};
    return TokenLevel(*perMinute / kSecondsPerMinute, *perMinute);
}

void resizeLevel(std::optional<TokenLevel>& level, std::optional<double> perMinute)
{
    if (level && perMinute)
        level->resize(*perMinute / kSecondsPerMinute, *perMinute);
    else
        level = levelOf(perMinute);
}

/// How long until n pass at once, or never.
std::optional<Nanos> waitFor(const TokenLevel& level, double n)
{
    return n > level.burst() + kTolerance ? std::nullopt : level.timeUntil(n);
}

} // namespace

DualLimiter::DualLimiter(std::optional<double> requestsPerMinute, std::optional<double> tokensPerMinute)
    : requests_(levelOf(requestsPerMinute))
    , tokens_(levelOf(tokensPerMinute))
{
}

void DualLimiter::refill(Instant now)
{
    if (last_ && now > *last_) {
        const Nanos elapsed = spanBetween(*last_, now);
        for (auto* level : {&requests_, &tokens_}) {
            if (*level)
                (*level)->fill(elapsed);
        }
    }
    last_ = last_ ? std::max(*last_, now) : now;
}

DualLimiter::Answer DualLimiter::acquire(double tokens, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    tokens = tokens > 0 ? tokens : 0;
    Answer answer{{}, Nanos::zero(), {}};
    const auto look = [&answer](const std::optional<TokenLevel>& level, double n, const char* name) {
        if (!level || level->has(n))
            return;
        answer.limitedBy.emplace_back(name);
        const auto wait = waitFor(*level, n);
        answer.wait = answer.wait && wait ? std::optional(std::max(*answer.wait, *wait)) : std::nullopt;
    };
    look(requests_, 1, "requests");
    look(tokens_, tokens, "tokens");
    if (!answer.limitedBy.empty())
        return answer;
    if (requests_)
        requests_->spend(1);
    if (tokens_)
        tokens_->spend(tokens);
    answer.ticket = Ticket{tokens, true};
    return answer;
}

void DualLimiter::reconcile(Ticket& ticket, double actualTokens, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    if (!std::exchange(ticket.held, false) || !tokens_ || !(actualTokens >= 0))
        return;
    tokens_->giveBack(ticket.tokens - actualTokens);
}

void DualLimiter::cancel(Ticket& ticket, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    if (!std::exchange(ticket.held, false))
        return;
    if (requests_)
        requests_->giveBack(1);
    if (tokens_)
        tokens_->giveBack(ticket.tokens);
}

void DualLimiter::resize(std::optional<double> requestsPerMinute, std::optional<double> tokensPerMinute, Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    resizeLevel(requests_, requestsPerMinute);
    resizeLevel(tokens_, tokensPerMinute);
}

DualLimiter::Available DualLimiter::available(Instant now)
{
    const std::scoped_lock lock(mutex_);
    refill(now);
    Available available;
    if (requests_)
        available.requests = requests_->tokens();
    if (tokens_)
        available.tokens = tokens_->tokens();
    return available;
}

} // namespace sg::policy
