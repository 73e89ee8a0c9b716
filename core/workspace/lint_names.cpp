// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/json_reader.h"
#include "core/workspace/lint_run.h"

#include <unordered_set>

namespace sg::workspace {

namespace {

Words twice(const std::string& name, const QString& why)
{
    return {QStringLiteral("the name %1 is there twice").arg(quoted(name)), why,
            QStringLiteral("Give each its own name")};
}

QString renameTo(const std::string& name)
{
    return QStringLiteral("Rename it to %1").arg(quoted(name));
}

void sameEndpointNames(const WholeScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.workspace.endpoints.size(); ++i) {
        const std::string& name = scope.workspace.endpoints[i].spec.name;
        const auto first = scope.index.endpoints.find(name);
        if (name.empty() || first == scope.index.endpoints.end() || first->second == i)
            continue;
        // Tiers mean the first one; the edit that renames would take them along.
        const auto rename = [i, name](Workspace& changed) {
            if (i >= changed.endpoints.size() || changed.endpoints[i].spec.name != name)
                return;
            chain::EndpointSpec& spec = changed.endpoints[i].spec;
            spec.name = freeEndpointName(changed, name);
            for (std::string* shared : {&spec.quotaGroup, &spec.credential})
                if (*shared == name)
                    *shared = spec.name;
        };
        tell(placeOf("endpoints", i) + QStringLiteral(".name"),
             twice(name, QStringLiteral("Tiers that name it call the first one")),
             Fix{renameTo(freeEndpointName(scope.workspace, name)), rename});
    }
}

void sameChainNames(const WholeScope& scope, const Tell& tell)
{
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < scope.workspace.chains.size(); ++i) {
        const std::string& name = scope.workspace.chains[i].spec.name;
        if (name.empty() || seen.insert(name).second)
            continue;
        const auto rename = [i, name](Workspace& changed) {
            if (i < changed.chains.size() && changed.chains[i].spec.name == name)
                changed.chains[i].spec.name = freeChainName(changed, name);
        };
        tell(placeOf("chains", i) + QStringLiteral(".name"),
             twice(name, QStringLiteral("Programs that ask for it get the first one")),
             Fix{renameTo(freeChainName(scope.workspace, name)), rename});
    }
}

void sameNames(const WholeScope& scope, const Tell& tell)
{
    sameEndpointNames(scope, tell);
    sameChainNames(scope, tell);
}

void sameTierNames(const ChainScope& scope, const Tell& tell)
{
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const std::string& name = scope.spec.tiers[i].name;
        if (name.empty() || seen.insert(name).second)
            continue;
        const auto rename = [i, name](chain::ChainSpec& changed) {
            if (i < changed.tiers.size() && changed.tiers[i].name == name)
                changed.tiers[i].name = freeTierName(changed, name);
        };
        tell.tier(i, QStringLiteral("name"),
                  twice(name, QStringLiteral("Records and figures could not tell the two apart")),
                  scope.fix(renameTo(freeTierName(scope.spec, name)), rename));
    }
}

void tierWithoutEndpoint(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const chain::TierSpec& tier = scope.spec.tiers[i];
        if (tier.kind != chain::TierKind::Endpoint || tier.endpoint.empty() || scope.endpoints[i])
            continue;
        QStringList names;
        for (const Endpoint& endpoint : scope.workspace.endpoints)
            names << QString::fromStdString(endpoint.spec.name);
        const auto nearest = nearestName(QString::fromStdString(tier.endpoint), names);
        tell.tier(
            i, QStringLiteral("endpoint"),
            {QStringLiteral("there is no endpoint %2, which %1 calls")
                 .arg(named("tier", tier.name, i), quoted(tier.endpoint)),
             QStringLiteral("The tier can serve nothing"),
             nearest
                 ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                 : QStringLiteral("Add it under endpoints, or name one of: %1").arg(names.join(QStringLiteral(", ")))});
    }
}

void notInTheScript(const WholeScope& scope, const Tell& tell)
{
    if (scope.workspace.simulator.isEmpty())
        return;
    QStringList names;
    const QJsonArray scripted = scope.workspace.simulator.value(QStringLiteral("endpoints")).toArray();
    for (const QJsonValue& endpoint : scripted)
        names << endpoint.toObject().value(QStringLiteral("name")).toString();
    for (std::size_t i = 0; i < scope.workspace.endpoints.size(); ++i) {
        const QString& url = scope.workspace.endpoints[i].baseUrl;
        if (!url.startsWith(QLatin1String("sim:")) || names.contains(url.mid(4)))
            continue;
        const auto nearest = nearestName(url.mid(4), names);
        tell(placeOf("endpoints", i) + QStringLiteral(".base_url"),
             {QStringLiteral("the simulator's script has no endpoint \"%1\"").arg(url.mid(4)),
              QStringLiteral("Every request to it would be answered 404"),
              nearest ? QStringLiteral("Did you mean \"sim:%1\"?").arg(*nearest)
                      : QStringLiteral("Add it under simulator.endpoints")});
    }
}

constexpr WholeRule kWhole[] = {
    {"duplicate_name", FindingLevel::Error, "Two endpoints or two chains with one name", sameNames, true},
    {"not_in_script", FindingLevel::Error, "A sim: endpoint that the simulator's script does not have", notInTheScript,
     true},
};
constexpr ChainRule kChain[] = {
    {"duplicate_tier_name", FindingLevel::Error, "Two tiers of a chain with one name", sameTierNames, true},
    {"unknown_endpoint", FindingLevel::Error, "A tier that names an endpoint that is not there", tierWithoutEndpoint,
     true},
};

} // namespace

std::span<const WholeRule> namingRules()
{
    return kWhole;
}

std::span<const ChainRule> tierNameRules()
{
    return kChain;
}

} // namespace sg::workspace
