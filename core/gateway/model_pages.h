// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/service.h"

namespace sg::gateway {

/// GET /v1/models: the chains, then the models that they serve, each name once; with ?endpoint=NAME what that
/// endpoint's provider lists. Engine thread.
void sendModels(engine::EngineCore& core, const Exchange& exchange);
/// GET /v1/models/{id}: whatever a request may name as its model.
void sendModel(engine::EngineCore& core, const QString& id, const Exchange& exchange);

} // namespace sg::gateway
