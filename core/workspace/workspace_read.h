// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/json_reader.h"
#include "core/workspace/model.h"

/// The parts of a workspace file, object by object. Internal to the room.
namespace sg::workspace {

/// Unknown fields of a part, laid into those of its owner under the part's name.
void keepUnknown(QJsonObject& owner, const QString& part, const QJsonObject& unknown);

std::optional<Endpoint> readEndpoint(const QJsonValue& value, const QString& place, Findings& findings);
std::optional<Chain> readChain(const QJsonValue& value, const QString& place, Findings& findings);
policy::BreakerConfig readBreaker(ObjectReader& owner, QJsonObject& unknown);
policy::BackoffPolicy readBackoff(ObjectReader& owner, QJsonObject& unknown);

/// What only shows when all parts are known: duplicate names, tiers without an endpoint, settings that work against
/// each other.
void checkWhole(const Workspace& workspace, Findings& findings);
/// Keys that were pasted into the file, wherever they are. The findings do not repeat them.
void checkForKeys(const QJsonObject& file, Findings& findings);
void checkBaseUrl(ObjectReader& reader, const QString& baseUrl);

} // namespace sg::workspace
