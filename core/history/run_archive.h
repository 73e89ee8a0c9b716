// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_files.h"
#include "core/history/run_index.h"

namespace sg::history {

/// Runs in their files and in the index "runs.sqlite" beside them. Whatever is wrong with the index, runs are saved and
/// listed; what it missed it gets as soon as it works again. Lives and dies in one thread; blocks.
class RunArchive
{
public:
    static constexpr int kMostOnPage = 500;

    explicit RunArchive(const QString& folder, Millis busyWait = std::chrono::seconds(2));

    /// In the place of a run of the same id. Fails only when the run is kept nowhere.
    HistoryResult<void> save(RunRecord run);
    /// Newest first; at most kMostOnPage at a time.
    HistoryResult<RunPage> list(std::int64_t offset, int limit);
    HistoryResult<RunRecord> get(const QString& id);
    /// These two need the index: a note that it does not have would be gone with its next look at the files.
    HistoryResult<void> setNote(const QString& id, const QString& note);
    /// Another run of the same target that was the baseline is it no more.
    HistoryResult<void> setBaseline(const QString& id, bool isBaseline);
    /// With its files.
    HistoryResult<void> remove(const QString& id);

    const HistoryState& state() const { return state_; }
    const RunFiles& files() const { return files_; }

private:
    HistoryResult<void> ready();
    HistoryResult<void> setAside();
    HistoryResult<void> takeInFiles();
    template <typename Work>
    auto withIndex(Work work) -> decltype(work());
    void copyToFile(const QString& id);
    void note(const std::optional<HistoryError>& fault);

    RunFiles files_;
    QString indexPath_;
    Millis busyWait_;
    RunIndex index_;
    bool hasAllFiles_ = false; ///< the index, as far as is known
    HistoryState state_;
};

} // namespace sg::history
