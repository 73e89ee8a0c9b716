// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"

#include <tl/expected.hpp>

namespace sg::gateway {

enum class Route {
    ChatCompletions,
    Embeddings,
    Models,
    Model,
    SimpleChat,
    Health,
    Metrics,
    State,
    Events,
    Action,
    Root
};

struct Routed
{
    Route route = Route::Root;
    QString name{};   ///< the model, or the endpoint that is acted on, percent-decoded
    QString action{}; ///< "trip", "hold", "reset", "probe", "release"
    bool isHead = false;
};

/// What a method and a path mean; a trailing slash and a missing /v1 are forgiven. 404 for a path that is nothing, 405
/// (with the methods allowed in the message) for the wrong method. Pure; any thread.
tl::expected<Routed, Failure> routeOf(const QByteArray& method, const QByteArray& path);

} // namespace sg::gateway
