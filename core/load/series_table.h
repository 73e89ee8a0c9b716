// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series.h"
#include "core/stats/confidence.h"

#include <QJsonObject>
#include <QStringList>

#include <span>

/// The runs of a series side by side: a row a run. Pure; a row is made from the run's report alone.
namespace sg::load {

class LoadRun;

enum class SeriesColumn {
    Rank,
    Success,
    P50,
    P99,
    TtftP50,
    Attempts,
    BlockedAgain,
    CostPer1000,
    CostPerMillion,
    Verdict, ///< a word, not a number
};
constexpr std::size_t kSeriesColumnCount = static_cast<std::size_t>(SeriesColumn::Verdict) + 1;

struct SeriesColumnInfo
{
    SeriesColumn column;
    const char* name;    ///< in files: "p99_ms"
    const char* title;   ///< "p99"
    const char* unit;    ///< "ms", "%", "$", "" for counts
    const char* formula; ///< what is shown on hover
    bool isHigherBetter;
    bool isMeasured; ///< by requests, so that chance has a part in it
};
const SeriesColumnInfo& infoOf(SeriesColumn column);
std::span<const SeriesColumn> columnsOf(SeriesKind kind); ///< in the order of the table

enum class Standing {
    None,      ///< unknown, of a run that does not count, or a column without a best one
    Best,      ///< the best value of its column
    MaybeBest, ///< chance may explain the difference to the best one
    TooFew,    ///< too few requests to tell
    Behind,    ///< clearly not as good
};
std::string_view toString(Standing standing); // snake_case
QString markOf(Standing standing);            ///< "*", "≈", "?" or nothing
QString inWords(Standing standing);           ///< empty for None and Behind

struct SeriesCell
{
    std::optional<double> value; ///< in the column's unit
    std::optional<stats::Estimate> estimate;
    Standing standing = Standing::None;
    bool operator==(const SeriesCell&) const = default;
};

enum class SeriesRunState {
    Waiting,
    Running,
    Finished,
    Stopped, ///< by hand: it has figures, and is not judged beside the others
    Skipped,
    Failed, ///< could not be set up
};
std::string_view toString(SeriesRunState state); // snake_case
QString inWords(SeriesRunState state);

struct SeriesRow
{
    QString key, words, about; ///< as SeriesVariant has them
    SeriesRunState state = SeriesRunState::Waiting;
    QString runId;       ///< under which it is kept; empty: nowhere
    QString verdict;     ///< "valid", "passed", "missed", "INVALID"; empty: it has not ended
    QStringList reasons; ///< of the verdict, or why it failed
    std::array<SeriesCell, kSeriesColumnCount> cells;

    bool counts() const { return state == SeriesRunState::Finished && verdict != QLatin1String("INVALID"); }
    SeriesCell& cell(SeriesColumn column) { return cells[static_cast<std::size_t>(column)]; }
    const SeriesCell& cell(SeriesColumn column) const { return cells[static_cast<std::size_t>(column)]; }
    bool operator==(const SeriesRow&) const = default;
};

struct SeriesTable
{
    SeriesKind kind = SeriesKind::Strategies;
    std::vector<SeriesRow> rows; ///< in the order of running
    QStringList rankedBy;        ///< titles of the columns that made the ranks
};

/// What percentiles of a run can be told apart by; null where too few requests are known.
QJsonObject estimatesOf(const LoadRun& run);

/// A finished run. `estimates`: as estimatesOf() made them.
SeriesRow finishedRow(const SeriesVariant& variant, const QJsonObject& report, const QJsonObject& estimates);

/// Standings and ranks of what has ended. A run's place in a column is 1 + how many others are clearly better there;
/// its rank follows the mean of its places in success, p99 and cost, and runs with the same mean share it. Where the
/// p99 of one of them has no interval (it needs 368 successes), p50 stands for it; a column that is unknown for one of
/// them counts for none. INVALID runs have no rank and are nobody's best.
void judge(SeriesTable& table);

/// "99.52 %", "1840.2 ms", "$0.0042"; an en dash for what is unknown. Knows no locale.
QString valueText(SeriesColumn column, const std::optional<double>& value);

QJsonObject toJson(const SeriesTable& table);

} // namespace sg::load
