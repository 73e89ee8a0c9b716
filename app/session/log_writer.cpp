// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/log_writer.h"

#include <cerrno>
#include <climits>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace sg::app {

struct LogWriter::Shared
{
    explicit Shared(int to)
        : descriptor(to)
    {
    }

    void run()
    {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [this] { return isEnding || !lines.empty(); });
            if (lines.empty())
                break;
            QByteArray next = takeSome();
            lock.unlock();
            put(next);
            lock.lock();
        }
        isDone = true;
        changed.notify_all();
    }

    /// Whole lines, as many as a pipe takes in one piece: nothing that others write to it gets between.
    QByteArray takeSome()
    {
        QByteArray some;
        do {
            some += lines.front() + '\n';
            lines.pop_front();
        } while (!lines.empty() && some.size() + lines.front().size() < PIPE_BUF);
        if (lines.empty() && dropped > 0)
            some += QByteArray::number(std::exchange(dropped, 0)) + " lines were not written: nobody reads\n";
        return some;
    }

    void put(const QByteArray& bytes) const
    {
        qsizetype done = 0;
        while (done < bytes.size()) {
            const ssize_t count =
                ::write(descriptor, bytes.constData() + done, static_cast<std::size_t>(bytes.size() - done));
            if (count < 0 && !canGoOn(errno))
                return;
            done += std::max<ssize_t>(count, 0);
        }
    }

    /// Whoever gave us the descriptor may have made it non-blocking, as Node.js does with pipes.
    bool canGoOn(int error) const
    {
        if (error != EAGAIN && error != EWOULDBLOCK)
            return error == EINTR;
        pollfd room{descriptor, POLLOUT, 0};
        return ::poll(&room, 1, -1) >= 0 || errno == EINTR;
    }

    const int descriptor;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<QByteArray> lines;
    qint64 dropped = 0;
    bool isEnding = false, isDone = false;
};

LogWriter::LogWriter(int descriptor)
    : shared_(std::make_shared<Shared>(descriptor))
{
    std::thread([shared = shared_] { shared->run(); }).detach();
}

LogWriter::~LogWriter()
{
    std::unique_lock lock(shared_->mutex);
    shared_->isEnding = true;
    shared_->changed.notify_all();
    shared_->changed.wait_for(lock, std::chrono::seconds(1), [this] { return shared_->isDone; });
}

void LogWriter::write(QByteArray line)
{
    const std::scoped_lock lock(shared_->mutex);
    if (shared_->lines.size() >= kMostWaiting) {
        ++shared_->dropped;
        return;
    }
    shared_->lines.push_back(std::move(line));
    if (shared_->lines.size() == 1) // else it is awake
        shared_->changed.notify_all();
}

} // namespace sg::app
