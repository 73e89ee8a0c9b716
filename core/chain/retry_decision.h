// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/chain/record.h"

/// After a failed attempt: try here again, move on, or end.
namespace sg::chain {

/// What one request remembers of the tier it is at.
struct TierVisit
{
    explicit TierVisit(const policy::BackoffPolicy& policy)
        : backoff(policy)
    {
    }
    policy::Backoff backoff;
    int attempts = 0;
    bool onceUsed = false; ///< RetryAdvice::Once has been followed
};

struct RetryHere
{
    Nanos wait{0};
    WaitReason reason = WaitReason::Backoff;
    std::string source;
    Nanos ownBackoff{0};
    policy::DelayBand band; ///< what ownBackoff was drawn from
    std::optional<Nanos> hint;
};
struct MoveOn
{
    MoveReason reason = MoveReason::NotRetryable;
    std::optional<Nanos> wait; ///< how long this tier is known to be out
};
/// Another tier could do better, but this one may not be left for such a failure.
struct StopMoving
{
    std::optional<Nanos> wait; ///< how long this tier is known to be out
};
struct EndHere
{
};
using AfterFailure = std::variant<RetryHere, MoveOn, StopMoving, EndHere>;

struct FailedAttempt
{
    const ChainSpec& chain;
    const TierSpec& tier;
    EndpointState& endpoint;
    const provider::ErrorFacts& error;
    bool committed = false; ///< something has reached the caller
    int attemptsOfRequest = 0;
    Nanos timeLeft{0}; ///< until the request's deadline
};

/// What every other request must know of this failure: a quota pause, a parked endpoint, a dead key.
void noteForOthers(EndpointState& endpoint, const provider::ErrorFacts& error, Instant now);

/// Call after noteForOthers and after the breaker has been fed. Draws from `random` only where a retry is possible.
AfterFailure decideAfterFailure(const FailedAttempt& failed, TierVisit& visit, policy::RandomSource& random,
                                Instant now);

} // namespace sg::chain
