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
    QJsonObject report; ///< switchgear-load/2
    /// Of its requests; without them percentiles have no interval. Not looked at where the report says that not all
    /// requests became rows.
    std::optional<measure::Tally> rows;
};
/// A sentence about requests that are not among the rows; empty: all are, or nobody knows of others.
QString rowsNote(const ComparedRun& run);

struct ComparedValue
{
    std::optional<double> value;             ///< in the metric's unit
    std::optional<stats::Estimate> estimate; ///< with its interval, where enough requests are known
    std::optional<stats::Estimate> change;   ///< against the first run
    bool lacksRows{};                        ///< its interval is not known, because rows are missing
    QString notJudged{}; ///< why no change is better or worse: "INVALID: not judged"; empty: both runs count
};

enum class Change { Unknown, None, Better, Worse, Other, NotJudged };
const char* toString(Change change); // snake_case

/// One line of the comparison.
struct ComparedFigure
{
    measure::Metric metric = measure::Metric::Response;
    double percentile = 0; ///< 0: the metric has one value a run
    std::vector<ComparedValue> runs;
    QString name;    ///< "response.p95", "cost_per_1000"
    QString words;   ///< "response time p95"
    QString formula; ///< what is shown on hover
};

/// p50, p95 and p99 of what has a distribution, and the success rate; then, without intervals and by the metric whose
/// unit they have, the cost and the attempts that were rate-limited again, per 1,000 requests. Figures that no run has
/// are left out. The first run is what the others are compared with. Intervals: stats/confidence.h.
std::vector<ComparedFigure> compareRuns(const std::vector<ComparedRun>& runs);

/// What a change means: None, unless zero is outside of its interval; Other, where neither way is better; NotJudged,
/// where one of the two runs is not valid.
Change changeOf(const ComparedFigure& figure, std::size_t run);
/// The same for people, with the reason where nothing can be said: "better", "too few requests to tell".
QString meaningWords(const ComparedFigure& figure, std::size_t run);

/// The requests of a run's CSV that were intended from `from` up to `to` since its start: what its figures are about.
/// The error is a part of a sentence. Blocks.
tl::expected<measure::Tally, QString> tallyOfRows(QIODevice& csv, Nanos from, Nanos to);

} // namespace sg::history
