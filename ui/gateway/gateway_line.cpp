// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_line.h"

#include "ui/format/format.h"
#include "ui/gateway/gateway_words.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QKeyEvent>

#include <cmath>

namespace sg::ui {

namespace {
constexpr double kText = 10.5, kMark = 8, kGap = 5, kInset = 3, kWidest = 380, kAfter = 9;
constexpr int kHigh = 20;
} // namespace

GatewayLine::GatewayLine(ThemeContext& context, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
{
    setObjectName(QStringLiteral("gatewayLine"));
    setFixedHeight(kHigh);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleDescription(tr("Opens the gateway's page"));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void GatewayLine::showStatus(const gateway::Status& status, std::int64_t nowUnixMs)
{
    const QString words = gatewaywords::lineWords(status, nowUnixMs);
    if (words == text() && status.phase == phase_)
        return;
    phase_ = status.phase;
    setText(words);
    setAccessibleName(words);
    setToolTip(format::plainTip(gatewaywords::chipName(status)));
    updateGeometry();
    update();
}

QSize GatewayLine::sizeHint() const
{
    const double words = QFontMetricsF(context_.theme().font(kText)).horizontalAdvance(text());
    return {static_cast<int>(std::ceil(std::min(words + 1, kWidest) + kMark + kGap + 2 * kInset + kAfter)), kHigh};
}

void GatewayLine::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    gatewaywords::phaseMark(p, QPointF(kInset + kMark / 2, middle), kMark, phase_, theme.c);
    const QColor ink = phase_ == gateway::Phase::Failed ? theme.c.open : underMouse() ? theme.c.text : theme.c.text3;
    const double left = kInset + kMark + kGap;
    // Of a long name the end says more than the middle: the port is there.
    paint::text(p, left, middle + 3.8, text(), theme.font(kText), ink, Qt::AlignLeft,
                width() - left - kInset - kAfter + 1, Qt::ElideMiddle);
}

void GatewayLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

} // namespace sg::ui
