// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/limiter_gate.h"

#include <algorithm>

namespace sg::chain {

LimiterGate::Verdict LimiterGate::ask(ChainState& chain, Instant latest, Instant now)
{
    policy::TokenBucket* bucket = chain.bucket();
    policy::SlidingLog* window = chain.window();
    const std::optional<Nanos> windowWait = window ? window->waitTime(1, now) : Nanos::zero();
    const Nanos longest = std::max(latest - now, Nanos::zero());
    const bool windowInTime = windowWait && *windowWait <= longest;

    if (bucket && !reserved_ && windowInTime) {
        reserved_ = bucket->reserve(1, now, longest);
        if (reserved_)
            bucketReady_ = later(now, reserved_->wait);
    }
    if (!windowInTime || (bucket && !reserved_)) {
        const std::optional<Nanos> bucketWait = !bucket     ? Nanos::zero()
                                                : reserved_ ? std::max(bucketReady_ - now, Nanos::zero())
                                                            : bucket->waitTime(1, now);
        giveBack(chain, now);
        const bool ever = windowWait && bucketWait;
        return {Kind::Refused, {}, ever ? std::optional(std::max(*windowWait, *bucketWait)) : std::nullopt};
    }

    const Instant ready = std::max(bucket ? bucketReady_ : now, later(now, *windowWait));
    if (ready > now)
        return {Kind::Wait, ready, {}};
    if (window)
        window->tryAcquire(1, now);
    reserved_.reset();
    return {};
}

void LimiterGate::giveBack(ChainState& chain, Instant now)
{
    if (reserved_)
        chain.bucket()->cancel(*reserved_, now);
    reserved_.reset();
}

} // namespace sg::chain
