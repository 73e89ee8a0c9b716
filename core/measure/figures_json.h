// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/tally.h"
#include "core/measure/time_axis.h"

#include <QJsonObject>

/// Parts of a report (docs/load-report.md). Times in ms; null = unknown.
namespace sg::measure {

QJsonValue numberOrNull(std::optional<double> value);
/// Three decimals: what a µs clock can know of a millisecond.
QJsonValue msOrNull(const std::optional<Nanos>& span);
QJsonObject distributionJson(const stats::Histogram& histogram);
/// Every metric with its formula; distributions apart for each outcome that was met.
QJsonObject metricsJson(const Tally& tally, const Figures& figures);
QJsonObject outcomesJson(const Tally& tally);
/// Arrays with a number for each slot.
QJsonObject axisJson(const TimeAxis& axis);

} // namespace sg::measure
