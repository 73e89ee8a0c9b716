// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_switch.h"

#include "ui/gateway/gateway_words.h"
#include "ui/widgets/paint.h"

#include <QKeyEvent>

namespace sg::ui {

using gateway::Phase;

GatewaySwitch::GatewaySwitch(ThemeContext& context, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
{
    setObjectName(QStringLiteral("gatewaySwitch"));
    setCheckable(true);
    setFixedSize(sizeHint());
    setCursor(Qt::PointingHandCursor);
    setPhase(Phase::Off);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void GatewaySwitch::setPhase(Phase phase)
{
    phase_ = phase;
    setChecked(gatewaywords::isOn(phase));
    const QString word = gatewaywords::phaseWord(phase);
    // While it drains a click does nothing: cutting off is a button of its own.
    setAccessibleName(phase == Phase::Draining    ? tr("Gateway %1").arg(word)
                      : gatewaywords::isOn(phase) ? tr("Gateway %1. Stop it").arg(word)
                                                  : tr("Gateway %1. Start it").arg(word));
    setToolTip(phase == Phase::Draining    ? tr("What is under way may end")
               : gatewaywords::isOn(phase) ? tr("Stop: what is under way may end")
                                           : tr("Start the gateway"));
    update();
}

void GatewaySwitch::paintEvent(QPaintEvent*)
{
    const Tokens& c = context_.c();
    const bool isServing = phase_ == Phase::Serving;
    const QColor edge = isServing ? c.accent : phase_ == Phase::Failed ? c.open : c.outline;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF track = QRectF(rect()).adjusted(1, 1, -1, -1);
    p.setPen(QPen(underMouse() && phase_ != Phase::Draining ? c.text2 : edge, 1.4));
    p.setBrush(isServing ? c.accent : c.selected);
    p.drawRoundedRect(track, track.height() / 2, track.height() / 2);
    const double radius = track.height() / 2 - 4;
    const double left = track.left() + radius + 4, right = track.right() - radius - 4;
    const bool isBetween = phase_ == Phase::Starting || phase_ == Phase::Draining;
    const QPointF knob(isServing ? right : isBetween ? (left + right) / 2 : left, track.center().y());
    // The strokes of power switches everywhere: a line is on, a ring is off.
    const QColor sign = isServing ? c.onAccent : c.text3;
    p.setPen(QPen(sign, 1.6, Qt::SolidLine, Qt::RoundCap));
    if (isServing)
        p.drawLine(QPointF(left, knob.y() - 4), QPointF(left, knob.y() + 4));
    p.setBrush(Qt::NoBrush);
    if (!isServing && !isBetween)
        p.drawEllipse(QPointF(right - 1, knob.y()), 3.4, 3.4);
    p.setPen(Qt::NoPen);
    p.setBrush(isServing ? c.onAccent : isBetween ? c.half : c.text2);
    p.drawEllipse(knob, radius, radius);
}

void GatewaySwitch::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

} // namespace sg::ui
