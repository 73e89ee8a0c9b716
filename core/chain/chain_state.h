// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/cache.h"
#include "core/chain/spec.h"
#include "core/chain/tier_order.h"
#include "core/policy/limiters.h"

#include <memory>

/// What requests share: breakers, limits, parked endpoints, dead keys, caches. Used from one thread, except the
/// breakers, which may be read and switched from any.
namespace sg::chain {

/// Provider quota that several endpoints share: a 429 pauses all of them.
struct QuotaGroup
{
    Instant pausedUntil{};
};

struct Credential
{
    bool out = false;    ///< 401, 402 or 403 was answered
    std::string because; ///< in plain words
};

class EndpointState
{
public:
    EndpointState(EndpointSpec spec, std::shared_ptr<QuotaGroup> quota, std::shared_ptr<Credential> credential,
                  policy::RandomSource* random, policy::Breaker::Observer observer);

    const EndpointSpec& spec() const { return spec_; }
    policy::Breaker& breaker() { return breaker_; }
    policy::DualLimiter& limits() { return limits_; }
    QuotaGroup& quota() { return *quota_; }
    Credential& credential() { return *credential_; }
    Instant parkedUntil{}; ///< this endpoint alone, by a hint too long to sleep
    int inFlight = 0;

private:
    EndpointSpec spec_;
    std::shared_ptr<QuotaGroup> quota_;
    std::shared_ptr<Credential> credential_;
    policy::Breaker breaker_;
    policy::DualLimiter limits_;
};

/// One chain as it serves: its specification, its tiers' endpoints, its own limiter and cache. A run holds a shared
/// pointer, so a chain may be replaced while requests are under way.
class ChainState
{
public:
    /// `endpoints[i]` belongs to `spec.tiers[i]`; null for tiers that are no endpoint.
    ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints);

    const ChainSpec& spec() const { return spec_; }
    EndpointState* endpoint(int tier) const { return endpoints_[static_cast<std::size_t>(tier)].get(); }
    policy::TokenBucket* bucket() { return bucket_ ? &*bucket_ : nullptr; }
    policy::SlidingLog* window() { return window_ ? &*window_ : nullptr; }
    ResponseCache* cache() { return cache_ ? &*cache_ : nullptr; }
    const TierOrder& order() const { return order_; }

private:
    ChainSpec spec_;
    TierOrder order_;
    std::vector<std::shared_ptr<EndpointState>> endpoints_;
    std::optional<policy::TokenBucket> bucket_;
    std::optional<policy::SlidingLog> window_;
    std::optional<ResponseCache> cache_;
};

} // namespace sg::chain
