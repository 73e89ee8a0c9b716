// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

#include <QHostAddress>
#include <QObject>

#include <functional>
#include <optional>
#include <tl/expected.hpp>

/// The small HTTP/1.1 server that gateway and simulator share: QTcpServer for the sockets, Boost.Beast's parser for
/// the bytes. Lives in one thread with an event loop.
namespace sg::http {

struct ServerLimits
{
    int maxConnections = 10000;        ///< more are 503; at most connectionsWithin() the descriptors when it listens
    qint64 errands = -1;               ///< see connectionsWithin()
    qint64 maxHeaderBytes = 64 * 1024; ///< more is 431
    int maxHeaderFields = 200;         ///< more is 431
    qint64 maxTargetBytes = 8 * 1024;  ///< a longer path and query is 414
    qint64 maxBodyBytes = 32 * 1024 * 1024; ///< more is 413
    /// Of all requests that are not complete, and of the bodies (by bodyWeight) of those that are not answered to their
    /// end; more is 503. Bodies up to 64 KiB that come whole are always let in.
    qint64 maxBufferedBytes = 512 * 1024 * 1024;
    int bodyWeight = 1;                 ///< what a byte of a body takes until it is answered, in bytes
    Nanos headerTimeout{Millis(15000)}; ///< from the first byte of a request to the end of its headers
    Nanos bodyTimeout{Millis(15000)};   ///< in each of these minBodyRate must be kept until the body has ended
    qint64 minBodyRate = 16 * 1024;     ///< bytes a second
    Nanos idleTimeout{Millis(120000)};  ///< keep-alive without a request
    /// A client that takes nothing of what it is sent. Longer than it seems to need: the client's kernel takes some
    /// 128 KiB at once, and nothing more before most of it has been read.
    Nanos stallTimeout{Millis(600000)};
    qint64 maxWriteBuffer = 1024 * 1024; ///< see Responder::bytesBuffered
    /// Of all answers what their clients have not taken, beside what their kernels hold; beyond it those are dropped
    /// that have taken nothing for longest, by the measure of stallTimeout. Whole answers are bounded by nothing else.
    qint64 maxUnsentBytes = 512 * 1024 * 1024;
};

struct ServerRequest
{
    QByteArray method;
    QByteArray target; ///< path and query as sent
    QByteArray path;   ///< target without query
    Headers headers;
    QByteArray body;
    Instant received; ///< last byte of the request read
    quint64 connectionId = 0;
};

/// What the server answers without its handler; the connection closes after it.
struct OwnAnswer
{
    int status = 400;
    Headers headers{};
    QByteArray body{};
};

/// Answers one request. May be kept and used later, in the server's thread; calls after the client has left are
/// no-ops. Destroying it unanswered closes the connection without an answer.
class Responder
{
public:
    virtual ~Responder() = default;
    /// A whole answer with Content-Length.
    virtual void send(int status, const Headers& headers, const QByteArray& body) = 0;
    /// A chunked answer: begin, then pieces, then end.
    virtual void begin(int status, const Headers& headers) = 0;
    virtual void write(QByteArrayView piece) = 0;
    virtual void end() = 0;
    /// Closes the connection right now without completing the answer (RST when `reset`).
    virtual void drop(bool reset) = 0;
    virtual bool clientGone() const = 0;
    virtual qint64 bytesBuffered() const = 0; ///< written here, not yet taken by the socket
    /// Called once when the client leaves before the answer is complete.
    virtual void onClientGone(std::function<void()> callback) = 0;
    /// Called whenever bytesBuffered falls below half of maxWriteBuffer after having been over it.
    virtual void onWritable(std::function<void()> callback) = 0;
    /// Lets go of `place` when the whole answer has left for the client's kernel, or the connection is closed; at once
    /// when that has happened. One an answer: another takes its stead.
    virtual void keepUntilSent(std::shared_ptr<void> place) { place.reset(); }
};

class Server : public QObject
{
    Q_OBJECT
public:
    using Handler = std::function<void(ServerRequest request, std::shared_ptr<Responder> responder)>;
    explicit Server(Handler handler, ServerLimits limits = {}, QObject* parent = nullptr);
    ~Server() override;

    /// Port 0 takes a free one. The error is a sentence with the remedy ("port 8787 is in use by another program; …").
    tl::expected<quint16, QString> listen(const QHostAddress& address = QHostAddress::LocalHost, quint16 port = 0);
    void close(); ///< stops listening and drops every connection
    /// Takes no new connections and no new requests on those there are: idle ones are closed, requests that are not
    /// complete refused (503), answers under way may end ("Connection: close"). `done` once all have gone, never from
    /// inside this call; those that are still there after `limit` are dropped first. May be called again with another
    /// limit; then only the last `done` is called.
    void drain(Nanos limit, std::function<void()> done);
    /// How an answer looks that the server gives by itself (400, 408, 413, 414, 417, 431, 501, 503, 505); by default
    /// plain text. `words` is a sentence, `code` one word for programs ("too_many_connections", "too_many_bytes",
    /// "stopping"; empty: the status says it all), `head` what could be read of the request: perhaps nothing. A 503 gets
    /// a Retry-After where it has none.
    using RefusalText =
        std::function<OwnAnswer(int status, const QString& words, const char* code, const ServerRequest& head)>;
    void setRefusalText(RefusalText text);
    /// Asked once the head of a request is complete while its body is still to come, before "100 Continue" and before
    /// memory is taken for more of it: an answer refuses the request. Requests that come whole go to the handler alone,
    /// so it must look at the same things. `head` has the body as far as it has come, and no `received`.
    using HeadCheck = std::function<std::optional<OwnAnswer>(const ServerRequest& head)>;
    void setHeadCheck(HeadCheck check);
    /// Another ServerLimits::errands, from the next client on; those that are there may stay.
    void setErrands(qint64 errands);
    quint64 refusedCount() const; ///< answers of its own other than the head check's, and clients turned away without
    qint64 unsentBytes() const;   ///< see ServerLimits::maxUnsentBytes
    quint64 unreadDrops() const;  ///< clients dropped for what they did not take: stallTimeout, maxUnsentBytes
    quint16 port() const;
    int connectionCount() const;
    quint64 requestCount() const;
    quint64 connectionsAccepted() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::http
