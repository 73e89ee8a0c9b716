// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/switchboard.h"

#include <ranges>

namespace sg::engine {

namespace {

template <typename Value>
std::shared_ptr<Value> sharedByName(std::map<std::string, std::shared_ptr<Value>>& all, const std::string& name)
{
    auto& slot = all[name];
    if (!slot)
        slot = std::make_shared<Value>();
    return slot;
}

} // namespace

Switchboard::Switchboard(policy::RandomSource& random, BreakerObserver observer)
    : random_(random)
    , observer_(std::move(observer))
{
}

std::shared_ptr<chain::EndpointState> Switchboard::stateFor(const chain::EndpointSpec& spec)
{
    const auto known = endpoints_.find(spec.name);
    if (known != endpoints_.end() && known->second.state->spec() == spec)
        return known->second.state;
    const auto quota = sharedByName(quotas_, spec.quotaGroup.empty() ? spec.name : spec.quotaGroup);
    const auto credential = sharedByName(credentials_, spec.credential.empty() ? spec.name : spec.credential);
    const auto observe = [this, name = spec.name](const policy::BreakerTransition& transition) {
        observer_(name, transition);
    };
    return std::make_shared<chain::EndpointState>(spec, quota, credential, &random_, observe);
}

void Switchboard::apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
                        const KeyLookup& keys)
{
    std::map<std::string, ServingEndpoint> endpoints;
    order_.clear();
    usesSimulator_ = false;
    for (const workspace::Endpoint& config : workspace.endpoints) {
        const auto before = endpoints_.find(config.spec.name);
        auto route = routeFor(workspace, config, simulatorBase, keys);
        if (before != endpoints_.end())
            route = onTheWayOf(before->second.route, std::move(route));
        ServingEndpoint serving{stateFor(config.spec), std::move(route), workspace::priceOf(config, prices), config};
        if (before != endpoints_.end() && !sendsAlike(*before->second.route, *serving.route))
            serving.state->credential() = {}; // what was refused was another key
        usesSimulator_ = usesSimulator_ || config.baseUrl.startsWith(QStringLiteral("sim:"));
        order_.push_back(config.spec.name);
        endpoints.emplace(config.spec.name, std::move(serving));
    }
    endpoints_ = std::move(endpoints);

    std::map<std::string, std::shared_ptr<chain::ChainState>> chains;
    chainOrder_.clear();
    for (const workspace::Chain& config : workspace.chains) {
        chainOrder_.push_back(config.spec.name);
        std::vector<std::shared_ptr<chain::EndpointState>> tiers;
        for (const chain::TierSpec& tier : config.spec.tiers) {
            const ServingEndpoint* serving = tier.kind == chain::TierKind::Endpoint ? endpoint(tier.endpoint) : nullptr;
            tiers.push_back(serving ? serving->state : nullptr);
        }
        const auto old = chains_.find(config.spec.name);
        const bool same =
            old != chains_.end() && old->second->spec() == config.spec &&
            std::ranges::equal(
                tiers, std::views::iota(0, static_cast<int>(tiers.size())), {},
                [](const auto& state) { return state.get(); }, [&](int tier) { return old->second->endpoint(tier); });
        chains[config.spec.name] =
            same ? old->second : std::make_shared<chain::ChainState>(config.spec, std::move(tiers));
    }
    chains_ = std::move(chains);
}

std::shared_ptr<chain::ChainState> Switchboard::directChain(const ServingEndpoint& endpoint) const
{
    // New for every request: an application without Switchgear remembers neither a 429 nor a dead key, and what it
    // does must not move the real breaker.
    chain::EndpointSpec spec;
    spec.name = endpoint.config.spec.name;
    spec.breaker.metricsOnly = true;
    const auto state = std::make_shared<chain::EndpointState>(spec, std::make_shared<chain::QuotaGroup>(),
                                                              std::make_shared<chain::Credential>(), &random_,
                                                              policy::Breaker::Observer{});
    chain::TierSpec tier;
    tier.name = tier.endpoint = spec.name;
    chain::ChainSpec direct;
    direct.name = spec.name;
    direct.attemptBudget = 1;
    direct.deadline = endpoint.config.timeouts.total;
    direct.tiers = {tier};
    return std::make_shared<chain::ChainState>(direct, std::vector{state});
}

std::shared_ptr<chain::ChainState> Switchboard::find(const CallTarget& target)
{
    if (target.kind == TargetKind::Endpoint) {
        const ServingEndpoint* serving = endpoint(target.name);
        return serving ? directChain(*serving) : nullptr;
    }
    const auto chain = chains_.find(target.name);
    return chain == chains_.end() ? nullptr : chain->second;
}

const ServingEndpoint* Switchboard::endpoint(const std::string& name) const
{
    const auto found = endpoints_.find(name);
    return found == endpoints_.end() ? nullptr : &found->second;
}

std::string Switchboard::endpointOfModel(const std::string& model) const
{
    const auto found = std::ranges::find_if(
        order_, [&](const std::string& name) { return endpoint(name)->config.model.toStdString() == model; });
    return found == order_.end() ? std::string() : *found;
}

std::vector<std::string> Switchboard::chainNames() const
{
    return chainOrder_;
}

const chain::ChainSpec* Switchboard::chainSpec(const std::string& name) const
{
    const auto found = chains_.find(name);
    return found == chains_.end() ? nullptr : &found->second->spec();
}

bool Switchboard::hasCache() const
{
    return std::ranges::any_of(chains_, [](const auto& entry) { return entry.second->spec().cache.has_value(); });
}

} // namespace sg::engine
