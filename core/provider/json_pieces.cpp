// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/json_pieces.h"

namespace sg::provider {

namespace {
constexpr bool isSeparator(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/// Behind the string that begins at `at`, or the end of the bytes.
qsizetype skipString(QByteArrayView body, qsizetype at)
{
    for (++at; at < body.size() && body[at] != '"'; ++at) {
        if (body[at] == '\\')
            ++at;
    }
    return std::min(at + 1, body.size());
}

/// Behind the object that begins at `at`; -1 when it does not end.
qsizetype skipObject(QByteArrayView body, qsizetype at)
{
    qsizetype depth = 0;
    while (at < body.size()) {
        const char c = body[at];
        if (c == '"') {
            const qsizetype next = skipString(body, at);
            if (next == body.size() && body[next - 1] != '"')
                return -1;
            at = next;
            continue;
        }
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        ++at;
        if (depth == 0)
            return at;
    }
    return -1;
}
} // namespace

JsonPieces splitObjects(QByteArrayView body)
{
    JsonPieces out;
    qsizetype at = body.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    while (at < body.size()) {
        const char c = body[at];
        if (c == '{') {
            const qsizetype end = skipObject(body, at);
            if (end < 0) {
                out.unfinished = true;
                return out;
            }
            out.objects.push_back({at, end});
            at = end;
        } else if (c == '[' && !out.isList && out.objects.empty()) {
            out.isList = out.unfinished = true;
            ++at;
        } else if (c == ']' && out.isList && out.unfinished) {
            out.unfinished = false;
            ++at;
        } else if (isSeparator(c)) {
            ++at;
        } else {
            out.foreign = true;
            return out;
        }
    }
    return out;
}

} // namespace sg::provider
