// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/directory.h"

#include "core/engine/switchboard.h"

#include <algorithm>

namespace sg::engine {

namespace {

DirectoryChain entryOf(const chain::ChainSpec& spec)
{
    DirectoryChain entry{spec.name, {}};
    for (const chain::TierSpec& tier : spec.tiers) {
        const bool calls = tier.enabled && tier.kind == chain::TierKind::Endpoint;
        if (calls && std::ranges::find(entry.endpoints, tier.endpoint) == entry.endpoints.end())
            entry.endpoints.push_back(tier.endpoint);
    }
    return entry;
}

DirectoryEndpoint entryOf(const ServingEndpoint& endpoint)
{
    return {endpoint.config.spec.name, endpoint.config.provider.toStdString(), endpoint.config.model.toStdString(),
            endpoint.route->unusable, endpoint.price};
}

} // namespace

const DirectoryEndpoint* Directory::endpoint(const std::string& name) const
{
    const auto found = std::ranges::find(endpoints, name, &DirectoryEndpoint::name);
    return found == endpoints.end() ? nullptr : &*found;
}

std::vector<std::string> Directory::reachedBy(const CallTarget& target) const
{
    if (target.kind == TargetKind::Endpoint)
        return endpoint(target.name) ? std::vector{target.name} : std::vector<std::string>();
    const auto chain = std::ranges::find(chains, target.name, &DirectoryChain::name);
    return chain == chains.end() ? std::vector<std::string>() : chain->endpoints;
}

DirectoryPtr directoryOf(const Switchboard& switchboard)
{
    auto directory = std::make_shared<Directory>();
    for (const std::string& name : switchboard.chainNames())
        directory->chains.push_back(entryOf(*switchboard.chainSpec(name)));
    for (const std::string& name : switchboard.endpointNames())
        directory->endpoints.push_back(entryOf(*switchboard.endpoint(name)));
    return directory;
}

} // namespace sg::engine
