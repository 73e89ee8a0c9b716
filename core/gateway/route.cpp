// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/route.h"

#include <QUrl>

#include <algorithm>
#include <array>

namespace sg::gateway {

namespace {

struct Place
{
    Route route;
    const char* path; ///< without /v1
    bool takesPost = false;
};
constexpr std::array kPlaces{
    Place{Route::ChatCompletions, "/chat/completions", true},
    Place{Route::Embeddings, "/embeddings", true},
    Place{Route::Models, "/models"},
    Place{Route::SimpleChat, "/chat", true},
    Place{Route::Health, "/health"},
    Place{Route::Health, "/healthz"},
    Place{Route::Metrics, "/metrics"},
    Place{Route::State, "/api/state"},
    Place{Route::Events, "/api/events"},
    Place{Route::Root, ""},
};
constexpr QByteArrayView kModel("/models/"), kEndpoints("/api/endpoints/"), kVersion("/v1");
constexpr std::array kActions{"trip", "hold", "reset", "probe", "release"};

const QString kAddresses =
    QStringLiteral("POST /v1/chat/completions, POST /v1/embeddings, GET /v1/models, POST /chat, GET /health, "
                   "GET /metrics, GET /api/state, GET /api/events, POST /api/endpoints/NAME/ACTION");

/// Names may hold a slash, so they are decoded only when the path has been taken apart.
QString decoded(QByteArrayView name)
{
    return QString::fromUtf8(QByteArray::fromPercentEncoding(name.toByteArray()));
}

QByteArrayView withoutVersion(QByteArrayView path)
{
    const bool versioned =
        path.startsWith(kVersion) && (path.size() == kVersion.size() || path[kVersion.size()] == '/');
    return versioned ? path.sliced(kVersion.size()) : path;
}

QByteArrayView plainPath(QByteArrayView path)
{
    if (const QByteArrayView authority = authorityOf(path); !authority.isEmpty())
        path = path.sliced(authority.end() - path.begin());
    const qsizetype query = path.indexOf('?');
    if (query >= 0)
        path = path.first(query);
    while (path.endsWith('/'))
        path.chop(1);
    return withoutVersion(path);
}

struct Found
{
    Routed routed;
    bool takesPost = false;
};

std::optional<Found> actionAt(QByteArrayView path)
{
    const QByteArrayView rest = path.sliced(kEndpoints.size());
    const qsizetype slash = rest.lastIndexOf('/');
    if (slash <= 0)
        return std::nullopt;
    const QByteArrayView action = rest.sliced(slash + 1);
    if (std::ranges::none_of(kActions, [action](const char* known) { return action == QByteArrayView(known); }))
        return std::nullopt;
    return Found{{Route::Action, decoded(rest.first(slash)), QString::fromLatin1(action)}, true};
}

std::optional<Found> placeOf(QByteArrayView path)
{
    for (const Place& place : kPlaces)
        if (path == QByteArrayView(place.path))
            return Found{{place.route}, place.takesPost};
    if (path.startsWith(kModel))
        return Found{{Route::Model, decoded(path.sliced(kModel.size()))}, false};
    if (path.startsWith(kEndpoints))
        return actionAt(path);
    return std::nullopt;
}

Failure nothingHere(QByteArrayView path)
{
    Failure failure;
    failure.status = 404;
    failure.type = QStringLiteral("invalid_request_error");
    failure.code = QStringLiteral("unknown_url");
    failure.message = path.startsWith(kEndpoints)
                          ? QStringLiteral("Of an endpoint these can be asked for: POST /api/endpoints/NAME/trip, "
                                           "hold, reset, probe and release.")
                          : QStringLiteral("There is nothing at this address. There is: %1.").arg(kAddresses);
    return failure;
}

Failure wrongMethod(const QByteArray& allow)
{
    Failure failure;
    failure.status = 405;
    failure.type = QStringLiteral("invalid_request_error");
    failure.code = QStringLiteral("method_not_allowed");
    failure.message = QStringLiteral("This address takes %1.").arg(QString::fromLatin1(allow));
    failure.headers = {{"Allow", allow}};
    return failure;
}

} // namespace

QByteArrayView authorityOf(QByteArrayView target)
{
    constexpr QByteArrayView schemes[] = {"http://", "https://"};
    for (const QByteArrayView scheme : schemes) {
        if (target.size() <= scheme.size() ||
            qstrnicmp(target.data(), scheme.size(), scheme.data(), scheme.size()) != 0)
            continue;
        const QByteArrayView rest = target.sliced(scheme.size());
        const auto end = std::ranges::find_if(rest, [](char c) { return c == '/' || c == '?' || c == '#'; });
        return rest.first(end - rest.begin());
    }
    return {};
}

tl::expected<Routed, Failure> routeOf(const QByteArray& method, const QByteArray& path)
{
    if (method == "OPTIONS" && path == "*") // RFC 9110 9.3.7: of the server as a whole
        return Routed{Route::Preflight, {}, {}, false, QByteArrayLiteral("GET, HEAD, POST, OPTIONS")};
    const QByteArrayView plain = plainPath(path);
    std::optional<Found> found = placeOf(plain);
    if (!found)
        return tl::unexpected(nothingHere(plain));
    const QByteArray allow =
        found->takesPost ? QByteArrayLiteral("POST, OPTIONS") : QByteArrayLiteral("GET, HEAD, OPTIONS");
    if (method == "OPTIONS") {
        found->routed.route = Route::Preflight;
        found->routed.allow = allow;
        return std::move(found->routed);
    }
    found->routed.isHead = method == "HEAD";
    const bool fits = found->takesPost ? method == "POST" : method == "GET" || found->routed.isHead;
    if (!fits)
        return tl::unexpected(wrongMethod(allow));
    return std::move(found->routed);
}

} // namespace sg::gateway
