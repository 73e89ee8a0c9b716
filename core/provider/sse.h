// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QByteArrayView>

#include <functional>

namespace sg::provider {

struct SseEvent
{
    QByteArray event; ///< "message" when not named
    QByteArray data;  ///< data lines joined with LF
    QByteArray id;
};

/// Server-sent events (WHATWG HTML, 9.2.6), incrementally: CRLF, LF and CR, comments, multi-line data, BOM, any cut.
/// Linear in the bytes fed; holds at most `maxEventBytes` of an unfinished event, then reports overflow.
class SseParser
{
public:
    using OnEvent = std::function<void(const SseEvent&)>;
    explicit SseParser(OnEvent onEvent, qint64 maxEventBytes = 16 * 1024 * 1024);
    /// False when an event is larger than allowed; the rest is ignored from then on.
    bool feed(QByteArrayView bytes);
    /// The end of the input: an event of which only the empty line behind it is missing is handed on. The standard
    /// drops it, so the receiver must judge whether it is whole.
    void finish();
    qint64 comments() const { return comments_; } ///< seen so far; keep-alives of some providers

private:
    void takeLine(QByteArrayView line);
    void dispatch();
    OnEvent onEvent_;
    qint64 maxEventBytes_;
    QByteArray line_, event_, data_, id_;
    bool hasData_ = false, lastWasCr_ = false, overflow_ = false, atStart_ = true;
    qint64 comments_ = 0;
};

} // namespace sg::provider
