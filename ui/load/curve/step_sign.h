// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/rate_curve.h"

#include <QColor>
#include <QPointF>
#include <QString>

class QPainter;

/// The sign of a step in the chart of latency against rate: shape, never colour alone.
namespace sg::ui::stepsign {

enum class Look {
    Held,    ///< a dot
    NotHeld, ///< a cross
    After,   ///< a ring: after a higher rate, whose backlog it may bear
    Invalid, ///< a square
};
Look lookOf(const load::RateStep& step);
QString words(Look look);
void paint(QPainter& p, const QPointF& centre, Look look, const QColor& ink, const QColor& behind, bool isLarge);

} // namespace sg::ui::stepsign
