// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_exchange.h"
#include "core/http/system_proxy.h"

#include <QSslConfiguration>

#include <map>

namespace sg::http {

/// Requests to one scheme, host and port with one profile share connections.
struct CurlOrigin
{
    std::shared_ptr<const CurlRoute> route;
    std::weak_ptr<const ConnectionProfile> profile; ///< of the latest request; gone: no workspace names it any more
    bool hasProfile = false;
    int inFlight = 0;
    int exchanges = 0;                               ///< that are kept
    std::deque<std::shared_ptr<CurlExchange>> queue; ///< may hold some that are over already
};

namespace {

bool hasTls()
{
    const curl_version_info_data* const info = curl_version_info(CURLVERSION_NOW);
    return info->ssl_version && QByteArrayView(info->ssl_version).startsWith("OpenSSL");
}

Verdict withoutTls()
{
    return {FailureKind::NoTls, QStringLiteral("https needs a libcurl with OpenSSL, which this machine has not")};
}

class CurlTransport final : public Transport, public CurlOwner
{
public:
    explicit CurlTransport(TransportOptions options)
        : limit_(std::max(1, options.maxConnectionsPerOrigin))
    {
    }

    ~CurlTransport() override
    {
        closing_ = true;
        for (auto left = unfinished(); left; left = unfinished())
            left->finish({FailureKind::Cancelled, QStringLiteral("the transport was closed")}, steadyNow());
        loop_.reset(); // before what its events speak of
    }

    std::shared_ptr<Exchange> start(Request request, std::shared_ptr<Listener> listener) override
    {
        Verdict refusal = precheck(request);
        const bool tls = request.url.scheme() == QLatin1String("https");
        if (refusal.failure == FailureKind::None && tls && !hasTls())
            refusal = withoutTls();
        CurlOrigin* const origin = refusal.failure == FailureKind::None ? &originOf(request) : nullptr;
        if (request.connection)
            dropForgotten();
        auto exchange = std::make_shared<CurlExchange>(*this, std::move(request), std::move(listener));
        exchanges_.emplace(exchange.get(), exchange);
        ++started_;
        if (!origin) {
            exchange->failLater(std::move(refusal));
            return exchange;
        }
        exchange->origin = origin;
        ++origin->exchanges;
        ++queued_;
        exchange->begin();
        origin->queue.push_back(exchange);
        pump(*origin);
        return exchange;
    }

    TransportFigures figures() const override
    {
        TransportFigures figures{QStringLiteral("curl"), inFlight_, queued_, started_};
        figures.connectionsOpened = loop_ ? loop_->connectionsOpened() : 0;
        figures.connectionsReused = reused_;
        return figures;
    }

    void measureLag(bool on) override
    {
        if (!on ? loop_ != nullptr : hasLoop())
            loop_->measureLag(on);
    }

    std::optional<stats::Histogram> readLag() const override { return loop_ ? loop_->readLag() : std::nullopt; }

private:
    CurlLoop& loop() override { return *loop_; }

    /// It may find no descriptors for itself, and some the next time.
    bool hasLoop()
    {
        if (!loop_)
            loop_ = std::make_unique<CurlLoop>([this] { onEvents(); });
        if (!loop_->usable())
            loop_.reset();
        return loop_ != nullptr;
    }

    CurlOrigin& originOf(const Request& request)
    {
        const bool tls = request.url.scheme() == QLatin1String("https");
        const ConnectionProfile* profile = request.connection.get();
        // Most requests have the very address of the one before, which two shared QUrls tell without a look.
        if (latest_ && latestUrl_ == request.url && !latest_->profile.owner_before(request.connection) &&
            !request.connection.owner_before(latest_->profile))
            return *latest_;
        auto& origin = origins_[{request.url.host(), request.url.port(tls ? 443 : 80), tls,
                                 profile ? profile->id() : QByteArray()}];
        if (!origin) {
            origin = std::make_unique<CurlOrigin>();
            origin->hasProfile = profile;
            origin->route = routeOf(request, tls);
        }
        origin->profile = request.connection;
        latest_ = origin.get();
        latestUrl_ = request.url;
        return *origin;
    }

    static std::shared_ptr<const CurlRoute> routeOf(const Request& request, bool tls)
    {
        const ConnectionProfile* profile = request.connection.get();
        auto route = std::make_shared<CurlRoute>();
        route->proxy = profile && profile->proxy() ? profile->proxy() : systemProxy(request.url);
        if (profile)
            route->version = profile->version();
        if (!tls)
            return route;
        auto authorities = QSslConfiguration::defaultConfiguration().caCertificates();
        if (profile)
            authorities += profile->authorities();
        route->trust = std::make_shared<const TrustStore>(authorities);
        return route;
    }

    /// Connections of profiles that were edited away must not stay until the end.
    void dropForgotten()
    {
        std::erase_if(origins_, [this](const auto& entry) {
            const CurlOrigin& origin = *entry.second;
            if (!origin.hasProfile || !origin.profile.expired() || origin.exchanges > 0)
                return false;
            if (loop_)
                loop_->forget(origin.route);
            std::erase(roomy_, entry.second.get());
            latest_ = nullptr;
            return true;
        });
    }

    void pump(CurlOrigin& origin)
    {
        while (!closing_ && origin.inFlight < limit_ && !origin.queue.empty()) {
            const auto next = std::move(origin.queue.front());
            origin.queue.pop_front();
            if (next->isOver())
                continue;
            if (!hasLoop()) {
                next->failLater(withoutDescriptors());
                continue;
            }
            --queued_;
            ++inFlight_;
            ++origin.inFlight;
            next->dispatch(origin.route);
        }
    }

    void onEvents()
    {
        std::ranges::move(loop_->takeEvents(), std::back_inserter(events_));
        while (!events_.empty()) { // a callback with an event loop of its own comes here again, and goes on in order
            CurlEvent event = std::move(events_.front());
            events_.pop_front();
            CurlExchange* const exchange = event.exchange;
            const bool isDone = std::holds_alternative<CurlEvent::Done>(event.what);
            const auto kept = isDone ? exchanges_.at(exchange) : nullptr;
            if (isDone)
                leftWire(*exchange);
            exchange->take(std::move(event));
            if (isDone && exchange->isOver())
                drop(*exchange);
        }
        // Not before: an exchange's listener comes before those that wait.
        for (CurlOrigin* const origin : std::exchange(roomy_, {}))
            pump(*origin);
    }

    void leftWire(CurlExchange& exchange)
    {
        const Timing timing = exchange.timing();
        if (timing.sent && !timing.connecting)
            ++reused_;
        --inFlight_;
        --exchange.origin->inFlight;
        if (!exchange.origin->queue.empty() && std::ranges::find(roomy_, exchange.origin) == roomy_.end())
            roomy_.push_back(exchange.origin);
    }

    void over(CurlExchange& exchange) override
    {
        if (exchange.origin && !exchange.wasDispatched())
            --queued_;
        if (!exchange.isOnWire())
            drop(exchange);
    }

    void drop(CurlExchange& exchange)
    {
        if (exchanges_.erase(&exchange) > 0 && exchange.origin)
            --exchange.origin->exchanges;
    }

    std::shared_ptr<CurlExchange> unfinished() const
    {
        const auto found = std::ranges::find_if(exchanges_, [](const auto& entry) { return !entry.second->isOver(); });
        return found == exchanges_.end() ? nullptr : found->second;
    }

    const int limit_;
    bool closing_ = false;
    int inFlight_ = 0;
    int queued_ = 0;
    qint64 started_ = 0;
    qint64 reused_ = 0;
    std::map<std::tuple<QString, int, bool, QByteArray>, std::unique_ptr<CurlOrigin>> origins_;
    CurlOrigin* latest_ = nullptr; ///< of the latest request, whose address was latestUrl_
    QUrl latestUrl_;
    std::unordered_map<CurlExchange*, std::shared_ptr<CurlExchange>> exchanges_;
    std::deque<CurlEvent> events_;
    std::vector<CurlOrigin*> roomy_; ///< a request of theirs has left, and others wait
    std::unique_ptr<CurlLoop> loop_;
};

} // namespace

std::unique_ptr<Transport> makeCurlTransport(TransportOptions options)
{
    return std::make_unique<CurlTransport>(options);
}

} // namespace sg::http
