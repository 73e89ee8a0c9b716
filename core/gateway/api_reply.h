// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/beside.h"
#include "core/gateway/service.h"
#include "core/policy/text.h"

#include <QJsonObject>

#include <tl/expected.hpp>

/// What the smaller services have in common.
namespace sg::gateway {

void sendJson(const Exchange& exchange, int status, const QJsonObject& body, http::Headers more = {});
/// 200 with a body that has so many characters and is written beside this thread where they are many.
void sendLongJson(engine::Beside& beside, const Exchange& exchange, qsizetype characters, const QJsonObject& body,
                  const http::Headers& more);
/// One that is of this moment only.
http::Headers replyHeaders(const Exchange& exchange, const QByteArray& contentType);

/// A body as a JSON object.
tl::expected<QJsonObject, Failure> objectIn(const QByteArray& body);
/// Of the first of that name in the query, decoded; empty: there is none.
QString queryValue(const http::ServerRequest& request, const QString& name);

/// A 404 that names what there is, the nearest name first: "No endpoint is called "x". There is: "a", "b"." The kind is
/// in its code ("endpoint_not_found") and, unless it goes by another word, in the sentence.
Failure noSuch(const QString& kind, const QString& name, QStringList names, const QString& inWords = {});
QStringList textsOf(const std::vector<std::string>& names);

/// ISO 8601 in UTC with milliseconds: "2026-11-30T12:00:00.000Z".
QString isoTime(std::int64_t unixMs);
/// Seconds with milliseconds, rounded up.
double secondsOf(Nanos span);

} // namespace sg::gateway
