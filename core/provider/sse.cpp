// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/sse.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sg::provider {

namespace {
/// A parser keeps its buffers from event to event, but not those of a giant.
constexpr qsizetype kMaxSpareCapacity = 64 * 1024;

/// Where the lines of one feed end. Each kind of end is looked for once: a stream knows mostly one, and looking for the
/// other anew for each line would cost the square of the bytes.
class LineEnds
{
public:
    LineEnds(const char* begin, const char* end)
        : end_(end)
        , lf_(find(begin, '\n'))
        , cr_(find(begin, '\r'))
    {
    }
    /// `at` never goes back.
    const char* next(const char* at)
    {
        if (lf_ < at)
            lf_ = find(at, '\n');
        if (cr_ < at)
            cr_ = find(at, '\r');
        return std::min(lf_, cr_);
    }

private:
    const char* find(const char* at, char c) const
    {
        const auto* const found =
            at == end_ ? nullptr : static_cast<const char*>(std::memchr(at, c, static_cast<std::size_t>(end_ - at)));
        return found ? found : end_;
    }
    const char* end_;
    const char* lf_;
    const char* cr_;
};
} // namespace

void SseParser::Field::lend(QByteArrayView bytes)
{
    lent_ = bytes;
    borrowed_ = true;
}

void SseParser::Field::append(QByteArrayView bytes)
{
    keep();
    own_.append(bytes);
}

void SseParser::Field::keep()
{
    if (!std::exchange(borrowed_, false))
        return;
    own_.resize(0);
    own_.append(lent_);
}

void SseParser::Field::clear()
{
    borrowed_ = false;
    if (own_.capacity() > kMaxSpareCapacity)
        own_ = {};
    else
        own_.resize(0);
}

SseParser::SseParser(OnEvent onEvent, qint64 maxEventBytes)
    : onEvent_(std::move(onEvent))
    , maxEventBytes_(maxEventBytes)
{
}

qint64 SseParser::heldBytes() const
{
    return line_.size() + event_.size() + data_.size() + id_.size();
}

bool SseParser::fits(qsizetype more) const
{
    return heldBytes() + more <= maxEventBytes_;
}

bool SseParser::feed(QByteArrayView bytes)
{
    const char* at = bytes.begin();
    const char* const end = bytes.end();
    LineEnds ends(at, end);
    while (at != end && !overflow_) {
        // The LF of a CRLF may come with the next read; the line was already taken at the CR.
        if (std::exchange(lastWasCr_, false) && *at == '\n') {
            ++at;
            continue;
        }
        const char* const stop = ends.next(at);
        const QByteArrayView piece(at, stop - at);
        if (!fits(piece.size())) {
            overflow_ = true;
            line_.clear();
            data_.clear();
            break;
        }
        if (stop == end) {
            line_.append(piece);
            break;
        }
        lastWasCr_ = *stop == '\r';
        at = stop + 1;
        if (line_.size() == 0) {
            takeLine(piece);
        } else {
            line_.append(piece);
            takeHeldLine();
        }
    }
    keepFields();
    return !overflow_;
}

void SseParser::finish()
{
    if (overflow_)
        return;
    if (line_.size() > 0)
        takeHeldLine();
    dispatch();
}

void SseParser::takeHeldLine()
{
    takeLine(line_.view());
    keepFields();
    line_.clear();
}

void SseParser::keepFields()
{
    event_.keep();
    data_.keep();
    id_.keep();
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
    if (name == "data")
        takeData(value);
    else if (name == "event")
        event_.lend(value);
    else if (name == "id" && !value.contains('\0'))
        id_.lend(value);
}

void SseParser::takeData(QByteArrayView value)
{
    if (!std::exchange(hasData_, true))
        return data_.lend(value);
    data_.append("\n");
    data_.append(value);
}

void SseParser::dispatch()
{
    if (std::exchange(hasData_, false)) {
        const QByteArrayView name = event_.view();
        onEvent_({name.isEmpty() ? QByteArrayView("message") : name, data_.view(), id_.view()});
    }
    event_.clear();
    data_.clear();
}

} // namespace sg::provider
