// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

#include <QColor>
#include <QRectF>
#include <QVector>

#include <optional>

class QPainter;

namespace sg::ui::paint {

struct Spark
{
    observe::Series values; ///< NaN is a gap
    QColor colour;
    double penWidth = 1.4;
    QVector<qreal> dashes;                          ///< in pen widths; empty = solid
    bool isFilled = true;                           ///< tinted down to the floor, with a dot at the newest value
    std::optional<std::pair<double, double>> range; ///< low, high; empty: that of the values
};
void sparkline(QPainter& p, const QRectF& box, const Spark& spark);
/// Lowest and highest finite value of several series.
std::optional<std::pair<double, double>> rangeOf(std::initializer_list<const observe::Series*> series);

} // namespace sg::ui::paint
