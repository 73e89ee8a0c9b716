// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace sg::workspace {

namespace {

template <typename IsTaken>
std::string freeName(const std::string& wanted, IsTaken isTaken)
{
    std::string name = wanted;
    for (int number = 2; isTaken(name); ++number)
        name = wanted + ' ' + std::to_string(number);
    return name;
}

bool hasTier(const chain::ChainSpec& chain, const std::string& name)
{
    return std::ranges::any_of(chain.tiers, [&](const chain::TierSpec& tier) { return tier.name == name; });
}

/// A split of one is none.
void dropLonelySplits(chain::ChainSpec& chain)
{
    for (const TierGroup& group : splitGroups(chain))
        if (group.isSplit && group.count == 1) {
            chain.tiers[group.first].split.clear();
            chain.tiers[group.first].weight = 1;
        }
}

bool callsEndpoint(const chain::TierSpec& tier, const std::string& endpoint)
{
    return tier.kind == chain::TierKind::Endpoint && tier.endpoint == endpoint;
}

std::string freeSplitName(const chain::ChainSpec& chain)
{
    return freeName("split", [&](const std::string& name) {
        return std::ranges::any_of(chain.tiers, [&](const chain::TierSpec& tier) { return tier.split == name; });
    });
}

/// The endpoints of two simulator scripts; those of one name are the first's.
QJsonObject joinedScripts(QJsonObject script, const QJsonObject& other)
{
    if (script.isEmpty() || other.isEmpty())
        return script.isEmpty() ? other : script;
    const QString list = QStringLiteral("endpoints"), name = QStringLiteral("name");
    QJsonArray endpoints = script.value(list).toArray();
    QStringList known;
    for (const QJsonValue& endpoint : std::as_const(endpoints))
        known << endpoint[name].toString();
    const QJsonArray others = other.value(list).toArray();
    for (const QJsonValue& endpoint : others)
        if (!known.contains(endpoint[name].toString()))
            endpoints.append(endpoint);
    script.insert(list, endpoints);
    return script;
}

} // namespace

std::string freeEndpointName(const Workspace& workspace, const std::string& wanted)
{
    return freeName(wanted, [&](const std::string& name) { return workspace.endpoint(name) != nullptr; });
}

std::string freeChainName(const Workspace& workspace, const std::string& wanted)
{
    return freeName(wanted, [&](const std::string& name) { return workspace.chain(name) != nullptr; });
}

std::string freeTierName(const chain::ChainSpec& chain, const std::string& wanted)
{
    return freeName(wanted, [&](const std::string& name) { return hasTier(chain, name); });
}

Workspace emptyWorkspace(const QString& name)
{
    Workspace workspace;
    workspace.name = name;
    return workspace;
}

std::string addEndpoint(Workspace& workspace, Endpoint endpoint)
{
    const std::string wanted = endpoint.spec.name;
    std::string& name = endpoint.spec.name = freeEndpointName(workspace, wanted.empty() ? "endpoint" : wanted);
    // Both default to the name, and follow it.
    for (std::string* shared : {&endpoint.spec.quotaGroup, &endpoint.spec.credential})
        if (shared->empty() || *shared == wanted)
            *shared = name;
    workspace.endpoints.push_back(std::move(endpoint));
    return workspace.endpoints.back().spec.name;
}

void removeEndpoint(Workspace& workspace, const std::string& name)
{
    std::erase_if(workspace.endpoints, [&](const Endpoint& endpoint) { return endpoint.spec.name == name; });
    for (Chain& chain : workspace.chains)
        for (std::size_t i = chain.spec.tiers.size(); i-- > 0;)
            if (callsEndpoint(chain.spec.tiers[i], name))
                removeTier(chain.spec, i);
}

void renameEndpoint(Workspace& workspace, const std::string& from, const std::string& to)
{
    Endpoint* endpoint = workspace.endpoint(from);
    if (!endpoint || to.empty() || workspace.endpoint(to))
        return;
    endpoint->spec.name = to;
    // Others share its quota or its key under its name.
    for (Endpoint& each : workspace.endpoints)
        for (std::string* shared : {&each.spec.quotaGroup, &each.spec.credential})
            if (*shared == from)
                *shared = to;
    for (Chain& chain : workspace.chains)
        for (std::size_t i = 0; i < chain.spec.tiers.size(); ++i) {
            chain::TierSpec& tier = chain.spec.tiers[i];
            if (!callsEndpoint(tier, from))
                continue;
            tier.endpoint = to;
            if (tier.name == from)
                renameTier(chain.spec, i, freeTierName(chain.spec, to));
        }
}

std::string duplicateEndpoint(Workspace& workspace, const std::string& name)
{
    const auto original = std::ranges::find(workspace.endpoints, name, [](const Endpoint& e) { return e.spec.name; });
    if (original == workspace.endpoints.end())
        return {};
    Endpoint copy = *original;
    copy.spec.name = freeEndpointName(workspace, name);
    const std::string made = copy.spec.name;
    // The same key and the same quota: the copy shares them, so that a 429 or a refused key of one stops both.
    workspace.endpoints.insert(original + 1, std::move(copy));
    return made;
}

std::vector<std::string> chainsUsing(const Workspace& workspace, const std::string& endpoint)
{
    std::vector<std::string> names;
    for (const Chain& chain : workspace.chains)
        if (std::ranges::any_of(chain.spec.tiers, [&](const auto& tier) { return callsEndpoint(tier, endpoint); }))
            names.push_back(chain.spec.name);
    return names;
}

std::string addChain(Workspace& workspace, Chain chain)
{
    chain.spec.name = freeChainName(workspace, chain.spec.name.empty() ? "chain" : chain.spec.name);
    workspace.chains.push_back(std::move(chain));
    return workspace.chains.back().spec.name;
}

void removeChain(Workspace& workspace, const std::string& name)
{
    std::erase_if(workspace.chains, [&](const Chain& chain) { return chain.spec.name == name; });
}

void renameChain(Workspace& workspace, const std::string& from, const std::string& to)
{
    if (Chain* chain = workspace.chain(from); chain && !to.empty() && !workspace.chain(to))
        chain->spec.name = to;
}

std::string duplicateChain(Workspace& workspace, const std::string& name)
{
    const auto original = std::ranges::find(workspace.chains, name, [](const Chain& c) { return c.spec.name; });
    if (original == workspace.chains.end())
        return {};
    Chain copy = *original;
    copy.spec.name = freeChainName(workspace, name);
    return workspace.chains.insert(original + 1, std::move(copy))->spec.name;
}

chain::TierSpec tierFor(const std::string& endpoint)
{
    chain::TierSpec tier;
    tier.name = tier.endpoint = endpoint;
    tier.maxAttempts = 2;
    tier.backoff.jitter.type = policy::JitterType::Full;
    return tier;
}

chain::TierSpec cannedTier()
{
    chain::TierSpec tier;
    tier.name = "canned reply";
    tier.kind = chain::TierKind::CannedReply;
    tier.rules.emplace_back().reply = "This service is temporarily unavailable. Please try again later.";
    return tier;
}

void insertTier(chain::ChainSpec& chain, std::size_t at, chain::TierSpec tier)
{
    if (at > chain.tiers.size())
        return;
    tier.name = freeTierName(chain, tier.name.empty() ? "tier" : tier.name);
    // Between two members of a split it becomes one of them, or it would cut the split in two.
    const bool inside = at > 0 && at < chain.tiers.size() && !chain.tiers[at].split.empty() &&
                        chain.tiers[at - 1].split == chain.tiers[at].split;
    if (inside)
        tier.split = chain.tiers[at].split;
    chain.tiers.insert(chain.tiers.begin() + std::ptrdiff_t(at), std::move(tier));
}

void removeTier(chain::ChainSpec& chain, std::size_t at)
{
    if (at >= chain.tiers.size())
        return;
    const std::string name = chain.tiers[at].name;
    chain.tiers.erase(chain.tiers.begin() + std::ptrdiff_t(at));
    dropLonelySplits(chain);
    if (chain.router)
        for (chain::RouteClass& routed : chain.router->classes)
            if (routed.tier == name)
                routed.tier.clear();
}

void removeLimiter(chain::ChainSpec& chain)
{
    chain.limiter.reset();
    chain.limiterPolicy.clear();
}

void moveTier(chain::ChainSpec& chain, std::size_t from, std::size_t to)
{
    auto& tiers = chain.tiers;
    if (from >= tiers.size() || to >= tiers.size() || from == to)
        return;
    chain::TierSpec tier = std::move(tiers[from]);
    tiers.erase(tiers.begin() + std::ptrdiff_t(from));
    const auto splitAt = [&](std::size_t i) { return i < tiers.size() ? tiers[i].split : std::string(); };
    const std::string before = to > 0 ? splitAt(to - 1) : std::string();
    // Within its split it stays a member; inside another one it becomes a member of that; elsewhere it stands alone.
    const bool inside = !before.empty() && before == splitAt(to);
    const bool atEdge = !tier.split.empty() && (before == tier.split || splitAt(to) == tier.split);
    if (inside)
        tier.split = before;
    else if (!atEdge)
        tier.split.clear();
    if (tier.split.empty())
        tier.weight = 1;
    tiers.insert(tiers.begin() + std::ptrdiff_t(to), std::move(tier));
    dropLonelySplits(chain);
}

void duplicateTier(chain::ChainSpec& chain, std::size_t at)
{
    if (at >= chain.tiers.size())
        return;
    insertTier(chain, at + 1, chain.tiers[at]);
}

void renameTier(chain::ChainSpec& chain, std::size_t at, const std::string& name)
{
    if (at >= chain.tiers.size() || name.empty() || hasTier(chain, name))
        return;
    const std::string from = std::exchange(chain.tiers[at].name, name);
    if (chain.router)
        for (chain::RouteClass& routed : chain.router->classes)
            if (routed.tier == from)
                routed.tier = name;
}

std::vector<TierGroup> splitGroups(const chain::ChainSpec& chain)
{
    std::vector<TierGroup> groups;
    for (std::size_t i = 0; i < chain.tiers.size(); ++i) {
        const std::string& split = chain.tiers[i].split;
        if (!groups.empty() && !split.empty() && chain.tiers[i - 1].split == split)
            ++groups.back().count;
        else
            groups.push_back({i, 1, !split.empty()});
    }
    return groups;
}

void joinSplit(chain::ChainSpec& chain, std::size_t at)
{
    if (at == 0 || at >= chain.tiers.size())
        return;
    std::string& before = chain.tiers[at - 1].split;
    if (before.empty())
        before = freeSplitName(chain);
    if (chain.tiers[at].split == before)
        return;
    const std::string left = chain.tiers[at].split;
    chain.tiers[at].split = before;
    if (!left.empty())
        dropLonelySplits(chain);
}

void leaveSplit(chain::ChainSpec& chain, std::size_t at)
{
    const auto groups = splitGroups(chain);
    const auto group = std::ranges::find_if(
        groups, [&](const TierGroup& g) { return g.isSplit && at >= g.first && at < g.first + g.count; });
    if (group == groups.end())
        return;
    chain::TierSpec& tier = chain.tiers[at];
    tier.split.clear();
    tier.weight = 1;
    const auto begin = chain.tiers.begin();
    std::rotate(begin + std::ptrdiff_t(at), begin + std::ptrdiff_t(at) + 1,
                begin + std::ptrdiff_t(group->first + group->count));
    dropLonelySplits(chain);
}

std::vector<double> splitShares(const chain::ChainSpec& chain, const TierGroup& group)
{
    std::vector<double> shares;
    double total = 0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        const chain::TierSpec& tier = chain.tiers[i];
        shares.push_back(tier.enabled ? std::max(tier.weight, 0.0) : 0);
        total += shares.back();
    }
    if (total > 0)
        for (double& share : shares)
            share /= total;
    return shares;
}

std::vector<std::string> addAll(Workspace& workspace, const Workspace& other)
{
    std::map<std::string, std::string> newNames;
    for (const Endpoint& endpoint : other.endpoints)
        newNames[endpoint.spec.name] = addEndpoint(workspace, endpoint);
    std::vector<std::string> chains;
    for (Chain chain : other.chains) {
        for (std::size_t i = 0; i < chain.spec.tiers.size(); ++i) {
            const auto renamed = newNames.find(chain.spec.tiers[i].endpoint);
            if (renamed == newNames.end() || renamed->second == renamed->first)
                continue;
            chain.spec.tiers[i].endpoint = renamed->second;
            if (chain.spec.tiers[i].name == renamed->first)
                renameTier(chain.spec, i, freeTierName(chain.spec, renamed->second));
        }
        chains.push_back(addChain(workspace, std::move(chain)));
    }
    workspace.simulator = joinedScripts(workspace.simulator, other.simulator);
    // What both name stays as it is here.
    for (const auto& [name, policy] : other.policies.backoffs)
        workspace.policies.backoffs.emplace(name, policy);
    for (const auto& [name, policy] : other.policies.breakers)
        workspace.policies.breakers.emplace(name, policy);
    for (const auto& [name, policy] : other.policies.limiters)
        workspace.policies.limiters.emplace(name, policy);
    return chains;
}

std::vector<chain::RouteClass> standardClasses()
{
    chain::RouteClass complex, moderate, simple;
    complex.name = "complex";
    complex.words = {"code",    "programming", "algorithm", "optimize", "analyze thoroughly",
                     "complex", "architect",   "implement", "design",   "debug",
                     "ออกแบบ",  "วางแผน",      "ค้นคว้า",     "วิจัย",      "ประเมิน",
                     "กลยุทธ์"};
    complex.atLeast = 2;
    moderate.name = "moderate";
    moderate.words = {"write", "explain", "compare", "เขียน", "อธิบาย", "สร้าง", "วิเคราะห์", "เปรียบเทียบ", "บทความ"};
    moderate.countsEarlier = true;
    simple.name = "simple";
    return {complex, moderate, simple};
}

} // namespace sg::workspace
