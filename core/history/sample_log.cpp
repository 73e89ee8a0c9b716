// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/sample_log.h"
#include "core/history/keep_limits.h"
#include "core/history/run_files.h"
#include "core/history/run_lock.h"
#include "core/provider/mask.h"

#include <QFileInfo>

#include <optional>
#include <system_error>
#include <utility>

#include <sys/stat.h>

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
    std::unique_ptr<SampleLog> log(new SampleLog(path, limits));
    log->begin();
    return log;
}

std::unique_ptr<SampleLog> SampleLog::createFor(const RunFiles& files, const QString& id, std::function<void()> then)
{
    std::unique_ptr<SampleLog> log(new SampleLog(files.requestsPathOf(id), {}));
    log->begin([folder = files.folder()] { return readLimits(folder).value_or(KeepLimits()).bytesOfOne; },
               std::move(then));
    return log;
}

SampleLog::SampleLog(const QString& path, SampleLogLimits limits)
    : file_(path)
    , limits_(limits)
    , bytes_(static_cast<std::int64_t>(csvHead().size()))
{
}

void SampleLog::begin(std::function<std::int64_t()> readLimit, std::function<void()> then)
{
    // What names are masked by is made at its first use: here, where it delays no request.
    provider::maskSecrets(QStringLiteral("name"));
    try {
        writer_ =
            std::thread([this, readLimit = std::move(readLimit), then = std::move(then)] { run(readLimit, then); });
    } catch (const std::system_error& error) { // the process has as many as it may
        const std::lock_guard lock(mutex_);
        fail(QString::fromLocal8Bit(error.what()));
        isOpened_ = true;
    }
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

bool SampleLog::open()
{
    makePrivateFolder(QFileInfo(file_.fileName()).absolutePath());
    // Unbuffered: blocks are large already, and what the system did not take is known at once.
    if (!file_.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return false;
    RunLock::lock(file_.handle());
    file_.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    const std::string head = csvHead();
    return file_.write(head.data(), static_cast<qint64>(head.size())) == static_cast<qint64>(head.size());
}

void SampleLog::waitForFile()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return isOpened_; });
}

void SampleLog::fail(const QString& why)
{
    end_.problem = unwritable(file_.fileName(), why);
    end_.dropped += std::exchange(rows_, 0);
    buffer_.clear();
}

void SampleLog::run(const std::function<std::int64_t()>& readLimit, const std::function<void()>& then)
{
    const bool isOpen = open();
    const std::optional<std::int64_t> limit = readLimit ? std::optional(readLimit()) : std::nullopt;
    {
        const std::lock_guard lock(mutex_);
        limits_.file = limit.value_or(limits_.file);
        if (!isOpen)
            fail(file_.errorString());
        isOpened_ = true;
    }
    changed_.notify_all();
    if (then)
        then();
    if (isOpen)
        write();
    struct stat facts = {};
    if (isOpen && ::fstat(file_.handle(), &facts) == 0 && facts.st_nlink == 0) {
        const std::lock_guard lock(mutex_);
        end_.dropped += std::exchange(end_.written, 0);
        fail(QStringLiteral("it was deleted while the run went"));
    }
    file_.close();
}

void SampleLog::write()
{
    std::string block;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait_for(lock, kLongestWait, [this] { return isOver_ || buffer_.size() >= kWorthWriting; });
        if (isOver_ && buffer_.empty())
            return;
        block.clear();
        block.swap(buffer_);
        const std::int64_t rows = std::exchange(rows_, 0);
        lock.unlock();
        const auto size = static_cast<qint64>(block.size());
        const bool isFine = size == 0 || file_.write(block.data(), size) == size;
        lock.lock();
        (isFine ? end_.written : end_.dropped) += rows;
        if (!isFine)
            return fail(file_.errorString());
    }
}

} // namespace sg::history
