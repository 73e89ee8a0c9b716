// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/text.h"
#include "core/workspace/model.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>
#include <string_view>

/// The parts of a workspace as JSON. Internal to the room.
namespace sg::workspace {

/// Whole numbers stay whole in the file.
QJsonValue number(double value);
QJsonValue ms(Nanos span);
void putMs(QJsonObject& object, const char* field, const std::optional<Nanos>& span);
template <typename Number>
void put(QJsonObject& object, const char* field, const std::optional<Number>& value)
{
    if (value)
        object.insert(QLatin1String(field), number(double(*value)));
}
QJsonArray wordsJson(const std::vector<std::string>& words);
/// Into every object of `target` the fields of `unknown` that it lacks; lists are matched by their elements' names,
/// and by position where those have none.
QJsonValue withUnknown(const QJsonValue& target, const QJsonObject& unknown);

// Where the policy is still the one of that name, the name stands for it.
QJsonValue breakerJson(const Endpoint& endpoint, const Workspace& workspace);
QJsonValue backoffJson(const chain::TierSpec& tier, const Workspace& workspace);
QJsonValue limiterJson(const chain::ChainSpec& spec, const Workspace& workspace); ///< it has one
QJsonObject policiesJson(const PolicyLibrary& policies);

QJsonObject keyJson(const KeyRef& key);
QJsonObject gatewayJson(const GatewaySettings& gateway); ///< what is not as usual
QJsonValue endpointJson(const Endpoint& endpoint, const Workspace& workspace);
QJsonValue chainJson(const Chain& chain, const Workspace& workspace);

} // namespace sg::workspace
