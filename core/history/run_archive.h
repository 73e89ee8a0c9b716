// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/keep_limits.h"
#include "core/history/run_files.h"
#include "core/history/run_index.h"

#include <QSet>

namespace sg::history {

/// Runs in their files and in the index "runs.sqlite" beside them. Whatever is wrong with the index, runs are saved and
/// listed; what it missed it gets as soon as it works again. Runs that were cut off are found with the list and kept as
/// such. What goes beyond KeepLimits is deleted after a run was saved, oldest first, and never the baseline of a
/// target, a run with a note or a pin, the run just saved or one that runs; the first time it is only said
/// (HistoryState). Lives and dies in one thread; blocks.
class RunArchive
{
public:
    static constexpr int kMostOnPage = 500;

    explicit RunArchive(const QString& folder, Millis busyWait = std::chrono::seconds(2));

    /// In the place of a run of the same id; what a list says of a run by hand (note, pin, baseline) is taken from
    /// `run`. Fails only when the run is kept nowhere.
    HistoryResult<void> save(RunRecord run);
    /// Newest first; at most kMostOnPage at a time.
    HistoryResult<RunPage> list(std::int64_t offset, int limit);
    HistoryResult<RunRecord> get(const QString& id);
    /// These three need the index: a note that it does not have would be gone with its next look at the files.
    HistoryResult<void> setNote(const QString& id, const QString& note);
    /// Another run of the same target that was the baseline is it no more.
    HistoryResult<void> setBaseline(const QString& id, bool isBaseline);
    HistoryResult<void> setPinned(const QString& id, bool isPinned);
    HistoryResult<KeepLimits> limits(); ///< state() then knows how much is kept
    /// Lower ones than before are said before they count.
    HistoryResult<void> setLimits(KeepLimits limits);
    /// With its files.
    HistoryResult<void> remove(const QString& id);

    /// Asked again and again while cut-off runs are read, which may be long: true leaves the rest to the next list.
    void stopWhen(std::function<bool()> isOver) { isOver_ = std::move(isOver); }
    const HistoryState& state() const { return state_; }
    const RunFiles& files() const { return files_; }

private:
    HistoryResult<void> ready();
    HistoryResult<void> setAside();
    HistoryResult<void> takeInFiles();
    template <typename Work>
    auto withIndex(Work work) -> decltype(work());
    void copyToFile(const QString& id);
    void takeInCutOff();
    void makeRoom(const QString& newest);
    int deleteOldest(const KeepLimits& limits, const QString& newest);
    void measureRoom(const KeepLimits& limits);
    void note(const std::optional<HistoryError>& fault);

    RunFiles files_;
    Millis busyWait_;
    RunIndex index_;
    bool hasAllFiles_ = false;     ///< the index, as far as is known
    QSet<QString> unkeptCutOff_;   ///< whose rows were read for nothing: nowhere to keep them
    std::function<bool()> isOver_; ///< may be empty
    HistoryState state_;
};

} // namespace sg::history
