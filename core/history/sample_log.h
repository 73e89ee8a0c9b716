// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/sample_csv.h"

#include <QFile>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace sg::history {

/// What a log came to.
struct SampleLogEnd
{
    std::int64_t written = 0; ///< rows on disk
    std::int64_t dropped = 0; ///< the disk was slower than the run, or failed
    QString problem;          ///< a sentence with the remedy, when it failed; what came before is on disk
};

/// Writes the requests of a run to a CSV file while it goes, in a thread of its own. The run never waits for the disk:
/// what does not fit into `mostBytes` is dropped and counted.
class SampleLog
{
public:
    static constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

    /// In the place of what is there, readable by its owner only; makes the folder. The error is a sentence with the
    /// remedy. Blocks.
    static tl::expected<std::unique_ptr<SampleLog>, QString> create(const QString& path,
                                                                    std::size_t mostBytes = kMostBytes);
    ~SampleLog();
    SampleLog(const SampleLog&) = delete;
    SampleLog& operator=(const SampleLog&) = delete;

    /// `start` is the run's. Any thread; does not wait for the disk.
    void add(const measure::Sample& sample, Instant start);
    /// Waits until all is on disk. What is added after it is dropped.
    SampleLogEnd finish();

private:
    SampleLog(std::unique_ptr<QFile> file, std::size_t mostBytes);
    void run();

    const std::size_t mostBytes_;
    std::unique_ptr<QFile> file_; ///< the writer's thread's, until it has ended
    std::mutex mutex_;            ///< guards what follows; never held while the disk is written
    std::condition_variable changed_;
    std::string buffer_;
    std::int64_t rows_ = 0; ///< in buffer_
    SampleLogEnd end_;
    bool isOver_ = false;
    std::thread writer_;
};

} // namespace sg::history
