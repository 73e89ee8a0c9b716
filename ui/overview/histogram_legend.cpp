// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/histogram_legend.h"

#include "ui/widgets/paint.h"

#include <QFontMetricsF>

namespace sg::ui {

HistogramLegend::HistogramLegend(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

QSize HistogramLegend::sizeHint() const
{
    const QFontMetricsF metrics(context_.theme().font(10.5));
    return {static_cast<int>(13 + metrics.horizontalAdvance(tr("answered")) + 12 + 15 +
                             metrics.horizontalAdvance(tr("failed"))) +
                1,
            20};
}

void HistogramLegend::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.accent);
    p.drawRoundedRect(QRectF(0, 6, 8, 8), 2, 2);
    const double used = 13 + paint::text(p, 13, 14, tr("answered"), theme.font(10.5), theme.c.text2) + 12;
    p.fillRect(QRectF(used, 5, 10, 10), paint::failedHatch(theme.c));
    paint::text(p, used + 15, 14, tr("failed"), theme.font(10.5), theme.c.text2);
}

} // namespace sg::ui
