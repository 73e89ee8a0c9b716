// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/verdict.h"

#include <curl/curl.h>

namespace sg::http {

/// What is known about a transfer that libcurl says is over.
struct CurlFacts
{
    CURLcode code = CURLE_OK;
    int status = 0;         ///< 0: the answer's headers are not complete
    bool connected = false; ///< a connection to the server existed, TLS included
    bool touched = false;   ///< at least one byte of the request may have reached the server
    bool headBegun = false; ///< a status line was there
    bool headTooLong = false;
    bool proxied = false;
    bool outOfDescriptors = false;
    bool badChunks = false;
    int connectStatus = 0;                ///< what the proxy answered to CONNECT
    CURLproxycode proxyError = CURLPX_OK; ///< of SOCKS
    int systemError = 0;                  ///< errno of a connection that was not made
    qint64 expectedBytes = -1;            ///< Content-Length of a body that has to come; -1: not told
    qint64 bodyBytes = 0;
    FailureKind certificate = FailureKind::None; ///< what OpenSSL found wrong with the server's certificate
    QString certificateWords{};
};

Verdict judge(const CurlFacts& facts);

} // namespace sg::http
