// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"
#include "core/load/plan.h"

#include <QJsonObject>
#include <QStringList>

#include <utility>
#include <vector>

/// How the target of a run was set, so that two runs can be told apart by more than their figures.
namespace sg::load {

/// The chain and its endpoints as a workspace file writes them, policies written out, without keys, proxies and
/// certificates. Empty for what the switchboard does not know. Engine thread.
QJsonObject targetSettings(const engine::Switchboard& switchboard, const LoadPlan& plan);

/// Name and value, in the order of a report's "plan" and "target": "tier gpt-4.1, backoff", "kind exponential, base
/// 500ms". What is null is left out. Pure.
using SettingLines = std::vector<std::pair<QString, QString>>;
SettingLines settingLines(const QJsonObject& plan, const QJsonObject& target);

struct SettingDifference
{
    QString name;
    std::vector<QString> values; ///< one a run
    bool operator==(const SettingDifference&) const = default;
};
struct SettingComparison
{
    std::vector<SettingDifference> differences;
    QStringList same; ///< names
};
/// In the order in which the runs name them; `unknown` stands where a run has none of that name. Pure.
SettingComparison compareSettings(const std::vector<SettingLines>& runs, const QString& unknown);

} // namespace sg::load
