// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sparkline.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace sg::ui::paint {

std::optional<std::pair<double, double>> rangeOf(std::initializer_list<const observe::Series*> series)
{
    std::optional<std::pair<double, double>> range;
    for (const auto* values : series) {
        for (float v : *values) {
            if (!std::isfinite(v))
                continue;
            const double d = v;
            range = range ? std::pair(std::min(range->first, d), std::max(range->second, d)) : std::pair(d, d);
        }
    }
    return range;
}

namespace {

QPolygonF stretchPoints(const Spark& spark, const QRectF& box, std::pair<double, double> range, std::size_t from,
                        std::size_t to)
{
    const double step = (box.width() - 4) / std::max<double>(1, static_cast<double>(spark.values.size()) - 1);
    const double span = std::max(range.second - range.first, 1e-9);
    QPolygonF points;
    for (std::size_t i = from; i < to; ++i) {
        const double share = std::clamp((spark.values[i] - range.first) / span, 0.0, 1.0);
        points << QPointF(box.left() + 1 + step * static_cast<double>(i),
                          box.bottom() - 2 - share * (box.height() - 5));
    }
    return points;
}

void drawStretch(QPainter& p, const QRectF& box, const Spark& spark, const QPolygonF& points)
{
    if (spark.isFilled && points.size() > 1) {
        QPolygonF area = points;
        area << QPointF(points.back().x(), box.bottom()) << QPointF(points.front().x(), box.bottom());
        QColor tint = spark.colour;
        tint.setAlphaF(0.14F);
        p.setPen(Qt::NoPen);
        p.setBrush(tint);
        p.drawPolygon(area);
    }
    QPen pen(spark.colour, spark.penWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!spark.dashes.isEmpty())
        pen.setDashPattern(spark.dashes);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPolyline(points);
}

} // namespace

void sparkline(QPainter& p, const QRectF& box, const Spark& spark)
{
    const auto range = spark.range ? spark.range : rangeOf({&spark.values});
    if (!range)
        return;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const auto& values = spark.values;
    for (std::size_t from = 0; from < values.size();) {
        if (!std::isfinite(values[from])) {
            ++from;
            continue;
        }
        std::size_t to = from;
        while (to < values.size() && std::isfinite(values[to]))
            ++to;
        const QPolygonF points = stretchPoints(spark, box, *range, from, to);
        drawStretch(p, box, spark, points);
        if (spark.isFilled && to == values.size()) {
            p.setPen(Qt::NoPen);
            p.setBrush(spark.colour);
            p.drawEllipse(points.back(), 2.2, 2.2);
        }
        from = to;
    }
    p.restore();
}

} // namespace sg::ui::paint
