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
    Root,
    Preflight ///< OPTIONS of any of these, or of "*": what may be asked there
};

struct Routed
{
    Route route = Route::Root;
    QString name{};   ///< the model, or the endpoint that is acted on, percent-decoded
    QString action{}; ///< "trip", "hold", "reset", "probe", "release"
    bool isHead = false;
    QByteArray allow{}; ///< Preflight: the methods, "GET, HEAD, OPTIONS"
};

/// What a method and a path mean; a trailing slash, a missing /v1 and an address in absolute form are forgiven. 404 for
/// a path that is nothing, 405 (with Allow, and the methods in the message) for the wrong method. Pure; any thread.
tl::expected<Routed, Failure> routeOf(const QByteArray& method, const QByteArray& path);

/// "http://host:port" at the beginning of a target in absolute form, without its scheme; empty: it is in no such form.
QByteArrayView authorityOf(QByteArrayView target);

} // namespace sg::gateway
