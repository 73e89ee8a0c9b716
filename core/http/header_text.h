// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

#include <algorithm>
#include <optional>

namespace sg::http {

/// Header names ignore case.
inline bool sameName(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size() && a.compare(b, Qt::CaseInsensitive) == 0;
}

/// What the lines of Content-Length, joined by commas, say together; nothing: they contradict each other, or one is no
/// number, so that nobody can say where the answer ends (RFC 9110 8.6).
inline std::optional<qint64> contentLength(QByteArrayView joined)
{
    std::optional<qint64> length;
    for (const QByteArray& one : joined.toByteArray().split(',')) {
        const QByteArray digits = one.trimmed();
        bool isNumber = false;
        const qint64 value = digits.toLongLong(&isNumber);
        if (!isNumber || digits.startsWith('-') || digits.startsWith('+') || (length && *length != value))
            return std::nullopt;
        length = value;
    }
    return length;
}

/// In a name or value this would begin another header, or another message.
inline bool breaksLine(QByteArrayView text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

} // namespace sg::http
