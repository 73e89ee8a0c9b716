// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"
#include "core/load/plan.h"

#include <QJsonObject>

#include <utility>

/// How the target of a run was set, so that two runs can be told apart by more than their figures.
namespace sg::load {

/// The chain and its endpoints as a workspace file writes them, policies written out, without keys, proxies and
/// certificates. Empty for what the switchboard does not know. Engine thread.
QJsonObject targetSettings(const engine::Switchboard& switchboard, const LoadPlan& plan);

/// Name and value, in the order of a report's "plan" and "target": "tier gpt-4.1, backoff", "kind exponential, base
/// 500ms". What is null is left out. Pure.
std::vector<std::pair<QString, QString>> settingLines(const QJsonObject& plan, const QJsonObject& target);

} // namespace sg::load
