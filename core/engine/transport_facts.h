// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"
#include "core/policy/wait_hint.h"
#include "core/provider/error.h"

/// What the transport tells, in the words of those who judge it. Any thread.
namespace sg::engine {

provider::TransportError toTransportError(http::FailureKind kind);
policy::HeaderList toHeaderList(const http::Headers& headers);

} // namespace sg::engine
