// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/sample_log.h"
#include "core/history/run_files.h"
#include "core/history/run_lock.h"
#include "core/provider/mask.h"

#include <QFileInfo>

namespace sg::history {

namespace {

constexpr std::size_t kWorthWriting = 64 * 1024;
constexpr auto kLongestWait = std::chrono::seconds(1); // what a program that dies may lose

QString unwritable(const QString& path, const QString& why)
{
    return QStringLiteral(
               "%1: the requests cannot be written: %2. The run goes on without them. Free some space there, "
               "or check who may write there.")
        .arg(path, why);
}

} // namespace

QJsonObject rowsJson(const SampleLogEnd& end)
{
    return {{QStringLiteral("written"), static_cast<qint64>(end.written)},
            {QStringLiteral("dropped"), static_cast<qint64>(end.dropped)},
            {QStringLiteral("left_out"), static_cast<qint64>(end.leftOut)},
            {QStringLiteral("problem"), end.problem.isEmpty() ? QJsonValue() : QJsonValue(end.problem)}};
}

std::unique_ptr<SampleLog> SampleLog::create(const QString& path, SampleLogLimits limits)
{
    // What names are masked by is made at its first use: here, where it delays no request.
    provider::maskSecrets(QStringLiteral("name"));
    makePrivateFolder(QFileInfo(path).absolutePath());
    auto file = std::make_unique<QFile>(path);
    // Unbuffered: blocks are large already, and what the system did not take is known at once.
    bool isFine = file->open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered);
    if (isFine) {
        RunLock::lock(file->handle());
        file->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        const std::string head = csvHead();
        isFine = file->write(head.data(), static_cast<qint64>(head.size())) == static_cast<qint64>(head.size());
    }
    const QString problem = isFine ? QString() : unwritable(path, file->errorString());
    return std::unique_ptr<SampleLog>(new SampleLog(std::move(file), limits, problem));
}

SampleLog::SampleLog(std::unique_ptr<QFile> file, SampleLogLimits limits, QString problem)
    : limits_(limits)
    , file_(std::move(file))
    , bytes_(static_cast<std::int64_t>(csvHead().size()))
{
    end_.problem = std::move(problem);
    if (end_.problem.isEmpty())
        writer_ = std::thread([this] { run(); });
}

SampleLog::~SampleLog()
{
    finish();
}

void SampleLog::add(const measure::Sample& sample, Instant start)
{
    const std::lock_guard lock(mutex_);
    if (isFull_) {
        ++end_.leftOut;
        return;
    }
    if (isOver_ || !end_.problem.isEmpty() || buffer_.size() >= limits_.buffered) {
        ++end_.dropped;
        return;
    }
    const std::size_t before = buffer_.size();
    const bool wasSmall = before < kWorthWriting;
    appendCsvRow(buffer_, sample, start);
    bytes_ += static_cast<std::int64_t>(buffer_.size() - before);
    if (bytes_ > limits_.file) {
        buffer_.resize(before);
        isFull_ = true;
        ++end_.leftOut;
        return;
    }
    ++rows_;
    if (wasSmall && buffer_.size() >= kWorthWriting)
        changed_.notify_one();
}

QString SampleLog::problem() const
{
    const std::lock_guard lock(mutex_);
    return end_.problem;
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
