// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/canvas_corner.h"
#include "ui/chains/chain_items.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include <cmath>

namespace sg::ui {

CanvasLegend::CanvasLegend(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Legend: green is answered, blue is moving on; a line of 5 pixels is 25 % of the requests"));
    resize(sizeHint());
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void CanvasLegend::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    const Theme& t = context_.theme();
    paint::frame(p, rect(), t.c.card, t.c.line, 5);
    const auto swatch = [&](double x, const QColor& colour, double alpha, const QString& words) {
        QColor ink = colour;
        ink.setAlphaF(static_cast<float>(alpha));
        p.fillRect(QRectF(x, 11, 22, 10), ink);
        paint::text(p, x + 30, 20, words, t.font(10.5), t.c.text2);
    };
    swatch(10, t.c.closed, 0.85, tr("answered"));
    swatch(100, t.c.accent, 0.75, tr("moving on"));
    double x = 10;
    for (const int percent : {1, 25, 100}) {
        const double height = items::flowWidth(percent / 100.0);
        p.fillRect(QRectF(x, 35 - height / 2, 22, height), t.c.accent);
        paint::text(p, x + 30, 39, QString::number(percent) + format::thin() + QLatin1Char('%'), t.font(10.5),
                    t.c.text3);
        x += percent == 1 ? 54 : 58;
    }
    if (!hasRoutes_)
        return;
    p.setPen(QPen(t.c.text3, 1.2));
    p.drawLine(QPointF(10, 60.5), QPointF(32, 60.5));
    paint::text(p, 40, 64, tr("routed by class, of any share"), t.font(10.5), t.c.text2);
}

void CanvasLegend::setHasRoutes(bool hasRoutes)
{
    if (hasRoutes == hasRoutes_)
        return;
    hasRoutes_ = hasRoutes;
    const QString words =
        tr("Legend: green is answered, blue is moving on; a line of 5 pixels is 25 % of the requests");
    setAccessibleName(hasRoutes ? words + tr("; a thin grey line is the way of a class, whatever its share") : words);
    resize(sizeHint());
    update();
}

CanvasCorner::CanvasCorner(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , legend_(new CanvasLegend(context, parent))
{
    out_ = button(QStringLiteral("zoom-out"), tr("Zoom out"));
    scale_ = button({}, tr("Zoom to 100 %"));
    in_ = button(QStringLiteral("plus"), tr("Zoom in"));
    fit_ = button(QStringLiteral("fit"), tr("Fit the chain into the window"));
    scale_->setMinimumWidth(46);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    for (QToolButton* one : {out_, scale_, in_, fit_})
        row->addWidget(one);
    connect(out_, &QToolButton::clicked, this, [this] { Q_EMIT stepped(-1); });
    connect(in_, &QToolButton::clicked, this, [this] { Q_EMIT stepped(1); });
    connect(scale_, &QToolButton::clicked, this, &CanvasCorner::resetRequested);
    connect(fit_, &QToolButton::clicked, this, &CanvasCorner::fitRequested);
    connect(&context, &ThemeContext::changed, this, &CanvasCorner::takeTheme);
    takeTheme();
    setScale(1);
    setCursor(Qt::ArrowCursor);
}

QToolButton* CanvasCorner::button(const QString& name, const QString& accessibleName)
{
    auto* made = new QToolButton(this);
    made->setAutoRaise(true);
    made->setObjectName(name.isEmpty() ? QStringLiteral("zoom-reset") : name);
    made->setAccessibleName(accessibleName);
    made->setToolTip(accessibleName);
    made->setFixedHeight(24);
    return made;
}

void CanvasCorner::takeTheme()
{
    for (QToolButton* one : {out_, in_, fit_})
        one->setIcon(iconOf(one->objectName(), context_.c().text2, {}, 13));
    scale_->setFont(context_.theme().font(11));
    update();
}

void CanvasCorner::setScale(double scale)
{
    scale_->setText(format::number(std::max(1.0, std::round(scale * 100)), 0) + format::thin() + QLatin1Char('%'));
    adjustSize();
}

void CanvasCorner::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    paint::frame(p, rect(), context_.c().card, context_.c().line, 4);
    for (const QToolButton* one : {out_, scale_, in_})
        p.fillRect(QRectF(one->geometry().right() + 0.5, 1, 1, height() - 2), context_.c().line);
}

} // namespace sg::ui
