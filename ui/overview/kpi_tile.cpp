// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/kpi_tile.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>

namespace sg::ui {

KpiTile::KpiTile(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(84);
    setFocusPolicy(Qt::TabFocus);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void KpiTile::setFacts(Facts facts)
{
    const bool isSame = facts.figures == facts_.figures && facts.context == facts_.context &&
                        facts.accent == facts_.accent && facts.stale == facts_.stale && facts.label == facts_.label;
    facts_ = std::move(facts);
    if (isSame)
        return;
    setAccessibleName(facts_.sentence);
    setToolTip(facts_.sentence);
    update();
}

void KpiTile::setSparks(std::vector<paint::Spark> sparks, std::optional<double> targetLine)
{
    sparks_ = std::move(sparks);
    targetLine_ = targetLine;
    update();
}

void KpiTile::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void KpiTile::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

double KpiTile::paintFigures(QPainter& p, const Theme& theme) const
{
    const QColor ink = facts_.stale.isEmpty() ? theme.c.text : theme.c.text3;
    const bool isSingle = facts_.figures.size() == 1;
    const QFont number = theme.font(isSingle ? 25 : 19, true), unit = theme.font(isSingle ? 13 : 12),
                prefix = theme.font(10.5, true);
    const double baseline = isSingle ? 50 : 49;
    double x = 13;
    for (const Figure& figure : facts_.figures) {
        if (!figure.prefix.isEmpty())
            x += paint::text(p, x, baseline, figure.prefix, prefix, figure.prefixColour) + 5;
        x += paint::text(p, x, baseline, figure.number, number,
                         figure.number == QStringLiteral("–") ? theme.c.text3 : ink);
        if (!figure.unit.isEmpty())
            x += 3 + paint::text(p, x + 3, baseline, figure.unit, unit, theme.c.text2);
        x += 20;
    }
    return x - 20;
}

void KpiTile::paintSparks(QPainter& p, const Theme& theme, double textRight) const
{
    const bool isWide = facts_.figures.size() > 1;
    QRectF box = isWide ? QRectF(width() - 11 - 112, 13, 112, 60) : QRectF(width() - 11 - 92, 25, 92, 34);
    box.setLeft(std::max(box.left(), textRight + 8));
    if (box.width() < 56)
        return;
    const bool isStale = !facts_.stale.isEmpty();
    const QRectF live = isStale ? box.adjusted(0, 0, -32, 0) : box;
    for (paint::Spark spark : sparks_) {
        if (isStale)
            spark.colour = theme.c.series[4];
        paint::sparkline(p, live, spark);
    }
    if (isStale) {
        p.setOpacity(0.5);
        p.fillRect(QRectF(box.right() - 28, box.top(), 28, box.height()), paint::lockedHatch(theme.c));
        p.setOpacity(1);
    }
    if (targetLine_) {
        QPen dashed(theme.c.text3, 1);
        dashed.setDashPattern({2, 3});
        p.setPen(dashed);
        const double y = live.bottom() - 2 - *targetLine_ * (live.height() - 5);
        p.drawLine(QPointF(live.left(), y), QPointF(live.right(), y));
    }
}

void KpiTile::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.card, theme.c.line);
    const QFont labelFont = theme.font(11);
    const double labelEnd =
        13 + paint::text(p, 13, 21, facts_.label, labelFont, theme.c.text2, Qt::AlignLeft, width() - 24.0);
    const bool fitsBeside = labelEnd + 6 + QFontMetricsF(labelFont).horizontalAdvance(facts_.stale) <= width() - 11;
    if (fitsBeside)
        paint::text(p, labelEnd + 6, 21, facts_.stale, labelFont, theme.c.half);
    const double right = paintFigures(p, theme);
    const double room = width() - 24;
    const QFont small = theme.font(10.5);
    double x = 13;
    if (!facts_.stale.isEmpty() && !fitsBeside)
        x += paint::text(p, x, 72, facts_.stale, small, theme.c.half, Qt::AlignLeft, room) + 8;
    else if (!facts_.accent.isEmpty())
        x += paint::text(p, x, 72, facts_.accent, small, theme.c.half, Qt::AlignLeft, room) + 4;
    if (fitsBeside)
        paint::text(p, x, 72, facts_.context, small, theme.c.text3, Qt::AlignLeft, room - (x - 13));
    paintSparks(p, theme, right);
    if (hasFocus())
        paint::focusRing(p, rect(), theme);
}

} // namespace sg::ui
