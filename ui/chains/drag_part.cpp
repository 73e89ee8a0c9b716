// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_items.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <QPainterPath>

namespace sg::ui::items {

void paintMarker(QPainter& p, const QPointF& at, const Theme& theme)
{
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.accent);
    p.drawRoundedRect(QRectF(at.x() - 3, at.y() - 15, 6, 30), 3, 3);
    p.drawEllipse(at, 10, 10);
    p.setPen(QPen(theme.c.onAccent, 2, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(at - QPointF(5, 0), at + QPointF(5, 0));
    p.drawLine(at - QPointF(0, 5), at + QPointF(0, 5));
}

void paintGhost(QPainter& p, const QRectF& box, const QString& name, const QString& words, const Theme& t)
{
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(t.c.accentTint);
    p.setPen(QPen(t.c.accent, 1.2));
    p.drawRoundedRect(box.adjusted(0.6, 0.6, -0.6, -0.6), 6, 6);
    paint::text(p, box.left() + 12, box.top() + 18, name, t.font(10.5, true), t.c.text, Qt::AlignLeft,
                box.width() - 24);
    Tokens tokens = t.c;
    tokens.closed = t.c.accent; // what it would do here nobody knows yet: no state, so no state's colour
    paint::blade(p, QRectF(box.topLeft() + QPointF(10, 22), QSizeF(64, 26)), {}, tokens, t.c.accentTint);
    paint::text(p, box.left() + 82, box.top() + 42, words, t.font(9.5), t.c.text2, Qt::AlignLeft, box.width() - 90);
}

DragPart::DragPart(const ThemeContext& context)
    : Part(context, 10)
{
    hide();
}

void DragPart::show(const Picture& picture)
{
    if (isVisible() && picture == picture_)
        return;
    prepareGeometryChange();
    picture_ = picture;
    const double k = grow();
    const QRectF own = ghostBox().united(hintBox()).adjusted(-6, -6, 6, 6);
    QRectF all(picture.at + own.topLeft() * k, own.size() * k);
    if (picture.marker)
        all = all.united(QRectF(*picture.marker - QPointF(16, 20) * k, QSizeF(32, 40) * k));
    setBounds(all);
    QGraphicsItem::show();
    update();
}

QRectF DragPart::hintBox() const
{
    const Theme& t = theme();
    if (picture_.hint.title.isEmpty())
        return {};
    double width = QFontMetricsF(t.font(10.5, true)).horizontalAdvance(picture_.hint.title);
    for (const QString& line : picture_.hint.lines)
        width = std::max(width, QFontMetricsF(t.font(10.5)).horizontalAdvance(line));
    return QRectF(ghostBox().left(), ghostBox().top() + 68, std::max(196.0, width + 20),
                  22 + 14.0 * static_cast<double>(picture_.hint.lines.size()));
}

void DragPart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    p.setRenderHint(QPainter::Antialiasing);
    const double k = grow();
    const auto grown = [&](const QPointF& about, auto&& paintIt) {
        p.save();
        p.translate(about);
        p.scale(k, k);
        paintIt();
        p.restore();
    };
    if (picture_.marker && picture_.hint.isAllowed) {
        paintCurve(p);
        grown(*picture_.marker, [&] { paintMarker(p, {}, theme()); });
    }
    grown(picture_.at, [&] {
        if (!picture_.ghost.isEmpty())
            paintGhost(p, ghostBox(), picture_.ghost, picture_.ghostWords, theme());
        if (!picture_.hint.title.isEmpty())
            paintHint(p);
    });
}

void DragPart::paintCurve(QPainter& p) const
{
    const double k = grow();
    QPen pen(theme().c.accent, 1.4 * k);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    const bool isAbove = picture_.marker->y() < picture_.at.y() + ghostBox().top() * k;
    const QPointF from =
        picture_.at + QPointF(ghostBox().center().x() + 20, isAbove ? ghostBox().top() : ghostBox().bottom()) * k;
    QPainterPath curve(from);
    curve.quadTo(QPointF(picture_.marker->x(), from.y()), *picture_.marker + QPointF(0, (isAbove ? 16 : -16) * k));
    p.drawPath(curve);
}

void DragPart::paintHint(QPainter& p) const
{
    const Theme& t = theme();
    const QRectF box = hintBox();
    p.setBrush(t.c.raised);
    p.setPen(QPen(picture_.hint.isAllowed ? t.c.outline : t.c.open, 1));
    p.drawRoundedRect(box, 4, 4);
    double y = box.top() + 15;
    paint::text(p, box.left() + 9, y, picture_.hint.title, t.font(10.5, true), t.c.text);
    for (const QString& line : picture_.hint.lines)
        paint::text(p, box.left() + 9, y += 14, line, t.font(10.5), t.c.text2);
}

} // namespace sg::ui::items
