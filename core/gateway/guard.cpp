// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/guard.h"

#include "core/gateway/route.h"
#include "core/policy/loopback.h"
#include "core/policy/text_scan.h"
#include "core/provider/mask.h"

#include <QCryptographicHash>
#include <QUrl>

#include <algorithm>

namespace sg::gateway {

namespace {

Failure refuse(int status, const QString& code, QString message)
{
    Failure failure;
    failure.status = status;
    failure.type = QStringLiteral("invalid_request_error"); // OpenAI's for whatever is wrong with a request's headers
    failure.code = code;
    failure.message = std::move(message);
    return failure;
}

Failure forbidden(const QString& code, QString message)
{
    return refuse(403, code, std::move(message));
}

/// As it came from outside, for a sentence.
QString shown(QByteArrayView text)
{
    return QString::fromStdString(
        provider::shortMessage(QString::fromUtf8(text.first(std::min<qsizetype>(text.size(), 200)))));
}

std::vector<QByteArrayView> valuesOf(const http::Headers& headers, QByteArrayView name)
{
    std::vector<QByteArrayView> values;
    for (const auto& [key, value] : headers)
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            values.push_back(QByteArrayView(value).trimmed());
    return values;
}

// ---- Host

bool isPort(QByteArrayView text)
{
    return text.size() <= 5 && std::ranges::all_of(text, policy::isDigit) && text.toInt() <= 65535;
}

/// The host of "host", "host:port" or "[address]:port", in lower case and without the dot that may end a name. Empty:
/// it is of no such form.
QString hostOf(QByteArrayView authority)
{
    QByteArrayView host = authority, rest;
    if (authority.startsWith('[')) {
        const qsizetype end = authority.indexOf(']');
        if (end < 0)
            return {};
        host = authority.sliced(1, end - 1);
        rest = authority.sliced(end + 1);
        if (QHostAddress(QString::fromLatin1(host)).protocol() != QAbstractSocket::IPv6Protocol)
            return {};
    } else if (const qsizetype colon = authority.indexOf(':'); colon >= 0) {
        host = authority.first(colon);
        rest = authority.sliced(colon);
    }
    if (!rest.isEmpty() && (rest.front() != ':' || !isPort(rest.sliced(1))))
        return {};
    if (host.endsWith('.'))
        host.chop(1);
    return QString::fromUtf8(host).toLower();
}

/// What the operator wrote: a name or an address, perhaps with brackets or a port after all.
QString namedHost(const QString& written)
{
    if (!QHostAddress(written).isNull())
        return written.toLower();
    const QByteArray ascii = written.startsWith(QLatin1Char('['))
                                 ? written.toLatin1()
                                 : QUrl::toAce(written.section(QLatin1Char(':'), 0, 0));
    return hostOf(ascii);
}

bool isSameHost(const QString& a, const QString& b)
{
    if (a == b)
        return true;
    const QHostAddress one(a), other(b);
    return !one.isNull() && one == other;
}

bool listensEverywhere(const workspace::GatewaySettings& settings)
{
    const QHostAddress address(settings.address);
    return address == QHostAddress::Any || address == QHostAddress::AnyIPv4 || address == QHostAddress::AnyIPv6;
}

bool isAllowedHost(const QString& host, const workspace::GatewaySettings& settings)
{
    if (host.isEmpty())
        return false;
    if (policy::isLoopback(host) || isSameHost(host, namedHost(settings.address)))
        return true;
    if (listensEverywhere(settings) && !QHostAddress(host).isNull())
        return true;
    return std::ranges::any_of(settings.hosts,
                               [&](const QString& named) { return isSameHost(host, namedHost(named)); });
}

std::optional<Failure> hostRefusal(const http::ServerRequest& request, const workspace::GatewaySettings& settings)
{
    const auto hosts = valuesOf(request.headers, "Host");
    if (hosts.size() != 1 || hosts.front().isEmpty())
        return refuse(400, QStringLiteral("missing_host"),
                      hosts.size() > 1 ? QStringLiteral("The request names more than one Host.")
                                       : QStringLiteral("The request names no Host."));
    const auto isForeign = [&](QByteArrayView authority) { return !isAllowedHost(hostOf(authority), settings); };
    const QByteArrayView inTarget = authorityOf(request.target);
    const QByteArrayView foreign = isForeign(hosts.front())                     ? hosts.front()
                                   : !inTarget.isEmpty() && isForeign(inTarget) ? inTarget
                                                                                : QByteArrayView();
    if (foreign.isEmpty())
        return std::nullopt;
    return forbidden(QStringLiteral("host_not_allowed"),
                     QStringLiteral("The gateway is not called by the name \"%1\". If it should be, add the name to "
                                    "\"hosts\" of the workspace's \"gateway\".")
                         .arg(shown(foreign)));
}

// ---- Origin

/// Scheme, host and port as browsers write them: in lower case, without the port that the scheme has anyway.
QByteArray plainOrigin(QByteArrayView origin)
{
    while (origin.endsWith('/'))
        origin.chop(1);
    QByteArray plain = origin.toByteArray().toLower();
    for (const auto& [scheme, port] : {std::pair("http://", ":80"), std::pair("https://", ":443")})
        if (plain.startsWith(scheme) && plain.endsWith(port))
            plain.chop(qsizetype(qstrlen(port)));
    return plain;
}

bool isAllowedOrigin(QByteArrayView origin, const workspace::GatewaySettings& settings)
{
    const QByteArray plain = plainOrigin(origin);
    // "null" is what every sandboxed page and every file says of itself.
    return plain != "null" && !plain.isEmpty() && std::ranges::any_of(settings.origins, [&](const QString& named) {
               return plainOrigin(named.trimmed().toUtf8()) == plain;
           });
}

std::optional<Failure> originRefusal(const http::ServerRequest& request, const workspace::GatewaySettings& settings)
{
    const auto origins = valuesOf(request.headers, "Origin");
    const QString way = QStringLiteral("If that is wanted, add the origin to \"origins\" of the workspace's \"gateway\".");
    for (const QByteArrayView origin : origins)
        if (origins.size() > 1 || !isAllowedOrigin(origin, settings))
            return forbidden(QStringLiteral("origin_not_allowed"),
                             QStringLiteral("Pages of \"%1\" may not call the gateway. %2").arg(shown(origin), way));
    if (!origins.empty())
        return std::nullopt;
    for (const QByteArrayView site : valuesOf(request.headers, "Sec-Fetch-Site"))
        // Another port of this machine is the same site, and may be anybody's page.
        if (site.compare("same-origin", Qt::CaseInsensitive) != 0 && site.compare("none", Qt::CaseInsensitive) != 0)
            return forbidden(QStringLiteral("origin_not_allowed"),
                             QStringLiteral("A page of another origin may not call the gateway. %1").arg(way));
    return std::nullopt;
}

// ---- Token

/// Hashes are of one length, so neither the place of the first difference nor the token's length shows in the time.
bool isSameSecret(QByteArrayView given, const QByteArray& token)
{
    const QByteArray a = QCryptographicHash::hash(given, QCryptographicHash::Sha256);
    const QByteArray b = QCryptographicHash::hash(token, QCryptographicHash::Sha256);
    volatile unsigned char difference = 0;
    for (qsizetype i = 0; i < b.size(); ++i)
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    return difference == 0;
}

bool showsToken(const http::ServerRequest& request, const secrets::Secret& token)
{
    constexpr QByteArrayView bearer("Bearer ");
    const QByteArray revealed = token.reveal();
    bool shows = false;
    for (const QByteArrayView value : valuesOf(request.headers, "Authorization"))
        if (value.size() > bearer.size() && value.first(bearer.size()).compare(bearer, Qt::CaseInsensitive) == 0)
            shows |= isSameSecret(value.sliced(bearer.size()).trimmed(), revealed);
    for (const QByteArrayView value : valuesOf(request.headers, "x-api-key"))
        shows |= isSameSecret(value, revealed);
    return shows;
}

bool needsNoToken(const http::ServerRequest& request)
{
    const auto routed = routeOf(request.method, request.path);
    return routed && (routed->route == Route::Health || routed->route == Route::Preflight);
}

std::optional<Failure> tokenRefusal(const http::ServerRequest& request, const Options& options, bool isAction)
{
    if (options.token.isEmpty()) {
        if (!isAction)
            return std::nullopt; // SDKs must send some key: what is not asked for is not looked at
        return forbidden(QStringLiteral("token_needed"),
                         QStringLiteral("The gateway has no token, and without one nobody may act on breakers through "
                                        "it. Set \"token\" of the workspace's \"gateway\", for example to "
                                        "\"${SWITCHGEAR_TOKEN}\", and send it as \"Authorization: Bearer …\"."));
    }
    if (showsToken(request, options.token) || (!isAction && needsNoToken(request)))
        return std::nullopt;
    Failure failure = refuse(401, QStringLiteral("invalid_api_key"),
                             QStringLiteral("The gateway's token is missing or wrong. Send it as \"Authorization: "
                                            "Bearer …\": SDKs take it as their API key."));
    failure.headers = {{"WWW-Authenticate", "Bearer realm=\"switchgear\""}};
    return failure;
}

/// Names of headers and of methods are tokens: nothing else of a preflight is said again.
QByteArray tokensIn(QByteArrayView list)
{
    const bool plain = std::ranges::all_of(list, [](char c) {
        return policy::isLetter(c) || policy::isDigit(c) || c == '-' || c == '_' || c == ',' || c == ' ';
    });
    return plain ? list.toByteArray() : QByteArray();
}

} // namespace

std::optional<Failure> refusal(const http::ServerRequest& request, const Options& options, bool isAction)
{
    if (auto failure = hostRefusal(request, options.settings))
        return failure;
    if (auto failure = originRefusal(request, options.settings))
        return failure;
    return tokenRefusal(request, options, isAction);
}

bool isTrusted(const http::ServerRequest& request, const Options& options)
{
    return options.token.isEmpty() || showsToken(request, options.token);
}

http::Headers corsHeaders(const http::ServerRequest& request, const Options& options)
{
    const auto origins = valuesOf(request.headers, "Origin");
    if (origins.size() != 1 || !isAllowedOrigin(origins.front(), options.settings))
        return {};
    http::Headers headers{{"Access-Control-Allow-Origin", origins.front().toByteArray()}, {"Vary", "Origin"}};
    if (request.method != "OPTIONS") {
        headers.emplace_back("Access-Control-Expose-Headers", "*");
        return headers;
    }
    const auto asked = [&](QByteArrayView name) { return tokensIn(http::headerValue(request.headers, name)); };
    if (const QByteArray method = asked("Access-Control-Request-Method"); !method.isEmpty())
        headers.emplace_back("Access-Control-Allow-Methods", method);
    if (const QByteArray names = asked("Access-Control-Request-Headers"); !names.isEmpty())
        headers.emplace_back("Access-Control-Allow-Headers", names);
    if (asked("Access-Control-Request-Private-Network").toLower() == "true")
        headers.emplace_back("Access-Control-Allow-Private-Network", "true");
    headers.emplace_back("Access-Control-Max-Age", "600");
    return headers;
}

QString listenProblem(const Options& options)
{
    const QString& address = options.settings.address;
    const QString way = QStringLiteral("Use 127.0.0.1 or ::1, or set a token.");
    if (policy::isLoopback(address))
        return {};
    if (QHostAddress(address).isNull())
        return QStringLiteral("\"%1\" is no address to listen on. Write one of this machine's own: 127.0.0.1, ::1, or "
                              "0.0.0.0 for all of them.")
            .arg(address);
    if (!options.token.isEmpty())
        return {};
    return QStringLiteral("The gateway would listen on %1, where others can reach it, without a token. %2")
        .arg(address, way);
}

} // namespace sg::gateway
