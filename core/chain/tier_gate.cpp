// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/tier_gate.h"

#include <algorithm>
#include <utility>

namespace sg::chain {

namespace {

/// An estimate settles nothing: what was reserved is one too.
std::optional<double> tokensOf(const provider::Usage& usage)
{
    if (usage.estimated || !usage.inputTokens || !usage.outputTokens)
        return std::nullopt;
    return static_cast<double>(*usage.inputTokens + *usage.outputTokens);
}

bool isFailure(const provider::ErrorFacts& error)
{
    return error.disposition.error != provider::ErrorClass::None;
}

} // namespace

AttemptLease::AttemptLease(EndpointState& endpoint, policy::Permit permit, policy::DualLimiter::Ticket ticket,
                           Instant now)
    : endpoint_(&endpoint)
    , permit_(std::move(permit))
    , ticket_(ticket)
    , taken_(now)
{
    ++endpoint.inFlight;
}

AttemptLease::AttemptLease(AttemptLease&& other) noexcept
    : endpoint_(std::exchange(other.endpoint_, nullptr))
    , permit_(std::move(other.permit_))
    , ticket_(other.ticket_)
    , taken_(other.taken_)
{
}

AttemptLease& AttemptLease::operator=(AttemptLease&& other) noexcept
{
    if (this == &other)
        return *this;
    release(true, {}, taken_);
    endpoint_ = std::exchange(other.endpoint_, nullptr);
    permit_ = std::move(other.permit_);
    ticket_ = other.ticket_;
    taken_ = other.taken_;
    return *this;
}

AttemptLease::~AttemptLease()
{
    // Whether anything was sent is not known here: what is not known to be unused stays counted.
    release(true, {}, taken_);
}

void AttemptLease::settle(const provider::ErrorFacts& error, const provider::Usage& usage, const AttemptTiming& timing,
                          Instant now)
{
    if (!endpoint_)
        return;
    const Nanos duration = std::max(timing.end - timing.sent.value_or(timing.dispatched), Nanos::zero());
    permit_.finish({error.disposition.breaker, duration, error.hint.asked()}, now);
    // An answer that only says no has generated nothing; of a broken connection nobody knows.
    const bool answeredNo = isFailure(error) && error.status >= 400;
    const std::optional<double> tokens = tokensOf(usage);
    const bool wasSent = !isFailure(error) || error.status != 0 || timing.sent.has_value();
    settleTicket(wasSent, tokens || !answeredNo ? tokens : std::optional(0.0), now);
    leave();
}

void AttemptLease::release(bool wasSent, const provider::Usage& usage, Instant now)
{
    if (!endpoint_)
        return;
    permit_.drop(now);
    settleTicket(wasSent, tokensOf(usage), now);
    leave();
}

void AttemptLease::settleTicket(bool wasSent, std::optional<double> tokens, Instant now)
{
    policy::DualLimiter& limits = endpoint_->limits();
    if (wasSent)
        limits.reconcile(ticket_, tokens.value_or(ticket_.tokens), now);
    else
        limits.cancel(ticket_, now);
}

void AttemptLease::leave()
{
    --endpoint_->inFlight;
    endpoint_ = nullptr;
}

std::optional<Refusal> checkSuitability(const TierSpec& tier, const Capabilities& can, const provider::Needs& needs)
{
    if (!tier.enabled)
        return Refusal{MoveReason::Disabled, {}};
    if (needs.tools && !can.tools)
        return Refusal{MoveReason::LacksTools, {}};
    if (needs.images && !can.images)
        return Refusal{MoveReason::LacksImages, {}};
    if (needs.jsonMode && !can.jsonMode)
        return Refusal{MoveReason::LacksJsonMode, {}};
    if (can.contextWindow && needs.estimatedInputTokens + needs.maxOutputTokens > *can.contextWindow)
        return Refusal{MoveReason::WindowTooSmall, {}};
    return std::nullopt;
}

Nanos askedToWait(EndpointState& endpoint, Instant now)
{
    const Instant until = std::max(endpoint.parkedUntil, endpoint.quota().pausedUntil);
    return until > now ? until - now : Nanos::zero();
}

std::optional<Nanos> knownWait(EndpointState& endpoint, Instant now)
{
    const Nanos wait = std::max(askedToWait(endpoint, now), endpoint.breaker().untilProbe(now));
    return wait > Nanos::zero() ? std::optional(wait) : std::nullopt;
}

tl::expected<AttemptLease, Refusal> admit(EndpointState& endpoint, const provider::Needs& needs, Instant now)
{
    const EndpointSpec& spec = endpoint.spec();
    if (endpoint.credential().out || !endpoint.keyMissing.empty())
        return tl::unexpected(Refusal{MoveReason::CredentialOut, {}});
    if (askedToWait(endpoint, now) > Nanos::zero())
        return tl::unexpected(Refusal{MoveReason::Parked, knownWait(endpoint, now)});
    if (spec.maxInFlight && endpoint.inFlight >= *spec.maxInFlight)
        return tl::unexpected(Refusal{MoveReason::Bulkhead, {}});

    policy::Permit permit = endpoint.breaker().acquire(now);
    if (!permit)
        return tl::unexpected(Refusal{MoveReason::BreakerOpen, knownWait(endpoint, now)});
    const double tokens = static_cast<double>(needs.estimatedInputTokens + needs.maxOutputTokens);
    const policy::DualLimiter::Answer limits = endpoint.limits().acquire(tokens, now);
    if (!limits.ticket) {
        permit.drop(now);
        return tl::unexpected(Refusal{MoveReason::RateLimited, limits.wait});
    }
    return AttemptLease(endpoint, std::move(permit), *limits.ticket, now);
}

} // namespace sg::chain
