// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/workspace_read.h"

#include <set>

namespace sg::workspace {

namespace {

/// Shorter texts that look like keys may be names: "sk-proxy".
constexpr qsizetype kShortestKey = 20;

struct Teller
{
    Findings& findings;
    void error(const QString& place, const QString& problem, const QString& remedy) const
    {
        findings.push_back({FindingLevel::Error, place, problem, remedy});
    }
    void warning(const QString& place, const QString& problem, const QString& remedy) const
    {
        findings.push_back({FindingLevel::Warning, place, problem, remedy});
    }
};

QString indexed(const char* list, std::size_t index)
{
    return QStringLiteral("%1[%2]").arg(QLatin1String(list)).arg(index);
}

template <typename List, typename NameOf>
void checkNames(const List& list, const QString& place, NameOf nameOf, const Teller& tell)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string& name = nameOf(list[i]);
        if (name.empty() || seen.insert(name).second)
            continue;
        tell.error(QStringLiteral("%1[%2].name").arg(place).arg(i),
                   QStringLiteral("the name \"%1\" is there twice").arg(QString::fromStdString(name)),
                   QStringLiteral("Give each its own name"));
    }
}

void checkTierEndpoint(const Workspace& workspace, const chain::TierSpec& tier, const QString& place,
                       const Teller& tell)
{
    if (tier.kind != chain::TierKind::Endpoint || tier.endpoint.empty() || workspace.endpoint(tier.endpoint))
        return;
    QStringList names;
    for (const Endpoint& endpoint : workspace.endpoints)
        names << QString::fromStdString(endpoint.spec.name);
    const QString wanted = QString::fromStdString(tier.endpoint);
    const auto nearest = nearestName(wanted, names);
    tell.error(
        place + QStringLiteral(".endpoint"), QStringLiteral("there is no endpoint \"%1\"").arg(wanted),
        nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                : QStringLiteral("Add it under endpoints, or name one of: %1").arg(names.join(QStringLiteral(", "))));
}

bool answersAlways(const chain::TierSpec& tier)
{
    return tier.enabled && tier.kind == chain::TierKind::CannedReply &&
           std::any_of(tier.rules.begin(), tier.rules.end(),
                       [](const chain::CannedRule& rule) { return rule.words.empty(); });
}

/// A limit of the endpoint that the tier's or the chain's time is too short for.
void checkFirstToken(const Workspace& workspace, const chain::ChainSpec& spec, const chain::TierSpec& tier,
                     const QString& place, const Teller& tell)
{
    const Endpoint* endpoint = tier.kind == chain::TierKind::Endpoint ? workspace.endpoint(tier.endpoint) : nullptr;
    const auto firstToken = endpoint ? endpoint->timeouts.tokens.firstToken : std::nullopt;
    if (!firstToken || *firstToken <= std::min(tier.attemptTimeout.value_or(spec.deadline), spec.deadline))
        return;
    tell.warning(place,
                 QStringLiteral("an attempt here ends before the endpoint's first_token_ms, which never applies"),
                 QStringLiteral("Shorten first_token_ms or give the tier more time"));
}

void checkChain(const Workspace& workspace, const chain::ChainSpec& spec, const QString& place, const Teller& tell)
{
    checkNames(
        spec.tiers, place + QStringLiteral(".tiers"),
        [](const chain::TierSpec& tier) -> const std::string& { return tier.name; }, tell);
    int calling = 0;
    bool anyOn = false, unreachable = false;
    for (std::size_t i = 0; i < spec.tiers.size(); ++i) {
        const chain::TierSpec& tier = spec.tiers[i];
        const QString here = place + QLatin1Char('.') + indexed("tiers", i);
        checkTierEndpoint(workspace, tier, here, tell);
        if (tier.attemptTimeout && *tier.attemptTimeout > spec.deadline)
            tell.warning(here + QStringLiteral(".attempt_timeout_ms"),
                         QStringLiteral("this is longer than the whole chain's deadline_ms, so it never applies"),
                         QStringLiteral("Shorten it or raise deadline_ms"));
        checkFirstToken(workspace, spec, tier, here, tell);
        if (unreachable && tier.enabled)
            tell.warning(here, QStringLiteral("a canned reply before this tier answers always, so it is never reached"),
                         QStringLiteral("Move it before that reply"));
        anyOn = anyOn || tier.enabled;
        calling += tier.enabled && tier.kind == chain::TierKind::Endpoint ? 1 : 0;
        unreachable = unreachable || answersAlways(tier);
    }
    if (!spec.tiers.empty() && !anyOn)
        tell.warning(place + QStringLiteral(".tiers"), QStringLiteral("every tier is switched off"),
                     QStringLiteral("Set enabled to true for at least one"));
    if (spec.attemptBudget < calling)
        tell.warning(
            place + QStringLiteral(".attempt_budget"),
            QStringLiteral("with %1 attempts a request cannot reach all %2 tiers").arg(spec.attemptBudget).arg(calling),
            QStringLiteral("Raise it to %1 or more").arg(calling));
}

void checkSimulated(const Workspace& workspace, const Teller& tell)
{
    QStringList names;
    const QJsonArray scripted = workspace.simulator.value(QStringLiteral("endpoints")).toArray();
    for (const QJsonValue& endpoint : scripted)
        names << endpoint.toObject().value(QStringLiteral("name")).toString();
    for (std::size_t i = 0; i < workspace.endpoints.size(); ++i) {
        const QString& url = workspace.endpoints[i].baseUrl;
        if (workspace.simulator.isEmpty() || !url.startsWith(QLatin1String("sim:")) || names.contains(url.mid(4)))
            continue;
        const auto nearest = nearestName(url.mid(4), names);
        tell.error(indexed("endpoints", i) + QStringLiteral(".base_url"),
                   QStringLiteral("the simulator's script has no endpoint \"%1\"").arg(url.mid(4)),
                   nearest ? QStringLiteral("Did you mean \"sim:%1\"?").arg(*nearest)
                           : QStringLiteral("Add it under simulator.endpoints"));
    }
}

void scanForKeys(const QJsonValue& value, const QString& field, const QString& place, const Teller& tell)
{
    static const QStringList namesOfKeys{QStringLiteral("api_key"),       QStringLiteral("apikey"),
                                         QStringLiteral("api-key"),       QStringLiteral("secret"),
                                         QStringLiteral("token"),         QStringLiteral("password"),
                                         QStringLiteral("authorization"), QStringLiteral("bearer"),
                                         QStringLiteral("x-api-key"),     QStringLiteral("x-goog-api-key")};
    if (value.isString()) {
        const QString text = value.toString();
        const bool named = namesOfKeys.contains(field.toLower()) && !text.isEmpty();
        const bool looksLikeOne = text.size() >= kShortestKey && provider::maskSecrets(text) != text;
        if (named || looksLikeOne)
            tell.error(place, QStringLiteral("this looks like a key, and a file never holds a key"),
                       QStringLiteral("Remove it, put the key into the keychain or an environment variable, name that "
                                      "under \"key\", and replace the key at the provider if others may have seen it"));
    }
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        scanForKeys(array.at(i), field, QStringLiteral("%1[%2]").arg(place).arg(i), tell);
    const QJsonObject object = value.toObject();
    for (auto entry = object.constBegin(); entry != object.constEnd(); ++entry)
        scanForKeys(entry.value(), entry.key(), place.isEmpty() ? entry.key() : place + QLatin1Char('.') + entry.key(),
                    tell);
}

} // namespace

void checkWhole(const Workspace& workspace, Findings& findings)
{
    const Teller tell{findings};
    checkNames(
        workspace.endpoints, QStringLiteral("endpoints"),
        [](const Endpoint& endpoint) -> const std::string& { return endpoint.spec.name; }, tell);
    checkNames(
        workspace.chains, QStringLiteral("chains"),
        [](const Chain& chain) -> const std::string& { return chain.spec.name; }, tell);
    for (std::size_t i = 0; i < workspace.chains.size(); ++i)
        checkChain(workspace, workspace.chains[i].spec, indexed("chains", i), tell);
    checkSimulated(workspace, tell);
}

void checkForKeys(const QJsonObject& file, Findings& findings)
{
    scanForKeys(file, QString(), QString(), Teller{findings});
}

} // namespace sg::workspace
