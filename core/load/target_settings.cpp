// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/target_settings.h"

#include "core/load/svg_plot.h"
#include "core/measure/spelling.h"
#include "core/workspace/workspace_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringList>

#include <algorithm>

namespace sg::load {

namespace {

using Lines = SettingLines;

void addEndpoint(workspace::Workspace& shown, const engine::Switchboard& switchboard, const std::string& name)
{
    const engine::ServingEndpoint* serving = switchboard.endpoint(name);
    if (!serving || shown.endpoint(name))
        return;
    workspace::Endpoint endpoint = serving->config;
    endpoint.breakerPolicy.clear(); // a name says nothing when the library changes
    endpoint.key = {};
    endpoint.proxy.clear();
    endpoint.proxyKey = {};
    endpoint.caFile.clear();
    endpoint.unknown = {};
    shown.endpoints.push_back(std::move(endpoint));
}

bool isScalar(const QJsonValue& value)
{
    return !value.isObject() && !value.isArray();
}

QString wordsOf(const QString& key)
{
    QString words = key;
    if (words.endsWith(QLatin1String("_ms")))
        words.chop(3);
    return words.replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString scalarText(const QString& key, const QJsonValue& value)
{
    if (value.isBool())
        return value.toBool() ? QStringLiteral("on") : QStringLiteral("off");
    if (!value.isDouble())
        return value.toString();
    if (key.endsWith(QLatin1String("_ms")))
        return measure::spanText(fromMs(value.toDouble()));
    return plainNumber(value.toDouble(), 6);
}

QString listText(const QJsonArray& list)
{
    QStringList parts;
    for (const QJsonValue& value : list)
        parts << (isScalar(value) ? scalarText({}, value)
                                  : QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact)));
    return parts.join(QStringLiteral(", "));
}

/// The scalars of an object in one line, each object in it in a line of its own.
void flatten(Lines& lines, const QString& name, const QJsonObject& object)
{
    QStringList here;
    Lines inner;
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString words = wordsOf(it.key());
        if (it.value().isNull() || it.key() == QLatin1String("name"))
            continue;
        if (it.value().isObject())
            flatten(inner, QStringLiteral("%1, %2").arg(name, words), it.value().toObject());
        else if (it.value().isArray())
            inner.emplace_back(QStringLiteral("%1, %2").arg(name, words), listText(it.value().toArray()));
        else
            here << words + QLatin1Char(' ') + scalarText(it.key(), it.value());
    }
    if (!here.isEmpty())
        lines.emplace_back(name, here.join(QStringLiteral(", ")));
    lines.insert(lines.end(), inner.begin(), inner.end());
}

QString nameIn(const QJsonValue& value)
{
    return value[QLatin1String("name")].toString();
}

void addNamed(Lines& lines, const QString& kind, const QJsonArray& list)
{
    for (const QJsonValue& value : list)
        flatten(lines, QStringLiteral("%1 %2").arg(kind, nameIn(value)), value.toObject());
}

void addChain(Lines& lines, QJsonObject chain)
{
    const QJsonArray tiers = chain.take(QLatin1String("tiers")).toArray();
    QStringList order;
    for (const QJsonValue& tier : tiers)
        order << nameIn(tier);
    if (!order.isEmpty())
        lines.emplace_back(QStringLiteral("chain order"), order.join(QStringLiteral(" → ")));
    flatten(lines, QStringLiteral("chain"), chain);
    addNamed(lines, QStringLiteral("tier"), tiers);
}

} // namespace

QJsonObject targetSettings(const engine::Switchboard& switchboard, const LoadPlan& plan)
{
    workspace::Workspace shown;
    if (plan.targetKind == TargetKind::Chain) {
        const chain::ChainSpec* spec = switchboard.chainSpec(plan.target);
        if (!spec)
            return {};
        workspace::Chain chain{*spec, {}};
        chain.spec.limiterPolicy.clear();
        for (chain::TierSpec& tier : chain.spec.tiers) {
            tier.backoffPolicy.clear();
            if (tier.kind == chain::TierKind::Endpoint)
                addEndpoint(shown, switchboard, tier.endpoint);
        }
        shown.chains.push_back(std::move(chain));
    } else {
        addEndpoint(shown, switchboard, plan.target);
    }
    const QJsonObject file = workspace::toJsonObject(shown);
    QJsonArray endpoints;
    for (const QJsonValue& value : file.value(QLatin1String("endpoints")).toArray()) {
        QJsonObject endpoint = value.toObject();
        endpoint.remove(QLatin1String("key"));
        endpoints.append(endpoint);
    }
    QJsonObject settings;
    if (!shown.chains.empty())
        settings.insert(QStringLiteral("chain"), file.value(QLatin1String("chains")).toArray().first());
    if (!endpoints.isEmpty())
        settings.insert(QStringLiteral("endpoints"), endpoints);
    return settings;
}

SettingLines settingLines(const QJsonObject& plan, const QJsonObject& target)
{
    Lines lines;
    for (auto it = plan.begin(); it != plan.end(); ++it) {
        // What a format is called and how a list hashes are no settings that anybody made.
        if (it.key() == QLatin1String("format") || it.key().endsWith(QLatin1String("_list")))
            continue;
        if (isScalar(it.value())) {
            if (!it.value().isNull())
                lines.emplace_back(wordsOf(it.key()), scalarText(it.key(), it.value()));
            continue;
        }
        const QJsonValue words = it.value()[QLatin1String("words")];
        if (words.isString()) // a load model says itself in a line
            lines.emplace_back(wordsOf(it.key()), words.toString());
        else if (it.value().isObject())
            flatten(lines, wordsOf(it.key()), it.value().toObject());
        else
            lines.emplace_back(wordsOf(it.key()), listText(it.value().toArray()));
    }
    addChain(lines, target.value(QLatin1String("chain")).toObject());
    addNamed(lines, QStringLiteral("endpoint"), target.value(QLatin1String("endpoints")).toArray());
    return lines;
}

SettingComparison compareSettings(const std::vector<SettingLines>& runs, const QString& unknown)
{
    QStringList names;
    for (const SettingLines& lines : runs)
        for (const auto& [name, value] : lines)
            if (!names.contains(name))
                names << name;
    SettingComparison all;
    for (const QString& name : names) {
        SettingDifference difference{name, {}};
        for (const SettingLines& lines : runs) {
            const auto found = std::ranges::find(lines, name, &SettingLines::value_type::first);
            difference.values.push_back(found == lines.end() ? unknown : found->second);
        }
        if (std::ranges::adjacent_find(difference.values, std::ranges::not_equal_to()) == difference.values.end())
            all.same << name;
        else
            all.differences.push_back(std::move(difference));
    }
    return all;
}

} // namespace sg::load
