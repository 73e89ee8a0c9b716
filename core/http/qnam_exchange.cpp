// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/qnam_exchange.h"

#include "core/http/body_device.h"
#include "core/http/connection_profile.h"
#include "core/http/descriptors.h"
#include "core/http/header_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace sg::http {
namespace {

/// Each time only what has never left; a server that closes every connection at once is told in the end.
constexpr int kMostAgain = 3;
constexpr qint64 kReadAhead = 256 * 1024;
// Of a stream Qt holds it in as many pieces as there are tokens, each with a head of its own, and what is read of it in
// one turn becomes several times as much on its way to a client: 1.4 MiB for a client that does not read with 256 KiB
// of both, 0.7 MiB with these.
constexpr qint64 kStreamReadAhead = 64 * 1024, kStreamAtOnce = 16 * 1024;

/// Qt has one code for what it has no code for. By its words, which are translated as its own are; others may have
/// given descriptors back since.
bool isOutOfDescriptors(const QNetworkReply& reply)
{
    return reply.error() != QNetworkReply::NoError &&
           (reply.errorString() == QCoreApplication::translate("QNativeSocketEngine", "Out of resources") ||
            !hasDescriptors(1));
}

} // namespace

QnamExchange::QnamExchange(QnamHost& host, Request request, std::shared_ptr<Listener> listener)
    : host_(&host)
    , request_(std::move(request))
    , listener_(std::move(listener))
{
    timing_.dispatched = steadyNow();
}

void QnamExchange::begin()
{
    armNext();
}

QNetworkRequest QnamExchange::build(const QNetworkRequest& base) const
{
    QNetworkRequest request(base);
    QUrl url = request_.url;
    url.setUserInfo(QString()); // Qt would answer a 401 with it, by a second request
    url.setFragment(QString());
    request.setUrl(url);
    for (const auto& [name, value] : request_.headers) {
        if (sameName(name, "Content-Length") || sameName(name, "Transfer-Encoding"))
            continue;
        request.setRawHeader(name, request.hasRawHeader(name) ? request.rawHeader(name) + ", " + value : value);
    }
    // Left alone Qt asks for compression and unpacks by itself: sizes and arrival times would not be those of the wire.
    if (!request.hasRawHeader("Accept-Encoding"))
        request.setRawHeader("Accept-Encoding", "identity");
    if (!request.hasRawHeader("User-Agent"))
        request.setRawHeader("User-Agent", "Switchgear");
    // Qt would guess a form.
    if (!request_.body.isEmpty() && !request.hasRawHeader("Content-Type"))
        request.setRawHeader("Content-Type", "application/octet-stream");
    return request;
}

QNetworkReply* QnamExchange::send(QNetworkAccessManager& qnam, const QNetworkRequest& base)
{
    if (request_.body.isEmpty() && request_.method == "HEAD")
        return qnam.head(base);
    QNetworkRequest request = base;
    request.setRawHeader("Content-Length", QByteArray::number(request_.body.size()));
    isBlind_ = request_.body.isEmpty() && request_.url.scheme() == QLatin1String("http");
    // Qt asks once more for the body of a request that was cancelled while it was on its way to Qt's thread.
    auto* body = body_ = new BodyDevice(std::move(request_.body), [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->onConnected();
    });
    request_.body.clear();
    QNetworkReply* reply =
        request_.method == "POST" ? qnam.post(request, body) : qnam.sendCustomRequest(request, request_.method, body);
    body->setParent(reply);
    return reply;
}

void QnamExchange::dispatch(QnamManager& manager, const QNetworkRequest& base)
{
    manager_ = &manager;
    phase_ = Phase::Connecting;
    wasDispatched_ = true;
    dispatched_ = steadyNow();
    QNetworkRequest request = build(base);
    if (!manager.group.isEmpty())
        request.setPeerVerifyName(manager.group);
    reply_ = send(*manager.qnam, request);
    listenTo(reply_);
    if (request_.isStream)
        limitReadAheadFromTheStart();
    armNext();
}

/// The connections end in finish(). They do not hold the exchange: Qt's own thread may be the one that clears a
/// connection away, and must not be the one that ends an exchange.
void QnamExchange::listenTo(QNetworkReply* reply)
{
    const auto on = [this, reply, weak = weak_from_this()](auto signal, auto slot) {
        const auto whileAlive = [weak, slot](const auto&... arguments) {
            if (const auto self = weak.lock()) // lives through its own finish()
                slot(*self, arguments...);
        };
        connections_.push_back(QObject::connect(reply, signal, reply, whileAlive));
    };
    connections_.reserve(7);
    on(&QNetworkReply::socketStartedConnecting, [](QnamExchange& self) {
        if (self.isOver() || !self.manager_)
            return;
        self.timing_.connecting = steadyNow();
        self.host_->connectionBegun(*self.manager_);
    });
    on(&QNetworkReply::requestSent, [](QnamExchange& self) { self.onSent(); });
    on(&QNetworkReply::metaDataChanged, [](QnamExchange& self) { self.onHeaders(steadyNow()); });
    on(&QNetworkReply::readyRead, [](QnamExchange& self) { self.onReadable(steadyNow()); });
    on(&QNetworkReply::finished, [](QnamExchange& self) { self.onReplyFinished(steadyNow()); });
    if (request_.url.scheme() != QLatin1String("https"))
        return;
    on(&QNetworkReply::encrypted, [](QnamExchange& self) { self.onConnected(); });
    on(&QNetworkReply::sslErrors, [](QnamExchange& self, const QList<QSslError>& errors) {
        self.certificate_ = certificateProblem(errors);
        self.certificateWords_ = certificateWords(errors);
    });
}

/// Qt has no signal for "connected" without TLS; it asks for the body no earlier.
void QnamExchange::onConnected()
{
    if (isOver() || connected_)
        return;
    connected_ = true;
    if (phase_ == Phase::Connecting)
        phase_ = Phase::Sending;
}

void QnamExchange::onSent()
{
    const Instant at = steadyNow();
    if (isOver())
        return;
    connected_ = touched_ = true;
    timing_.sent = at;
    if (paused_)
        limitReadAhead();
    if (phase_ == Phase::Receiving)
        return; // answered early
    phase_ = Phase::Waiting;
    armNext();
}

void QnamExchange::onHeaders(Instant at)
{
    if (isOver() || timing_.headers)
        return;
    const int status = reply_->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0)
        return;
    connected_ = touched_ = true;
    timing_.headers = lastPiece_ = at;
    status_ = status;
    phase_ = Phase::Receiving;
    const auto& pairs = reply_->rawHeaderPairs();
    Headers headers;
    headers.reserve(static_cast<std::size_t>(pairs.size()));
    QByteArray lengths;
    bool isChunked = false;
    for (const auto& [name, value] : pairs) {
        if (sameName(name, "Content-Length"))
            lengths = value; // of all lines
        else if (sameName(name, "Transfer-Encoding"))
            isChunked = true;
        else if (sameName(name, "Connection") && sameName(value, "close"))
            closes_ = true;
        headers.emplace_back(name, value);
    }
    const auto length = lengths.isNull() || isChunked ? -1 : contentLength(lengths);
    if (request_.method != "HEAD" && status != 204 && status != 304)
        expectedBytes_ = length.value_or(-1);
    endsByClose_ = lengths.isNull() && !isChunked;
    if (request_.tellCertificate)
        certificateShown_ = certificateText(reply_->sslConfiguration().peerCertificate());
    if (expectedBytes_ > readAhead() || paused_)
        limitReadAhead();
    armNext();
    const auto listener = listener_; // outlives a cancel from inside its own callback
    listener->onHeaders(status, headers, at);
    if (!isOver() && !length)
        finishWith(badFraming(), at);
    if (!isOver() && expectedBytes_ > request_.limits.maxBodyBytes)
        finishWith(tooLargeAnnounced(expectedBytes_, request_.limits.maxBodyBytes), at);
}

qint64 QnamExchange::readAhead() const
{
    return request_.isStream ? kStreamReadAhead : kReadAhead;
}

qint64 QnamExchange::mostAtOnce() const
{
    return request_.isStream ? kStreamAtOnce : kReadAhead;
}

/// With a limit each read() wakes Qt's network thread, which costs more than reading: answers that are short, and
/// taken as they come, go without. Qt loses the size when it is told before the request is with its thread.
void QnamExchange::limitReadAhead()
{
    if (!timing_.sent || !reply_ || std::exchange(readAheadLimited_, true))
        return;
    reply_->setReadBufferSize(readAhead());
}

/// Qt gathers what comes before it tells of any of it: a flood that is only limited when it is seen has by then filled
/// a hundred megabytes. Qt's reply hands the request to its thread from the event loop, too, and was there first.
void QnamExchange::limitReadAheadFromTheStart()
{
    QMetaObject::invokeMethod(
        reply_,
        [weak = weak_from_this()] {
            const auto self = weak.lock();
            if (self && self->reply_ && !std::exchange(self->readAheadLimited_, true))
                self->reply_->setReadBufferSize(self->readAhead());
        },
        Qt::QueuedConnection);
}

void QnamExchange::onReadable(Instant at)
{
    if (isOver())
        return;
    if (!timing_.headers)
        onHeaders(at);
    drain(at);
}

/// Where Qt's buffer is limited a read() that asks for more than there is wakes Qt's network thread to fill it again:
/// once for each half of the limit is enough, and each token of a stream would be dear.
qint64 QnamExchange::readSome()
{
    char* const to = host_->scratch.data();
    const auto most = static_cast<qint64>(host_->scratch.size());
    if (!readAheadLimited_)
        return reply_->read(to, most);
    const qint64 count = reply_->read(to, std::min({most, mostAtOnce(), reply_->bytesAvailable()}));
    readSinceWoken_ += std::max<qint64>(count, 0);
    if (readSinceWoken_ >= readAhead() / 2 && reply_->bytesAvailable() == 0) {
        readSinceWoken_ = 0;
        char nothing = 0;
        reply_->read(&nothing, 1);
    }
    return count;
}

void QnamExchange::drain(Instant at)
{
    if (draining_)
        return;
    draining_ = true;
    const auto self = shared_from_this(); // a callback may drop the last other owner,
    const auto listener = listener_;      // and by a cancel the listener's too, whose frames are still on the stack
    // A flood that is read without a rest starves the other exchanges of this thread: their limits end them in time,
    // but Qt's own threads go on filling their buffers.
    qint64 left = mostAtOnce();
    while (!isOver() && !paused_ && left > 0) {
        const qint64 count = readSome();
        if (count <= 0)
            break;
        left -= count;
        if (!timing_.firstByte)
            timing_.firstByte = at;
        timing_.lastByte = lastPiece_ = at;
        const qint64 allowed = request_.limits.maxBodyBytes - bodyBytes_;
        const qint64 taken = std::min(count, allowed);
        bodyBytes_ += taken;
        if (bodyBytes_ > readAhead())
            limitReadAhead();
        if (taken > 0)
            listener->onBody(QByteArrayView(host_->scratch.data(), taken), at);
        if (count > allowed && !isOver())
            finishWith(tooLarge(request_.limits.maxBodyBytes), at);
    }
    draining_ = false;
    if (left <= 0 && !isOver() && !paused_ && reply_->bytesAvailable() > 0)
        drainLater();
}

void QnamExchange::drainLater()
{
    if (std::exchange(drainDue_, true))
        return;
    QMetaObject::invokeMethod(
        &host_->context,
        [self = shared_from_this()] {
            self->drainDue_ = false;
            if (self->isOver() || !self->reply_)
                return;
            const Instant at = steadyNow();
            self->drain(at);
            if (self->replyDone_)
                self->complete(at);
        },
        Qt::QueuedConnection);
}

void QnamExchange::onReplyFinished(Instant at)
{
    if (isOver() || replyDone_)
        return;
    replyDone_ = true;
    const auto error = reply_->error();
    if (manager_ && (error == QNetworkReply::ContentReSendError || error == QNetworkReply::RemoteHostClosedError))
        host_->connectionBroke(*manager_);
    // Qt takes an interim answer other than 100 for the answer; the next request would get the one that follows.
    if (manager_ && reply_->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() / 100 == 1)
        host_->answerStillToCome(*manager_);
    leaveWire(closes_ || (error > QNetworkReply::NoError && error < QNetworkReply::ContentAccessDenied) ||
              error == QNetworkReply::ContentReSendError);
    onHeaders(at);
    drain(at);
    complete(at);
}

/// The reply is over; the exchange is when its bytes are delivered too.
void QnamExchange::complete(Instant at)
{
    if (isOver() || ((paused_ || drainDue_) && reply_->bytesAvailable() > 0))
        return;
    if (neverLeft())
        return beginAgain();
    ReplyFacts facts;
    facts.error = reply_->error();
    facts.status = status_;
    facts.outOfDescriptors = !connected_ && isOutOfDescriptors(*reply_);
    facts.connected = connected_;
    facts.touched = touched_ || facts.error == QNetworkReply::ContentReSendError;
    facts.certificate = certificate_;
    facts.certificateWords = certificateWords_;
    facts.proxied = request_.connection && request_.connection->proxy();
    facts.expectedBytes = expectedBytes_;
    facts.bodyBytes = bodyBytes_;
    facts.endsByClose = endsByClose_;
    finishWith(judge(facts), at);
}

/// Qt gives a request to a connection that another one's failure is about to close, and tells it as this one's. A
/// server that has not seen a byte of a body that was announced has executed nothing.
bool QnamExchange::neverLeft() const
{
    return begunAgain_ < kMostAgain && origin && status_ == 0 && !touched_ && !isBlind_ && !body_->wasAsked() &&
           reply_->error() == QNetworkReply::RemoteHostClosedError;
}

void QnamExchange::beginAgain()
{
    ++begunAgain_;
    for (const QMetaObject::Connection& connection : std::exchange(connections_, {}))
        QObject::disconnect(connection);
    request_.body = body_->take();
    body_ = nullptr;
    std::exchange(reply_, nullptr)->deleteLater();
    phase_ = Phase::Queued;
    timing_.connecting.reset();
    wasDispatched_ = connected_ = replyDone_ = readAheadLimited_ = false;
    armNext();
    host_->again(*this);
}

void QnamExchange::leaveWire(bool connectionLost)
{
    if (!manager_)
        return;
    QnamManager& manager = *manager_;
    manager_ = nullptr;
    host_->leftWire(*this, manager, connectionLost);
}

void QnamExchange::finish(FailureKind failure, QString detail, Instant at)
{
    if (isOver())
        return;
    const auto self = shared_from_this();
    phase_ = Phase::Over;
    host_->deadlines.disarm(*this);
    for (const QMetaObject::Connection& connection : std::exchange(connections_, {}))
        QObject::disconnect(connection);
    if (reply_) {
        if (!replyDone_)
            reply_->abort(); // emits finished before it returns; the phase makes that a no-op
        reply_->deleteLater();
        reply_ = nullptr;
    }
    leaveWire(true);
    host_->over(*this);
    host_ = nullptr;
    request_.body.clear();
    timing_.end = at;
    const auto listener = std::move(listener_);
    listener_.reset();
    listener->onFinished({failure, std::move(detail), status_, bodyBytes_, timing_, std::move(certificateShown_)});
}

void QnamExchange::finishWith(Verdict verdict, Instant at)
{
    finish(verdict.failure, std::move(verdict.detail), at);
}

void QnamExchange::failLater(FailureKind failure, QString detail)
{
    QMetaObject::invokeMethod(
        &host_->context,
        [self = shared_from_this(), failure, detail = std::move(detail)] {
            self->finish(failure, detail, steadyNow());
        },
        Qt::QueuedConnection);
}

void QnamExchange::cancel()
{
    finish(FailureKind::Cancelled, QStringLiteral("cancelled"), steadyNow());
}

void QnamExchange::setPaused(bool paused)
{
    if (isOver() || paused_ == paused)
        return;
    paused_ = paused;
    if (paused)
        return limitReadAhead();
    lastPiece_ = steadyNow(); // the pause was ours, not the server's
    armNext();
    drainLater();
}

std::optional<DueLimit> QnamExchange::nextDue() const
{
    LimitMoments from{timing_.dispatched};
    if (phase_ == Phase::Connecting)
        from.connecting = dispatched_;
    else if (phase_ == Phase::Waiting)
        from.waiting = timing_.sent;
    else if (phase_ == Phase::Receiving && !paused_ && !replyDone_)
        from.receiving = lastPiece_;
    if (phase_ == Phase::Receiving && !replyDone_ && !isSuccess(status_))
        from.refused = timing_.headers;
    return nextLimit(request_.limits, from);
}

QString QnamExchange::wordsOf(const DueLimit& due) const
{
    const QString words = limitText(due.limit, due.length);
    if (due.limit != FailureKind::ConnectTimeout)
        return words;
    if (isBlind_)
        return words + QStringLiteral(", or a connection and no answer");
    const bool proxied = request_.connection && request_.connection->proxy();
    return proxied ? words + QStringLiteral(" through the proxy") : words;
}

void QnamExchange::armNext()
{
    if (const auto next = nextDue())
        host_->deadlines.arm(*this, next->at);
}

void QnamExchange::onDeadline(Instant now)
{
    const auto next = nextDue();
    if (!next)
        return;
    if (next->at > now)
        host_->deadlines.arm(*this, next->at);
    else
        finish(next->limit, wordsOf(*next), now);
}

} // namespace sg::http
