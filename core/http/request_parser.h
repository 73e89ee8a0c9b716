// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/server.h"

namespace sg::http {

/// Bytes of a client to requests, one after the other. No sockets. Keeps Boost.Beast out of every other file: it is
/// slow to compile.
class RequestParser
{
public:
    RequestParser(qint64 maxHeaderBytes, qint64 maxBodyBytes);
    ~RequestParser();

    /// Returns how many bytes were taken. The rest has to be shown again together with what follows; when the request
    /// is complete the rest belongs to the next one.
    qint64 feed(QByteArrayView bytes);

    bool started() const; ///< at least one byte of the present request was seen
    bool headersDone() const;
    bool complete() const;
    int errorStatus() const; ///< HTTP status to refuse with; 0 when all is well
    bool expectsContinue() const;
    bool keepAlive() const; ///< valid once the headers are done
    bool isHttp10() const;

    /// The complete request; the parser then waits for the next one.
    ServerRequest take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::http
