// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/ended.h"
#include "core/http/server.h"
#include "core/secrets/secret.h"
#include "core/workspace/gateway_settings.h"

namespace sg::gateway {

/// What the operator configured, with the token itself in place of where it is kept.
struct Options
{
    workspace::GatewaySettings settings;
    secrets::Secret token{}; ///< empty: none is asked for, which only this machine's own addresses allow
    http::ServerLimits limits{};
    /// Called for every chat and every embeddings that have ended, also those whose client has left, and for whatever
    /// the gateway refused; for logs. Engine thread.
    OnEnded onEnded{};
};

} // namespace sg::gateway
