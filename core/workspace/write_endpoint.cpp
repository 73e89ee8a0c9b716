// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_write.h"

#include <QUrl>

namespace sg::workspace {

namespace {

QString sourceName(KeySource source)
{
    switch (source) {
    case KeySource::Environment:
        return QStringLiteral("environment");
    case KeySource::Keychain:
        return QStringLiteral("keychain");
    case KeySource::Session:
        return QStringLiteral("session");
    case KeySource::None:
        break;
    }
    return QStringLiteral("none");
}

QJsonObject byTaskJson(const policy::TaskTimeout& byTask)
{
    QJsonObject object{{QStringLiteral("per_100_tokens_ms"), ms(byTask.per100Tokens)},
                       {QStringLiteral("floor_ms"), ms(byTask.floor)}};
    putMs(object, "base_ms", byTask.base);
    return object;
}

QJsonObject timeoutsJson(const Timeouts& timeouts)
{
    QJsonObject object{{QStringLiteral("connect_ms"), ms(timeouts.connect)},
                       {QStringLiteral("total_ms"), ms(timeouts.total)}};
    putMs(object, "first_byte_ms", timeouts.firstByte);
    putMs(object, "idle_ms", timeouts.idle);
    putMs(object, "first_token_ms", timeouts.tokens.firstToken);
    if (timeouts.byTask)
        object.insert(QStringLiteral("by_task"), byTaskJson(*timeouts.byTask));
    if (const auto& slowest = timeouts.tokens.slowest) {
        object.insert(QStringLiteral("min_tokens_per_s"), number(slowest->tokensPerSecond));
        object.insert(QStringLiteral("min_tokens_window_ms"), ms(slowest->window));
        object.insert(QStringLiteral("abort_slow_streams"), timeouts.tokens.abortsSlowStreams);
    }
    return object;
}

QJsonObject capabilitiesJson(const chain::Capabilities& can)
{
    QJsonObject object{{QStringLiteral("tools"), can.tools},
                       {QStringLiteral("images"), can.images},
                       {QStringLiteral("json_mode"), can.jsonMode}};
    put(object, "context_window", can.contextWindow);
    return object;
}

/// A file never holds a key, also not one typed into an address a moment ago.
QString withoutPassword(const QString& address)
{
    if (!address.contains(QLatin1Char('@')))
        return address;
    const QUrl url(address);
    return url.userInfo().isEmpty() ? address : url.toString(QUrl::RemoveUserInfo);
}

} // namespace

QJsonObject keyJson(const KeyRef& key)
{
    QJsonObject object{{QStringLiteral("source"), sourceName(key.source)}};
    if (!key.name.isEmpty())
        object.insert(QStringLiteral("name"), key.name);
    return object;
}

QJsonValue endpointJson(const Endpoint& endpoint, const Workspace& workspace)
{
    const chain::EndpointSpec& spec = endpoint.spec;
    QJsonObject object{{QStringLiteral("name"), text(spec.name)},
                       {QStringLiteral("provider"), endpoint.provider},
                       {QStringLiteral("model"), endpoint.model},
                       {QStringLiteral("timeouts"), timeoutsJson(endpoint.timeouts)},
                       {QStringLiteral("capabilities"), capabilitiesJson(spec.capabilities)},
                       {QStringLiteral("breaker"), breakerJson(endpoint, workspace)}};
    if (spec.quotaGroup != spec.name)
        object.insert(QStringLiteral("quota_group"), text(spec.quotaGroup));
    if (spec.credential != spec.name)
        object.insert(QStringLiteral("credential"), text(spec.credential));
    QJsonObject limits;
    put(limits, "requests_per_minute", spec.requestsPerMinute);
    put(limits, "tokens_per_minute", spec.tokensPerMinute);
    put(limits, "max_in_flight", spec.maxInFlight);
    if (!limits.isEmpty())
        object.insert(QStringLiteral("limits"), limits);
    if (!endpoint.baseUrl.isEmpty())
        object.insert(QStringLiteral("base_url"), withoutPassword(endpoint.baseUrl));
    if (endpoint.key != KeyRef())
        object.insert(QStringLiteral("key"), keyJson(endpoint.key));
    if (!endpoint.proxy.isEmpty())
        object.insert(QStringLiteral("proxy"), withoutPassword(endpoint.proxy));
    if (endpoint.proxyKey != KeyRef())
        object.insert(QStringLiteral("proxy_key"), keyJson(endpoint.proxyKey));
    if (!endpoint.caFile.isEmpty())
        object.insert(QStringLiteral("ca_file"), endpoint.caFile);
    if (endpoint.httpVersion != HttpVersion::Http1)
        object.insert(QStringLiteral("http_version"),
                      endpoint.httpVersion == HttpVersion::Http2 ? QStringLiteral("2") : QStringLiteral("auto"));
    if (endpoint.price)
        object.insert(QStringLiteral("price"), cost::toJson(*endpoint.price));
    return withUnknown(object, endpoint.unknown);
}

} // namespace sg::workspace
