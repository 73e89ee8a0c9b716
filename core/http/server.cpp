// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/server.h"

#include "core/http/connection.h"

#include <QPointer>
#include <QTcpServer>
#include <QTimer>

#include <unordered_map>
#include <unordered_set>

namespace sg::http {
namespace {

constexpr std::size_t refusalsAtOnce =
    64; ///< connections over the limit that still get their 503; more are just closed

class Listening final : public QTcpServer
{
public:
    std::function<void(qintptr)> incoming;

protected:
    void incomingConnection(qintptr descriptor) override { incoming(descriptor); }
};

class ConnectionResponder final : public Responder
{
public:
    ConnectionResponder(Connection& connection)
        : connection_(&connection)
        , exchange_(connection.exchange())
    {
    }
    ~ConnectionResponder() override
    {
        if (mine())
            connection_->shut(false, false);
    }
    ConnectionResponder(const ConnectionResponder&) = delete;
    ConnectionResponder& operator=(const ConnectionResponder&) = delete;

    void send(int status, const Headers& headers, const QByteArray& body) override
    {
        if (mine())
            connection_->send(status, headers, body);
    }
    void begin(int status, const Headers& headers) override
    {
        if (mine())
            connection_->begin(status, headers);
    }
    void write(QByteArrayView piece) override
    {
        if (mine())
            connection_->write(piece);
    }
    void end() override
    {
        if (mine())
            connection_->end();
    }
    void drop(bool reset) override
    {
        if (mine())
            connection_->shut(reset, false);
    }
    bool clientGone() const override { return !connection_ || connection_->closed(); }
    qint64 bytesBuffered() const override { return mine() ? connection_->bytesBuffered() : 0; }
    void onClientGone(std::function<void()> callback) override
    {
        if (mine())
            connection_->setClientGone(std::move(callback));
    }
    void onWritable(std::function<void()> callback) override
    {
        if (mine())
            connection_->setWritable(std::move(callback));
    }

private:
    bool mine() const { return connection_ && connection_->answers(exchange_); }

    QPointer<Connection> connection_;
    quint64 exchange_;
};

QString listenProblem(QAbstractSocket::SocketError error, const QHostAddress& address, quint16 port,
                      const QString& systemText)
{
    switch (error) {
    case QAbstractSocket::AddressInUseError:
        return QStringLiteral("Port %1 is in use by another program; stop that program or choose another port.")
            .arg(port);
    case QAbstractSocket::SocketAccessError:
        return QStringLiteral("Port %1 may not be opened by this user; choose a port above 1023.").arg(port);
    case QAbstractSocket::SocketAddressNotAvailableError:
        return QStringLiteral("The address %1 does not belong to this machine; choose 127.0.0.1 or one of its own "
                              "addresses.")
            .arg(address.toString());
    default:
        return QStringLiteral("Cannot listen on %1 port %2 (%3); choose another port.")
            .arg(address.toString())
            .arg(port)
            .arg(systemText);
    }
}

} // namespace

struct Server::Impl
{
    Impl(Handler h, ServerLimits l)
        : handler(std::move(h))
        , limits(l)
    {
        hooks.request = [this](Connection& connection, ServerRequest request) {
            ++requests;
            handler(std::move(request), std::make_shared<ConnectionResponder>(connection));
        };
        hooks.closed = [this](Connection& connection) { forget(connection); };
        listening.incoming = [this](qintptr descriptor) { accept(descriptor); };
        listening.setListenBacklogSize(4096);
        // Qt stops accepting for good when descriptors run out.
        QObject::connect(&listening, &QTcpServer::acceptError, &listening,
                         [this] { QTimer::singleShot(100, &listening, [this] { listening.resumeAccepting(); }); });
        const Nanos shortest = std::min(limits.headerTimeout, limits.idleTimeout) / 8;
        sweep.setInterval(std::chrono::duration_cast<Millis>(std::clamp<Nanos>(shortest, Millis(10), Millis(500))));
        QObject::connect(&sweep, &QTimer::timeout, &sweep, [this] { sweepAll(); });
    }

    void accept(qintptr descriptor)
    {
        ++accepted;
        auto socket = std::make_unique<QTcpSocket>();
        if (!socket->setSocketDescriptor(descriptor))
            return;
        const bool full = static_cast<int>(connections.size() - refused.size()) >= limits.maxConnections;
        if (full && refused.size() >= refusalsAtOnce)
            return; // closes with the socket
        auto* connection = new Connection(++lastId, socket.release(), limits, hooks);
        connections.emplace(connection->id(), connection);
        if (!sweep.isActive())
            sweep.start();
        if (!full) {
            connection->start();
            return;
        }
        refused.insert(connection->id());
        connection->refuse(503);
    }

    void forget(Connection& connection)
    {
        connections.erase(connection.id());
        refused.erase(connection.id());
        connection.deleteLater();
        if (connections.empty())
            sweep.stop();
    }

    void sweepAll()
    {
        const Instant now = steadyNow();
        std::vector<QPointer<Connection>> all;
        all.reserve(connections.size());
        for (const auto& entry : connections)
            all.emplace_back(entry.second);
        for (const auto& connection : all) {
            if (connection)
                connection->sweep(now);
        }
    }

    void dropAll(bool notify)
    {
        listening.close();
        while (!connections.empty())
            connections.begin()->second->shut(false, notify);
    }

    Handler handler;
    ServerLimits limits;
    Connection::Hooks hooks;
    Listening listening;
    QTimer sweep;
    std::unordered_map<quint64, Connection*> connections;
    std::unordered_set<quint64> refused; ///< those of them that only get their 503
    quint64 lastId = 0;
    quint64 accepted = 0;
    quint64 requests = 0;
};

Server::Server(Handler handler, ServerLimits limits, QObject* parent)
    : QObject(parent)
    , impl_(std::make_unique<Impl>(std::move(handler), limits))
{
}

Server::~Server()
{
    impl_->dropAll(false);
}

tl::expected<quint16, QString> Server::listen(const QHostAddress& address, quint16 port)
{
    if (impl_->listening.listen(address, port))
        return impl_->listening.serverPort();
    return tl::unexpected(listenProblem(impl_->listening.serverError(), address, port, impl_->listening.errorString()));
}

void Server::close()
{
    impl_->dropAll(true);
}
quint16 Server::port() const
{
    return impl_->listening.serverPort();
}
int Server::connectionCount() const
{
    return static_cast<int>(impl_->connections.size());
}
quint64 Server::requestCount() const
{
    return impl_->requests;
}
quint64 Server::connectionsAccepted() const
{
    return impl_->accepted;
}

} // namespace sg::http
