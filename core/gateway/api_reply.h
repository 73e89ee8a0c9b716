// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/service.h"

#include <QJsonObject>

#include <tl/expected.hpp>

/// What the smaller services have in common.
namespace sg::gateway {

void sendJson(const Exchange& exchange, int status, const QJsonObject& body, http::Headers more = {});
/// One that is of this moment only.
http::Headers replyHeaders(const Exchange& exchange, const QByteArray& contentType);

/// The body as a JSON object; an empty body is an empty object where it may be.
tl::expected<QJsonObject, Failure> objectOf(const http::ServerRequest& request, bool mayBeEmpty = false);
/// Of the first of that name in the query, decoded; empty: there is none.
QString queryValue(const http::ServerRequest& request, const QString& name);

/// The endpoints or chains there are, for a 404: "No endpoint is called “x”. There is: “a”, “b”."
Failure noSuch(const QString& kind, const QString& name, const std::vector<std::string>& names);

QString text(std::string_view utf8);
/// ISO 8601 in UTC with milliseconds: "2026-11-30T12:00:00.000Z".
QString isoTime(std::int64_t unixMs);
/// Seconds with milliseconds, rounded up.
double secondsOf(Nanos span);

} // namespace sg::gateway
