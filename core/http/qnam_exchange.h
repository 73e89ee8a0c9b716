// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/deadlines.h"
#include "core/http/limit_moments.h"
#include "core/http/qnam_errors.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>

namespace sg::http {

class BodyDevice;
class QnamExchange;

/// Connections of a manager with the number of its exchanges that are on the wire (at most 6, so Qt's own queue stays
/// empty).
struct QnamManager
{
    std::shared_ptr<QNetworkAccessManager> qnam;
    /// Where several share one manager and with it a thread: Qt keeps connections apart by the name that a certificate
    /// is to have, which http:// has no use for. Empty: it has the manager alone.
    QString group{};
    int inFlight = 0;
    int open = 0;         ///< connections believed open, busy ones included
    bool tainted = false; ///< takes no request until its last one has left and its connections are closed
    struct QnamOrigin* origin = nullptr;
};

/// What an exchange needs from its transport.
class QnamHost
{
public:
    virtual ~QnamHost() = default;
    virtual void connectionBegun(QnamManager& manager) = 0;
    /// Qt itself saw the connection break before the answer was complete.
    virtual void connectionBroke(QnamManager& manager) = 0;
    virtual void answerStillToCome(QnamManager& manager) = 0; ///< on a connection that Qt takes for free
    /// It has left the wire, and nothing of its body had been on it: it is the next of its origin's queue again.
    virtual void again(QnamExchange& exchange) = 0;
    /// The exchange has left the wire.
    virtual void leftWire(QnamExchange& exchange, QnamManager& manager, bool connectionLost) = 0;
    /// The exchange is over; called after it left the wire and before its listener hears of it.
    virtual void over(QnamExchange& exchange) = 0;

    Deadlines deadlines;
    QObject context; ///< queued calls of exchanges end with the transport
    std::vector<char> scratch = std::vector<char>(64 * 1024);
};

class QnamExchange final : public Exchange, public Deadlines::Client, public std::enable_shared_from_this<QnamExchange>
{
public:
    QnamExchange(QnamHost& host, Request request, std::shared_ptr<Listener> listener);

    void begin(); ///< starts the total limit
    void dispatch(QnamManager& manager, const QNetworkRequest& base);
    void failLater(FailureKind failure, QString detail);
    void finish(FailureKind failure, QString detail, Instant at);
    bool isOver() const { return phase_ == Phase::Over; }
    bool wasDispatched() const { return wasDispatched_; }
    struct QnamOrigin* origin = nullptr; ///< where it waits; null: nowhere

    void cancel() override;
    void setPaused(bool paused) override;
    Timing timing() const override { return timing_; }
    void onDeadline(Instant now) override;

private:
    enum class Phase { Queued, Connecting, Sending, Waiting, Receiving, Over };

    QNetworkRequest build(const QNetworkRequest& base) const;
    QNetworkReply* send(QNetworkAccessManager& qnam, const QNetworkRequest& request);
    void listenTo(QNetworkReply* reply);
    void onConnected();
    void onSent();
    void onHeaders(Instant at);
    void onReadable(Instant at);
    void onReplyFinished(Instant at);
    void complete(Instant at);
    bool neverLeft() const;
    void beginAgain();
    void drain(Instant at);
    void drainLater();
    qint64 readAhead() const;
    qint64 mostAtOnce() const; ///< that is read before others have their turn
    void limitReadAhead();
    void limitReadAheadFromTheStart();
    qint64 readSome();
    void leaveWire(bool connectionLost);
    void finishWith(Verdict verdict, Instant at);
    std::optional<DueLimit> nextDue() const;
    QString wordsOf(const DueLimit& due) const;
    void armNext();

    QnamHost* host_;
    Request request_;
    std::shared_ptr<Listener> listener_;
    Phase phase_ = Phase::Queued;
    QnamManager* manager_ = nullptr;
    QNetworkReply* reply_ = nullptr;
    BodyDevice* body_ = nullptr;                       ///< the reply's
    std::vector<QMetaObject::Connection> connections_; ///< of the reply
    Timing timing_;
    Instant dispatched_; ///< left our queue
    Instant lastPiece_;
    int status_ = 0;
    qint64 bodyBytes_ = 0;
    qint64 expectedBytes_ = -1;
    FailureKind certificate_ = FailureKind::None;
    QString certificateWords_; ///< what is wrong with it
    QString certificateShown_; ///< what it is
    bool wasDispatched_ = false;
    bool connected_ = false;
    bool touched_ = false;
    bool isBlind_ = false; ///< Qt tells neither that it is connected nor that the request is out
    int begunAgain_ = 0;
    bool closes_ = false;
    bool endsByClose_ = false;
    bool paused_ = false;
    bool replyDone_ = false;
    bool draining_ = false;
    bool drainDue_ = false;
    bool readAheadLimited_ = false;
    qint64 readSinceWoken_ = 0; ///< of a limited one
};

} // namespace sg::http
