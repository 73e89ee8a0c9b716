// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/framing.h"

#include "core/http/header_text.h"

#include <QByteArrayList>

namespace sg::http {
namespace {

constexpr qsizetype maxLengthDigits = 18; ///< fits qint64

/// Null: there is none; `count` says how many there are.
const QByteArray* only(const Headers& headers, QByteArrayView name, int& count)
{
    const QByteArray* found = nullptr;
    count = 0;
    for (const auto& [key, value] : headers) {
        if (!sameName(key, name))
            continue;
        found = &value;
        ++count;
    }
    return found;
}

bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
               c == '.';
    });
}

/// "chunked" alone is what we read. Codings we do not know are 501; anything that a more lenient reader could take for
/// "chunked" is no request at all.
Refusal codingRefusal(const QByteArray& value)
{
    const QByteArray lower = value.toLower();
    if (lower == "chunked")
        return {};
    const QByteArrayList parts = lower.split(',');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QByteArray part = parts[i].trimmed();
        const bool misplaced = part.contains("chunked") && (part != "chunked" || i + 1 != parts.size());
        if (!isToken(part) || misplaced || part == "identity")
            return {400, "Transfer-Encoding says something else than \"chunked\"."};
    }
    return {501, "This server reads no other transfer coding than \"chunked\"."};
}

Refusal readLength(const QByteArray& value, qint64 maxBodyBytes, qint64& length)
{
    const bool digits =
        !value.isEmpty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || value.size() > maxLengthDigits)
        return {400, "Content-Length is not a number."};
    length = value.toLongLong();
    if (length > maxBodyBytes)
        return {413, "The body is too large."};
    return {};
}

bool isHost(QByteArrayView text)
{
    constexpr QByteArrayView others = "-._~%!$&'()*+;=:[]";
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || others.contains(c);
    });
}

QByteArray withoutDefaultPort(QByteArrayView host)
{
    constexpr QByteArrayView port = ":80";
    return (host.endsWith(port) ? host.chopped(port.size()) : host).toByteArray().toLower();
}

} // namespace

Framing framingOf(const Headers& headers, bool http10, qint64 maxBodyBytes)
{
    Framing framing;
    int lengths = 0, codings = 0;
    const QByteArray* length = only(headers, "Content-Length", lengths);
    const QByteArray* coding = only(headers, "Transfer-Encoding", codings);
    if (lengths > 1 || codings > 1 || (length && coding)) {
        framing.refusal = {400, "The length of the body is said more than once."};
        return framing;
    }
    if (coding && http10)
        framing.refusal = {400, "HTTP/1.0 knows no Transfer-Encoding."};
    else if (coding)
        framing.refusal = codingRefusal(*coding);
    else if (length)
        framing.refusal = readLength(*length, maxBodyBytes, framing.length);
    framing.chunked = coding != nullptr;
    if (framing.refusal || http10) // RFC 9110 10.1.1: an expectation of HTTP/1.0 is ignored
        return framing;
    int expectations = 0;
    const QByteArray* expectation = only(headers, "Expect", expectations);
    if (!expectation)
        return framing;
    framing.expectsContinue = expectations == 1 && expectation->compare("100-continue", Qt::CaseInsensitive) == 0;
    if (!framing.expectsContinue)
        framing.refusal = {417, "This server meets no other expectation than 100-continue."};
    return framing;
}

Refusal settleTarget(ServerRequest& request, bool http10)
{
    int hosts = 0;
    const QByteArray* host = only(request.headers, "Host", hosts);
    if (hosts > 1 || (!host && !http10))
        return {400, "A request has exactly one Host."};
    if (host && !isHost(*host))
        return {400, "Host has a character that is not allowed."};

    constexpr QByteArrayView scheme = "http://";
    QByteArray& target = request.target;
    if (target.size() > scheme.size() &&
        QByteArrayView(target).first(scheme.size()).compare(scheme, Qt::CaseInsensitive) == 0) {
        const auto begin =
            std::find_if(target.cbegin() + scheme.size(), target.cend(), [](char c) { return c == '/' || c == '?'; });
        const QByteArrayView authority(target.cbegin() + scheme.size(), begin);
        if (authority.isEmpty() || !isHost(authority) ||
            (host && withoutDefaultPort(authority) != withoutDefaultPort(*host)))
            return {400, "The address of the request names another host than Host does."};
        QByteArray rest(begin, target.cend() - begin);
        target = rest.startsWith('/') ? rest : '/' + rest;
    }
    if (!target.startsWith('/') && !(target == "*" && request.method == "OPTIONS"))
        return {400, "The address of the request is not a path."};
    const auto query = target.indexOf('?');
    request.path = query < 0 ? target : target.left(query);
    return {};
}

} // namespace sg::http
