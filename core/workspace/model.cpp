// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/model.h"

#include "core/workspace/litellm_deployment.h"

#include <algorithm>
#include <utility>

namespace sg::workspace {

const Endpoint* Workspace::endpoint(const std::string& wanted) const
{
    const auto found = std::find_if(endpoints.begin(), endpoints.end(),
                                    [&](const Endpoint& each) { return each.spec.name == wanted; });
    return found == endpoints.end() ? nullptr : &*found;
}

const Chain* Workspace::chain(const std::string& wanted) const
{
    const auto found =
        std::find_if(chains.begin(), chains.end(), [&](const Chain& each) { return each.spec.name == wanted; });
    return found == chains.end() ? nullptr : &*found;
}

Endpoint* Workspace::endpoint(const std::string& wanted)
{
    return const_cast<Endpoint*>(std::as_const(*this).endpoint(wanted));
}

Chain* Workspace::chain(const std::string& wanted)
{
    return const_cast<Chain*>(std::as_const(*this).chain(wanted));
}

provider::ProviderProfile Workspace::profileOf(const Endpoint& wanted) const
{
    const provider::ProviderProfile* profile = catalogue.find(wanted.provider.toStdString());
    if (!profile)
        profile = catalogue.find("openai-compatible");
    return profile ? *profile : provider::ProviderProfile();
}

std::optional<cost::Price> priceOf(const Endpoint& endpoint, const cost::PriceBook& prices)
{
    if (endpoint.price)
        return endpoint.price;
    const cost::PriceEntry* entry = prices.find(endpoint.model.toStdString());
    // LiteLLM's table names most models with their provider before them: "deepseek/deepseek-chat".
    if (!entry)
        entry = prices.find((providerToLiteLlm(endpoint.provider) + QLatin1Char('/') + endpoint.model).toStdString());
    return entry ? std::optional(entry->price) : std::nullopt;
}

bool isProduction(const QString& environment)
{
    return environment.startsWith(QLatin1String("prod"), Qt::CaseInsensitive);
}

bool Workspace::operator==(const Workspace& other) const
{
    // The catalogue follows from the providers.
    return name == other.name && environment == other.environment && endpoints == other.endpoints &&
           chains == other.chains && simulator == other.simulator && providers == other.providers &&
           unknown == other.unknown && policies == other.policies && gateway == other.gateway;
}

} // namespace sg::workspace
