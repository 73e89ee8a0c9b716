// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/json_reader.h"
#include "core/workspace/model.h"

/// The parts of a workspace file, object by object. Internal to the room.
namespace sg::workspace {

/// Unknown fields of a part, laid into those of its owner under the part's name.
void keepUnknown(QJsonObject& owner, const QString& part, const QJsonObject& unknown);
/// The fields of `more` join those of `unknown`.
void joinUnknown(QJsonObject& unknown, const QJsonObject& more);

/// A reader for a part, or nothing when the part is absent.
std::optional<ObjectReader> partReader(ObjectReader& owner, const QString& part);
/// "there is no THING "NAME"" with the nearest of those there are as the remedy; `add` says how to make it one of them.
void reportUnknownName(ObjectReader& reader, const QString& field, const QString& thing, const QString& name,
                       const QStringList& known, const QString& add);

/// The workspace's own providers join its catalogue.
void readProviders(ObjectReader& owner, Workspace& workspace);
/// Endpoints and chains: `workspace` has its providers and policies already.
std::optional<Endpoint> readEndpoint(const QJsonValue& value, const QString& place, Findings& findings,
                                     const Workspace& workspace);
KeyRef readKey(ObjectReader& owner, const QString& part, QJsonObject& unknown);
/// A text that stands for a variable of the environment: "${NAME}" and its like.
bool isPlaceholder(const QString& text);
GatewaySettings readGateway(ObjectReader& owner, QJsonObject& unknown);
void readProxy(ObjectReader& reader, Endpoint& endpoint, QJsonObject& unknown);
std::optional<Chain> readChain(const QJsonValue& value, const QString& place, Findings& findings,
                               const Workspace& workspace);
std::vector<std::string> readWords(ObjectReader& reader);
chain::MovesOn readMovesOn(ObjectReader& owner, QJsonObject& unknown);
/// Of a chain whose tiers are read.
std::optional<chain::RouterSpec> readRouter(ObjectReader& owner, const std::vector<chain::TierSpec>& tiers,
                                            QJsonObject& unknown);
Caller readCaller(ObjectReader& owner, QJsonObject& unknown);

/// A policy as the fields of an object say it; what was not understood goes to `unknown`.
policy::BreakerConfig breakerFrom(ObjectReader& reader, QJsonObject& unknown);
policy::BackoffPolicy backoffFrom(ObjectReader& reader, QJsonObject& unknown);
chain::LimiterSpec limiterFrom(ObjectReader& reader, QJsonObject& unknown);
/// "policies": those that endpoints, tiers and chains may name.
PolicyLibrary readPolicies(ObjectReader& owner, QJsonObject& unknown);
/// A part that is written out or names a policy; then `name` is that name. Nothing when it is absent or unknown.
std::optional<policy::BackoffPolicy> readBackoff(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                                 QJsonObject& unknown);
std::optional<policy::BreakerConfig> readBreaker(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                                 QJsonObject& unknown);
std::optional<chain::LimiterSpec> readLimiter(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                              QJsonObject& unknown);

/// Of one environment's whole file, in our version. What cannot be read is left out; all that is wrong is found.
Workspace workspaceFrom(const QJsonObject& file, Findings& findings);
/// The same of one of the file's environments, with what is wrong with the file as a whole; without secrets.
Workspace workspaceIn(const QString& environment, const QJsonObject& file, Findings& findings);
/// The file as an object of our version, or nothing and one finding: no JSON, no version, a newer one.
std::optional<QJsonObject> currentFile(const QByteArray& json, Findings& findings);
/// A key may stand in any field, and findings repeat what fields hold.
Findings withoutSecrets(Findings findings);
/// A file's bytes, or one finding that says why there are none.
tl::expected<QByteArray, Findings> workspaceBytes(const QString& path);

/// What only shows when all parts are known: duplicate names, tiers without an endpoint, settings that work against
/// each other.
void checkWhole(const Workspace& workspace, Findings& findings);
/// The rule of checkForKeys' findings.
constexpr char kPastedKeyRule[] = "pasted_key";
/// Keys that were pasted into the file, wherever they are. The findings do not repeat them.
void checkForKeys(const QJsonObject& file, Findings& findings);
void checkBaseUrl(ObjectReader& reader, const QString& baseUrl);

} // namespace sg::workspace
