// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/retry_decision.h"

#include "core/chain/tier_gate.h"

#include <algorithm>

namespace sg::chain {

namespace {

using policy::HintAction;
using provider::ErrorClass;
using provider::FallbackKind;
using provider::RetryAdvice;

/// No server's word keeps an endpoint out for longer than a day: it may be a broken clock.
constexpr Nanos kLongestPark = std::chrono::hours(24);

bool concernsQuota(const provider::ErrorFacts& error)
{
    const ErrorClass c = error.disposition.error;
    return error.status == 429 || c == ErrorClass::RateLimited || c == ErrorClass::QuotaExhausted;
}

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
    const auto moveOn = [&](MoveReason why) { return MoveOn{why, knownWait(failed.endpoint, now)}; };
    switch (failed.error.disposition.fallback) {
    case FallbackKind::Next:
        // A key that is out does not come back by waiting.
        return reason == MoveReason::CredentialOut ? MoveOn{reason, {}} : moveOn(reason);
    case FallbackKind::LargerContext:
        return MoveOn{MoveReason::ContextTooLong, {}};
    case FallbackKind::ContentPolicy:
        if (failed.tier.movesOn.contentPolicy)
            return MoveOn{MoveReason::ContentPolicy, {}};
        return EndHere{};
    case FallbackKind::Stop:
    case FallbackKind::None:
        return EndHere{};
    }
    return EndHere{};
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
