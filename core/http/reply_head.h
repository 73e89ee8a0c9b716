// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

namespace sg::http {

struct ReplyShape
{
    int status = 200;
    qint64 length = -1; ///< Content-Length; -1: none
    bool chunked = false;
    bool http10 = false;
    bool keepAlive = true;
};

QByteArray reasonOf(int status); ///< "Not Found"; "Status" for one without a name

/// Status line and headers up to and including the empty line. The framing headers come from `shape`, whatever
/// `headers` says; headers that would break the framing (line breaks) are left out.
QByteArray replyHead(const ReplyShape& shape, const Headers& headers);

} // namespace sg::http
