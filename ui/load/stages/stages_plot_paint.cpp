// SPDX-License-Identifier: GPL-3.0-or-later
// How the stages look.
#include "ui/load/stages/stages_plot.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace sg::ui {

void StagesPlot::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintGrid(p, theme);
    paintLine(p, theme);
    paintPoints(p, theme);
    if (const auto told = selected_ ? selected_ : hovered_)
        paintFlag(p, theme, *told);
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()), theme, 4);
}

void StagesPlot::paintGrid(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    paint::text(p, 2, 12, tr("req\u202F/s"), theme.font(9.5), theme.c.text3);
    for (const double part : {0.0, 0.5, 1.0}) {
        const double y = std::round(yOf(endRate_ * part)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        const double value = endRate_ * part;
        const int decimals = value > 0 && endRate_ * 0.5 != std::round(endRate_ * 0.5) ? 1 : 0;
        const QString label = value >= 1e4 ? format::shortCount(value, 1e4) : format::number(value, decimals);
        paint::text(p, box.left() - 6, y + 3.5, label, theme.font(9.5), theme.c.text3, Qt::AlignRight);
    }
    const double stepSeconds = runaxes::timeStep(endSecond_, std::max(2, static_cast<int>(box.width() / 56)));
    for (double second = 0; second <= endSecond_ * 1.0001; second += stepSeconds) {
        const double x = std::round(xOf(second)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        const double half = QFontMetricsF(theme.font(9.5), p.device()).horizontalAdvance(loadwords::span(second)) / 2;
        paint::text(p, std::min(x, width() - half - 2), box.bottom() + 14, loadwords::span(second), theme.font(9.5),
                    theme.c.text3, Qt::AlignHCenter);
    }
}

void StagesPlot::paintLine(QPainter& p, const Theme& theme) const
{
    QPolygonF line;
    for (std::size_t i = 0; i < stages_.size(); ++i)
        line << placeOf(i);
    QPolygonF area = line;
    area << QPointF(line.back().x(), yOf(0)) << QPointF(line.front().x(), yOf(0));
    QColor fill = theme.c.accent;
    fill.setAlphaF(theme.dark ? 0.22F : 0.16F);
    p.setPen(Qt::NoPen);
    p.setBrush(fill);
    p.drawPolygon(area);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(isReadOnly_ ? theme.c.text3 : theme.c.accent, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.drawPolyline(line);
    if (now_) {
        const double x = std::round(xOf(*now_)) + 0.5;
        p.setPen(QPen(theme.c.text, 1.2));
        p.drawLine(QPointF(x, plot().top() - 4), QPointF(x, plot().bottom()));
    }
}

void StagesPlot::paintPoints(QPainter& p, const Theme& theme) const
{
    // Many corners of a long plan would cover their own line.
    const double spacing = plot().width() / static_cast<double>(stages_.size());
    const double radius = isReadOnly_ ? 2.5 : std::clamp(spacing / 2.4, 2.5, 4.5);
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const bool isChosen = selected_ == i;
        const bool isHeld = isChosen || hovered_ == i;
        p.setPen(QPen(isChosen ? theme.c.text : isReadOnly_ ? theme.c.text3 : theme.c.accent, isChosen ? 2 : 1.6));
        p.setBrush(isHeld ? theme.c.accent : theme.c.card);
        p.drawEllipse(placeOf(i), radius + (isHeld ? 1.2 : 0), radius + (isHeld ? 1.2 : 0));
    }
}

void StagesPlot::paintFlag(QPainter& p, const Theme& theme, std::size_t point) const
{
    const QString label = words(point);
    const double wide = QFontMetricsF(theme.font(10.5), p.device()).horizontalAdvance(label) + 12;
    const double x = std::clamp(placeOf(point).x() - wide / 2, 2.0, std::max(2.0, width() - wide - 2));
    const double above = placeOf(point).y() - 9 - 17;
    const double y = above >= 2 ? above : placeOf(point).y() + 10;
    paint::frame(p, QRectF(x, y, wide, 17), theme.c.raised, theme.c.outline, 3);
    paint::text(p, x + 6, y + 12.5, label, theme.font(10.5), theme.c.text);
}

} // namespace sg::ui
