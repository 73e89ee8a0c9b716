// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_items.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace sg::ui::items {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainCanvas)
};

QColor faded(const QColor& colour, double alpha)
{
    QColor made = colour;
    made.setAlphaF(static_cast<float>(alpha));
    return made;
}

} // namespace

AnswerPart::AnswerPart(const ThemeContext& context)
    : Part(context, 2)
{
}

void AnswerPart::show(const layout::Node& place, const facts::AnswerFacts& facts, bool isOff)
{
    const bool isPlaceNew = place.answerPort != place_.answerPort;
    if (!isPlaceNew && facts == facts_ && isOff == isOff_)
        return;
    place_ = place;
    facts_ = facts;
    isOff_ = isOff;
    setBounds(QRectF(QPointF(place.answerPort.x() - 80, layout::kBusLine - 4),
                     QPointF(place.answerPort.x() + 12, place.answerPort.y())));
    update();
}

void AnswerPart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const Theme& t = theme();
    const double scale = detail(p);
    const bool isFlowing = facts_.share && *facts_.share > 0;
    const double width = isFlowing ? flowWidth(*facts_.share) : 1.4;
    const QPointF& from = place_.answerPort;
    if (scale < kNamesOnly) {
        // A plain rectangle: Qt 6.4 shares out the spans of each stroked line among threads, and waits for them.
        const double seen = std::max(width, 1 / std::max(scale, 0.01));
        p.fillRect(QRectF(from.x() - seen / 2, layout::kBusLine, seen, from.y() - layout::kBusLine),
                   isFlowing ? t.c.closed : t.c.outline);
        return;
    }
    p.setRenderHint(QPainter::Antialiasing);
    QPen pen(isFlowing ? faded(t.c.closed, 0.85) : t.c.outline, width, Qt::SolidLine, Qt::FlatCap);
    if (!isFlowing && (facts_.share || isOff_))
        pen.setDashPattern({2.2, 2.2});
    p.setPen(pen);
    p.drawLine(from, QPointF(from.x(), layout::kBusLine));
    if (facts_.shareText.isEmpty() || isOff_)
        return;
    // Beside the line, half-way up but never so far that it leaves the sight of its node.
    const double y = std::max(100.0, from.y() - std::min(120.0, 0.45 * (from.y() - layout::kBusLine)));
    const double x = from.x() - width / 2 - 6;
    paint::text(p, x, y, facts_.shareText, t.font(10.5, true), isFlowing ? t.c.text : t.c.text3, Qt::AlignRight);
    paint::text(p, x, y + 12, facts_.words, t.font(9.5), t.c.text3, Qt::AlignRight);
}

BusPart::BusPart(const ThemeContext& context)
    : Part(context, 0)
{
}

void BusPart::show(const QRectF& place, const QString& words, std::vector<Piece> pieces)
{
    if (place == place_ && words == words_ && pieces == pieces_)
        return;
    place_ = place;
    words_ = words;
    pieces_ = std::move(pieces);
    setBounds(place.adjusted(-160, -24, 4, 2));
    update();
}

void BusPart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const Theme& t = theme();
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(t.c.card);
    p.setPen(QPen(t.c.line, 1));
    p.drawRoundedRect(place_, 4, 4);
    p.setPen(Qt::NoPen);
    p.setBrush(faded(t.c.closed, 0.85));
    // One shape, so that no seam shows where an answer joins.
    QPolygonF rail;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Piece& piece = pieces_[i];
        if (piece.running <= 0)
            continue;
        const double left = piece.x - (piece.own > 0 ? flowWidth(piece.own) / 2 : 0);
        const double top = layout::kBusLine - flowWidth(piece.running);
        rail << QPointF(left, rail.isEmpty() ? layout::kBusLine : rail.last().y()) << QPointF(left, top);
    }
    if (!rail.isEmpty()) {
        rail << QPointF(place_.right(), rail.last().y()) << QPointF(place_.right(), layout::kBusLine);
        p.drawPolygon(rail);
    }
    if (detail(p) < kNamesOnly)
        return;
    const double title = paint::text(p, place_.left() + 4, place_.top() - 7, Words::tr("Answered to client"),
                                     t.font(10.5, true), t.c.text);
    paint::text(p, place_.right() - 4, place_.top() - 7, words_, t.font(9.5), t.c.text2, Qt::AlignRight,
                place_.width() - title - 24);
}

SplitPart::SplitPart(const ThemeContext& context)
    : Part(context, 0.5)
{
}

void SplitPart::show(const layout::Step& place, std::vector<Member> members)
{
    if (place.frame == place_.frame && members == members_)
        return;
    place_ = place;
    members_ = std::move(members);
    setBounds(place.frame.adjusted(-2, -2, 2, 2));
    update();
}

void SplitPart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const Theme& t = theme();
    const bool isFine = detail(p) >= kNamesOnly;
    p.setRenderHint(QPainter::Antialiasing, isFine);
    p.setBrush(faded(t.c.raised, 0.45));
    QPen edge(t.c.outline, 1);
    if (isFine)
        edge.setDashPattern({2, 3});
    p.setPen(edge);
    p.drawRoundedRect(place_.frame, 8, 8);
    if (members_.empty())
        return;
    // The rail carries what is not yet shared out; each drop takes its member's part.
    double left = 0;
    for (const Member& member : members_)
        left += member.entered.value_or(0);
    double x = place_.in.x();
    for (const Member& member : members_) {
        const double own = member.entered.value_or(0);
        const auto pen = [&](double share) {
            return QPen(share > 0 ? faded(t.c.accent, 0.75) : t.c.outline, share > 0 ? flowWidth(share) : 1.4,
                        Qt::SolidLine, Qt::FlatCap);
        };
        p.setPen(pen(left));
        p.drawLine(QPointF(x, place_.in.y()),
                   QPointF(member.in.x() + (own > 0 ? flowWidth(own) / 2 : 0.7), place_.in.y()));
        p.setPen(pen(own));
        const double start = place_.in.y() + (left > 0 ? flowWidth(left) / 2 : 0);
        p.drawLine(QPointF(member.in.x(), start), member.in);
        x = member.in.x() + (own > 0 ? flowWidth(own) / 2 : 0);
        left = std::max(0.0, left - own);
        if (isFine)
            paint::text(p, member.in.x() + 8 + (own > 0 ? flowWidth(own) / 2 : 0), place_.frame.top() + 30,
                        member.share, t.font(9.5, true), t.c.text2);
    }
    if (isFine)
        paint::text(p, place_.frame.right() - 8, place_.frame.top() + 16, Words::tr("split by weight"), t.font(9.5),
                    t.c.text3, Qt::AlignRight, place_.frame.right() - 8 - x - 8);
}

RoutePart::RoutePart(const ThemeContext& context)
    : Part(context, 1.5)
{
}

void RoutePart::show(const layout::Route& place)
{
    if (place.words == place_.words && place.line == place_.line)
        return;
    place_ = place;
    setBounds(place.line.boundingRect().united(place.label).adjusted(-4, -6, 4, 6));
    update();
}

void RoutePart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const Theme& t = theme();
    const bool isFine = detail(p) >= kNamesOnly;
    p.setRenderHint(QPainter::Antialiasing, isFine);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.c.text3, isFine ? 1.2 : 1 / std::max(detail(p), 0.01)));
    p.drawPolyline(place_.line);
    if (!isFine || place_.line.size() < 2)
        return;
    const QPointF tip = place_.line.last(), before = place_.line[place_.line.size() - 2];
    const bool isUp = std::abs(tip.y() - before.y()) > std::abs(tip.x() - before.x());
    const QPointF back = isUp ? QPointF(0, 6) : QPointF(-6, 0), side = isUp ? QPointF(3.5, 0) : QPointF(0, 3.5);
    p.setPen(Qt::NoPen);
    p.setBrush(t.c.text3);
    p.drawPolygon(QPolygonF({tip, tip + back + side, tip + back - side}));
    paint::text(p, place_.label.left(), place_.label.top() + 11, place_.words, t.font(9.5), t.c.text2, Qt::AlignLeft,
                place_.label.width());
}

} // namespace sg::ui::items
