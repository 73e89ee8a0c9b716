// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/json_reader.h"
#include "core/workspace/model.h"

/// The parts of a workspace file, object by object. Internal to the room.
namespace sg::workspace {

/// Unknown fields of a part, laid into those of its owner under the part's name.
void keepUnknown(QJsonObject& owner, const QString& part, const QJsonObject& unknown);

/// The workspace's own providers join its catalogue.
void readProviders(ObjectReader& owner, Workspace& workspace);
std::optional<Endpoint> readEndpoint(const QJsonValue& value, const QString& place, Findings& findings,
                                     const provider::Catalogue& providers);
KeyRef readKey(ObjectReader& owner, QJsonObject& unknown);
/// A reader for a part, or nothing when the part is absent.
std::optional<ObjectReader> partReader(ObjectReader& owner, const QString& part);
std::optional<Chain> readChain(const QJsonValue& value, const QString& place, Findings& findings);
policy::BreakerConfig readBreaker(ObjectReader& owner, QJsonObject& unknown);
policy::BackoffPolicy readBackoff(ObjectReader& owner, QJsonObject& unknown);

/// What only shows when all parts are known: duplicate names, tiers without an endpoint, settings that work against
/// each other.
void checkWhole(const Workspace& workspace, Findings& findings);
/// Keys that were pasted into the file, wherever they are. The findings do not repeat them.
void checkForKeys(const QJsonObject& file, Findings& findings);
/// True for an address of this machine.
bool isLoopback(const QString& host);
void checkBaseUrl(ObjectReader& reader, const QString& baseUrl);

} // namespace sg::workspace
