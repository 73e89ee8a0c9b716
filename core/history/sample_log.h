// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/sample_csv.h"

#include <QFile>
#include <QJsonObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace sg::history {

class RunFiles;

/// What a log came to.
struct SampleLogEnd
{
    std::int64_t written = 0; ///< rows on disk
    std::int64_t dropped = 0; ///< the disk was slower than the run, or failed
    QString problem;          ///< sentences with the remedy, when it failed; what came before is on disk
    std::int64_t leftOut{};   ///< the file had reached its limit
    bool operator==(const SampleLogEnd&) const = default;
};
/// The part "rows" of a report.
QJsonObject rowsJson(const SampleLogEnd& end);

struct SampleLogLimits
{
    std::size_t buffered = 8 * 1024 * 1024; ///< bytes that may wait for the disk
    std::int64_t file = 1'000'000'000;      ///< bytes of the file; rows beyond are left out and counted
};

/// Writes the requests of a run to a CSV file while it goes, in a thread of its own. The run never waits for the disk:
/// what does not fit into its limits is left out and counted. A file that cannot be written costs the run nothing but
/// its rows: the log then has a problem(), and counts. The file is opened in that thread, too; rows wait for it.
class SampleLog
{
public:
    /// In the place of what is there, readable by its owner only; makes the folder. The file is locked (RunLock) while
    /// the log is open. Does not wait for the disk. Never null.
    static std::unique_ptr<SampleLog> create(const QString& path, SampleLogLimits limits = {});
    /// Of a run that is kept there, as long as the KeepLimits of that folder let it be. `then` is done in the log's
    /// thread when the file is open or cannot be.
    static std::unique_ptr<SampleLog> createFor(const RunFiles& files, const QString& id,
                                                std::function<void()> then = {});
    ~SampleLog();
    SampleLog(const SampleLog&) = delete;
    SampleLog& operator=(const SampleLog&) = delete;

    /// `start` is the run's. Any thread; does not wait for the disk.
    void add(const measure::Sample& sample, Instant start);
    /// Sentences with the remedy; empty: none so far. Any thread.
    QString problem() const;
    /// Waits until the file is open or cannot be.
    void waitForFile();
    /// Waits until all is on disk. What is added after it is dropped.
    SampleLogEnd finish();

private:
    SampleLog(const QString& path, SampleLogLimits limits);
    /// `readLimit`: of the file, when only the disk knows; may be empty, as `then` may.
    void begin(std::function<std::int64_t()> readLimit = {}, std::function<void()> then = {});
    bool open();
    void run(const std::function<std::int64_t()>& readLimit, const std::function<void()>& then);
    void write();
    void fail(const QString& why); ///< with the mutex held

    QFile file_;               ///< the writer's thread's, until it has ended
    mutable std::mutex mutex_; ///< guards what follows; never held while the disk is written
    SampleLogLimits limits_;
    bool isOpened_ = false; ///< or will not be
    std::condition_variable changed_;
    std::string buffer_;
    std::int64_t rows_ = 0;  ///< in buffer_
    std::int64_t bytes_ = 0; ///< of the file, with what is in buffer_
    bool isFull_ = false;    ///< its limit is reached: a smaller row that would fit is left out, too
    SampleLogEnd end_;
    bool isOver_ = false;
    std::thread writer_;
};

} // namespace sg::history
