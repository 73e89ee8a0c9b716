// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/server.h"

#include <QTcpSocket>
#include <QTest>

namespace sg::testing {

/// A client that sends bytes as they are and keeps what comes back.
class Client
{
public:
    explicit Client(quint16 port) { socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port); }
    Client(quint16 port, const QByteArray& bytes)
        : Client(port)
    {
        send(bytes);
    }
    void send(const QByteArray& bytes)
    {
        socket.waitForConnected(5000);
        socket.write(bytes);
        socket.flush();
    }
    const QByteArray& got()
    {
        answer += socket.readAll();
        return answer;
    }
    int status() { return got().mid(9, 3).toInt(); }
    bool closed() { return got(), socket.state() == QAbstractSocket::UnconnectedState; }

    QTcpSocket socket;
    QByteArray answer;
};

inline QByteArray get(const QByteArray& target = "/", const QByteArray& extra = {})
{
    return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + extra + "\r\n";
}

/// A server whose requests a test sees and answers.
class ServerFixture
{
protected:
    struct Seen
    {
        http::ServerRequest request;
        std::shared_ptr<http::Responder> responder;
    };
    std::vector<Seen> seen_;
    std::function<void(Seen&)> answer_;
    std::unique_ptr<http::Server> server_;
    quint16 port_ = 0;

    void serve(http::ServerLimits limits = {})
    {
        server_ = std::make_unique<http::Server>(
            [this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
                Seen seen{std::move(request), std::move(responder)};
                if (answer_)
                    answer_(seen);
                seen_.push_back(std::move(seen));
            },
            limits);
        port_ = server_->listen().value_or(0);
        QVERIFY(port_ != 0);
    }

    void forget()
    {
        seen_.clear();
        server_.reset();
        answer_ = nullptr;
    }
};

} // namespace sg::testing
