// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/request_parser.h"

#include <QTcpSocket>

namespace sg::http {

/// One client of the server: reads requests one after the other, hands each to the handler, and reads the next only
/// when the answer is complete, so pipelined requests are answered in order. Owned by the server; deletes itself
/// through `closed`.
class Connection final : public QObject
{
public:
    struct Hooks
    {
        std::function<void(Connection&, ServerRequest)> request; ///< a complete request
        std::function<void(Connection&)> closed;                 ///< the last thing that happens
    };

    Connection(quint64 id, QTcpSocket* socket, const ServerLimits& limits, const Hooks& hooks);

    quint64 id() const { return id_; }
    void start();                       ///< reads what is there already
    void refuse(int status);            ///< answers with a status of our own, then closes
    void sweep(Instant now);            ///< closes when a limit has passed
    void shut(bool reset, bool notify); ///< closes right now; `notify` calls the client-gone callback

    // Answering; each is a no-op unless `exchange` is the one being answered.
    bool answers(quint64 exchange) const { return exchange == exchange_ && phase_ == Phase::Answering; }
    quint64 exchange() const { return exchange_; }
    void send(int status, const Headers& headers, const QByteArray& body);
    void begin(int status, const Headers& headers);
    void write(QByteArrayView piece);
    void end();
    bool closed() const { return phase_ == Phase::Closed; }
    qint64 bytesBuffered() const { return socket_->bytesToWrite(); }
    void setClientGone(std::function<void()> callback) { clientGone_ = std::move(callback); }
    void setWritable(std::function<void()> callback) { writable_ = std::move(callback); }

private:
    enum class Phase { Reading, Answering, Lingering, Closed };

    void readSome();
    void feed();
    void handOver();
    void finishAnswer();
    void linger();
    void onDisconnected();
    void onBytesWritten();
    void put(const QByteArray& bytes);
    void flush();
    QByteArray head(int status, const Headers& headers, qint64 length, bool chunked) const;
    bool bodyless(int status) const;

    const quint64 id_;
    QTcpSocket* socket_;
    const ServerLimits& limits_;
    const Hooks& hooks_;
    RequestParser parser_;
    QByteArray pending_; ///< read, not yet taken by the parser
    Phase phase_ = Phase::Reading;
    quint64 exchange_ = 0;
    std::function<void()> clientGone_;
    std::function<void()> writable_;
    Instant since_;            ///< begin of what the sweep measures
    qint64 declaredLeft_ = -1; ///< begin() with Content-Length: what is still owed
    bool headRequest_ = false;
    bool http10_ = false;
    bool keepAlive_ = true;
    bool begun_ = false;
    bool chunked_ = false;
    bool silentBody_ = false;
    bool toldContinue_ = false;
    bool feeding_ = false;
    bool writing_ = false;
    bool aboveMark_ = false;
    bool shutWhenWritten_ = false;
};

} // namespace sg::http
