// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/retry_decision.h"

#include "core/chain/moves_on.h"
#include "core/chain/tier_gate.h"

#include <algorithm>

namespace sg::chain {

namespace {

using policy::HintAction;
using provider::FallbackKind;
using provider::RetryAdvice;

/// No server's word keeps an endpoint out for longer than a day: it may be a broken clock.
constexpr Nanos kLongestPark = std::chrono::hours(24);

std::string sourceOf(const policy::BackoffPolicy& policy)
{
    std::string source(policy::toString(policy.kind));
    source += " backoff";
    if (policy.jitter.type != policy::JitterType::None)
        source.append(", ").append(policy::toString(policy.jitter.type)).append(" jitter");
    return source;
}

/// Why this endpoint may not be tried again by this request, whatever the wait; empty = it may.
std::optional<MoveReason> againstRetry(const FailedAttempt& failed, const TierVisit& visit)
{
    const provider::ErrorFacts& error = failed.error;
    if (failed.endpoint.credential().out)
        return MoveReason::CredentialOut;
    const RetryAdvice advice = error.disposition.retry;
    if (advice == RetryAdvice::No || (advice == RetryAdvice::Once && visit.onceUsed))
        return MoveReason::NotRetryable;
    if (error.hint.action == HintAction::Stop)
        return MoveReason::NotRetryable;
    if (visit.attempts >= failed.tier.maxAttempts)
        return MoveReason::AttemptsUsed;
    if (failed.attemptsOfRequest >= failed.chain.attemptBudget)
        return MoveReason::AttemptBudget;
    if (error.hint.action == HintAction::Failover)
        return MoveReason::WaitTooLong;
    return std::nullopt;
}

RetryHere planRetry(const FailedAttempt& failed, TierVisit& visit, policy::RandomSource& random, Instant now)
{
    RetryHere plan;
    plan.band = visit.backoff.nextBand();
    plan.ownBackoff = std::max(visit.backoff.next(random), Nanos::zero());
    plan.wait = plan.ownBackoff;
    plan.source = sourceOf(failed.tier.backoff);
    plan.hint = failed.error.hint.asked();
    // Another request's answer, or an earlier one, may have asked for more than this one did.
    const Nanos asked = askedToWait(failed.endpoint, now);
    if (asked > Nanos::zero() && asked >= plan.wait) {
        const bool byThisAnswer = plan.hint && *plan.hint >= asked;
        plan.wait = asked;
        plan.hint = asked;
        plan.reason = WaitReason::ServerHint;
        plan.source = byThisAnswer ? failed.error.hint.source : "pause asked for by another answer";
    }
    return plan;
}

/// Why waiting is no use; empty = wait.
std::optional<MoveReason> againstWaiting(const FailedAttempt& failed, Nanos wait, Instant now)
{
    if (wait > failed.chain.maxServerWait || wait >= failed.timeLeft)
        return MoveReason::WaitTooLong;
    policy::Breaker& breaker = failed.endpoint.breaker();
    if (breaker.untilProbe(now) > wait || breaker.state(now) == policy::BreakerState::ForcedOpen)
        return MoveReason::BreakerOpen;
    return std::nullopt;
}

AfterFailure leave(const FailedAttempt& failed, MoveReason reason, Instant now)
{
    const FallbackKind fallback = failed.error.disposition.fallback;
    if (fallback == FallbackKind::Stop || fallback == FallbackKind::None)
        return EndHere{};
    // A key that is out does not come back by waiting.
    if (fallback == FallbackKind::Next && reason == MoveReason::CredentialOut)
        return MoveOn{reason, {}};
    // The failure decides, also where it was the one that opened the breaker.
    if (!mayLeave(failed.tier.movesOn, kindOf(failed.error))) {
        if (fallback == FallbackKind::Next)
            return StopMoving{knownWait(failed.endpoint, now)};
        return EndHere{};
    }
    if (fallback == FallbackKind::LargerContext)
        return MoveOn{MoveReason::ContextTooLong, {}};
    if (fallback == FallbackKind::ContentPolicy)
        return MoveOn{MoveReason::ContentPolicy, {}};
    return MoveOn{reason, knownWait(failed.endpoint, now)};
}

} // namespace

void noteForOthers(EndpointState& endpoint, const provider::ErrorFacts& error, Instant now)
{
    if (provider::refusesKey(error)) {
        Credential& credential = endpoint.credential();
        credential.out = true;
        credential.because = provider::inWords(error.disposition.error);
        if (!error.message.empty())
            credential.because += ": " + error.message;
    }
    const std::optional<Nanos> asked = error.hint.asked();
    if (!asked)
        return;
    const Instant until = later(now, std::min(*asked, kLongestPark));
    Instant& pause = concernsQuota(error) ? endpoint.quota().pausedUntil : endpoint.parkedUntil;
    pause = std::max(pause, until);
}

AfterFailure decideAfterFailure(const FailedAttempt& failed, TierVisit& visit, policy::RandomSource& random,
                                Instant now)
{
    if (failed.committed)
        return EndHere{};
    if (const auto reason = againstRetry(failed, visit))
        return leave(failed, *reason, now);
    RetryHere plan = planRetry(failed, visit, random, now);
    if (const auto reason = againstWaiting(failed, plan.wait, now))
        return leave(failed, *reason, now);
    if (failed.error.disposition.retry == RetryAdvice::Once)
        visit.onceUsed = true;
    return plan;
}

} // namespace sg::chain
