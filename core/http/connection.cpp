// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/connection.h"

#include "core/http/reply_head.h"

#include <QMetaObject>

#include <array>
#include <fcntl.h>
#include <sys/socket.h>

namespace sg::http {
namespace {

constexpr qint64 readBuffer = 64 * 1024;
/// Requests of this size are worth no refusal: how many there are is bounded by other limits.
constexpr qint64 smallBody = 64 * 1024;
constexpr Refusal fullOfRequests{503, "The server holds as much of requests as it may: ask again later.",
                                 "too_many_bytes"};
/// The kernel doubles it. Left alone it grows to megabytes for a client that does not read.
constexpr int kernelSendBuffer = 128 * 1024;

/// One for each thread: its content lives only between read() and the parser.
std::array<char, 2 * readBuffer>& scratch()
{
    static thread_local std::array<char, 2 * readBuffer> bytes;
    return bytes;
}

bool asksToClose(const Headers& headers)
{
    return headerValue(headers, "Connection").compare("close", Qt::CaseInsensitive) == 0;
}

} // namespace

Connection::Connection(quint64 id, QTcpSocket* socket, Shared& shared)
    : id_(id)
    , socket_(socket)
    , shared_(shared)
    , outbox_(*socket, shared.unsentBytes)
    , parser_(shared.limits)
    , since_(steadyNow())
{
    socket_->setParent(this);
    socket_->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket_->setSocketOption(QAbstractSocket::SendBufferSizeSocketOption, kernelSendBuffer);
    socket_->setReadBufferSize(readBuffer);
    connect(socket_, &QTcpSocket::readyRead, this, [this] { readSome(); });
    connect(socket_, &QTcpSocket::bytesWritten, this, [this] { onBytesWritten(); });
    connect(socket_, &QTcpSocket::disconnected, this, [this] { onDisconnected(); });
}

void Connection::start()
{
    if (socket_->bytesAvailable() > 0)
        readSome();
}

void Connection::readSome()
{
    if (feeding_ || dropUnseen())
        return;
    if (phase_ == Phase::Answering || (phase_ == Phase::Reading && congested()))
        return; // stays in the socket's bounded buffer: the next request waits for this answer
    auto& bytes = scratch();
    for (;;) {
        // Asking for more than the socket may buffer makes Qt listen for more.
        const qint64 count = socket_->read(bytes.data(), static_cast<qint64>(bytes.size()));
        if (count <= 0)
            return;
        if (phase_ != Phase::Reading)
            continue; // lingering: what still comes is thrown away
        take(QByteArrayView(bytes.data(), count));
        if (phase_ == Phase::Answering || phase_ == Phase::Closed || (phase_ == Phase::Reading && congested()))
            return;
    }
}

qint64 Connection::parse(QByteArrayView bytes)
{
    const bool started = parser_.started(), headersDone = parser_.headersDone();
    const qint64 taken = parser_.feed(bytes);
    if (started != parser_.started() || headersDone != parser_.headersDone()) {
        since_ = steadyNow(); // of the headers, of the body: bytes that trickle in do not extend it
        bodyBefore_ = 0;
    }
    return taken;
}

/// `fresh` may be overwritten as soon as a handler runs: what is not parsed before is kept.
void Connection::take(QByteArrayView fresh)
{
    if (pending_.isEmpty())
        fresh = fresh.sliced(parse(fresh));
    if (!fresh.isEmpty() && !parser_.refusal())
        pending_.append(fresh);
    goOn();
}

void Connection::goOn()
{
    if (feeding_ || phase_ != Phase::Reading || congested())
        return;
    feeding_ = true;
    for (;;) {
        if (parser_.refusal()) {
            refuse(parser_.refusal());
            break;
        }
        if (parser_.complete() && tooMuch()) {
            refuse(fullOfRequests);
            break;
        }
        if (parser_.complete())
            handOver();
        if (phase_ != Phase::Reading || pendingAt_ == pending_.size() || congested())
            break;
        pendingAt_ += parse(QByteArrayView(pending_).sliced(pendingAt_));
    }
    feeding_ = false;
    if (pendingAt_ == pending_.size())
        pending_ = {};
    else
        pending_.remove(0, pendingAt_);
    pendingAt_ = 0;
    if (phase_ == Phase::Closed || dropUnseen())
        return;
    holdAgain();
    if (phase_ != Phase::Reading || !letIn())
        return;
    const bool isNewHead = parser_.headersDone() && !headSeen_;
    if (shared_.heldBytes > shared_.limits.maxBufferedBytes || (isNewHead && tooMuch()))
        return refuse(fullOfRequests);
    if (isNewHead) {
        headSeen_ = true;
        if (parser_.expectsContinue())
            put({"HTTP/1.1 100 Continue\r\n\r\n"});
    }
}

/// A body that would be refused anyway is not taken first.
bool Connection::letIn()
{
    if (headSeen_ || !parser_.headersDone() || !shared_.headCheck)
        return true;
    const auto no = shared_.headCheck(parser_.head());
    if (no)
        answerAndClose(*no);
    return !no;
}

void Connection::hold(qint64 bytes)
{
    shared_.heldBytes += bytes - held_;
    held_ = bytes;
}

void Connection::holdAgain()
{
    hold(pending_.size() + (phase_ == Phase::Reading ? parser_.heldBytes() : answered_));
}

/// The present request together with all that is there: judged from its head, and once more when it is complete, since
/// what was promised is not held before it comes.
bool Connection::tooMuch() const
{
    const qint64 body = parser_.wholeBody();
    const qint64 others = shared_.heldBytes - held_;
    return body > smallBody && others + body * shared_.limits.bodyWeight > shared_.limits.maxBufferedBytes;
}

void Connection::beginAnswer()
{
    phase_ = Phase::Answering;
    ++exchange_;
    headSeen_ = begun_ = chunked_ = silentBody_ = false;
    declaredLeft_ = -1;
    since_ = steadyNow();
}

void Connection::handOver()
{
    keepAlive_ = parser_.keepAlive() && !draining_;
    http10_ = parser_.isHttp10();
    beginAnswer();
    ServerRequest request = parser_.take();
    headRequest_ = request.method == "HEAD";
    request.received = since_;
    request.connectionId = id_;
    answered_ = request.body.size() * shared_.limits.bodyWeight;
    holdAgain();
    shared_.request(*this, std::move(request));
}

QByteArray Connection::head(int status, const Headers& headers, qint64 length, bool chunked) const
{
    return replyHead({status, length, chunked, http10_, keepAlive_}, headers);
}

void Connection::refuse(const Refusal& refusal)
{
    ++shared_.refused;
    const QString words = QString::fromLatin1(refusal.words);
    OwnAnswer answer{refusal.status, {{"Content-Type", "text/plain"}}, words.toUtf8() + '\n'};
    if (shared_.refusalText)
        answer = shared_.refusalText(refusal.status, words, refusal.code, parser_.head());
    if (answer.status == 503 && headerValue(answer.headers, "Retry-After").isEmpty())
        answer.headers.emplace_back("Retry-After", "1");
    answerAndClose(answer);
}

void Connection::answerAndClose(const OwnAnswer& answer)
{
    keepAlive_ = false;
    headRequest_ = parser_.head().method == "HEAD";
    beginAnswer();
    send(answer.status, answer.headers, answer.body);
}

void Connection::send(int status, const Headers& headers, const QByteArray& body)
{
    if (begun_)
        return;
    begun_ = true;
    if (asksToClose(headers))
        keepAlive_ = false;
    const bool none = bodyless(status);
    const QByteArray top = head(status, headers, none ? -1 : body.size(), false);
    put({top, none || headRequest_ ? QByteArrayView() : QByteArrayView(body)});
    finishAnswer();
}

void Connection::begin(int status, const Headers& headers)
{
    if (begun_)
        return;
    begun_ = true;
    if (asksToClose(headers))
        keepAlive_ = false;
    bool declared = false;
    const qint64 length = headerValue(headers, "Content-Length").toLongLong(&declared);
    const bool none = bodyless(status);
    silentBody_ = none || headRequest_;
    if (declared && !none)
        declaredLeft_ = length;
    else if (!none && http10_)
        keepAlive_ = false; // the end of the connection is the end of the body
    chunked_ = !none && !declared && !http10_;
    put({head(status, headers, declared && !none ? length : -1, chunked_)});
}

void Connection::write(QByteArrayView piece)
{
    if (!begun_ || silentBody_ || piece.isEmpty()) // an empty chunk would end the body
        return;
    if (declaredLeft_ >= 0) {
        piece = piece.first(std::min<qsizetype>(piece.size(), declaredLeft_));
        declaredLeft_ -= piece.size();
    }
    if (!chunked_)
        return put({piece});
    std::array<char, 20> size{};
    const int digits =
        std::snprintf(size.data(), size.size(), "%llx\r\n", static_cast<unsigned long long>(piece.size()));
    put({QByteArrayView(size.data(), digits), piece, "\r\n"});
}

void Connection::end()
{
    if (!begun_)
        return;
    if (chunked_ && !silentBody_)
        put({"0\r\n\r\n"});
    if (declaredLeft_ > 0 && !silentBody_)
        keepAlive_ = false; // the promised length was not kept: nothing can follow on this connection
    finishAnswer();
}

void Connection::finishAnswer()
{
    if (phase_ != Phase::Answering)
        return;
    clientGone_ = nullptr;
    writable_ = nullptr;
    outbox_.endAnswer();
    const Outbox::Places places = outbox_.takeSent(); // let go of when everything else is done
    since_ = steadyNow();
    hold(held_ - std::exchange(answered_, 0));
    if (!keepAlive_ || socket_->state() != QAbstractSocket::ConnectedState) {
        linger();
        return;
    }
    phase_ = Phase::Reading;
    if (feeding_ || (pending_.isEmpty() && socket_->bytesAvailable() == 0))
        return;
    goOnLater(); // not from here: a handler that answers at once would go deeper with every pipelined request
}

void Connection::goOnLater()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!socket_->isOpen()) // shed meanwhile
                return;
            goOn();
            if (phase_ == Phase::Reading)
                readSome();
        },
        Qt::QueuedConnection);
}

/// Closing while the client still sends would make the kernel reset the connection, and the answer would be lost on
/// the way. So: say that nothing follows, and throw away what comes until the client closes.
void Connection::linger()
{
    phase_ = Phase::Lingering;
    since_ = steadyNow();
    pending_ = {};
    pendingAt_ = 0;
    hold(0);
    shutWhenWritten_ = socket_->bytesToWrite() > 0;
    if (!shutWhenWritten_)
        closeSending();
    if (!feeding_ && socket_->bytesAvailable() > 0)
        QMetaObject::invokeMethod(
            this, [this] { readSome(); }, Qt::QueuedConnection);
}

void Connection::closeSending()
{
    ::shutdown(static_cast<int>(socket_->socketDescriptor()), SHUT_WR);
}

void Connection::put(std::initializer_list<QByteArrayView> parts)
{
    if (phase_ == Phase::Closed || !socket_->isOpen()) // an earlier write has found that nobody is there
        return;
    const bool waited = outbox_.unsent() > 0;
    const bool broken = !outbox_.put(parts);
    if (outbox_.unsent() == 0)
        return;
    if (!waited)
        unsentSince_ = steadyNow(); // from now on the client is waited for
    if (broken) {
        writing_ = true; // a failing write makes Qt say "disconnected" from inside flush()
        socket_->flush();
        writing_ = false;
        outbox_.refresh();
    }
    if (outbox_.unsent() >= shared_.limits.maxWriteBuffer / 2)
        aboveMark_ = true;
    if (shared_.unsentBytes > shared_.limits.maxUnsentBytes)
        shared_.overfull();
}

void Connection::onBytesWritten()
{
    outbox_.refresh();
    unsentSince_ = steadyNow();
    if (phase_ == Phase::Reading && !parser_.started())
        since_ = unsentSince_; // it is idle when it has its answer
    if (shutWhenWritten_ && outbox_.unsent() == 0) {
        shutWhenWritten_ = false;
        since_ = unsentSince_;
        closeSending();
    }
    if (writing_)
        return;
    noteRoom();
    (void)outbox_.takeSent();
}

void Connection::noteRoom()
{
    if (!aboveMark_ || outbox_.unsent() >= shared_.limits.maxWriteBuffer / 2)
        return;
    aboveMark_ = false;
    if (phase_ == Phase::Reading)
        return goOnLater();
    if (phase_ != Phase::Answering || !writable_)
        return;
    const auto callback = writable_; // it may answer, which forgets the member
    callback();
}

void Connection::shed()
{
    ++shared_.unreadDrops;
    makeHard();
    writing_ = true; // "disconnected" comes from inside
    socket_->abort();
    writing_ = false;
    outbox_.refresh();
}

void Connection::makeHard()
{
    constexpr struct ::linger hard = {1, 0};
    ::setsockopt(static_cast<int>(socket_->socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

void Connection::onDisconnected()
{
    if (writing_) { // the one who writes must find us alive
        QMetaObject::invokeMethod(
            this, [this] { shut(false, true); }, Qt::QueuedConnection);
        return;
    }
    shut(false, true);
}

/// With its buffer full Qt does not listen to the socket, and the end of what the client sent waits in the kernel
/// behind what is not taken: nobody would see it go, and what it asked for would be held until its end.
bool Connection::dropUnseen()
{
    const bool isUnseen = phase_ == Phase::Answering && socket_->bytesAvailable() >= readBuffer;
    if (isUnseen)
        shut(true, true);
    return isUnseen;
}

void Connection::drain()
{
    draining_ = true;
    keepAlive_ = false;
    if (phase_ != Phase::Reading)
        return;
    if (parser_.started() || !pending_.isEmpty() || socket_->bytesAvailable() > 0)
        refuse({503, "The server is stopping.", "stopping"});
    else if (socket_->bytesToWrite() > 0)
        linger(); // the last answer is still on its way
    else
        shut(false, false);
}

int Connection::release()
{
    const int descriptor = ::fcntl(static_cast<int>(socket_->socketDescriptor()), F_DUPFD_CLOEXEC, 0);
    if (descriptor >= 0)
        shut(false, false); // closes the other one: the connection lives on in this
    return descriptor;
}

void Connection::shut(bool reset, bool notify)
{
    if (phase_ == Phase::Closed)
        return;
    const bool unanswered = phase_ == Phase::Answering;
    phase_ = Phase::Closed;
    hold(0);
    disconnect(socket_, nullptr, this, nullptr);
    if (socket_->socketDescriptor() >= 0) {
        if (reset)
            makeHard();
        else
            socket_->flush();
    }
    socket_->abort();
    const Outbox::Places places = outbox_.clear(); // let go of when everything else is done
    auto callback = std::move(clientGone_);
    clientGone_ = nullptr;
    writable_ = nullptr;
    if (unanswered && notify && callback)
        callback();
    shared_.closed(*this);
}

} // namespace sg::http
