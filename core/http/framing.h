// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/head_scanner.h"
#include "core/http/server.h"

namespace sg::http {

/// What a complete head says about what follows it. Where two readers could understand it differently it is refused.
struct Framing
{
    Refusal refusal;
    bool chunked = false;
    qint64 length = 0; ///< of the body when it is not chunked
    bool expectsContinue = false;
};
Framing framingOf(const Headers& headers, bool http10, qint64 maxBodyBytes);

/// Checks Host against the target and brings an absolute target ("http://host/path") into the form with the path alone;
/// sets `path`.
Refusal settleTarget(ServerRequest& request, bool http10);

} // namespace sg::http
