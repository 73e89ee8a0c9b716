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

/// What an endpoint remembers of its own requests, whatever its settings are.
struct EndpointStanding
{
    Instant parkedUntil{}; ///< this endpoint alone, by a hint too long to sleep
    int inFlight = 0;
};

class EndpointState
{
    std::shared_ptr<EndpointStanding> standing_; // before the references into it

public:
    EndpointState(EndpointSpec spec, std::shared_ptr<QuotaGroup> quota, std::shared_ptr<Credential> credential,
                  policy::RandomSource* random, policy::Breaker::Observer observer);
    /// The same endpoint under other settings: it goes on with the standing and the limits, what was taken of them
    /// included, and with the breaker unless that is set otherwise. Requests under way keep `before`.
    EndpointState(EndpointSpec spec, EndpointState& before, std::shared_ptr<QuotaGroup> quota,
                  std::shared_ptr<Credential> credential, policy::RandomSource* random,
                  policy::Breaker::Observer observer, Instant now);

    const EndpointSpec& spec() const { return spec_; }
    policy::Breaker& breaker() { return *breaker_; }
    policy::DualLimiter& limits() { return *limits_; }
    QuotaGroup& quota() { return *quota_; }
    Credential& credential() { return *credential_; }
    /// Not empty: there is no key here to send, and why. It is no attempt then, and nobody has refused anything.
    std::string keyMissing{};
    /// Would go on as it is under these.
    bool isAs(const EndpointSpec& spec, const QuotaGroup* quota, const Credential* credential) const;
    /// One came from the other, the same service under other settings.
    bool isSameServiceAs(const EndpointState& other) const { return standing_ == other.standing_; }
    Instant& parkedUntil;
    int& inFlight;

private:
    EndpointSpec spec_;
    std::shared_ptr<QuotaGroup> quota_;
    std::shared_ptr<Credential> credential_;
    std::shared_ptr<policy::Breaker> breaker_;
    std::shared_ptr<policy::DualLimiter> limits_;
};

/// One chain as it serves: its specification, its tiers' endpoints, its own limiter and cache. A run holds a shared
/// pointer, so a chain may be replaced while requests are under way.
class ChainState
{
public:
    /// `endpoints[i]` belongs to `spec.tiers[i]`; null for tiers that are no endpoint.
    ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints);
    /// The same chain under another specification: what was taken of its limiter stays taken, its cache stays filled
    /// as long as every service and canned reply that may have answered is still there.
    ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints, const ChainState& before,
               Instant now);

    const ChainSpec& spec() const { return spec_; }
    EndpointState* endpoint(int tier) const { return endpoints_[static_cast<std::size_t>(tier)].get(); }
    policy::TokenBucket* bucket() { return bucket_.get(); }
    policy::SlidingLog* window() { return window_.get(); }
    ResponseCache* cache() const { return cache_.get(); }
    const TierOrder& order() const { return order_; }

private:
    bool hasAnswersOf(const ChainState& before) const;

    ChainSpec spec_;
    TierOrder order_;
    std::vector<std::shared_ptr<EndpointState>> endpoints_;
    // Shared with the chain that this one came after.
    std::shared_ptr<policy::TokenBucket> bucket_;
    std::shared_ptr<policy::SlidingLog> window_;
    std::shared_ptr<ResponseCache> cache_;
};

} // namespace sg::chain
