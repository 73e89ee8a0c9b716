// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <functional>

namespace sg::testing {

/// A proxy on loopback that writes down what it is asked for. Whatever host it is asked for, it goes to that port of
/// this machine, so that servers can have names here that no resolver knows.
class ProxyServer
{
public:
    enum class Kind { Http, Socks5 };
    /// `credentials`: "user:password" that it asks for; empty: none.
    explicit ProxyServer(Kind kind, QByteArray credentials = {});

    QUrl url() const;                                         ///< "http://127.0.0.1:port", "socks5://…"
    const QList<QByteArray>& asked() const { return asked_; } ///< "host:port" of each way that was opened
    const QByteArray& seen() const { return seen_; }          ///< all bytes that were for the proxy itself
    const QByteArray& carried() const { return carried_; }    ///< all bytes that it carried from clients to servers
    int connections() const { return connections_; }
    int challenges() const { return challenges_; } ///< how often it asked for credentials or refused them
    /// What an HTTP proxy answers to CONNECT instead of opening a way.
    void setRefusal(const QByteArray& answer) { refusal_ = answer; }

private:
    struct Client
    {
        QByteArray buffer;
        int step = 0; ///< of SOCKS
        bool open = false;
    };
    void serve(QTcpSocket* socket);
    void readHttp(QTcpSocket* socket, Client& client);
    void readSocks(QTcpSocket* socket, Client& client);
    void open(QTcpSocket* socket, Client& client, const QByteArray& host, quint16 port, const QByteArray& welcome);

    Kind kind_;
    QByteArray credentials_;
    QByteArray refusal_;
    QTcpServer server_;
    QList<QByteArray> asked_;
    QByteArray seen_;
    QByteArray carried_;
    int connections_ = 0;
    int challenges_ = 0;
};

} // namespace sg::testing
