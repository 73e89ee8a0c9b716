// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/chain_state.h"

namespace sg::chain {

EndpointState::EndpointState(EndpointSpec spec, std::shared_ptr<QuotaGroup> quota,
                             std::shared_ptr<Credential> credential, policy::RandomSource* random,
                             policy::Breaker::Observer observer)
    : spec_(std::move(spec))
    , quota_(quota ? std::move(quota) : std::make_shared<QuotaGroup>())
    , credential_(credential ? std::move(credential) : std::make_shared<Credential>())
    , breaker_(spec_.breaker, random, std::move(observer))
    , limits_(spec_.requestsPerMinute, spec_.tokensPerMinute)
{
}

ChainState::ChainState(ChainSpec spec, std::vector<std::shared_ptr<EndpointState>> endpoints)
    : spec_(std::move(spec))
    , order_(spec_)
    , endpoints_(std::move(endpoints))
{
    endpoints_.resize(spec_.tiers.size());
    if (spec_.limiter && spec_.limiter->ratePerSecond > 0)
        bucket_.emplace(spec_.limiter->ratePerSecond, spec_.limiter->burst);
    if (spec_.limiter && spec_.limiter->windowLimit)
        window_.emplace(*spec_.limiter->windowLimit, spec_.limiter->window);
    if (spec_.cache)
        cache_.emplace(*spec_.cache);
}

} // namespace sg::chain
