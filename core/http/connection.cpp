// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/connection.h"

#include "core/http/reply_head.h"

#include <QMetaObject>

#include <array>
#include <sys/socket.h>

namespace sg::http {
namespace {

constexpr qint64 readBuffer = 64 * 1024;
constexpr Millis lingerTime{2000};

/// One for each thread: its content lives only between read() and the parser.
std::array<char, 2 * readBuffer>& scratch()
{
    static thread_local std::array<char, 2 * readBuffer> bytes;
    return bytes;
}

} // namespace

Connection::Connection(quint64 id, QTcpSocket* socket, const ServerLimits& limits, const Hooks& hooks)
    : id_(id)
    , socket_(socket)
    , limits_(limits)
    , hooks_(hooks)
    , parser_(limits.maxHeaderBytes, limits.maxBodyBytes)
    , since_(steadyNow())
{
    socket_->setParent(this);
    socket_->setSocketOption(QAbstractSocket::LowDelayOption, 1);
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
    if (phase_ == Phase::Answering || feeding_)
        return; // stays in the socket's bounded buffer: the next request waits for this answer
    auto& bytes = scratch();
    for (;;) {
        // Asking for more than the socket may buffer makes Qt listen for more.
        const qint64 count = socket_->read(bytes.data(), static_cast<qint64>(bytes.size()));
        if (count <= 0)
            return;
        if (phase_ != Phase::Reading)
            continue; // lingering: what still comes is thrown away
        if (!parser_.started() || parser_.headersDone())
            since_ = steadyNow();
        pending_.append(bytes.data(), count);
        feed();
        if (phase_ == Phase::Answering || phase_ == Phase::Closed)
            return;
    }
}

void Connection::feed()
{
    if (feeding_)
        return;
    feeding_ = true;
    while (phase_ == Phase::Reading && !pending_.isEmpty()) {
        qsizetype skip = 0;
        if (!parser_.started()) { // RFC 9112 2.2: an empty line before a request is ignored
            while (skip < pending_.size() && (pending_[skip] == '\r' || pending_[skip] == '\n'))
                ++skip;
        }
        const qint64 taken = skip + parser_.feed(QByteArrayView(pending_).sliced(skip));
        if (taken == pending_.size())
            pending_.resize(0); // keeps its memory for the next read
        else
            pending_.remove(0, taken);
        if (parser_.errorStatus() != 0) {
            refuse(parser_.errorStatus());
            break;
        }
        if (parser_.complete()) {
            handOver();
            continue;
        }
        if (parser_.headersDone() && parser_.expectsContinue() && !toldContinue_) {
            toldContinue_ = true;
            put(QByteArrayLiteral("HTTP/1.1 100 Continue\r\n\r\n"));
            flush();
        }
        break;
    }
    feeding_ = false;
}

void Connection::handOver()
{
    keepAlive_ = parser_.keepAlive();
    http10_ = parser_.isHttp10();
    toldContinue_ = begun_ = chunked_ = silentBody_ = false;
    declaredLeft_ = -1;
    phase_ = Phase::Answering;
    ++exchange_;
    ServerRequest request = parser_.take();
    headRequest_ = request.method == "HEAD";
    request.received = since_ = steadyNow();
    request.connectionId = id_;
    hooks_.request(*this, std::move(request));
}

bool Connection::bodyless(int status) const
{
    return status < 200 || status == 204 || status == 304;
}

QByteArray Connection::head(int status, const Headers& headers, qint64 length, bool chunked) const
{
    return replyHead({status, length, chunked, http10_, keepAlive_}, headers);
}

void Connection::refuse(int status)
{
    phase_ = Phase::Answering;
    keepAlive_ = false;
    headRequest_ = false;
    send(status, {{"Content-Type", "text/plain"}}, reasonOf(status) + '\n');
}

void Connection::send(int status, const Headers& headers, const QByteArray& body)
{
    if (begun_)
        return;
    begun_ = true;
    if (headerValue(headers, "Connection").compare("close", Qt::CaseInsensitive) == 0)
        keepAlive_ = false;
    const bool none = bodyless(status);
    QByteArray bytes = head(status, headers, none ? -1 : body.size(), false);
    const bool withBody = !none && !headRequest_;
    constexpr qsizetype worthCopying = 32 * 1024;
    if (withBody && body.size() <= worthCopying)
        bytes += body;
    put(bytes);
    if (withBody && body.size() > worthCopying)
        put(body);
    finishAnswer();
}

void Connection::begin(int status, const Headers& headers)
{
    if (begun_)
        return;
    begun_ = true;
    if (headerValue(headers, "Connection").compare("close", Qt::CaseInsensitive) == 0)
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
    put(head(status, headers, declared && !none ? length : -1, chunked_));
    flush();
}

void Connection::write(QByteArrayView piece)
{
    if (!begun_ || silentBody_ || piece.isEmpty()) // an empty chunk would end the body
        return;
    if (declaredLeft_ >= 0) {
        piece = piece.first(std::min<qsizetype>(piece.size(), declaredLeft_));
        declaredLeft_ -= piece.size();
    }
    if (!chunked_) {
        socket_->write(piece.data(), piece.size());
        flush();
        return;
    }
    socket_->write(QByteArray::number(piece.size(), 16) + "\r\n");
    socket_->write(piece.data(), piece.size());
    socket_->write("\r\n", 2);
    flush();
}

void Connection::end()
{
    if (!begun_)
        return;
    if (chunked_ && !silentBody_)
        put(QByteArrayLiteral("0\r\n\r\n"));
    if (declaredLeft_ > 0 && !silentBody_)
        keepAlive_ = false; // the promised length was not kept: nothing can follow on this connection
    finishAnswer();
}

void Connection::finishAnswer()
{
    const quint64 answered = exchange_;
    flush();
    if (phase_ != Phase::Answering || exchange_ != answered)
        return;
    clientGone_ = nullptr;
    writable_ = nullptr;
    since_ = steadyNow();
    if (!keepAlive_ || socket_->state() != QAbstractSocket::ConnectedState) {
        linger();
        return;
    }
    phase_ = Phase::Reading;
    if (feeding_ || (pending_.isEmpty() && socket_->bytesAvailable() == 0))
        return;
    // Not from here: a handler that answers at once would go deeper with every pipelined request.
    QMetaObject::invokeMethod(
        this,
        [this] {
            feed();
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
    pending_.clear();
    shutWhenWritten_ = socket_->bytesToWrite() > 0;
    if (!shutWhenWritten_)
        ::shutdown(static_cast<int>(socket_->socketDescriptor()), SHUT_WR);
    if (!feeding_ && socket_->bytesAvailable() > 0)
        QMetaObject::invokeMethod(
            this, [this] { readSome(); }, Qt::QueuedConnection);
}

void Connection::put(const QByteArray& bytes)
{
    socket_->write(bytes);
}

void Connection::flush()
{
    if (phase_ == Phase::Closed)
        return;
    writing_ = true; // a failing write makes Qt say "disconnected" from inside flush()
    socket_->flush();
    writing_ = false;
    if (socket_->bytesToWrite() >= limits_.maxWriteBuffer / 2)
        aboveMark_ = true;
}

void Connection::onBytesWritten()
{
    since_ = steadyNow();
    if (shutWhenWritten_ && socket_->bytesToWrite() == 0) {
        shutWhenWritten_ = false;
        ::shutdown(static_cast<int>(socket_->socketDescriptor()), SHUT_WR);
    }
    if (!aboveMark_ || writing_ || socket_->bytesToWrite() >= limits_.maxWriteBuffer / 2)
        return;
    aboveMark_ = false;
    if (phase_ != Phase::Answering || !writable_)
        return;
    const auto callback = writable_; // it may answer, which forgets the member
    callback();
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

void Connection::sweep(Instant now)
{
    const Nanos age = now - since_;
    if (phase_ == Phase::Lingering) {
        if (age > (shutWhenWritten_ ? limits_.idleTimeout : Nanos(lingerTime)))
            shut(false, false);
        return;
    }
    if (phase_ == Phase::Answering) {
        if (socket_->bytesToWrite() > 0 && age > limits_.idleTimeout)
            shut(true, true); // the client does not read
        return;
    }
    if (phase_ != Phase::Reading)
        return;
    const bool inHeaders = parser_.started() && !parser_.headersDone();
    if (age <= (inHeaders ? limits_.headerTimeout : limits_.idleTimeout))
        return;
    if (parser_.started())
        refuse(408);
    else
        shut(false, false);
}

void Connection::shut(bool reset, bool notify)
{
    if (phase_ == Phase::Closed)
        return;
    const bool unanswered = phase_ == Phase::Answering;
    phase_ = Phase::Closed;
    disconnect(socket_, nullptr, this, nullptr);
    if (socket_->socketDescriptor() >= 0) {
        if (reset) {
            const struct ::linger hard
            {
                1, 0
            };
            ::setsockopt(static_cast<int>(socket_->socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        } else {
            socket_->flush();
        }
    }
    socket_->abort();
    auto callback = std::move(clientGone_);
    clientGone_ = nullptr;
    writable_ = nullptr;
    if (unanswered && notify && callback)
        callback();
    hooks_.closed(*this);
}

} // namespace sg::http
