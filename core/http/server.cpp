// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/server.h"

#include "core/http/connection.h"
#include "core/http/descriptors.h"
#include "core/http/parking.h"
#include "core/http/reply_head.h"

#include <QPointer>
#include <QSocketNotifier>
#include <QTcpServer>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace sg::http {
namespace {

/// Connections over the limit that still get their 503; more are just closed.
constexpr std::size_t refusalsAtOnce = 64;
constexpr int acceptedAtOnce = 256; ///< then the others have their turn
constexpr Millis retryAccept{100};
constexpr Millis parkAfter{1000}; ///< without a request: a busy client is not worth the way in and out

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
    void keepUntilSent(std::shared_ptr<void> place) override
    {
        if (mine())
            connection_->keepUntilSent(std::move(place));
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
        , shared{l}
        , parking([this](quint64 id, int descriptor) { open(id, descriptor); })
    {
        shared.request = [this](Connection& connection, ServerRequest request) {
            ++requests;
            handler(std::move(request), std::make_shared<ConnectionResponder>(connection));
        };
        shared.overfull = [this] { shedLongestUnread(); };
        shared.closed = [this](Connection& connection) { forget(connection); };
        listening.setListenBacklogSize(4096);
        const Nanos shortest = std::min({l.headerTimeout, l.bodyTimeout, l.idleTimeout, l.stallTimeout}) / 8;
        sweep.setInterval(std::chrono::duration_cast<Millis>(std::clamp<Nanos>(shortest, Millis(10), Millis(500))));
        QObject::connect(&sweep, &QTimer::timeout, &sweep, [this] { sweepAll(); });
        drainLimit.setSingleShot(true);
        QObject::connect(&drainLimit, &QTimer::timeout, &drainLimit, [this] { dropAll(true); });
    }

    int count() const { return static_cast<int>(connections.size()) + parking.size(); }

    /// QTcpServer opens the socket and waits at it no longer: once a call of accept() has failed for any reason it
    /// tells of no other one (its engine keeps the first error), so it would turn for ever where descriptors have run
    /// out.
    void startAccepting()
    {
        listening.pauseAccepting();
        countDescriptors();
        notifier = std::make_unique<QSocketNotifier>(listening.socketDescriptor(), QSocketNotifier::Read);
        QObject::connect(notifier.get(), &QSocketNotifier::activated, &listening, [this] { acceptSome(); });
    }

    void countDescriptors()
    {
        mostConnections = shared.limits.maxConnections;
        if (const int descriptors = descriptorLimit(); descriptors > 0)
            mostConnections = std::min(mostConnections, connectionsWithin(descriptors, shared.limits.errands));
    }

    void stopListening()
    {
        if (notifier) {
            notifier->setEnabled(false);
            notifier.release()->deleteLater(); // it may be what has called us
        }
        listening.close();
    }

    void acceptSome()
    {
        for (int i = 0; i < acceptedAtOnce && listening.isListening(); ++i) {
            const int descriptor = ::accept4(static_cast<int>(listening.socketDescriptor()), nullptr, nullptr,
                                             SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (descriptor >= 0)
                accept(descriptor);
            else if (errno == EAGAIN || errno == EWOULDBLOCK)
                return;
            else if (errno != EINTR && errno != ECONNABORTED)
                return onAcceptError();
        }
    }

    void accept(qintptr descriptor)
    {
        ++accepted;
        const bool full = count() - static_cast<int>(refused.size()) >= mostConnections;
        if (full && refused.size() >= refusalsAtOnce) {
            ++shared.refused;
            ::close(static_cast<int>(descriptor));
            return;
        }
        Connection* connection = adopt(++lastId, descriptor);
        if (!connection)
            return;
        if (!full)
            return connection->start();
        refused.insert(connection->id());
        connection->refuse({503, "The server has as many connections as it may have.", "too_many_connections"});
    }

    void open(quint64 id, int descriptor)
    {
        if (Connection* connection = adopt(id, descriptor))
            connection->start();
    }

    Connection* adopt(quint64 id, qintptr descriptor)
    {
        auto socket = std::make_unique<QTcpSocket>();
        if (!socket->setSocketDescriptor(descriptor)) {
            ::close(static_cast<int>(descriptor));
            return nullptr;
        }
        auto* connection = new Connection(id, socket.release(), shared);
        connections.emplace(id, connection);
        if (!sweep.isActive())
            sweep.start();
        return connection;
    }

    void onAcceptError()
    {
        static const QByteArray answer =
            replyHead({503, 0, false, false, false}, {{"Retry-After", "1"}, {"Content-Type", "text/plain"}});
        const int turnedAway = spare.turnAway(static_cast<int>(listening.socketDescriptor()), answer);
        accepted += static_cast<quint64>(turnedAway);
        shared.refused += static_cast<quint64>(turnedAway);
        if (turnedAway > 0)
            return;
        notifier->setEnabled(false);
        QTimer::singleShot(retryAccept, notifier.get(), [waiting = notifier.get()] { waiting->setEnabled(true); });
    }

    void forget(Connection& connection)
    {
        connections.erase(connection.id());
        refused.erase(connection.id());
        connection.deleteLater();
        whenEmpty();
    }

    void whenEmpty()
    {
        if (count() > 0)
            return;
        sweep.stop();
        if (!drained)
            return;
        drainLimit.stop();
        QTimer::singleShot(0, &listening, std::exchange(drained, nullptr));
    }

    void sweepAll()
    {
        const Instant now = steadyNow();
        std::vector<quint64> ids; // what a sweep calls may close others
        ids.reserve(connections.size());
        for (const auto& entry : connections)
            ids.push_back(entry.first);
        for (const quint64 id : ids) {
            const auto found = connections.find(id);
            if (found == connections.end())
                continue;
            Connection& connection = *found->second;
            connection.sweep(now);
            const auto idle = connection.idleSince();
            if (idle && now - *idle > parkAfter && parking.usable())
                park(connection, *idle);
        }
        parking.closeIdleSince(now - shared.limits.idleTimeout);
        whenEmpty();
    }

    void shedLongestUnread()
    {
        std::vector<Connection*> waiting;
        for (const auto& entry : connections)
            if (entry.second->unsentBytes() > 0)
                waiting.push_back(entry.second);
        std::ranges::sort(waiting, {}, &Connection::unsentSince);
        for (Connection* connection : waiting) {
            if (shared.unsentBytes <= shared.limits.maxUnsentBytes)
                return;
            connection->shed();
        }
    }

    void park(Connection& connection, Instant idleSince)
    {
        const int descriptor = connection.release();
        if (descriptor < 0)
            return;
        parking.park(connection.id(), descriptor, idleSince);
        if (!sweep.isActive()) // it was the last one
            sweep.start();
    }

    void drain(Nanos limit, std::function<void()> done)
    {
        drained = done ? std::move(done) : [] {};
        stopListening();
        parking.closeAll();
        drainLimit.start(std::chrono::ceil<Millis>(std::max(limit, Nanos::zero())));
        std::vector<QPointer<Connection>> all;
        for (const auto& entry : connections)
            all.emplace_back(entry.second);
        for (const auto& connection : all) {
            if (connection)
                connection->drain();
        }
        whenEmpty();
    }

    void dropAll(bool notify)
    {
        stopListening();
        parking.closeAll();
        while (!connections.empty())
            connections.begin()->second->shut(false, notify);
        whenEmpty();
    }

    Handler handler;
    Connection::Shared shared;
    SpareDescriptor spare;
    QTcpServer listening;
    std::unique_ptr<QSocketNotifier> notifier;
    int mostConnections = 0;
    QTimer sweep;
    QTimer drainLimit;
    std::function<void()> drained; ///< set: draining
    std::unordered_map<quint64, Connection*> connections;
    std::unordered_set<quint64> refused; ///< those of them that only get their 503
    Parking parking;
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
    impl_->drained = nullptr;
    impl_->dropAll(false);
}

tl::expected<quint16, QString> Server::listen(const QHostAddress& address, quint16 port)
{
    if (impl_->listening.listen(address, port)) {
        impl_->startAccepting();
        return impl_->listening.serverPort();
    }
    return tl::unexpected(listenProblem(impl_->listening.serverError(), address, port, impl_->listening.errorString()));
}

void Server::close()
{
    impl_->dropAll(true);
}
void Server::drain(Nanos limit, std::function<void()> done)
{
    impl_->drain(limit, std::move(done));
}
void Server::setRefusalText(RefusalText text)
{
    impl_->shared.refusalText = std::move(text);
}
void Server::setHeadCheck(HeadCheck check)
{
    impl_->shared.headCheck = std::move(check);
}
void Server::setErrands(qint64 errands)
{
    impl_->shared.limits.errands = errands;
    impl_->countDescriptors();
}
quint64 Server::refusedCount() const
{
    return impl_->shared.refused;
}
qint64 Server::unsentBytes() const
{
    return impl_->shared.unsentBytes;
}
quint64 Server::unreadDrops() const
{
    return impl_->shared.unreadDrops;
}
quint16 Server::port() const
{
    return impl_->listening.serverPort();
}
int Server::connectionCount() const
{
    return impl_->count();
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
