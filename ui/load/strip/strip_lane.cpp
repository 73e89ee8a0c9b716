// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/strip/strip_lane.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QPainter>

#include <cmath>

namespace sg::ui::strip {

double Axis::xOf(double second) const
{
    return left + (right - left) * (second - from) / std::max(1e-9, to - from);
}

double Axis::secondAt(double x) const
{
    return from + (to - from) * (x - left) / std::max(1.0, right - left);
}

QString axisLatency(double ms)
{
    if (ms >= 1000)
        return format::number(ms / 1000, 0) + QStringLiteral("\u202Fs");
    return format::number(ms, ms < 1 ? 1 : 0) + QStringLiteral("\u202Fms");
}

QString axisCount(double value)
{
    if (value >= 1e4)
        return format::shortCount(value, 1e4);
    return format::number(value, value > 0 && value != std::round(value) ? 1 : 0);
}

void axisMark(QPainter& p, const QRectF& box, double y, const QString& label, const Theme& theme)
{
    const double line = std::round(y) + 0.5;
    p.setPen(QPen(theme.c.line, 1));
    p.drawLine(QPointF(box.left(), line), QPointF(box.right(), line));
    // At the ends inside the box: beyond it stands another chart's title.
    const double baseline = std::clamp(line + 3.5, box.top() + 8, std::max(box.top() + 8, box.bottom() - 1));
    paint::text(p, box.left() - 5, baseline, label, theme.font(9.5), theme.c.text3, Qt::AlignRight);
}

QBrush statusBrush(StripStatus::Look look, const Tokens& tokens)
{
    switch (look) {
    case StripStatus::Look::Model:
        return tokens.series[0];
    case StripStatus::Look::Cache:
        return tokens.series[4];
    case StripStatus::Look::Canned:
        return tokens.series[3];
    case StripStatus::Look::Refused:
        return tokens.half;
    case StripStatus::Look::Failed:
        break;
    }
    return tokens.open;
}

} // namespace sg::ui::strip
