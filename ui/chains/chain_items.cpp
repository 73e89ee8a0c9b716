// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_items.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPixmapCache>

#include <cmath>

namespace sg::ui::items {

using policy::BreakerState;

double flowWidth(double share)
{
    return std::max(1.6, 20 * share);
}

Part::Part(const ThemeContext& context, double z)
    : context_(context)
{
    setZValue(z);
}

void Part::setBounds(const QRectF& bounds)
{
    if (bounds == bounds_)
        return;
    prepareGeometryChange();
    bounds_ = bounds;
}

double Part::detail(const QPainter& p)
{
    return p.worldTransform().m11();
}

namespace {

/// Parsing an SVG at each paint would cost more than all the rest of a node.
QPixmap cachedIcon(const QString& name, const QColor& colour, int px, double ratio)
{
    const QString key = QStringLiteral("icon/%1/%2/%3/%4").arg(name, colour.name()).arg(px).arg(ratio);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = iconPixmap(name, colour, px, ratio);
        QPixmapCache::insert(key, pixmap);
    }
    return pixmap;
}

} // namespace

NodePart::NodePart(const ThemeContext& context)
    : Part(context, 4)
{
}

void NodePart::show(const layout::Node& place, const facts::NodeFacts& facts, const Marks& marks)
{
    const bool isPlaceNew = !isShown_ || place.box != place_.box || place.hasOut != place_.hasOut;
    if (!isPlaceNew && facts == facts_ && marks == marks_)
        return;
    const bool isStateNew =
        !isPlaceNew && facts.name == facts_.name && facts.state && facts_.state && *facts.state != *facts_.state;
    place_ = place;
    facts_ = facts;
    marks_ = marks;
    isShown_ = true;
    setBounds(place.box.adjusted(-6, -6, 6, 6));
    update();
    if (isStateNew && !theme().reducedMotion)
        startSwing();
}

void NodePart::startSwing()
{
    if (!swing_) {
        swing_ = std::make_unique<QVariantAnimation>();
        swing_->setDuration(180);
        swing_->setStartValue(0.0);
        swing_->setEndValue(1.0);
        QObject::connect(swing_.get(), &QVariantAnimation::valueChanged, swing_.get(), [this] { update(); });
    }
    swing_->start();
}

void NodePart::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    QPainter& p = *painter;
    const double scale = detail(p);
    p.setRenderHint(QPainter::Antialiasing, scale >= kShapesOnly);
    if (marks_.isDragged)
        p.setOpacity(0.4);
    if (scale < kNamesOnly)
        return paintSmall(p, scale >= kShapesOnly);
    paintCard(p);
    if (facts_.isTier)
        paintTier(p);
    else
        paintStation(p);
    paintPorts(p);
    if (marks_.hasFocus)
        paint::focusRing(p, place_.box.adjusted(-5, -5, 5, 5), theme(), 9);
}

QColor NodePart::edgeColour() const
{
    const Tokens& c = theme().c;
    if (facts_.isOff || !facts_.state)
        return c.outline;
    const bool isCalm = *facts_.state == BreakerState::Closed || *facts_.state == BreakerState::MetricsOnly;
    return isCalm ? c.outline : stateColours(c, *facts_.state).ink;
}

void NodePart::paintCard(QPainter& p) const
{
    const Tokens& c = theme().c;
    p.setBrush(c.card);
    QPen pen(marks_.isSelected ? c.accent : edgeColour(), marks_.isSelected ? 2 : 1.2);
    if (facts_.isOff)
        pen.setDashPattern({4, 3});
    p.setPen(pen);
    p.drawRoundedRect(place_.box, 6, 6);
    if (facts_.isTier && facts_.state)
        paintStripe(p);
}

void NodePart::paintStripe(QPainter& p) const
{
    const Tokens& c = theme().c;
    const QRectF bar(place_.box.left(), place_.box.top() + 0.5, 3.5, place_.box.height() - 1);
    p.setPen(Qt::NoPen);
    if (*facts_.state == BreakerState::ForcedOpen || *facts_.state == BreakerState::ForcedClosed)
        p.setBrush(paint::lockedHatch(c));
    else
        p.setBrush(stateColours(c, *facts_.state).ink);
    if (*facts_.state != BreakerState::HalfOpen) {
        p.drawRoundedRect(bar, 1.7, 1.7);
        return;
    }
    for (double y = bar.top(); y < bar.bottom(); y += 9)
        p.drawRect(QRectF(bar.left(), y, bar.width(), std::min(6.0, bar.bottom() - y)));
}

void NodePart::paintTier(QPainter& p) const
{
    const Theme& t = theme();
    const QRectF& b = place_.box;
    const QColor name = facts_.isOff ? t.c.text3 : t.c.text;
    const double number =
        paint::text(p, b.right() - 8, b.top() + 17, facts_.number, t.font(9.5), t.c.text3, Qt::AlignRight);
    paint::text(p, b.left() + 12, b.top() + 17, facts_.name, t.font(10.5, true), name, Qt::AlignLeft,
                b.width() - 12 - number - 14, Qt::ElideMiddle);
    paintBreaker(p);
    const double width = b.width() - 12 - 6;
    paint::text(p, b.left() + 12, b.top() + 60, facts_.lines.value(0), t.font(9.5),
                facts_.isOff ? t.c.text3 : t.c.text2, Qt::AlignLeft, width);
    paint::text(p, b.left() + 12, b.top() + 73, facts_.lines.value(1), t.font(9.5), t.c.text3, Qt::AlignLeft, width);
}

void NodePart::paintBreaker(QPainter& p) const
{
    const Theme& t = theme();
    const QPointF at = place_.box.topLeft();
    paint::BladeFacts blade{BreakerState::Closed, facts_.probesNeeded, facts_.probesPassed};
    Tokens tokens = t.c;
    if (facts_.state) {
        blade.state = *facts_.state;
        if (swing_ && swing_->state() == QAbstractAnimation::Running)
            blade.swing = swing_->currentValue().toDouble();
    } else {
        // Nobody knows its state, or it is switched off: a line without current.
        tokens.closed = tokens.open = t.c.outline;
        blade.state = facts_.isOff ? BreakerState::Open : BreakerState::Closed;
    }
    paint::blade(p, QRectF(at + QPointF(10, 20), QSizeF(64, 26)), blade, tokens, t.c.card);
    if (facts_.isOff) {
        paint::text(p, at.x() + 82, at.y() + 39, QCoreApplication::translate("sg::ui::ChainCanvas", "OFF"),
                    t.font(9.5, true), t.c.text3);
        return;
    }
    if (!facts_.state)
        return;
    paint::stateMark(p, at + QPointF(85, 35), 10, *facts_.state, t.c);
    QString word = paint::stateWord(*facts_.state).toUpper();
    const QFont font = t.font(9.5, true);
    const double room = place_.box.width() - 94 - 5;
    if (QFontMetricsF(font).horizontalAdvance(word) > room) // "HALF-OPEN" is told from "OPEN" by its first half
        word = word.split(QLatin1Char('-')).first().split(QLatin1Char(' ')).first();
    paint::text(p, at.x() + 94, at.y() + 39, word, font, stateColours(t.c, *facts_.state).ink, Qt::AlignLeft, room);
}

void NodePart::paintStation(QPainter& p) const
{
    const Theme& t = theme();
    const QRectF& b = place_.box;
    const double ratio = p.device()->devicePixelRatioF() * std::max(1.0, std::ceil(detail(p)));
    p.drawPixmap(QRectF(b.left() + 8, b.top() + 8, 15, 15),
                 cachedIcon(facts_.icon, facts_.isOff ? t.c.text3 : t.c.text2, 15, ratio), {});
    const double right = b.right() - 6;
    paint::text(p, b.left() + 28, b.top() + 20, facts_.name, t.font(10.5, true), facts_.isOff ? t.c.text3 : t.c.text,
                Qt::AlignLeft, right - b.left() - 28);
    double y = b.top() + 39;
    if (facts_.gauge) {
        p.setPen(Qt::NoPen);
        p.setBrush(t.c.selected);
        const QRectF track(b.left() + 10, b.top() + 32, b.width() - 20, 5);
        p.drawRoundedRect(track, 2, 2);
        p.setBrush(t.c.accent);
        p.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(3.0, track.width() * *facts_.gauge), 5)), 2, 2);
        y += 13;
    }
    for (qsizetype i = 0; i < facts_.lines.size(); ++i, y += 12)
        paint::text(p, b.left() + 10, y, facts_.lines.at(i), t.font(9.5), i == 0 ? t.c.text2 : t.c.text3, Qt::AlignLeft,
                    b.width() - 16);
}

void NodePart::paintPorts(QPainter& p) const
{
    const Tokens& c = theme().c;
    const auto port = [&](const QPointF& at, const QColor& edge) {
        p.setBrush(c.card);
        p.setPen(QPen(edge, 1.6));
        p.drawEllipse(at, 3.5, 3.5);
    };
    port(place_.in, c.outline);
    if (place_.hasOut)
        port(place_.out, place_.node.kind == ChainNode::Kind::Tier && !facts_.isOff ? c.accent : c.outline);
    if (place_.canAnswer)
        port(place_.answerPort, facts_.isOff ? c.outline : c.closed);
}

void NodePart::paintSmall(QPainter& p, bool hasName) const
{
    const Theme& t = theme();
    const QRectF& b = place_.box;
    const bool isAlarming = !facts_.isOff && facts_.state && *facts_.state != BreakerState::Closed;
    p.setBrush(isAlarming ? stateColours(t.c, *facts_.state).tint : t.c.card);
    QPen pen(marks_.isSelected || marks_.hasFocus ? t.c.accent : edgeColour(), marks_.hasFocus     ? 3
                                                                               : marks_.isSelected ? 2
                                                                                                   : 1);
    pen.setCosmetic(true);
    if (facts_.isOff)
        pen.setStyle(Qt::DashLine);
    p.setPen(pen);
    p.drawRect(b);
    if (facts_.state && !facts_.isOff)
        p.fillRect(QRectF(b.left(), b.top(), 8, b.height()), stateColours(t.c, *facts_.state).ink);
    if (!hasName)
        return;
    const double px = 10.5 / std::max(detail(p), 0.01) * 0.85;
    const QFont font = t.font(std::min(px, facts_.isTier ? 22.0 : 14.0), true);
    paint::text(p, b.left() + 14, b.center().y() - 4, facts_.name, font, facts_.isOff ? t.c.text3 : t.c.text,
                Qt::AlignLeft, b.width() - 18);
    if (facts_.state && !facts_.isOff)
        paint::stateMark(p, QPointF(b.left() + 26, b.bottom() - 22), 22, *facts_.state, t.c);
}

} // namespace sg::ui::items
