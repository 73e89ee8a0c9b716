// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <functional>
#include <memory>
#include <vector>

namespace sg::testing {

/// A raw TCP server on loopback that answers what its script says, HTTP or not, and counts what it was sent.
class MisbehavingServer
{
public:
    class Peer : public QObject
    {
    public:
        Peer(MisbehavingServer& server, QTcpSocket* socket, int number);

        const int number; ///< of the connection, from 0
        int requests = 0; ///< complete ones on this connection
        QByteArray head;  ///< request line and headers of the latest
        QByteArray body;

        void send(const QByteArray& bytes);
        /// `count` pieces, one each `everyMs`; then `after`, if given.
        void drip(const QByteArray& piece, int everyMs, int count, std::function<void()> after = {});
        /// Writes zeros as fast as the client takes them, `total` bytes.
        void flood(qint64 total);
        qint64 flooded() const { return flooded_ - socket_->bytesToWrite(); } ///< what the kernel took
        void close();                                                         ///< after what was sent is out
        void reset();                                                         ///< RST
        QTcpSocket* socket() const { return socket_; }

    private:
        friend class MisbehavingServer;
        void onReadable();
        void more();

        MisbehavingServer& server_;
        QTcpSocket* socket_;
        QByteArray buffer_;
        qint64 floodLeft_ = 0;
        qint64 flooded_ = 0;
    };
    using Script = std::function<void(Peer&)>;

    MisbehavingServer();
    ~MisbehavingServer();

    QUrl url(const QString& path = QStringLiteral("/v1/x")) const;
    void onRequest(Script script) { request_ = std::move(script); } ///< for each complete request
    void onHead(Script script) { head_ = std::move(script); }       ///< once its headers are there
    void onConnect(Script script) { connect_ = std::move(script); }

    int connections() const { return connections_; }
    int open() const; ///< connections open now
    int mostOpen() const { return mostOpen_; }
    int heads() const { return heads_; } ///< request heads seen: what a provider would have billed
    int requests() const { return requests_; }
    Peer* lastPeer() const { return peers_.empty() ? nullptr : peers_.back(); }

private:
    QTcpServer server_;
    Script request_;
    Script head_;
    Script connect_;
    std::vector<Peer*> peers_;
    int connections_ = 0;
    int mostOpen_ = 0;
    int heads_ = 0;
    int requests_ = 0;
};

QByteArray answer(int status, const QByteArray& body, const QByteArray& extraHeaders = {});

} // namespace sg::testing
