// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_archive.h"
#include "core/history/run_history.h"
#include "core/http/mailbox.h"
#include "core/http/workers.h"

#include <atomic>
#include <mutex>

namespace sg::history {

/// A RunArchive in a thread of its own. Lives in a thread with an event loop; its end waits until what was asked is
/// done, so that no run is lost with the program.
class RunStore final : public RunHistory
{
public:
    /// More calls that wait than this are refused: Busy.
    static constexpr int kMostWaiting = 256;

    explicit RunStore(const QString& folder, Millis busyWait = std::chrono::seconds(2));
    ~RunStore() override;
    /// Answers nobody any more and reads no more cut-off runs; may then be deleted in any thread.
    void leaveThread();

    void save(RunRecord run, Done<void> done) override;
    void list(std::int64_t offset, int limit, Done<RunPage> done) override;
    void get(const QString& id, Done<RunRecord> done) override;
    void setNote(const QString& id, const QString& note, Done<void> done) override;
    void setBaseline(const QString& id, bool isBaseline, Done<void> done) override;
    void setPinned(const QString& id, bool isPinned, Done<void> done) override;
    void limits(Done<KeepLimits> done) override;
    void setLimits(const KeepLimits& limits, Done<void> done) override;
    void remove(const QString& id, Done<void> done) override;
    HistoryState state() const override;
    QString requestsPathOf(const QString& id) const override { return files_.requestsPathOf(id); }

private:
    template <typename T>
    void ask(std::function<HistoryResult<T>(RunArchive&)> work, Done<T> done);

    const RunFiles files_; ///< for its paths
    std::unique_ptr<http::Mailbox> home_;
    std::shared_ptr<http::MailSlot> slot_; ///< into home_, until it goes
    std::atomic<bool> isLeft_{false};
    std::atomic<int> waiting_{0};
    mutable std::mutex mutex_; ///< guards what follows; held for a copy only
    HistoryState state_;
    std::unique_ptr<RunArchive> archive_; ///< the worker's
    http::Workers worker_{1};
};

} // namespace sg::history
