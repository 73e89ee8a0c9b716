// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/connection_profile.h"
#include "core/http/transport_kind.h"

namespace sg::http {

/// Where a request begins, of those that have `usual` for want of a reason: Automatic gives what asks for HTTP/2 to
/// libcurl, which alone speaks it here. Null: the connection is as the system has it.
inline TransportKind transportFor(TransportKind wanted, TransportKind usual, const ConnectionProfile* connection)
{
    const bool asksForHttp2 = connection && connection->version() != HttpVersion::Http1;
    return wanted == TransportKind::Automatic && asksForHttp2 ? TransportKind::Curl : usual;
}

} // namespace sg::http
