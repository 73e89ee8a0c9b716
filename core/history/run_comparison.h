// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/tally.h"
#include "core/stats/confidence.h"

#include <QIODevice>
#include <QJsonObject>

#include <optional>
#include <vector>

/// Runs side by side. Pure, but for tallyOfRows().
namespace sg::history {

/// One run as it is compared.
struct ComparedRun
{
    QJsonObject report;                 ///< switchgear-load/2
    std::optional<measure::Tally> rows; ///< of its requests; without them percentiles have no interval
};

struct ComparedValue
{
    std::optional<double> value;             ///< in the metric's unit
    std::optional<stats::Estimate> estimate; ///< with its interval, where enough requests are known
    std::optional<stats::Estimate> change;   ///< against the first run
};

enum class Change { Unknown, None, Better, Worse, Other };
const char* toString(Change change); // snake_case

/// One line of the comparison.
struct ComparedFigure
{
    measure::Metric metric = measure::Metric::Response;
    double percentile = 0; ///< 0: the metric has one value a run
    std::vector<ComparedValue> runs;
};

/// p50, p95 and p99 of what has a distribution, and the success rate; figures that no run has are left out. The first
/// run is what the others are compared with. Intervals: stats/confidence.h.
std::vector<ComparedFigure> compareRuns(const std::vector<ComparedRun>& runs);

/// What a change means: None, unless zero is outside of its interval; Other, where neither way is better.
Change changeOf(const ComparedFigure& figure, std::size_t run);

/// The requests of a run's CSV that were intended from `from` up to `to` since its start: what its figures are about.
/// The error is a part of a sentence. Blocks.
tl::expected<measure::Tally, QString> tallyOfRows(QIODevice& csv, Nanos from, Nanos to);

} // namespace sg::history
