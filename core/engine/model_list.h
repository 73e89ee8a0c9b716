// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attempt_call.h"

#include <functional>

namespace sg::engine {

/// The models, or a sentence saying why they are not known; never holds a key.
using ModelsResult = tl::expected<std::vector<provider::ListedModel>, QString>;

/// Asks an endpoint's provider which models it has: one GET that costs no tokens and counts for no limit and no
/// breaker. `done` is called once, in the transport's thread, perhaps before this returns.
void listModels(http::Transport& transport, std::shared_ptr<const EndpointRoute> route, observe::WallAnchor anchor,
                std::function<void(const ModelsResult&)> done);

} // namespace sg::engine
