// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/server.h"
#include "core/secrets/secret.h"
#include "core/workspace/gateway_settings.h"

#include <functional>

namespace sg::engine {
struct CallResult;
}

namespace sg::gateway {

/// What the operator configured, with the token itself in place of where it is kept.
struct Options
{
    workspace::GatewaySettings settings;
    secrets::Secret token{}; ///< empty: none is asked for, which only this machine's own addresses allow
    http::ServerLimits limits{};
    /// Called for every chat completion that has ended, also those whose client has left; for logs. Engine thread.
    std::function<void(const QByteArray& requestId, const engine::CallResult& result)> onEnded{};
};

} // namespace sg::gateway
