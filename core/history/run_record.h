// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <tl/expected.hpp>
#include <vector>

/// What is kept of load runs: a file for each run, and an index of them in SQLite. Files are the truth, so that a
/// damaged index loses nothing.
namespace sg::history {

/// What a list shows of a run.
struct RunSummary
{
    QString id;        ///< as newRunId() makes it; sorts by time
    QDateTime started; ///< UTC, ms
    QString name, target;
    QString verdict; ///< "valid", "passed", "missed", "INVALID", "cut off" (cut_off_run.h)
    QString note;
    bool isBaseline = false; ///< at most one run of a target is
    QJsonObject figures;     ///< few numbers for a list, by metric name ("response.p50": ms); may be empty
    bool isPinned{};         ///< never deleted to make room
    bool operator==(const RunSummary&) const = default;
};

/// A run as it is kept. Texts in it that look like keys are masked before they are written.
struct RunRecord
{
    RunSummary summary;
    QJsonObject plan, report;
    bool operator==(const RunRecord&) const = default;
};

/// What a list shows of a report (switchgear-load/2): "response.p50", "success".
QJsonObject listedFigures(const QJsonObject& report);

/// "20261130T183437123-3f9a61c2": sorts by time, unique between programs, fine as a file's name.
QString newRunId(const QDateTime& started);
/// As newRunId() makes it. What is none never becomes part of a path.
bool isRunId(const QString& id);

enum class HistoryFault {
    NotFound, ///< no such run
    Invalid,  ///< what was given cannot be kept
    Locked,   ///< another program writes for longer than is waited
    Damaged,  ///< the index is no database any more; it is made again from the files
    ReadOnly, ///< the folder or the index cannot be written
    Full,     ///< no space left
    Newer,    ///< the index was made by a newer version
    Busy,     ///< too much is waiting already
    Failed,   ///< anything else, in the system's words
};
const char* toString(HistoryFault fault); // snake_case

struct HistoryError
{
    HistoryFault fault = HistoryFault::Failed;
    QString words;  ///< a sentence: what is wrong
    QString remedy; ///< a sentence: the way on
    bool operator==(const HistoryError&) const = default;
};
template <typename T>
using HistoryResult = tl::expected<T, HistoryError>;

/// A part of the list, newest first.
struct RunPage
{
    std::vector<RunSummary> runs;
    std::int64_t total = 0; ///< of all pages
};

/// How the history stands. `fault` empty: all is well.
struct HistoryState
{
    std::optional<HistoryError> fault; ///< runs are kept in their files alone, or not at all; its words say which
    std::int64_t runs = 0;
    std::int64_t bytes{};                 ///< of the files of all runs
    std::int64_t mostRuns{}, mostBytes{}; ///< the limits; 0: not known
    QString notice{};                     ///< sentences: what was deleted to make room, or is going to be
    bool operator==(const HistoryState&) const = default;
};

} // namespace sg::history
