// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/sse.h"

#include <algorithm>

namespace sg::provider {

SseParser::SseParser(OnEvent onEvent, qint64 maxEventBytes)
    : onEvent_(std::move(onEvent))
    , maxEventBytes_(maxEventBytes)
{
}

bool SseParser::feed(QByteArrayView bytes)
{
    const char* at = bytes.begin();
    const char* const end = bytes.end();
    while (at != end && !overflow_) {
        // The LF of a CRLF may come with the next read; the line was already taken at the CR.
        if (lastWasCr_ && *at == '\n')
            ++at;
        lastWasCr_ = false;
        const char* const stop = std::find_if(at, end, [](char c) { return c == '\n' || c == '\r'; });
        if (line_.size() + (stop - at) + data_.size() > maxEventBytes_) {
            overflow_ = true;
            break;
        }
        if (stop == end) {
            line_.append(at, stop - at);
            break;
        }
        lastWasCr_ = *stop == '\r';
        if (line_.isEmpty()) {
            takeLine(QByteArrayView(at, stop - at));
        } else {
            line_.append(at, stop - at);
            const QByteArray whole = std::exchange(line_, {});
            takeLine(whole);
        }
        at = stop + 1;
    }
    return !overflow_;
}

void SseParser::finish()
{
    if (overflow_)
        return;
    if (!line_.isEmpty()) {
        const QByteArray whole = std::exchange(line_, {});
        takeLine(whole);
    }
    dispatch();
}

void SseParser::takeLine(QByteArrayView line)
{
    if (std::exchange(atStart_, false) && line.startsWith("\xEF\xBB\xBF"))
        line = line.sliced(3);
    if (line.isEmpty())
        return dispatch();
    const qsizetype colon = line.indexOf(':');
    if (colon == 0) {
        ++comments_;
        return;
    }
    const QByteArrayView name = colon < 0 ? line : line.first(colon);
    QByteArrayView value = colon < 0 ? QByteArrayView() : line.sliced(colon + 1);
    if (value.startsWith(' '))
        value = value.sliced(1);
    if (name == "data") {
        data_.append(value).append('\n');
        hasData_ = true;
    } else if (name == "event") {
        event_ = value.toByteArray();
    } else if (name == "id" && !value.contains('\0')) {
        id_ = value.toByteArray();
    }
}

void SseParser::dispatch()
{
    QByteArray name = std::exchange(event_, {});
    if (!std::exchange(hasData_, false))
        return;
    SseEvent event{name.isEmpty() ? QByteArrayLiteral("message") : std::move(name), std::exchange(data_, {}), id_};
    event.data.chop(1);
    onEvent_(event);
}

} // namespace sg::provider
