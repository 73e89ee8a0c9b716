// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/run_button.h"

#include "ui/widgets/paint.h"

#include <QEvent>

namespace sg::ui {

RunButton::RunButton(ThemeContext& context, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    setMode(Mode::Start, {});
}

void RunButton::setMode(Mode mode, const QString& effect)
{
    if (!text().isEmpty() && mode == mode_ && effect == effect_)
        return;
    mode_ = mode;
    effect_ = effect;
    switch (mode) {
    case Mode::Start:
        setText(tr("Start run"));
        break;
    case Mode::Stop:
        setText(tr("Stop run"));
        break;
    case Mode::StopNow:
        setText(tr("Stop now"));
        break;
    case Mode::Waiting:
        setText(tr("Stopping"));
        break;
    }
    setAccessibleName(effect.isEmpty() ? text() : tr("%1, %2").arg(text(), effect));
    update();
}

bool RunButton::event(QEvent* event)
{
    if (event->type() == QEvent::EnabledChange)
        update();
    return QAbstractButton::event(event);
}

void RunButton::paintSign(QPainter& p, const QPointF& centre, const QColor& ink) const
{
    p.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
    if (mode_ == Mode::Start)
        p.drawPolygon(QPolygonF({centre + QPointF(-4, -6), centre + QPointF(6, 0), centre + QPointF(-4, 6)}));
    else
        p.drawRoundedRect(QRectF(centre - QPointF(5.5, 5.5), QSizeF(11, 11)), 1, 1);
}

void RunButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    const bool isStart = mode_ == Mode::Start;
    const bool isLive = isEnabled() && mode_ != Mode::Waiting;
    QColor fill = isStart ? theme.c.accent : theme.c.open;
    // Measured on the fills: dark ink on the dark theme's orange, white on the light theme's deep red.
    QColor ink = isStart ? theme.c.onAccent : theme.dark ? QColor(0x1B0805) : QColor(0xFFFFFF);
    if (!isLive) {
        fill = theme.c.raised;
        ink = theme.c.text3;
    } else if (isDown()) {
        fill = fill.darker(115);
    } else if (underMouse()) {
        fill = theme.dark ? fill.lighter(108) : fill.darker(108);
    }
    paint::frame(p, rect(), fill, isLive ? fill : theme.c.line, 5);
    const double textLeft = 40, room = width() - textLeft - 8;
    paintSign(p, QPointF(21, height() / 2.0), ink);
    const bool hasEffect = !effect_.isEmpty();
    paint::text(p, textLeft, height() / 2.0 + (hasEffect ? -2 : 5), text(), theme.font(15, true), ink, Qt::AlignLeft,
                room);
    if (hasEffect)
        paint::text(p, textLeft, height() / 2.0 + 14, effect_, theme.font(10), ink, Qt::AlignLeft, room);
}

} // namespace sg::ui
