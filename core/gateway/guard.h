// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/gateway/options.h"

namespace sg::gateway {

/// Who may ask. Against DNS rebinding the Host must be a loopback name or address, the address listened on, or one that
/// the operator named (while all addresses are listened on any address will do: rebinding needs a name); where the
/// target is in absolute form, that one too. Against pages in browsers an Origin must be named, and without one
/// Sec-Fetch-Site must be "same-origin" or "none": another port of this machine is the same site. The token, where
/// there is one, comes as "Authorization: Bearer" or "x-api-key" (compared in constant time); a preflight (OPTIONS) and
/// /health need none. `isAction`: it changes something and is refused while there is no token at all. Nothing: let it
/// in. Pure; any thread.
std::optional<Failure> refusal(const http::ServerRequest& request, const Options& options, bool isAction);

/// It shows the token, or there is none: it may see what /health does not tell everybody.
bool isTrusted(const http::ServerRequest& request, const Options& options);

/// The CORS headers of an answer to a page that is allowed, of a preflight those that it asks for; none for everyone
/// else.
http::Headers corsHeaders(const http::ServerRequest& request, const Options& options);

/// Why these settings must not listen, a sentence with the way on; empty: they may.
QString listenProblem(const Options& options);

} // namespace sg::gateway
