// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lane_bar.h"

#include "ui/widgets/paint.h"

#include <QPainter>

namespace sg::ui::paint {

namespace {

double shareOfHeight(policy::BreakerState state)
{
    using policy::BreakerState;
    switch (state) {
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
    case BreakerState::ForcedClosed:
        return 1 / 3.0;
    case BreakerState::HalfOpen:
        return 0.78;
    case BreakerState::Open:
    case BreakerState::ForcedOpen:
        break;
    }
    return 1;
}

} // namespace

void laneBar(QPainter& p, double left, double right, double middle, double fullHeight, policy::BreakerState state,
             const Tokens& tokens)
{
    using policy::BreakerState;
    const double thick = fullHeight * shareOfHeight(state);
    const QRectF bar(left, middle - thick / 2, std::max(2.0, right - left), thick);
    QColor ink = stateColours(tokens, state).ink;
    switch (state) {
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
        ink.setAlphaF(0.8F);
        p.fillRect(bar, ink);
        break;
    case BreakerState::HalfOpen:
        p.fillRect(bar, halfStripes(tokens));
        break;
    case BreakerState::Open:
        p.fillRect(bar, ink);
        break;
    case BreakerState::ForcedClosed:
    case BreakerState::ForcedOpen:
        p.fillRect(bar, lockedHatch(tokens));
        p.setPen(QPen(tokens.outline, 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    }
}

} // namespace sg::ui::paint
