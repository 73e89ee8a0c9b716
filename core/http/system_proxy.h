// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/connection_profile.h"

class QUrl;

namespace sg::http {

/// The proxy that the application's settings, or the system's, name for an address; this machine's own are reached
/// without. Kinds other than HTTP and SOCKS5 count as none.
std::optional<Proxy> systemProxy(const QUrl& url);

} // namespace sg::http
