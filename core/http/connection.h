// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/outbox.h"
#include "core/http/request_parser.h"

#include <QTcpSocket>

#include <initializer_list>

namespace sg::http {

/// One client of the server: reads requests one after the other, hands each to the handler, and reads the next only
/// when the answer is complete, so pipelined requests are answered in order. Owned by the server; deletes itself
/// through `closed`.
class Connection final : public QObject
{
public:
    /// What the connections of a server have in common; outlives them.
    struct Shared
    {
        ServerLimits limits;
        std::function<void(Connection&, ServerRequest)> request{}; ///< a complete request
        std::function<void(Connection&)> closed{};                 ///< the last thing that happens
        Server::RefusalText refusalText{};
        Server::HeadCheck headCheck{};
        qint64 heldBytes = 0;    ///< of requests that are not complete, wait behind an answer, or are being answered
        quint64 refused = 0;     ///< answers of our own
        qint64 unsentBytes = 0;  ///< what the clients have not taken
        quint64 unreadDrops = 0; ///< clients dropped for that
        /// unsentBytes are over their limit; called from inside a write, so only shed() may be called from it.
        std::function<void()> overfull{};
    };

    Connection(quint64 id, QTcpSocket* socket, Shared& shared);

    quint64 id() const { return id_; }
    void start(); ///< reads what is there already
    /// Answers with a status of our own, then closes.
    void refuse(const Refusal& refusal);
    void sweep(Instant now);            ///< closes when a limit has passed
    void drain();                       ///< closes as soon as no answer is under way
    void shut(bool reset, bool notify); ///< closes right now; `notify` calls the client-gone callback
    /// Waits for a request, and since when; nothing when it does anything else.
    std::optional<Instant> idleSince() const;
    /// Gives an idle connection's descriptor away and ends as closed; -1 when that cannot be done.
    int release();
    /// Throws away what the client does not take, and ends as closed when the event loop is next: whoever writes to
    /// another one just now meets nothing that it did not do itself.
    void shed();
    qint64 unsentBytes() const { return outbox_.unsent(); }
    Instant unsentSince() const { return unsentSince_; } ///< as of the last sweep

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
    void keepUntilSent(std::shared_ptr<void> place) { outbox_.keep(std::move(place)); }

private:
    enum class Phase { Reading, Answering, Lingering, Closed };

    void readSome();
    qint64 parse(QByteArrayView bytes);
    void take(QByteArrayView fresh);
    void goOn();
    void handOver();
    void hold(qint64 bytes);
    void holdAgain();
    bool tooMuch() const;
    /// Takes no further request: the client does not read the answers of the last ones.
    bool congested() const { return socket_->bytesToWrite() >= shared_.limits.maxWriteBuffer / 2; }
    void goOnLater();
    bool letIn();
    void answerAndClose(const OwnAnswer& answer);
    void sweepReading(Instant now);
    void noteAcknowledged(Instant now);
    bool dropUnseen();
    void beginAnswer();
    void finishAnswer();
    void linger();
    void closeSending();
    void onDisconnected();
    void onBytesWritten();
    void noteRoom();
    void makeHard();
    void put(std::initializer_list<QByteArrayView> parts);
    QByteArray head(int status, const Headers& headers, qint64 length, bool chunked) const;
    static bool bodyless(int status) { return status < 200 || status == 204 || status == 304; }

    const quint64 id_;
    QTcpSocket* socket_;
    Shared& shared_;
    Outbox outbox_;
    RequestParser parser_;
    QByteArray pending_;      ///< read, not yet taken by the parser: what came after a complete request
    qsizetype pendingAt_ = 0; ///< where it begins
    qint64 held_ = 0;         ///< our part of Shared::heldBytes
    qint64 answered_ = 0;     ///< of that, for the request that is being answered
    Phase phase_ = Phase::Reading;
    quint64 exchange_ = 0;
    std::function<void()> clientGone_;
    std::function<void()> writable_;
    Instant since_;            ///< begin of what the sweep measures
    Instant unsentSince_;      ///< the client has taken nothing since, while something waits for it
    int unacknowledged_ = 0;   ///< bytes in the kernel at the last sweep
    qint64 bodyBefore_ = 0;    ///< bytes of the body at since_
    qint64 declaredLeft_ = -1; ///< begin() with Content-Length: what is still owed
    bool headRequest_ = false;
    bool http10_ = false;
    bool keepAlive_ = true;
    bool draining_ = false;
    bool begun_ = false;
    bool chunked_ = false;
    bool silentBody_ = false;
    bool headSeen_ = false;
    bool feeding_ = false;
    bool writing_ = false;
    bool aboveMark_ = false;
    bool shutWhenWritten_ = false;
};

} // namespace sg::http
