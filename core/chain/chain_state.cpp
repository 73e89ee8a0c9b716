// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/chain_state.h"

#include <algorithm>

namespace sg::chain {

EndpointState::EndpointState(EndpointSpec spec, std::shared_ptr<QuotaGroup> quota,
                             std::shared_ptr<Credential> credential, policy::RandomSource* random,
                             policy::Breaker::Observer observer)
    : standing_(std::make_shared<EndpointStanding>())
    , parkedUntil(standing_->parkedUntil)
    , inFlight(standing_->inFlight)
    , spec_(std::move(spec))
    , quota_(quota ? std::move(quota) : std::make_shared<QuotaGroup>())
    , credential_(credential ? std::move(credential) : std::make_shared<Credential>())
    , breaker_(std::make_shared<policy::Breaker>(spec_.breaker, random, std::move(observer)))
    , limits_(std::make_shared<policy::DualLimiter>(spec_.requestsPerMinute, spec_.tokensPerMinute))
{
}

EndpointState::EndpointState(EndpointSpec spec, EndpointState& before, std::shared_ptr<QuotaGroup> quota,
                             std::shared_ptr<Credential> credential, policy::RandomSource* random,
                             policy::Breaker::Observer observer, Instant now)
    : standing_(before.standing_)
    , parkedUntil(standing_->parkedUntil)
    , inFlight(standing_->inFlight)
    , spec_(std::move(spec))
    , quota_(std::move(quota))
    , credential_(std::move(credential))
    , breaker_(before.spec_.breaker == spec_.breaker
                   ? before.breaker_
                   : std::make_shared<policy::Breaker>(spec_.breaker, random, std::move(observer)))
    , limits_(before.limits_)
{
    limits_->resize(spec_.requestsPerMinute, spec_.tokensPerMinute, now);
}

bool EndpointState::isAs(const EndpointSpec& spec, const QuotaGroup* quota, const Credential* credential) const
{
    return spec_ == spec && quota_.get() == quota && credential_.get() == credential;
}

ChainState::ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints)
    : spec_(std::move(spec))
    , order_(spec_)
    , endpoints_(std::move(endpoints))
{
    endpoints_.resize(spec_.tiers.size());
    if (spec_.limiter && spec_.limiter->ratePerSecond > 0)
        bucket_ = std::make_shared<policy::TokenBucket>(spec_.limiter->ratePerSecond, spec_.limiter->burst);
    if (spec_.limiter && spec_.limiter->windowLimit)
        window_ = std::make_shared<policy::SlidingLog>(*spec_.limiter->windowLimit, spec_.limiter->window);
    if (spec_.cache)
        cache_ = std::make_shared<ResponseCache>(*spec_.cache);
}

ChainState::ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints, const ChainState& before,
                       Instant now)
    : ChainState(std::move(spec), std::move(endpoints))
{
    if (bucket_ && before.bucket_) {
        bucket_ = before.bucket_;
        bucket_->resize(spec_.limiter->ratePerSecond, spec_.limiter->burst, now);
    }
    if (window_ && before.window_) {
        window_ = before.window_;
        window_->resize(*spec_.limiter->windowLimit, spec_.limiter->window, now);
    }
    if (cache_ && before.cache_ && hasAnswersOf(before)) {
        cache_ = before.cache_;
        cache_->resize(*spec_.cache);
    }
}

bool ChainState::hasAnswersOf(const ChainState& before) const
{
    const auto serves = [this](const EndpointState& service) {
        return std::any_of(endpoints_.begin(), endpoints_.end(),
                           [&](const auto& mine) { return mine && mine->isSameServiceAs(service); });
    };
    const auto replies = [this](const TierSpec& canned) {
        return std::any_of(spec_.tiers.begin(), spec_.tiers.end(), [&](const TierSpec& mine) {
            return mine.kind == TierKind::CannedReply && mine.rules == canned.rules;
        });
    };
    for (std::size_t i = 0; i < before.spec_.tiers.size(); ++i) {
        const TierSpec& tier = before.spec_.tiers[i];
        const EndpointState* service = before.endpoints_[i].get();
        if (tier.kind == TierKind::CannedReply ? !replies(tier) : service && !serves(*service))
            return false;
    }
    return true;
}

} // namespace sg::chain
