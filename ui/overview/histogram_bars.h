// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/widgets/chart_data.h"

#include <QList>
#include <QPointF>

/// What the latency histogram draws, made from the recorder's bins. Pure.
namespace sg::ui::histogram {

/// At most 90 bars of equal width on a log axis, four points each: under 400 a series. What lies below a millisecond,
/// cache hits as a rule, is one bar with a lower end of 0: its inner differences would take half of the axis.
std::vector<observe::LatencyBin> bars(std::vector<observe::LatencyBin> bins);
double lowestMs(const std::vector<observe::LatencyBin>& bars); ///< left end of the axis; `bars` not empty
/// Corners of the bars over log10 of ms.
QList<QPointF> outline(const std::vector<observe::LatencyBin>& bars, std::int64_t (*value)(const observe::LatencyBin&));
double niceStep(double top);                       ///< 1, 2 or 5 times a power of ten: four or five of them to `top`
QString spanWords(const observe::LatencyBin& bar); ///< "710 ms to 841 ms", "below 1 ms"
DataTable tableOf(const std::vector<observe::LatencyBin>& bars, const QString& title); ///< those with something in them

} // namespace sg::ui::histogram
