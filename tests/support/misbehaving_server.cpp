// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/misbehaving_server.h"

#include <QTimer>

#include <algorithm>
#include <sys/socket.h>

namespace sg::testing {

MisbehavingServer::Peer::Peer(MisbehavingServer& server, QTcpSocket* socket, int n)
    : number(n)
    , server_(server)
    , socket_(socket)
{
    socket_->setParent(this);
    connect(socket_, &QTcpSocket::readyRead, this, [this] { onReadable(); });
    connect(socket_, &QTcpSocket::bytesWritten, this, [this] { more(); });
}

void MisbehavingServer::Peer::onReadable()
{
    buffer_ += socket_->readAll();
    for (;;) {
        const auto end = buffer_.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        const QByteArray lower = buffer_.left(end).toLower() + "\r\n";
        const auto at = lower.indexOf("\r\ncontent-length:");
        const qsizetype length =
            at < 0 ? 0 : lower.mid(at + 17, lower.indexOf("\r\n", at + 2) - at - 17).trimmed().toLongLong();
        const bool fresh = head.isNull();
        head = buffer_.left(end);
        if (fresh) {
            ++server_.heads_;
            if (server_.head_)
                server_.head_(*this);
        }
        if (buffer_.size() < end + 4 + length)
            return;
        body = buffer_.mid(end + 4, length);
        buffer_.remove(0, end + 4 + length);
        ++requests;
        ++server_.requests_;
        if (server_.request_)
            server_.request_(*this);
        head = QByteArray();
    }
}

void MisbehavingServer::Peer::send(const QByteArray& bytes)
{
    socket_->write(bytes);
    socket_->flush();
}

void MisbehavingServer::Peer::drip(const QByteArray& piece, int everyMs, int count, std::function<void()> after)
{
    auto* timer = new QTimer(this);
    timer->setTimerType(Qt::PreciseTimer);
    connect(timer, &QTimer::timeout, this, [this, timer, piece, left = count, after]() mutable {
        if (left-- > 0) {
            send(piece);
            return;
        }
        timer->deleteLater();
        timer->stop();
        if (after)
            after();
    });
    timer->start(everyMs);
}

void MisbehavingServer::Peer::flood(qint64 total)
{
    floodLeft_ = total;
    more();
}

void MisbehavingServer::Peer::more()
{
    static const QByteArray zeros(64 * 1024, '0');
    while (floodLeft_ > 0 && socket_->bytesToWrite() < zeros.size()) {
        const qint64 count = std::min<qint64>(floodLeft_, zeros.size());
        socket_->write(zeros.constData(), count);
        flooded_ += count;
        floodLeft_ -= count;
    }
}

void MisbehavingServer::Peer::close()
{
    socket_->disconnectFromHost();
}

void MisbehavingServer::Peer::reset()
{
    const struct ::linger hard
    {
        1, 0
    };
    ::setsockopt(static_cast<int>(socket_->socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    socket_->abort();
}

MisbehavingServer::MisbehavingServer()
{
    QObject::connect(&server_, &QTcpServer::newConnection, &server_, [this] {
        while (QTcpSocket* socket = server_.nextPendingConnection()) {
            auto* peer = new Peer(*this, socket, connections_++);
            peer->setParent(&server_);
            peers_.push_back(peer);
            mostOpen_ = std::max(mostOpen_, open());
            if (connect_)
                connect_(*peer);
            if (socket->bytesAvailable() > 0)
                peer->onReadable();
        }
    });
    if (!server_.listen(QHostAddress::LocalHost, 0))
        qFatal("cannot listen on loopback");
}

MisbehavingServer::~MisbehavingServer()
{
    for (Peer* peer : peers_) {
        QObject::disconnect(peer->socket(), nullptr, peer, nullptr);
        peer->socket()->abort();
    }
}

QUrl MisbehavingServer::url(const QString& path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(server_.serverPort()).arg(path));
}

int MisbehavingServer::open() const
{
    return static_cast<int>(std::count_if(peers_.begin(), peers_.end(), [](Peer* peer) {
        return peer->socket()->state() == QAbstractSocket::ConnectedState;
    }));
}

QByteArray answer(int status, const QByteArray& body, const QByteArray& extraHeaders)
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Status\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\n" + extraHeaders + "\r\n" + body;
}

} // namespace sg::testing
