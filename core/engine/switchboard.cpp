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

/// True when both ask for the same at the same place: what one knows of it is true for the other.
bool isSameService(const workspace::Endpoint& a, const workspace::Endpoint& b)
{
    return a.provider == b.provider && a.baseUrl == b.baseUrl && a.model == b.model;
}

const std::string& credentialOf(const chain::EndpointSpec& spec)
{
    return spec.credential.empty() ? spec.name : spec.credential;
}

/// Why there is no key to send; empty: there is one, or none is needed.
std::string keyMissingAt(const EndpointRoute& route)
{
    return route.unusableAs == provider::ErrorClass::Authentication ? route.unusable.toStdString() : std::string();
}

/// What a person has locked stays locked: nobody who changes a threshold means to send traffic there again.
void keepLock(policy::Breaker& before, policy::Breaker& breaker, Instant now)
{
    switch (before.state(now)) {
    case policy::BreakerState::ForcedOpen:
        return breaker.trip(now);
    case policy::BreakerState::ForcedClosed:
        return breaker.holdClosed(now);
    default:
        return;
    }
}

} // namespace

Switchboard::Switchboard(policy::RandomSource& random, BreakerObserver observer)
    : random_(random)
    , observer_(std::move(observer))
{
}

policy::Breaker::Observer Switchboard::observerFor(const std::string& endpoint)
{
    auto& line = lines_[endpoint];
    if (line)
        line->isOpen = false;
    line = std::make_shared<Line>();
    return [this, endpoint, line = line](const policy::BreakerTransition& transition) {
        if (line->isOpen)
            observer_(endpoint, transition);
    };
}

const ServingEndpoint* Switchboard::lastKnown(const std::string& endpoint) const
{
    if (const auto found = endpoints_->find(endpoint); found != endpoints_->end())
        return &found->second;
    const auto gone = gone_.find(endpoint);
    return gone == gone_.end() ? nullptr : &gone->second;
}

void Switchboard::keepGone(const ServingEndpoints& next)
{
    for (const auto& [name, endpoint] : *endpoints_)
        gone_.insert_or_assign(name, endpoint);
    std::erase_if(gone_, [&](const auto& entry) { return next.contains(entry.first); });
}

std::shared_ptr<chain::EndpointState> Switchboard::stateFor(const workspace::Endpoint& config, Instant now)
{
    const chain::EndpointSpec& spec = config.spec;
    const auto quota = sharedByName(quotas_, spec.quotaGroup.empty() ? spec.name : spec.quotaGroup);
    const auto credential = sharedByName(credentials_, credentialOf(spec));
    const ServingEndpoint* known = lastKnown(spec.name);
    if (!known)
        return std::make_shared<chain::EndpointState>(spec, quota, credential, &random_, observerFor(spec.name));
    chain::EndpointState& before = *known->state;
    const bool isSame = isSameService(config, known->config);
    if (isSame && before.isAs(spec, quota.get(), credential.get()))
        return known->state;
    const bool keepsBreaker = isSame && before.spec().breaker == spec.breaker;
    const auto observer = keepsBreaker ? policy::Breaker::Observer() : observerFor(spec.name);
    const auto state =
        isSame ? std::make_shared<chain::EndpointState>(spec, before, quota, credential, &random_, observer, now)
               : std::make_shared<chain::EndpointState>(spec, quota, credential, &random_, observer);
    if (!keepsBreaker)
        keepLock(before.breaker(), state->breaker(), now);
    return state;
}

std::shared_ptr<chain::ChainState> Switchboard::chainFor(const chain::ChainSpec& spec, Instant now) const
{
    std::vector<std::shared_ptr<chain::EndpointState>> tiers;
    for (const chain::TierSpec& tier : spec.tiers) {
        const ServingEndpoint* serving = tier.kind == chain::TierKind::Endpoint ? endpoint(tier.endpoint) : nullptr;
        tiers.push_back(serving ? serving->state : nullptr);
    }
    const auto known = chains_.find(spec.name);
    if (known == chains_.end())
        return std::make_shared<chain::ChainState>(spec, std::move(tiers));
    const chain::ChainState& before = *known->second;
    const bool isSame = before.spec() == spec &&
                        std::ranges::equal(
                            tiers, std::views::iota(0, static_cast<int>(tiers.size())), {},
                            [](const auto& state) { return state.get(); }, [&](int i) { return before.endpoint(i); });
    return isSame ? known->second : std::make_shared<chain::ChainState>(spec, std::move(tiers), before, now);
}

void Switchboard::apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
                        const KeyLookup& keys, Instant now)
{
    std::map<std::string, RoutePtr> routes;
    for (const workspace::Endpoint& config : workspace.endpoints) {
        const std::string& name = config.spec.name;
        const ServingEndpoint* before = lastKnown(name);
        auto route = routeFor(workspace, config, simulatorBase, keys);
        if (before)
            route = onTheWayOf(before->route, std::move(route));
        // What was refused was another key. A new place for the new one: requests under way still tell of the old one.
        if (before && !sendsAlike(*before->route, *route))
            credentials_.erase(credentialOf(config.spec));
        routes[name] = std::move(route);
    }
    auto endpoints = std::make_shared<ServingEndpoints>();
    order_.clear();
    usesSimulator_ = false;
    for (const workspace::Endpoint& config : workspace.endpoints) {
        const RoutePtr& route = routes[config.spec.name];
        const auto state = stateFor(config, now);
        state->keyMissing = keyMissingAt(*route);
        endpoints->emplace(config.spec.name, ServingEndpoint{state, route, workspace::priceOf(config, prices), config});
        usesSimulator_ = usesSimulator_ || config.baseUrl.startsWith(QStringLiteral("sim:"));
        order_.push_back(config.spec.name);
    }
    keepGone(*endpoints);
    endpoints_ = std::move(endpoints);
    for (const auto& [name, line] : lines_)
        line->isOpen = endpoints_->contains(name);

    std::map<std::string, std::shared_ptr<chain::ChainState>> chains;
    chainOrder_.clear();
    for (const workspace::Chain& config : workspace.chains) {
        chainOrder_.push_back(config.spec.name);
        chains[config.spec.name] = chainFor(config.spec, now);
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
    const auto state = std::make_shared<chain::EndpointState>(std::move(spec), std::make_shared<chain::QuotaGroup>(),
                                                              std::make_shared<chain::Credential>(), &random_,
                                                              policy::Breaker::Observer{});
    state->keyMissing = keyMissingAt(*endpoint.route);
    chain::TierSpec tier;
    tier.name = tier.endpoint = endpoint.config.spec.name;
    chain::ChainSpec direct;
    direct.name = tier.name;
    direct.attemptBudget = 1;
    direct.deadline = endpoint.config.timeouts.total;
    direct.tiers.push_back(std::move(tier));
    return std::make_shared<chain::ChainState>(std::move(direct), std::vector{state});
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
    const auto found = endpoints_->find(name);
    return found == endpoints_->end() ? nullptr : &found->second;
}

const ServingEndpoint* Switchboard::endpointFor(const ServingEndpoints& known, const std::string& name) const
{
    const auto then = known.find(name);
    const ServingEndpoint* now = endpoint(name);
    if (then == known.end())
        return now;
    return now && isSameService(now->config, then->second.config) ? now : &then->second;
}

std::string Switchboard::endpointOfModel(const std::string& model) const
{
    const auto found = std::ranges::find_if(
        order_, [&](const std::string& name) { return endpoint(name)->config.model.toStdString() == model; });
    return found == order_.end() ? std::string() : *found;
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
