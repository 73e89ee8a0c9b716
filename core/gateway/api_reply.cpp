// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/api_reply.h"

#include "core/workspace/json_reader.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QUrlQuery>

namespace sg::gateway {

namespace {
constexpr qsizetype kMostNamed = 20;
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

void sendLongJson(engine::Beside& beside, const Exchange& exchange, qsizetype characters, const QJsonObject& body,
                  const http::Headers& more)
{
    if (characters <= engine::Beside::kShort)
        return sendJson(exchange, 200, body, more);
    http::Headers headers = replyHeaders(exchange, "application/json");
    headers.insert(headers.end(), more.begin(), more.end());
    // Of the exchange no more than its way back: the place goes with the answer.
    beside.run([body] { return QJsonDocument(body).toJson(QJsonDocument::Compact); },
               [responder = exchange.responder, headers](const QByteArray& written) {
                   responder->send(200, headers, written);
               });
}

tl::expected<QJsonObject, Failure> objectIn(const QByteArray& body)
{
    if (body.trimmed().isEmpty())
        return tl::unexpected(badRequest(QStringLiteral("The body is empty; it must be a JSON object.")));
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(badRequest(
            QStringLiteral("The body is not JSON: %1 at byte %2.").arg(error.errorString()).arg(error.offset)));
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

Failure noSuch(const QString& kind, const QString& name, QStringList names, const QString& inWords)
{
    if (const auto nearest = workspace::nearestName(name, names))
        names.move(names.indexOf(*nearest), 0);
    const qsizetype more = names.size() - kMostNamed;
    const QString listed = names.first(std::min(kMostNamed, names.size())).join(QStringLiteral("\", \""));
    QString there = names.isEmpty() ? QStringLiteral("none") : QStringLiteral("\"%1\"").arg(listed);
    if (more > 0)
        there += QStringLiteral(" and %1 more").arg(more);
    Failure failure;
    failure.status = 404;
    failure.type = QStringLiteral("invalid_request_error");
    failure.code = QStringLiteral("%1_not_found").arg(kind);
    failure.param = kind;
    failure.message = QStringLiteral("No %1 is called \"%2\". There is: %3.")
                          .arg(inWords.isEmpty() ? kind : inWords, name.left(200), there);
    return failure;
}

QStringList textsOf(const std::vector<std::string>& names)
{
    QStringList texts;
    for (const std::string& name : names)
        texts << text(name);
    return texts;
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
