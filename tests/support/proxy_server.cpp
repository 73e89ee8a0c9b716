// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proxy_server.h"

#include <QtEndian>

#include <memory>

namespace sg::testing {

namespace {
// RFC 1928 and 1929.
constexpr char kVersion = 5;
constexpr char kPlain = 0;
constexpr char kPassword = 2;
} // namespace

ProxyServer::ProxyServer(Kind kind, QByteArray credentials)
    : kind_(kind)
    , credentials_(std::move(credentials))
{
    QObject::connect(&server_, &QTcpServer::newConnection, &server_, [this] {
        while (QTcpSocket* socket = server_.nextPendingConnection())
            serve(socket);
    });
    if (!server_.listen(QHostAddress::LocalHost, 0))
        qFatal("cannot listen on loopback");
}

QUrl ProxyServer::url() const
{
    QUrl url;
    url.setScheme(kind_ == Kind::Http ? QStringLiteral("http") : QStringLiteral("socks5"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(server_.serverPort());
    return url;
}

void ProxyServer::serve(QTcpSocket* socket)
{
    ++connections_;
    const auto client = std::make_shared<Client>();
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, client] {
        if (client->open)
            return;
        client->buffer += socket->readAll();
        if (kind_ == Kind::Http)
            readHttp(socket, *client);
        else
            readSocks(socket, *client);
    });
    QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
}

void ProxyServer::readHttp(QTcpSocket* socket, Client& client)
{
    const qsizetype end = client.buffer.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QByteArray head = client.buffer.left(end);
    client.buffer.clear();
    seen_ += head + "\r\n\r\n";
    if (!refusal_.isEmpty()) {
        socket->write(refusal_);
        return socket->disconnectFromHost();
    }
    if (!credentials_.isEmpty() && !head.contains("Proxy-Authorization: Basic " + credentials_.toBase64())) {
        ++challenges_;
        socket->write("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"test\"\r\n"
                      "Content-Length: 0\r\n\r\n");
        return;
    }
    const QByteArray line = head.left(head.indexOf('\r'));
    const QByteArray target = line.split(' ').value(1);
    const qsizetype colon = target.lastIndexOf(':');
    if (!line.startsWith("CONNECT ") || colon < 0) {
        socket->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    open(socket, client, target.left(colon), target.mid(colon + 1).toUShort(), "HTTP/1.1 200 Connected\r\n\r\n");
}

void ProxyServer::readSocks(QTcpSocket* socket, Client& client)
{
    QByteArray& in = client.buffer;
    if (client.step == 0 && in.size() >= 2 && in.size() >= 2 + in.at(1)) {
        const QByteArray offered = in.mid(2, in.at(1));
        seen_ += in.left(2 + in.at(1));
        in.remove(0, 2 + in.at(1));
        const bool asks = !credentials_.isEmpty();
        if (asks && !offered.contains(kPassword)) {
            ++challenges_;
            socket->write(QByteArray() + kVersion + '\xff');
            return socket->disconnectFromHost();
        }
        socket->write(QByteArray() + kVersion + (asks ? kPassword : kPlain));
        client.step = asks ? 1 : 2;
    }
    if (client.step == 1 && in.size() >= 2) {
        const qsizetype user = in.at(1);
        if (in.size() < 3 + user || in.size() < 3 + user + in.at(2 + user))
            return;
        const QByteArray given = in.mid(2, user) + ':' + in.mid(3 + user, in.at(2 + user));
        seen_ += in.left(3 + user + in.at(2 + user));
        in.remove(0, 3 + user + in.at(2 + user));
        const bool fits = given == credentials_;
        socket->write(QByteArray(1, 1) + (fits ? '\0' : '\1'));
        if (!fits) {
            ++challenges_;
            return socket->disconnectFromHost();
        }
        client.step = 2;
    }
    if (client.step != 2 || in.size() < 7)
        return;
    const bool byName = in.at(3) == 3;
    const qsizetype length = byName ? in.at(4) + 1 : 4;
    if (in.size() < 4 + length + 2)
        return;
    const QByteArray host = byName ? in.mid(5, length - 1)
                                   : QHostAddress(qFromBigEndian<quint32>(in.constData() + 4)).toString().toLatin1();
    const quint16 port = qFromBigEndian<quint16>(in.constData() + 4 + length);
    seen_ += in.left(4 + length + 2);
    in.remove(0, 4 + length + 2);
    open(socket, client, host, port, QByteArray::fromHex("05000001000000000000"));
}

void ProxyServer::open(QTcpSocket* socket, Client& client, const QByteArray& host, quint16 port,
                       const QByteArray& welcome)
{
    asked_.append(host + ':' + QByteArray::number(port));
    client.open = true;
    auto* way = new QTcpSocket(socket);
    QObject::connect(way, &QTcpSocket::connected, socket, [socket, welcome] { socket->write(welcome); });
    QObject::connect(way, &QTcpSocket::readyRead, socket, [socket, way] { socket->write(way->readAll()); });
    QObject::connect(way, &QTcpSocket::disconnected, socket, [socket] { socket->disconnectFromHost(); });
    QObject::connect(way, &QTcpSocket::errorOccurred, socket, [socket] { socket->disconnectFromHost(); });
    QObject::connect(socket, &QTcpSocket::readyRead, way, [this, socket, way] {
        const QByteArray bytes = socket->readAll();
        carried_ += bytes;
        way->write(bytes);
    });
    way->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
}

} // namespace sg::testing
