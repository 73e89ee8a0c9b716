// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_lock.h"
#include "core/history/run_record.h"
#include "core/load/run_progress.h"
#include "core/load/series_table.h"

#include <QDateTime>

namespace sg::load {

enum class SeriesState {
    Idle,
    Running,
    Stopping,  ///< the present run ends, the rest is skipped
    Finished,  ///< each run took place, whatever came of it
    Cancelled, ///< by hand; runs that had finished stay
    Failed,    ///< a run could not be set up; those before it stay
};
std::string_view toString(SeriesState state); // snake_case
constexpr bool isActive(SeriesState state)
{
    return state == SeriesState::Running || state == SeriesState::Stopping;
}

/// A run of a series that has ended.
struct SeriesRun
{
    history::RunRecord record; ///< as it is to be kept; its report says which series it belongs to
    RunProgressPtr last;       ///< its last picture
    QJsonObject estimates;     ///< estimatesOf() it
    QString logProblem;        ///< what kept requests from their file, a sentence; empty: nothing
    /// Of its files, so that nobody takes it for one that was cut off. Who has saved the run releases it. May be null.
    std::shared_ptr<history::RunLock> lock{};
};
using SeriesRunPtr = std::shared_ptr<const SeriesRun>;

/// Picture of a series, immutable.
struct SeriesProgress
{
    SeriesState state = SeriesState::Idle;
    QString error;                          ///< of Failed: a sentence
    QString id;                             ///< as history::newRunId() makes it
    std::shared_ptr<const SeriesPlan> plan; ///< null: there was none
    SeriesTable table;                      ///< a row for each run that was asked for
    std::size_t current = 0;                ///< row of the run under way; the number of rows when none is
    RunProgressPtr run;                     ///< its newest picture; null between runs
    std::vector<SeriesRunPtr> runs;         ///< that have ended, by row; null: did not take place
    double share = 0;                       ///< done of the whole series, 0..1
};
using SeriesProgressPtr = std::shared_ptr<const SeriesProgress>;

/// The handle by which the screen runs series. One thread; every call returns at once. Knows one series at a time.
class SeriesControl
{
public:
    virtual ~SeriesControl() = default;

    /// Why it would not start: a sentence with its remedy; empty: it would.
    virtual QString check(const SeriesPlan& series) const = 0;
    /// Empty when the series was accepted; otherwise a sentence with the remedy, and nothing has been sent.
    virtual QString start(const SeriesPlan& series) = 0;
    /// First call: the present run starts no new requests, and no other run begins. Second call: what is in flight is
    /// cancelled. Without a series: nothing.
    virtual void stop() = 0;
    /// The newest picture, also of the last ended series; null before the first.
    virtual SeriesProgressPtr progress() const = 0;
    /// Of all its runs together; see LoadControl.
    virtual CostEstimate estimate(const SeriesPlan& series) const = 0;
};

} // namespace sg::load
