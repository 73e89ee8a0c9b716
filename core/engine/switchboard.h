// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/cost/price_book.h"
#include "core/engine/attempt_call.h"
#include "core/engine/call.h"
#include "core/workspace/model.h"

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

/// The applied workspace in the form requests use: endpoint states, chains, routes, prices. Applying a new workspace
/// keeps the state (breaker, limits, parking) of every endpoint whose specification did not change, and the cache and
/// limiter of every chain that did not. A key that was taken out is back in when another one comes in its place.
class Switchboard
{
public:
    using BreakerObserver = std::function<void(const std::string& endpoint, const policy::BreakerTransition&)>;
    Switchboard(policy::RandomSource& random, BreakerObserver observer);

    /// `simulatorBase` resolves "sim:NAME" to "BASE/NAME"; empty when no simulator runs.
    void apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
               const KeyLookup& keys);

    /// Null when there is no such chain or endpoint.
    std::shared_ptr<chain::ChainState> find(const CallTarget& target);
    const ServingEndpoint* endpoint(const std::string& name) const;
    const std::vector<std::string>& endpointNames() const { return order_; }
    /// The first endpoint that serves this model; empty when none does.
    std::string endpointOfModel(const std::string& model) const;
    std::vector<std::string> chainNames() const;                      ///< in the workspace's order
    const chain::ChainSpec* chainSpec(const std::string& name) const; ///< null when there is no such chain
    bool usesSimulator() const { return usesSimulator_; }
    bool hasCache() const;

private:
    std::shared_ptr<chain::EndpointState> stateFor(const chain::EndpointSpec& spec);
    std::shared_ptr<chain::ChainState> directChain(const ServingEndpoint& endpoint) const;

    policy::RandomSource& random_;
    BreakerObserver observer_;
    std::map<std::string, ServingEndpoint> endpoints_;
    std::vector<std::string> order_;
    std::vector<std::string> chainOrder_;
    std::map<std::string, std::shared_ptr<chain::ChainState>> chains_;
    std::map<std::string, std::shared_ptr<chain::QuotaGroup>> quotas_;
    std::map<std::string, std::shared_ptr<chain::Credential>> credentials_;
    bool usesSimulator_ = false;
};

} // namespace sg::engine
