// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/gateway/options.h"

namespace sg::gateway {

/// Who may ask. Against DNS rebinding the Host must be a loopback name or address or one that the operator named;
/// against pages in browsers an Origin must be named too; the token, where there is one, comes as "Authorization:
/// Bearer" (compared in constant time). Nothing: let it in. `isAction`: it changes something and is refused
/// while there is no token at all. Pure; any thread.
std::optional<Failure> refusal(const http::ServerRequest& request, const Options& options, bool isAction);

/// The CORS headers of an answer to a page that is allowed; none for everyone else.
http::Headers corsHeaders(const http::ServerRequest& request, const Options& options);

/// Why these settings must not listen, a sentence with the way on; empty: they may.
QString listenProblem(const Options& options);

} // namespace sg::gateway
