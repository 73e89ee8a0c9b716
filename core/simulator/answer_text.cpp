// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/answer_text.h"
#include "core/simulator/bodies.h"

namespace sg::simulator {

namespace {

constexpr qsizetype kArgumentPiece = 6; ///< characters: JSON that comes in pieces is cut anywhere

QByteArray escaped(const QString& text)
{
    const QByteArray quoted = quotedJson(text);
    return quoted.mid(1, quoted.size() - 2);
}

} // namespace

void AnswerText::startAt(std::uint64_t start)
{
    start_ = start % 31;
}

AnswerText AnswerText::echo(const QByteArray& id, const QString& asked)
{
    AnswerText text;
    text.kind_ = TextKind::Echo;
    text.pieces_.push_back(id + ' ');
    for (qsizetype from = 0; from < asked.size();) {
        const auto blank = asked.indexOf(QLatin1Char(' '), from);
        const auto end = blank < 0 ? asked.size() : blank + 1;
        text.pieces_.push_back(escaped(asked.mid(from, end - from)));
        from = end;
    }
    return text;
}

AnswerText AnswerText::time()
{
    AnswerText text;
    text.kind_ = TextKind::Time;
    return text;
}

AnswerText AnswerText::arguments(const QByteArray& json)
{
    AnswerText text;
    text.kind_ = TextKind::Echo;
    const QString all = QString::fromUtf8(json);
    for (qsizetype from = 0; from < all.size();) {
        auto end = std::min(from + kArgumentPiece, all.size());
        if (all[end - 1].isHighSurrogate())
            ++end;
        text.pieces_.push_back(escaped(all.mid(from, end - from)));
        from = end;
    }
    return text;
}

std::optional<int> AnswerText::tokens() const
{
    return kind_ == TextKind::Echo ? std::optional(int(pieces_.size())) : std::nullopt;
}

QByteArray AnswerText::part(int from, int count, Instant now) const
{
    if (kind_ == TextKind::Words)
        return simulator::words((start_ + std::uint64_t(from)) % 31, count);
    if (kind_ == TextKind::Time)
        return QByteArray::number(qint64(now.time_since_epoch().count() / 1000)) + ' ';
    QByteArray text;
    for (int i = from; i < std::min(from + count, int(pieces_.size())); ++i)
        text += pieces_[std::size_t(i)];
    return text;
}

} // namespace sg::simulator
