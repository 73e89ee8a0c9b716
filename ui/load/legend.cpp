// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/legend.h"

#include "ui/widgets/paint.h"

#include <QFontMetricsF>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kSpace = 12, kSample = 16, kSquare = 9, kPad = 5;

bool isSquare(const Legend::Entry& entry)
{
    return entry.isHatch || entry.brush;
}

} // namespace

Legend::Legend(ThemeContext& context, std::vector<Entry> entries, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , entries_(std::move(entries))
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

double Legend::widthOf(const Entry& entry) const
{
    if (entry.name.isEmpty())
        return 1;
    const double sample = isSquare(entry) ? kSquare : kSample;
    return sample + kPad + QFontMetricsF(context_.theme().font(10.5)).horizontalAdvance(entry.name);
}

QSize Legend::sizeHint() const
{
    double width = -kSpace;
    for (const Entry& entry : entries_)
        width += widthOf(entry) + kSpace;
    return {static_cast<int>(std::ceil(width)) + 2, 16};
}

void Legend::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    double x = 0;
    for (const Entry& entry : entries_) {
        const double middle = height() / 2.0;
        if (entry.name.isEmpty()) {
            p.setPen(QPen(theme.c.text3, 1));
            p.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5));
        } else if (isSquare(entry)) {
            p.fillRect(QRectF(x, middle - kSquare / 2, kSquare, kSquare),
                       entry.brush ? entry.brush(theme.c) : paint::failedHatch(theme.c));
        } else {
            QPen pen(entry.colour(theme.c), 2, Qt::SolidLine, Qt::FlatCap);
            if (!entry.dashes.isEmpty())
                pen.setDashPattern(entry.dashes);
            p.setPen(pen);
            p.drawLine(QPointF(x, middle), QPointF(x + kSample, middle));
        }
        const double sample = isSquare(entry) ? kSquare : kSample;
        paint::text(p, x + sample + kPad, middle + 4, entry.name, theme.font(10.5), theme.c.text2);
        x += widthOf(entry) + kSpace;
    }
}

} // namespace sg::ui
