// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/cost/price_book.h"
#include "core/engine/attempt_call.h"
#include "core/engine/call.h"
#include "core/workspace/model.h"

#include <atomic>
#include <functional>
#include <map>
#include <tl/expected.hpp>

namespace sg::engine {

/// One endpoint as it serves.
struct ServingEndpoint
{
    std::shared_ptr<chain::EndpointState> state;
    std::shared_ptr<const EndpointRoute> route;
    std::optional<cost::Price> price;
    workspace::Endpoint config;
};
/// Immutable: a request keeps those it began with.
using ServingEndpoints = std::map<std::string, ServingEndpoint>;
using ServingEndpointsPtr = std::shared_ptr<const ServingEndpoints>;

/// The applied workspace in the form requests use: endpoint states, chains, routes, prices.
///
/// What applying another workspace keeps, by names: of an endpoint the breaker while its settings are the same (a lock
/// by a person also when they are not), what is taken of its limits, its parking and its requests in flight; of a chain
/// what is taken of its limiter, and its cache. An endpoint that was left out and comes
/// back goes on where it was. Pauses of quota groups and keys that were taken out stay too. An
/// endpoint that asks for another model or at another address is another one; only the lock stays. A key that was taken
/// out is back in when another one comes in its place.
class Switchboard
{
public:
    using BreakerObserver = std::function<void(const std::string& endpoint, const policy::BreakerTransition&)>;
    Switchboard(policy::RandomSource& random, BreakerObserver observer);

    /// One swap: what was found before goes on as it was. `simulatorBase` resolves "sim:NAME" to "BASE/NAME"; empty
    /// when no simulator runs.
    void apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
               const KeyLookup& keys, Instant now);

    /// Null when there is no such chain or endpoint.
    std::shared_ptr<chain::ChainState> find(const CallTarget& target);
    const ServingEndpoint* endpoint(const std::string& name) const;
    const ServingEndpointsPtr& endpoints() const { return endpoints_; }
    /// For a request that began with `known`: the endpoint as it serves now, or as it was then when it is gone or is
    /// another one by now. Null when it never was.
    const ServingEndpoint* endpointFor(const ServingEndpoints& known, const std::string& name) const;
    const std::vector<std::string>& endpointNames() const { return order_; }
    /// The first endpoint that serves this model; empty when none does.
    std::string endpointOfModel(const std::string& model) const;
    const std::vector<std::string>& chainNames() const { return chainOrder_; } ///< in the workspace's order
    const chain::ChainSpec* chainSpec(const std::string& name) const;          ///< null when there is no such chain
    bool usesSimulator() const { return usesSimulator_; }
    bool hasCache() const;

private:
    /// What may be told about a breaker; one that was replaced is silent, whatever its last requests do to it.
    struct Line
    {
        std::atomic<bool> isOpen = false;
    };
    const ServingEndpoint* lastKnown(const std::string& endpoint) const;
    void keepGone(const ServingEndpoints& next);
    std::shared_ptr<chain::EndpointState> stateFor(const workspace::Endpoint& config, Instant now);
    policy::Breaker::Observer observerFor(const std::string& endpoint);
    std::shared_ptr<chain::ChainState> chainFor(const chain::ChainSpec& spec, Instant now) const;
    std::shared_ptr<chain::ChainState> directChain(const ServingEndpoint& endpoint) const;

    policy::RandomSource& random_;
    BreakerObserver observer_;
    ServingEndpoints gone_; ///< those of before that are not there now; one that comes back goes on where it was
    ServingEndpointsPtr endpoints_ = std::make_shared<const ServingEndpoints>();
    std::map<std::string, std::shared_ptr<Line>> lines_;
    std::vector<std::string> order_;
    std::vector<std::string> chainOrder_;
    std::map<std::string, std::shared_ptr<chain::ChainState>> chains_;
    std::map<std::string, std::shared_ptr<chain::QuotaGroup>> quotas_;
    std::map<std::string, std::shared_ptr<chain::Credential>> credentials_;
    bool usesSimulator_ = false;
};

} // namespace sg::engine
