// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>

/// Older versions of the workspace file, made ours. Pure; what a step does not know it keeps.
namespace sg::workspace {

/// The version that a file says it has; 0 when it says none.
int versionOf(const QJsonObject& file);
/// As a file of kWorkspaceVersion; one of that version or without any is answered as it is.
QJsonObject migrated(const QJsonObject& file);

/// A chain's content_policy_fallback becomes moves_on.content_policy of its tiers.
QJsonObject fromVersion1(const QJsonObject& file);

} // namespace sg::workspace
