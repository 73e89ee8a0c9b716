// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cursor_chart.h"

#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace sg::ui {

CursorChart::CursorChart(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void CursorChart::setCursor(std::optional<double> at)
{
    const Reach all = reach();
    if (at)
        at = std::clamp(*at, all.from, std::max(all.from, all.to));
    if (cursor_ == at)
        return;
    cursor_ = at;
    showCursor();
    update();
}

void CursorChart::dataChanged()
{
    const Reach all = reach();
    if (cursor_ && (!hasData() || *cursor_ < all.from || *cursor_ > all.to))
        cursor_.reset();
    showCursor();
    update();
}

void CursorChart::showCursor()
{
    const QString words = sentence();
    if (words != accessibleDescription()) {
        setAccessibleDescription(words);
        QAccessibleEvent told(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&told);
    }
    if (!cursor_ || !isVisible()) {
        if (tip_)
            tip_->hide();
        return;
    }
    if (!tip_)
        tip_ = new TipFrame(context_, window());
    tip_->showAt(mapTo(window(), anchor().toPoint()), tip());
}

void CursorChart::paintFocus(QPainter& p) const
{
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(2, 0, -2, -2), theme(), 4);
}

void CursorChart::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(hasData() ? cursorAt(event->position()) : std::nullopt);
}

void CursorChart::keyPressEvent(QKeyEvent* event)
{
    if (!hasData())
        return QWidget::keyPressEvent(event);
    const Reach all = reach();
    const double step = all.step * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursor(cursor_ ? *cursor_ - step : all.to);
    case Qt::Key_Right:
        return setCursor(cursor_ ? *cursor_ + step : all.from);
    case Qt::Key_Home:
        return setCursor(all.from);
    case Qt::Key_End:
        return setCursor(all.to);
    case Qt::Key_Escape:
        if (cursor_)
            return setCursor(std::nullopt);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void CursorChart::leaveEvent(QEvent*)
{
    if (!hasFocus())
        setCursor(std::nullopt);
}

void CursorChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void CursorChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    setCursor(std::nullopt);
    update();
}

void CursorChart::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    setCursor(std::nullopt);
}

} // namespace sg::ui
