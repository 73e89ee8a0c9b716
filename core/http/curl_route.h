// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/connection_profile.h"

#include <memory>

namespace sg::http {

class TrustStore;

/// How libcurl connects to one origin. Immutable; any thread. What has the same route may share a connection.
struct CurlRoute
{
    std::optional<Proxy> proxy;              ///< nothing: directly, whatever the environment says
    std::shared_ptr<const TrustStore> trust; ///< null: without TLS
    HttpVersion version = HttpVersion::Http1;
};

} // namespace sg::http
