// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/sample_log.h"
#include "core/history/run_files.h"

#include <QFileInfo>

namespace sg::history {

namespace {

constexpr std::size_t kWorthWriting = 64 * 1024;
constexpr auto kLongestWait = std::chrono::seconds(1); // what a program that dies may lose

QString unwritable(const QString& path, const QString& why)
{
    return QStringLiteral(
               "%1: the requests cannot be written: %2. Free some space there, or check who may write there.")
        .arg(path, why);
}

} // namespace

tl::expected<std::unique_ptr<SampleLog>, QString> SampleLog::create(const QString& path, std::size_t mostBytes)
{
    makePrivateFolder(QFileInfo(path).absolutePath());
    auto file = std::make_unique<QFile>(path);
    // Unbuffered: blocks are large already, and what the system did not take is known at once.
    if (!file->open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return tl::unexpected(unwritable(path, file->errorString()));
    file->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    const std::string head = csvHead();
    if (file->write(head.data(), static_cast<qint64>(head.size())) != static_cast<qint64>(head.size()))
        return tl::unexpected(unwritable(path, file->errorString()));
    return std::unique_ptr<SampleLog>(new SampleLog(std::move(file), mostBytes));
}

SampleLog::SampleLog(std::unique_ptr<QFile> file, std::size_t mostBytes)
    : mostBytes_(mostBytes)
    , file_(std::move(file))
    , writer_([this] { run(); })
{
}

SampleLog::~SampleLog()
{
    finish();
}

void SampleLog::add(const measure::Sample& sample, Instant start)
{
    const std::lock_guard lock(mutex_);
    if (isOver_ || !end_.problem.isEmpty() || buffer_.size() >= mostBytes_) {
        ++end_.dropped;
        return;
    }
    const bool wasSmall = buffer_.size() < kWorthWriting;
    appendCsvRow(buffer_, sample, start);
    ++rows_;
    if (wasSmall && buffer_.size() >= kWorthWriting)
        changed_.notify_one();
}

SampleLogEnd SampleLog::finish()
{
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_one();
    if (writer_.joinable())
        writer_.join();
    return end_;
}

void SampleLog::run()
{
    std::string block;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait_for(lock, kLongestWait, [this] { return isOver_ || buffer_.size() >= kWorthWriting; });
        if (isOver_ && buffer_.empty())
            break;
        block.clear();
        block.swap(buffer_);
        const std::int64_t rows = std::exchange(rows_, 0);
        lock.unlock();
        const auto size = static_cast<qint64>(block.size());
        const bool isFine = size == 0 || file_->write(block.data(), size) == size;
        lock.lock();
        (isFine ? end_.written : end_.dropped) += rows;
        if (!isFine) {
            end_.problem = unwritable(file_->fileName(), file_->errorString());
            end_.dropped += std::exchange(rows_, 0);
            buffer_.clear();
            break;
        }
    }
    file_->close();
}

} // namespace sg::history
