// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/connection_profile.h"
#include "core/http/transport.h"
#include "core/policy/attempt_limits.h"
#include "core/provider/error.h"
#include "core/workspace/model.h"

#include <functional>
#include <memory>

namespace sg::engine {

/// The key that a reference names, or why there is none, in plain words. May touch the environment.
using KeyLookup = std::function<tl::expected<QByteArray, QString>(const workspace::KeyRef&)>;

/// What of an endpoint one attempt needs, resolved once per applied workspace and not per request.
struct EndpointRoute
{
    std::string name;
    std::string provider;
    std::string model;
    provider::ProviderProfile profile;
    QUrl chatUrl, streamUrl;
    tl::expected<QUrl, QString> modelsUrl; ///< or why the endpoint's models cannot be listed, in a sentence
    tl::expected<QUrl, QString> embeddingsUrl; ///< or why it has none, in a sentence
    http::Headers headers;                 ///< with the key: never logged
    http::Limits limits;                   ///< `total` is the endpoint's own; the attempt's deadline cuts it shorter
    std::optional<policy::TaskTimeout> byTask; ///< cuts `limits.total` shorter
    policy::TokenLimits tokenLimits;
    Nanos maxServerWait{std::chrono::seconds(60)};
    QString unusable; ///< not empty: why no request can be sent (no key, bad URL), in plain words
    provider::ErrorClass unusableAs = provider::ErrorClass::LocalReject; ///< as what it is told and counted
    QByteArray key; ///< as it is in the headers, to be hidden wherever it turns up; never logged
    std::shared_ptr<const http::ConnectionProfile> connection{}; ///< null: as the system has it
    QByteArray proxySecret{};                                    ///< "user:password", to be hidden like the key
    std::string keyVariable; ///< the environment variable that holds the key, or usually does; empty: none is known
};

/// `simulatorBase` resolves "sim:NAME" to "BASE/NAME". Reads the endpoint's CA file, if it names one.
std::shared_ptr<const EndpointRoute> routeFor(const workspace::Workspace& workspace,
                                              const workspace::Endpoint& endpoint, const QUrl& simulatorBase,
                                              const KeyLookup& keys);

using RoutePtr = std::shared_ptr<const EndpointRoute>;
/// `route`, on the very way of `before` where the two ways are equal: its open connections are then used on.
RoutePtr onTheWayOf(const RoutePtr& before, RoutePtr route);

/// The same headers, and with them the same key, on the same way, or the same reason to send nothing.
bool sendsAlike(const EndpointRoute& a, const EndpointRoute& b);

} // namespace sg::engine
