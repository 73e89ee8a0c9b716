// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/migrate.h"
#include "core/workspace/model.h"

#include <array>

namespace sg::workspace {

namespace {

const QLatin1String kVersion("version");

using Step = QJsonObject (*)(const QJsonObject&);
/// Step i leads from version i + 1 to the next.
constexpr std::array<Step, 1> kSteps{fromVersion1};
static_assert(kSteps.size() == kWorkspaceVersion - 1);

QJsonObject withContentPolicy(QJsonObject tier)
{
    QJsonObject moves = tier.value(QLatin1String("moves_on")).toObject();
    moves.insert(QStringLiteral("content_policy"), true);
    tier.insert(QStringLiteral("moves_on"), moves);
    return tier;
}

QJsonObject chainFromVersion1(QJsonObject chain)
{
    const QJsonValue fallback = chain.take(QLatin1String("content_policy_fallback"));
    if (!fallback.toBool() || !chain.value(QLatin1String("tiers")).isArray())
        return chain;
    QJsonArray tiers = chain.value(QLatin1String("tiers")).toArray();
    for (qsizetype i = 0; i < tiers.size(); ++i)
        if (tiers.at(i).isObject())
            tiers[i] = withContentPolicy(tiers.at(i).toObject());
    chain.insert(QStringLiteral("tiers"), tiers);
    return chain;
}

} // namespace

int versionOf(const QJsonObject& file)
{
    return file.value(kVersion).toInt(0);
}

QJsonObject fromVersion1(const QJsonObject& file)
{
    QJsonObject next = file;
    next.insert(kVersion, 2);
    if (!file.value(QLatin1String("chains")).isArray())
        return next;
    QJsonArray chains = file.value(QLatin1String("chains")).toArray();
    for (qsizetype i = 0; i < chains.size(); ++i)
        if (chains.at(i).isObject())
            chains[i] = chainFromVersion1(chains.at(i).toObject());
    next.insert(QStringLiteral("chains"), chains);
    return next;
}

QJsonObject migrated(const QJsonObject& file)
{
    QJsonObject now = file;
    for (int version = versionOf(file); version >= 1 && version < kWorkspaceVersion; ++version)
        now = kSteps[std::size_t(version) - 1](now);
    return now;
}

} // namespace sg::workspace
