// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/gateway.h"

#include <QJsonObject>

/// What GET /api/state tells; every field is described in docs/gateway-api.md.
namespace sg::gateway {

QJsonObject stateJson(engine::EngineCore& core, const Options& options, const Figures& figures);
/// One entry of its "endpoints"; empty when there is none of this name.
QJsonObject endpointJson(engine::EngineCore& core, const std::string& endpoint);

} // namespace sg::gateway
