// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QByteArrayView>

#include <functional>

namespace sg::provider {

/// Valid during the callback only.
struct SseEvent
{
    QByteArrayView event; ///< "message" when not named
    QByteArrayView data;  ///< data lines joined with LF
    QByteArrayView id;    ///< the last one sent
};

/// Server-sent events (WHATWG HTML, 9.2.6), incrementally: CRLF, LF and CR, comments, multi-line data, BOM, any cut.
/// Linear in the bytes fed; holds at most `maxEventBytes` of an unfinished event, then reports overflow. What lies
/// whole in the bytes of one feed is not copied. feed() never gives out an event without its blank line, as the standard
/// says.
class SseParser
{
public:
    using OnEvent = std::function<void(const SseEvent&)>;
    explicit SseParser(OnEvent onEvent, qint64 maxEventBytes = 16 * 1024 * 1024);
    SseParser(const SseParser&) = delete; // fields may point into each other
    SseParser& operator=(const SseParser&) = delete;

    /// False when an event is larger than allowed; the rest is ignored from then on.
    bool feed(QByteArrayView bytes);
    /// The end of the input: an event of which only the empty line behind it is missing is handed on. The standard
    /// drops it, so the receiver must judge whether it is whole.
    void finish();
    qint64 comments() const { return comments_; } ///< seen so far; keep-alives of some providers
    /// Bytes kept from one feed to the next: never more than allowed.
    qint64 heldBytes() const;

private:
    /// Bytes that lie where they were fed as long as they may, and are copied only when they must outlive it.
    class Field
    {
    public:
        QByteArrayView view() const { return borrowed_ ? lent_ : QByteArrayView(own_); }
        qsizetype size() const { return view().size(); }
        void lend(QByteArrayView bytes);
        void append(QByteArrayView bytes);
        void keep();
        void clear();

    private:
        QByteArray own_;
        QByteArrayView lent_;
        bool borrowed_ = false;
    };

    void takeLine(QByteArrayView line);
    void takeHeldLine();
    void takeData(QByteArrayView value);
    void dispatch();
    void keepFields();
    bool fits(qsizetype more) const;

    OnEvent onEvent_;
    qint64 maxEventBytes_;
    Field line_, event_, data_, id_;
    bool hasData_ = false, lastWasCr_ = false, overflow_ = false, atStart_ = true;
    qint64 comments_ = 0;
};

} // namespace sg::provider
