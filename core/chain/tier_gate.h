// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/chain/record.h"

#include <tl/expected.hpp>

/// May this endpoint be used now; if not, why, and for how long not.
namespace sg::chain {

struct Refusal
{
    MoveReason reason = MoveReason::Disabled;
    std::optional<Nanos> wait; ///< empty = not known
};

/// What a running attempt holds of its endpoint: the breaker's permit, the reservation of its limits, a place in the
/// bulkhead. Given back exactly once: by settle, by release, or by the destructor.
class AttemptLease
{
public:
    AttemptLease() = default;
    AttemptLease(EndpointState& endpoint, policy::Permit permit, policy::DualLimiter::Ticket ticket, Instant now);
    AttemptLease(AttemptLease&& other) noexcept;
    AttemptLease& operator=(AttemptLease&& other) noexcept;
    AttemptLease(const AttemptLease&) = delete;
    AttemptLease& operator=(const AttemptLease&) = delete;
    ~AttemptLease();

    bool isProbe() const { return permit_.isProbe(); }
    /// The attempt has ended: the breaker learns its outcome once, the limits what was used.
    void settle(const provider::ErrorFacts& error, const provider::Usage& usage, const AttemptTiming& timing,
                Instant now);
    /// Cancelled: neutral for the breaker. What had been sent stays counted, for the provider counts it too.
    void release(bool wasSent, const provider::Usage& usage, Instant now);

private:
    void settleTicket(bool wasSent, std::optional<double> tokens, Instant now);
    void leave();
    EndpointState* endpoint_ = nullptr;
    policy::Permit permit_;
    policy::DualLimiter::Ticket ticket_;
    Instant taken_{};
};

/// What never changes by waiting: switched off, or unable to do what the request needs.
std::optional<Refusal> checkSuitability(const TierSpec& tier, const Capabilities& can, const provider::Needs& needs);

/// Everything an attempt needs, or nothing and the first reason against it.
tl::expected<AttemptLease, Refusal> admit(EndpointState& endpoint, const provider::Needs& needs, Instant now);

/// How long the endpoint is known to be out: by a server's word or an open breaker. Empty = it is not.
std::optional<Nanos> knownWait(EndpointState& endpoint, Instant now);

/// How long a server has asked to be left alone, still; 0 = not.
Nanos askedToWait(EndpointState& endpoint, Instant now);

} // namespace sg::chain
