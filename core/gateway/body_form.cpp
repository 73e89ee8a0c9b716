// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/body_form.h"

#include <algorithm>

namespace sg::gateway {

namespace {

bool isJsonType(const QByteArray& type)
{
    const QByteArray bare = type.split(';').first().trimmed().toLower();
    return bare.isEmpty() || bare == "application/json" || bare.endsWith("+json");
}

/// What it is encoded with; empty: nothing.
QByteArray codingOf(const http::Headers& headers)
{
    for (const auto& [name, value] : headers) {
        if (name.compare("Content-Encoding", Qt::CaseInsensitive) != 0)
            continue;
        const QList<QByteArray> codings = value.split(',');
        for (const QByteArray& coding : codings)
            if (const QByteArray bare = coding.trimmed(); !bare.isEmpty() && bare.toLower() != "identity")
                return bare;
    }
    return {};
}

Failure unsupported(const QString& message)
{
    Failure failure = badRequest(message);
    failure.status = 415;
    failure.code = QStringLiteral("unsupported_media_type");
    return failure;
}

QString shown(const QByteArray& value)
{
    return QString::fromLatin1(value.left(100));
}

} // namespace

std::optional<Failure> bodyRefusal(Route route, const http::Headers& headers)
{
    const bool takesJson = route == Route::ChatCompletions || route == Route::Embeddings || route == Route::SimpleChat;
    if (!takesJson && route != Route::Action)
        return std::nullopt;
    const QByteArray type = http::headerValue(headers, "Content-Type");
    if (takesJson && !isJsonType(type))
        return unsupported(
            QStringLiteral("The body must be JSON with Content-Type application/json, not %1.").arg(shown(type)));
    const QByteArray coding = codingOf(headers);
    if (coding.isEmpty())
        return std::nullopt;
    Failure failure =
        unsupported(QStringLiteral("The body must come as it is, without Content-Encoding %1.").arg(shown(coding)));
    failure.headers = {{"Accept-Encoding", "identity"}}; // RFC 9110 12.5.3: which would be taken
    return failure;
}

} // namespace sg::gateway
