// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/model_names.h"

#include "core/policy/text.h"

#include <QSet>

namespace sg::gateway {

namespace {

using EndpointLookup = std::function<const workspace::Endpoint*(const std::string& name)>; ///< null: there is none

std::vector<ModelName> namesOf(const std::vector<const chain::ChainSpec*>& chains, const EndpointLookup& endpointOf)
{
    std::vector<ModelName> names;
    QSet<QString> seen;
    const auto add = [&](const QString& id, const QString& provider) {
        if (id.isEmpty() || seen.contains(id))
            return;
        seen.insert(id);
        names.push_back({id, provider});
    };
    for (const chain::ChainSpec* chain : chains)
        add(text(chain->name), {});
    for (const chain::ChainSpec* chain : chains)
        for (const chain::TierSpec& tier : chain->tiers)
            if (tier.enabled && tier.kind == chain::TierKind::Endpoint)
                if (const workspace::Endpoint* endpoint = endpointOf(tier.endpoint))
                    add(endpoint->model, endpoint->provider);
    return names;
}

} // namespace

std::vector<ModelName> modelNames(const engine::Switchboard& switchboard)
{
    std::vector<const chain::ChainSpec*> chains;
    for (const std::string& name : switchboard.chainNames())
        chains.push_back(switchboard.chainSpec(name));
    return namesOf(chains, [&](const std::string& name) {
        const engine::ServingEndpoint* serving = switchboard.endpoint(name);
        return serving ? &serving->config : nullptr;
    });
}

std::vector<ModelName> modelNames(const workspace::Workspace& workspace)
{
    std::vector<const chain::ChainSpec*> chains;
    for (const workspace::Chain& chain : workspace.chains)
        chains.push_back(&chain.spec);
    return namesOf(chains, [&](const std::string& name) { return workspace.endpoint(name); });
}

} // namespace sg::gateway
