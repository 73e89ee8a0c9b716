// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/service.h"

#include <map>
#include <memory>
#include <vector>

namespace sg::gateway {

/// Who waits for the list of an endpoint's provider. One call an endpoint, however many ask: it is made with the
/// operator's key, beside all limits.
using ModelLists = std::map<QString, std::vector<Exchange>>;
using ModelListsPtr = std::shared_ptr<ModelLists>;

/// GET /v1/models: the chains, then the models that they serve, each name once; with ?endpoint=NAME what that
/// endpoint's provider lists. Engine thread.
void sendModels(engine::EngineCore& core, const Exchange& exchange, const ModelListsPtr& lists);
/// GET /v1/models/{id}: whatever a request may name as its model.
void sendModel(engine::EngineCore& core, const QString& id, const Exchange& exchange);

} // namespace sg::gateway
