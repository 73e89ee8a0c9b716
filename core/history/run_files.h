// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_lock.h"
#include "core/history/run_record.h"

#include <QStringList>

#include <functional>

namespace sg::history {

/// A folder with a JSON file for each run ("ID.run.json") and, beside it, its requests ("ID.csv"); until it has ended
/// "ID.begun.json" says what it is. Readable by their owner only; JSON is written as a whole or not at all. One thread
/// at a time; blocks.
class RunFiles
{
public:
    explicit RunFiles(QString folder);

    /// In the place of what is there under this id. Texts that look like keys are masked.
    HistoryResult<void> write(const RunRecord& run);
    HistoryResult<RunRecord> read(const QString& id) const; ///< NotFound, or Damaged
    /// Before its first request. As long as the lock is held, the run is one that runs.
    HistoryResult<RunLock> begin(const RunRecord& run) const;
    /// Runs that have begun or have requests, of which no end was written and that no program is at work on.
    QStringList cutOffIds() const;
    /// See cutOffRun(); reads all of its requests, unless `isOver` says true between two blocks: then empty.
    std::optional<RunRecord> cutOff(const QString& id, const std::function<bool()>& isOver = {}) const;
    /// Ids of the runs there, newest first.
    QStringList ids() const;
    /// All of its files; missing ones are fine.
    HistoryResult<void> remove(const QString& id);

    const QString& folder() const { return folder_; }
    /// Bytes of all files of runs, also of those that run, and of the index beside them.
    std::int64_t bytes() const;
    std::int64_t bytesOf(const QString& id) const;
    QString indexPath() const;
    QString damagedPath() const; ///< where the index is set aside at this moment
    void removeDamaged() const;  ///< all that was set aside
    QString pathOf(const QString& id) const;
    QString begunPathOf(const QString& id) const;
    /// Where the requests of a run are kept, one a row; whether or not they are there.
    QString requestsPathOf(const QString& id) const;

private:
    QString folder_;
};

/// For its owner only, where it is not there yet. False: it cannot be made.
bool makePrivateFolder(const QString& folder);
/// What is written of a run: keys masked, `name`, `target` and `note` cut to what a list can show.
RunRecord cleaned(RunRecord run);
/// A note as it is kept.
QString cleanNote(const QString& note);

} // namespace sg::history
