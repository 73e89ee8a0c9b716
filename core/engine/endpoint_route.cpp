// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/endpoint_route.h"

#include "core/provider/request_writer.h"

#include <ranges>

namespace sg::engine {

namespace {

/// The status has failed the attempt, and the next tier waits for the message only. Servers send it with the headers or
/// right behind them; a lost packet is there again within a second (RFC 6298's first timeout).
constexpr Millis kErrorBodyGrace{1000};

QString resolveBase(const QString& baseUrl, const QUrl& simulatorBase)
{
    if (!baseUrl.startsWith(QStringLiteral("sim:")))
        return baseUrl;
    return simulatorBase.toString() + QLatin1Char('/') + baseUrl.mid(4);
}

/// What cannot stand in a header would end it and begin another one.
bool canBeSent(const QByteArray& key)
{
    return std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
}

/// The way to the server, or why it cannot be gone; null: as the system has it.
using Way = tl::expected<std::shared_ptr<const http::ConnectionProfile>, QString>;

tl::expected<http::Proxy, QString> proxyFor(const workspace::Endpoint& endpoint, const KeyLookup& keys)
{
    auto proxy = http::parseProxy(endpoint.proxy);
    if (!proxy || endpoint.proxyKey.source == workspace::KeySource::None)
        return proxy;
    const auto credentials = keys(endpoint.proxyKey);
    if (!credentials)
        return tl::unexpected(QStringLiteral("The proxy's password: %1").arg(credentials.error()));
    if (credentials->indexOf(':') <= 0)
        return tl::unexpected(
            QStringLiteral("The proxy's key is not of the form user:password. Enter it in that form."));
    proxy->credentials = *credentials;
    return proxy;
}

http::HttpVersion versionOf(workspace::HttpVersion version)
{
    switch (version) {
    case workspace::HttpVersion::Automatic:
        return http::HttpVersion::Http2;
    case workspace::HttpVersion::Http2:
        return http::HttpVersion::Http2Only;
    case workspace::HttpVersion::Http1:
        break;
    }
    return http::HttpVersion::Http1;
}

Way wayTo(const workspace::Endpoint& endpoint, const KeyLookup& keys, EndpointRoute& route)
{
    const http::HttpVersion version = versionOf(endpoint.httpVersion);
    if (endpoint.proxy.isEmpty() && endpoint.caFile.isEmpty() && version == http::HttpVersion::Http1)
        return nullptr;
    std::optional<http::Proxy> proxy;
    if (!endpoint.proxy.isEmpty()) {
        route.unusableAs = provider::ErrorClass::Connection;
        auto named = proxyFor(endpoint, keys);
        if (!named)
            return tl::unexpected(named.error());
        proxy = *std::move(named);
        route.proxySecret = proxy->credentials;
    }
    QList<QSslCertificate> authorities;
    if (!endpoint.caFile.isEmpty()) {
        route.unusableAs = provider::ErrorClass::Tls;
        auto read = http::readAuthorities(endpoint.caFile);
        if (!read)
            return tl::unexpected(read.error());
        authorities = *std::move(read);
    }
    return std::make_shared<const http::ConnectionProfile>(std::move(proxy), std::move(authorities), version);
}

QByteArray wayOf(const EndpointRoute& route)
{
    return route.connection ? route.connection->id() : QByteArray();
}

} // namespace

std::shared_ptr<const EndpointRoute> routeFor(const workspace::Workspace& workspace,
                                              const workspace::Endpoint& endpoint, const QUrl& simulatorBase,
                                              const KeyLookup& keys)
{
    auto route = std::make_shared<EndpointRoute>();
    route->name = endpoint.spec.name;
    route->profile = workspace.profileOf(endpoint);
    route->provider = route->profile.id.toStdString();
    route->model = endpoint.model.toStdString();
    route->limits.connect = endpoint.timeouts.connect;
    route->limits.firstByte = endpoint.timeouts.firstByte;
    route->limits.idle = endpoint.timeouts.idle;
    route->limits.total = endpoint.timeouts.total;
    route->limits.errorBody = kErrorBodyGrace;
    route->byTask = endpoint.timeouts.byTask;
    route->tokenLimits = endpoint.timeouts.tokens;
    route->headers = {{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
    route->headers.insert(route->headers.end(), route->profile.headers.begin(), route->profile.headers.end());

    const auto address = [&](provider::Operation operation) {
        return provider::operationUrl(route->profile, resolveBase(endpoint.baseUrl, simulatorBase), endpoint.model,
                                      operation);
    };
    route->modelsUrl = address(provider::Operation::ListModels);
    route->embeddingsUrl = address(provider::Operation::Embeddings);
    const auto url = address(provider::Operation::Chat);
    if (!url) {
        route->unusable = url.error();
        return route;
    }
    route->chatUrl = *url;
    route->streamUrl = address(provider::Operation::ChatStream).value_or(*url);
    if (auto way = wayTo(endpoint, keys, *route)) {
        route->connection = *std::move(way);
    } else {
        route->unusable = way.error();
        return route;
    }
    if (endpoint.key.source == workspace::KeySource::None)
        return route;
    const bool inEnvironment = endpoint.key.source == workspace::KeySource::Environment;
    route->keyVariable = (inEnvironment ? endpoint.key.name : route->profile.keyVariable).toStdString();
    auto key = keys(endpoint.key);
    if (key && !canBeSent(*key))
        key = tl::unexpected(QStringLiteral("The key holds a blank or a character that no key has."));
    if (key) {
        route->key = *key;
        std::ranges::move(provider::keyHeaders(route->profile, *key), std::back_inserter(route->headers));
    } else {
        route->unusable = key.error();
        route->unusableAs = provider::ErrorClass::Authentication;
    }
    return route;
}

RoutePtr onTheWayOf(const RoutePtr& before, RoutePtr route)
{
    if (!before->connection || before->connection == route->connection || wayOf(*before) != wayOf(*route))
        return route;
    auto same = std::make_shared<EndpointRoute>(*route);
    same->connection = before->connection;
    return same;
}

bool sendsAlike(const EndpointRoute& a, const EndpointRoute& b)
{
    return a.headers == b.headers && a.unusable == b.unusable && wayOf(a) == wayOf(b);
}

} // namespace sg::engine
