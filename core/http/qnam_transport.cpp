// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/connection_profile.h"
#include "core/http/descriptors.h"
#include "core/http/qnam_exchange.h"
#include "core/policy/loopback.h"

#include <QLibraryInfo>
#include <QNetworkProxy>
#include <QNetworkProxyFactory>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QVersionNumber>

#include <deque>
#include <unordered_set>

namespace sg::http {

/// Requests to one scheme, host and port with one profile share connections.
struct QnamOrigin
{
    QNetworkRequest base;
    std::weak_ptr<const ConnectionProfile> profile; ///< of the latest request; gone: no workspace names it any more
    std::optional<QNetworkProxy> proxy;             ///< not set: the system's
    bool hasProfile = false;
    bool isBuffered = false; ///< see BufferedWay
    bool sharesThreads = false;
    bool pumpDue = false;
    int inFlight = 0;
    std::vector<std::unique_ptr<QnamManager>> managers;
    std::deque<std::shared_ptr<QnamExchange>> queue; ///< may hold some that are over already
};

namespace {

constexpr int connectionsPerManager = 6; // fixed in Qt before 6.5
/// A manager's thread, the socket, the resolver's, and some that others take meanwhile.
constexpr int descriptorsToConnect = 6;
/// Each thread wakes, and is woken, for itself: a thread for six connections costs more than what it does. One with 48
/// is still not the one that is waited for.
constexpr std::size_t groupsPerThread = 8;

QNetworkRequest baseRequest()
{
    QNetworkRequest request;
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    return request;
}

QNetworkProxy proxyOf(const Proxy& named)
{
    const auto kind = named.kind == Proxy::Kind::Http ? QNetworkProxy::HttpProxy : QNetworkProxy::Socks5Proxy;
    QNetworkProxy proxy(kind, named.host, named.port);
    // Without the capability of caching Qt asks for a tunnel to http:// too. Otherwise the proxy would see the key, its
    // own pages would pass for the server's answers, and a 407 would want a body that is sent only once.
    proxy.setCapabilities(QNetworkProxy::TunnelingCapability | QNetworkProxy::HostNameLookupCapability);
    const qsizetype colon = named.credentials.indexOf(':');
    proxy.setUser(QString::fromUtf8(colon < 0 ? named.credentials : named.credentials.first(colon)));
    if (colon >= 0)
        proxy.setPassword(QString::fromUtf8(named.credentials.mid(colon + 1)));
    return proxy;
}

/// Without a proxy Qt opens the socket for http:// unbuffered: it asks the kernel for one byte of the headers after the
/// other and does not come back to its events as long as there is one, so headers without end hold the manager's thread
/// for ever, out of reach of abort(). Told that the application's settings decide, it reads through a buffer of 64 KiB.
class BufferedWay final : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery&) override
    {
        return {QNetworkProxy(QNetworkProxy::DefaultProxy)};
    }
};

/// The application's settings, and the system's, know no proxy for it: neither for the address nor for its socket.
bool isReachedDirectly(const QUrl& url)
{
    const auto isDirect = [](const QNetworkProxyQuery& query) {
        const QList<QNetworkProxy> proxies = QNetworkProxyFactory::proxyForQuery(query);
        return !proxies.isEmpty() && proxies.front().type() == QNetworkProxy::NoProxy;
    };
    const int port = url.port(80);
    return isDirect(QNetworkProxyQuery(url.host(), port, QString(), QNetworkProxyQuery::TcpSocket)) &&
           (policy::isLoopback(url.host()) || isDirect(QNetworkProxyQuery(url)));
}

/// Trusts the system's authorities, which are loaded when they are needed, and these.
QSslConfiguration trusting(const QList<QSslCertificate>& authorities)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.addCaCertificates(authorities);
    return configuration;
}

Verdict withoutTls()
{
    return {FailureKind::NoTls,
            QStringLiteral("https needs Qt's OpenSSL backend and the OpenSSL library, which are not "
                           "installed on this machine")};
}

class QnamTransport final : public Transport, public QnamHost
{
public:
    explicit QnamTransport(TransportOptions options)
        : limit_(std::max(1, options.maxConnectionsPerOrigin))
    {
    }

    ~QnamTransport() override
    {
        closing_ = true;
        while (!exchanges_.empty()) {
            const auto exchange = *exchanges_.begin();
            exchange->finish(FailureKind::Cancelled, QStringLiteral("the transport was closed"), steadyNow());
        }
    }

    std::shared_ptr<Exchange> start(Request request, std::shared_ptr<Listener> listener) override
    {
        Verdict refusal = precheck(request);
        if (refusal.failure == FailureKind::None && request.url.scheme() == QLatin1String("https") &&
            !QSslSocket::supportsSsl())
            refusal = withoutTls();
        QnamOrigin* origin = refusal.failure == FailureKind::None ? &originOf(request) : nullptr;
        if (request.connection)
            dropForgotten();
        auto exchange = std::make_shared<QnamExchange>(*this, std::move(request), std::move(listener));
        exchanges_.insert(exchange);
        ++started_;
        if (!origin) {
            exchange->failLater(refusal.failure, std::move(refusal.detail));
            return exchange;
        }
        exchange->origin = origin;
        exchange->begin();
        origin->queue.push_back(exchange);
        ++queued_;
        pump(*origin);
        return exchange;
    }

    TransportFigures figures() const override
    {
        return {QStringLiteral("qnam"), inFlight_, queued_, started_, connectionsOpened_, reused_};
    }

private:
    QnamOrigin& originOf(const Request& request)
    {
        const bool tls = request.url.scheme() == QLatin1String("https");
        const QString host = request.url.host();
        const ConnectionProfile* profile = request.connection.get();
        auto& origin = origins_[{host, request.url.port(tls ? 443 : 80), tls, profile ? profile->id() : QByteArray()}];
        if (!origin) {
            origin = std::make_unique<QnamOrigin>();
            origin->base = baseRequest();
            origin->hasProfile = profile;
            if (profile && profile->proxy())
                origin->proxy = proxyOf(*profile->proxy());
            else if (policy::isLoopback(host))
                origin->proxy = QNetworkProxy(QNetworkProxy::NoProxy);
            const bool isNamed = profile && profile->proxy();
            origin->isBuffered = !tls && !isNamed && isReachedDirectly(request.url);
            // Only where no connection can hold the thread, and none is closed to cure another.
            origin->sharesThreads = origin->isBuffered && !breakTaints_;
            if (tls && profile && !profile->authorities().isEmpty())
                origin->base.setSslConfiguration(trusting(profile->authorities()));
        }
        origin->profile = request.connection;
        return *origin;
    }

    bool isForgotten(const QnamOrigin& origin) const
    {
        return origin.hasProfile && origin.profile.expired() && !origin.pumpDue &&
               std::ranges::none_of(exchanges_, [&](const auto& one) { return one->origin == &origin; });
    }

    /// Each manager owns a thread: those of profiles that were edited away must not stay until the end.
    void dropForgotten()
    {
        const auto forgotten = std::make_shared<std::vector<std::unique_ptr<QnamOrigin>>>();
        for (auto entry = origins_.begin(); entry != origins_.end();) {
            if (isForgotten(*entry->second)) {
                forgotten->push_back(std::move(entry->second));
                entry = origins_.erase(entry);
            } else {
                ++entry;
            }
        }
        if (!forgotten->empty()) // one of their replies may be the caller
            QMetaObject::invokeMethod(
                &context, [forgotten] { forgotten->clear(); }, Qt::QueuedConnection);
    }

    void pump(QnamOrigin& origin)
    {
        while (!closing_ && origin.inFlight < limit_ && !origin.queue.empty()) {
            const auto next = std::move(origin.queue.front());
            origin.queue.pop_front();
            if (next->isOver())
                continue;
            if (!canConnect(origin)) {
                auto [failure, words] = withoutDescriptors();
                next->failLater(failure, std::move(words));
                continue;
            }
            QnamManager& manager = pick(origin);
            --queued_;
            ++inFlight_;
            ++origin.inFlight;
            ++manager.inFlight;
            next->dispatch(manager, origin.base);
        }
    }

    /// Without a descriptor for a manager's thread Qt ends the process.
    bool canConnect(const QnamOrigin& origin) const
    {
        const bool isOpen = std::ranges::any_of(origin.managers, [](const auto& manager) {
            return !manager->tainted && manager->open > manager->inFlight && manager->inFlight < connectionsPerManager;
        });
        return isOpen || hasDescriptors(descriptorsToConnect);
    }

    /// A manager with an idle connection, else one that may open another, else a new one.
    QnamManager& pick(QnamOrigin& origin)
    {
        QnamManager* roomy = nullptr;
        for (const auto& manager : origin.managers) {
            if (manager->tainted || manager->inFlight >= connectionsPerManager)
                continue;
            if (manager->open > manager->inFlight)
                return *manager;
            if (!roomy)
                roomy = manager.get();
        }
        return roomy ? *roomy : addManager(origin);
    }

    QnamManager& addManager(QnamOrigin& origin)
    {
        auto manager = std::make_unique<QnamManager>();
        const std::size_t group = origin.managers.size() % groupsPerThread;
        if (origin.sharesThreads && group > 0)
            manager->qnam = origin.managers.back()->qnam;
        else
            manager->qnam = newManager(origin);
        if (origin.sharesThreads)
            manager->group = QString::number(group);
        manager->origin = &origin;
        origin.managers.push_back(std::move(manager));
        return *origin.managers.back();
    }

    static std::shared_ptr<QNetworkAccessManager> newManager(const QnamOrigin& origin)
    {
        auto qnam = std::make_shared<QNetworkAccessManager>();
        qnam->setAutoDeleteReplies(false);
        if (origin.isBuffered)
            qnam->setProxyFactory(new BufferedWay); // which it owns
        else if (origin.proxy)
            qnam->setProxy(*origin.proxy);
        return qnam;
    }

    void connectionBegun(QnamManager& manager) override
    {
        ++connectionsOpened_;
        manager.open = std::min(manager.open + 1, connectionsPerManager);
    }

    void connectionBroke(QnamManager& manager) override { manager.tainted = breakTaints_; }
    void answerStillToCome(QnamManager& manager) override { manager.tainted = true; }

    void again(QnamExchange& exchange) override
    {
        exchange.origin->queue.push_front(exchange.shared_from_this());
        ++queued_;
        pumpSoon(*exchange.origin);
    }

    void leftWire(QnamExchange& exchange, QnamManager& manager, bool connectionLost) override
    {
        if (exchange.timing().sent && !exchange.timing().connecting)
            ++reused_;
        --inFlight_;
        --manager.inFlight;
        --manager.origin->inFlight;
        if (connectionLost)
            manager.open = std::max(manager.open - 1, 0);
        if (manager.tainted && manager.inFlight == 0) {
            manager.qnam->clearConnectionCache();
            manager.open = 0;
            manager.tainted = false;
        }
        // Not from here: the exchange still has to tell its listener, who comes before those that wait.
        pumpSoon(*manager.origin);
    }

    void pumpSoon(QnamOrigin& origin)
    {
        if (origin.queue.empty() || origin.pumpDue || closing_)
            return;
        origin.pumpDue = true;
        QMetaObject::invokeMethod(
            &context,
            [this, due = &origin] {
                due->pumpDue = false;
                pump(*due);
            },
            Qt::QueuedConnection);
    }

    void over(QnamExchange& exchange) override
    {
        if (exchange.origin && !exchange.wasDispatched())
            --queued_;
        exchanges_.erase(exchange.shared_from_this());
    }

    const int limit_;
    /// Newer Qt breaks the next request on a connection that broke (seen with 6.8.2, not with 6.4.2).
    const bool breakTaints_ = QLibraryInfo::version() >= QVersionNumber(6, 5);
    bool closing_ = false;
    int inFlight_ = 0;
    int queued_ = 0;
    qint64 started_ = 0;
    qint64 connectionsOpened_ = 0;
    qint64 reused_ = 0;
    std::map<std::tuple<QString, int, bool, QByteArray>, std::unique_ptr<QnamOrigin>> origins_;
    std::unordered_set<std::shared_ptr<QnamExchange>> exchanges_;
};

} // namespace

std::unique_ptr<Transport> makeQnamTransport(TransportOptions options)
{
    return std::make_unique<QnamTransport>(options);
}

} // namespace sg::http
