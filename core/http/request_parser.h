// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/chunk_reader.h"
#include "core/http/server.h"

#include <optional>

namespace sg::http {

/// Bytes of a client to requests, one after the other. No sockets. Keeps Boost.Beast out of every other file: it is
/// slow to compile.
class RequestParser
{
public:
    explicit RequestParser(const ServerLimits& limits); ///< `limits` outlives the parser

    /// Returns how many bytes were taken. What is left over when the request is complete belongs to the next one; after
    /// a refusal nothing that follows has a meaning.
    qint64 feed(QByteArrayView bytes);

    bool started() const { return started_; } ///< more than empty lines of the present request was seen
    bool headersDone() const { return headersDone_; }
    bool complete() const { return complete_; }
    const Refusal& refusal() const { return refusal_; }
    bool expectsContinue() const { return expectsContinue_; }
    bool keepAlive() const { return keepAlive_; } ///< valid once the headers are done
    bool isHttp10() const { return http10_; }
    const ServerRequest& head() const { return request_; }                 ///< as far as it has come
    qint64 heldBytes() const { return headBytes_ + request_.body.size(); } ///< of the present request
    qint64 bodyBytes() const { return request_.body.size(); }              ///< that have arrived
    qint64 wholeBody() const { return left_ + request_.body.size(); } ///< as promised; in chunks: that have arrived

    /// The complete request; the parser then waits for the next one.
    ServerRequest take();

private:
    qint64 skipEmptyLines(QByteArrayView bytes);
    qint64 feedHead(QByteArrayView bytes);
    qint64 feedBody(QByteArrayView bytes);
    void readHead(QByteArrayView head);
    void restart();

    const ServerLimits& limits_;
    HeadScanner scanner_;
    std::optional<ChunkReader> chunks_;
    QByteArray head_; ///< what has come of a head that is not complete
    ServerRequest request_;
    Refusal refusal_;
    qint64 headBytes_ = 0;
    qint64 left_ = 0; ///< of a body with a length
    bool returned_ = false;
    bool started_ = false;
    bool headersDone_ = false;
    bool complete_ = false;
    bool expectsContinue_ = false;
    bool keepAlive_ = false;
    bool http10_ = false;
};

} // namespace sg::http
