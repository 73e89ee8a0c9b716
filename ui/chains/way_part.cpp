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

constexpr double kArrow = 9, kCorner = 8;
constexpr double kTagHeight = 14, kTagStep = 17, kTagGap = 2.5, kTagInset = 3;

QPainterPath pathOf(const QPolygonF& line, double shortenBy)
{
    QPainterPath path(line.first());
    QPointF end = line.last();
    const QPointF before = line[line.size() - 2];
    const double length = std::hypot(end.x() - before.x(), end.y() - before.y());
    if (length > shortenBy)
        end -= (end - before) * (shortenBy / length);
    for (qsizetype i = 1; i + 1 < line.size(); ++i) {
        const QPointF corner = line[i], next = i + 2 == line.size() ? end : line[i + 1];
        const QPointF in = corner - line[i - 1], out = next - corner;
        const double inLength = std::max(1.0, std::hypot(in.x(), in.y()));
        const double outLength = std::max(1.0, std::hypot(out.x(), out.y()));
        const double r = std::min({kCorner, inLength / 2, outLength / 2});
        path.lineTo(corner - in * (r / inLength));
        path.quadTo(corner, corner + out * (r / outLength));
    }
    path.lineTo(end);
    return path;
}

struct Row
{
    std::vector<std::pair<const facts::Tag*, double>> tags; ///< with their widths
    double width = 0;
};

std::vector<Row> rowsOf(const std::vector<facts::Tag>& tags, const QFontMetricsF& metrics, double room, bool isShort)
{
    std::vector<Row> rows(1);
    for (const facts::Tag& tag : tags) {
        const double width = metrics.horizontalAdvance(isShort ? tag.shortWords : tag.words) + 2 * kTagInset;
        if (!rows.back().tags.empty() && rows.back().width + kTagGap + width > room)
            rows.emplace_back();
        rows.back().width += width + (rows.back().tags.empty() ? 0 : kTagGap);
        rows.back().tags.emplace_back(&tag, width);
    }
    return rows;
}

void paintTag(QPainter& p, const QRectF& box, const QString& words, facts::Tag::Tone tone, const Theme& t)
{
    using Tone = facts::Tag::Tone;
    const QColor fill = tone == Tone::Bad ? t.c.openTint : tone == Tone::Seen ? t.c.halfTint : t.c.raised;
    const QColor edge = tone == Tone::Bad ? t.c.open : tone == Tone::Seen ? t.c.half : t.c.line;
    p.setBrush(fill);
    p.setPen(QPen(edge, 0.8));
    p.drawRoundedRect(box, 3, 3);
    paint::text(p, box.center().x(), box.top() + 10.3, words, t.font(9.5), tone == Tone::Quiet ? t.c.text2 : edge,
                Qt::AlignHCenter);
}

} // namespace

WayPart::WayPart(const ThemeContext& context)
    : Part(context, 1)
{
}

void WayPart::show(const layout::Way& place, const facts::WayFacts& facts, const Look& look)
{
    const bool isPlaceNew = place.line != place_.line || place.kind != place_.kind;
    if (!isPlaceNew && facts == facts_ && look == look_)
        return;
    place_ = place;
    facts_ = facts;
    look_ = look;
    setBounds(place.bounds);
    setZValue(look.hasFocus ? 3.5 : 1);
    update();
}

double WayPart::width() const
{
    return facts_.share && *facts_.share > 0 ? flowWidth(*facts_.share) : 1.4;
}

QColor WayPart::ink() const
{
    return facts_.share && *facts_.share > 0 ? theme().c.accent : theme().c.outline;
}

void WayPart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const bool isFine = detail(p) >= kNamesOnly;
    p.setRenderHint(QPainter::Antialiasing, isFine);
    if (place_.kind == layout::Way::Kind::End)
        return paintEnd(p);
    paintLine(p, isFine);
    if (!isFine)
        return;
    const Theme& t = theme();
    if (!facts_.shareText.isEmpty()) {
        const double x = place_.label.x() - width() / 2;
        paint::text(p, x, place_.label.y(), facts_.shareText, t.font(10.5, true), t.c.text, Qt::AlignRight);
        paint::text(p, x, place_.label.y() + 12, facts_.words, t.font(9.5), t.c.text3, Qt::AlignRight);
    }
    if (place_.kind == layout::Way::Kind::Request)
        paintRequest(p);
    paintTags(p);
    if (look_.hasFocus)
        paintMarker(p, place_.marker, t);
}

void WayPart::paintLine(QPainter& p, bool isFine) const
{
    const bool hasArrow = place_.toStep >= 0;
    const double k = isFine ? 1 : 1 / std::max(detail(p), 0.01); // so wide that it is seen
    QColor line = ink();
    const bool isLive = facts_.share && *facts_.share > 0;
    QPen pen(line, width(), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (isLive)
        pen.setColor(QColor(line.red(), line.green(), line.blue(), 191));
    if (isFine && (facts_.isPassing || (facts_.share && *facts_.share <= 0)))
        pen.setDashPattern({3, 3});
    if (!isFine)
        pen.setWidthF(std::max(width(), k));
    p.setBrush(Qt::NoBrush);
    if (look_.hasFocus) { // a ring of 2 px with a gap of 2 px around the line
        p.setPen(QPen(theme().c.accent, width() + 8 * k, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        p.drawPath(pathOf(place_.line, 12));
        p.setPen(QPen(theme().c.card, width() + 4 * k, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        p.drawPath(pathOf(place_.line, 12));
    }
    p.setPen(pen);
    p.drawPath(pathOf(place_.line, hasArrow && isFine ? kArrow : 0));
    if (hasArrow && isFine)
        paintArrow(p, line, width());
    const auto port = [&](const QPointF& at, const QColor& edge) {
        p.setBrush(theme().c.card);
        p.setPen(QPen(edge, 1.6));
        p.drawEllipse(at, 3.5, 3.5);
    };
    if (isFine && look_.leavesSplit)
        port(place_.line.first(), theme().c.accent);
    if (isFine && look_.entersSplit)
        port(place_.line.last(), theme().c.outline);
}

void WayPart::paintArrow(QPainter& p, const QColor& colour, double width) const
{
    const double half = std::max(5.0, width * 0.68);
    const QPointF tip = place_.line.last() - QPointF(1, 0);
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawPolygon(QPolygonF({tip, tip + QPointF(-kArrow, -half), tip + QPointF(-kArrow, half)}));
}

void WayPart::paintTags(QPainter& p) const
{
    if (facts_.tags.empty() || place_.tags.isEmpty())
        return;
    const Theme& t = theme();
    const QFontMetricsF metrics(t.font(9.5));
    const double left = place_.tags.left() + std::max(0.0, width() / 2 - 9);
    const double room = place_.tags.right() - left;
    bool isShort = false;
    std::vector<Row> rows = rowsOf(facts_.tags, metrics, room, isShort);
    if (rows.size() > 2) {
        isShort = true;
        rows = rowsOf(facts_.tags, metrics, room, isShort);
    }
    std::size_t shown = 0;
    for (std::size_t r = 0; r < std::min<std::size_t>(2, rows.size()); ++r) {
        double x = left;
        const double y = place_.tags.top() + kTagStep * static_cast<double>(r);
        for (const auto& [tag, width] : rows[r].tags) {
            const std::size_t unshown = facts_.tags.size() - shown;
            const bool isLast = r == 1 && tag == rows[r].tags.back().first;
            if (isLast && unshown > 1) { // what finds no room is counted; the tool tip names it
                const QString more = QStringLiteral("+%1").arg(unshown);
                const double moreWidth = metrics.horizontalAdvance(more) + 2 * kTagInset;
                paintTag(p, QRectF(x, y, moreWidth, kTagHeight), more, facts::Tag::Tone::Quiet, t);
                return;
            }
            paintTag(p, QRectF(x, y, width, kTagHeight), isShort ? tag->shortWords : tag->words, tag->tone, t);
            x += width + kTagGap;
            ++shown;
        }
    }
}

void WayPart::paintRequest(QPainter& p) const
{
    const Theme& t = theme();
    const QString title = facts_.request.isEmpty() ? Words::tr("Requests") : facts_.request;
    // Above the highest node of the first row.
    paint::text(p, 6, 104, title, t.font(10.5, true), t.c.text);
    paint::text(p, 6, 117, facts_.requestWords, t.font(9.5), t.c.text3);
}

void WayPart::paintEnd(QPainter& p) const
{
    const Theme& t = theme();
    if (look_.isEmptyChain) {
        p.setPen(QPen(t.c.outline, 1.4));
        p.drawLine(place_.line.first(), place_.line.last());
        const QRectF box(place_.line.last().x(), place_.line.last().y() - layout::kTierHeight / 2, layout::kTierWidth,
                         layout::kTierHeight);
        QPen pen(look_.hasFocus ? t.c.accent : t.c.outline, look_.hasFocus ? 2 : 1.2);
        pen.setDashPattern({4, 3});
        p.setPen(pen);
        p.setBrush(t.c.card);
        p.drawRoundedRect(box, 6, 6);
        const double middle = box.center().x();
        paint::text(p, middle, box.top() + 26, Words::tr("No tier yet"), t.font(10.5, true), t.c.text,
                    Qt::AlignHCenter);
        paint::text(p, middle, box.top() + 48, Words::tr("Drag an endpoint here"), t.font(9.5), t.c.text2,
                    Qt::AlignHCenter);
        paint::text(p, middle, box.top() + 61, Words::tr("or press Enter"), t.font(9.5), t.c.text3, Qt::AlignHCenter);
        return;
    }
    if (!look_.hasFocus && !look_.isStubShown)
        return;
    QPen pen(look_.hasFocus ? t.c.accent : t.c.outline, look_.hasFocus ? 2 : 1.4);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.drawLine(place_.line.first(), place_.line.last());
    if (look_.hasFocus)
        paintMarker(p, place_.marker, t);
}

} // namespace sg::ui::items
