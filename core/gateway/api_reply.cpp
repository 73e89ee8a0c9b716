// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/api_reply.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QUrlQuery>

namespace sg::gateway {

namespace {
constexpr std::size_t kMostNamed = 20;
}

http::Headers replyHeaders(const Exchange& exchange, const QByteArray& contentType)
{
    http::Headers headers = exchange.headers();
    headers.emplace_back("Content-Type", contentType);
    headers.emplace_back("Cache-Control", "no-store");
    headers.emplace_back("X-Content-Type-Options", "nosniff");
    return headers;
}

void sendJson(const Exchange& exchange, int status, const QJsonObject& body, http::Headers more)
{
    http::Headers headers = replyHeaders(exchange, "application/json");
    headers.insert(headers.end(), more.begin(), more.end());
    exchange.responder->send(status, headers, QJsonDocument(body).toJson(QJsonDocument::Compact));
}

tl::expected<QJsonObject, Failure> objectOf(const http::ServerRequest& request, bool mayBeEmpty)
{
    if (mayBeEmpty && request.body.trimmed().isEmpty())
        return QJsonObject();
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(request.body, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(badRequest(
            QStringLiteral("The body is no JSON: %1 at byte %2.").arg(error.errorString()).arg(error.offset)));
    if (!document.isObject())
        return tl::unexpected(badRequest(QStringLiteral("The body must be a JSON object.")));
    return document.object();
}

QString queryValue(const http::ServerRequest& request, const QString& name)
{
    const qsizetype mark = request.target.indexOf('?');
    if (mark < 0)
        return {};
    QByteArray query = request.target.mid(mark + 1);
    query.replace('+', "%20"); // as forms write a blank
    return QUrlQuery(QString::fromUtf8(query)).queryItemValue(name, QUrl::FullyDecoded);
}

Failure noSuch(const QString& kind, const QString& name, const std::vector<std::string>& names)
{
    QStringList listed;
    for (const std::string& one : names)
        if (listed.size() < qsizetype(kMostNamed))
            listed << QStringLiteral("“%1”").arg(text(one));
    QString there = listed.isEmpty() ? QStringLiteral("none") : listed.join(QStringLiteral(", "));
    if (names.size() > kMostNamed)
        there += QStringLiteral(" and %1 more").arg(names.size() - kMostNamed);
    Failure failure;
    failure.status = 404;
    failure.type = QStringLiteral("invalid_request_error");
    failure.code = QStringLiteral("%1_not_found").arg(kind);
    failure.param = kind;
    failure.message = QStringLiteral("No %1 is called “%2”. There is: %3.").arg(kind, name.left(200), there);
    return failure;
}

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString isoTime(std::int64_t unixMs)
{
    return QDateTime::fromMSecsSinceEpoch(unixMs, Qt::UTC).toString(Qt::ISODateWithMs);
}

double secondsOf(Nanos span)
{
    return static_cast<double>(std::chrono::ceil<Millis>(span).count()) / 1000;
}

} // namespace sg::gateway
