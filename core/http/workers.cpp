// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/workers.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace sg::http {

/// What the threads share with the owner, whom they may outlive.
struct Workers::Line
{
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> waiting;
    int idle = 0;
    bool isOver = false, isAbandoned = false;
};

Workers::Workers(int most)
    : most_(most)
    , line_(std::make_shared<Line>())
{
}

void Workers::start(std::function<void()> work)
{
    const std::lock_guard lock(line_->mutex);
    if (line_->isOver)
        return;
    line_->waiting.push_back(std::move(work));
    if (static_cast<int>(line_->waiting.size()) > line_->idle && static_cast<int>(threads_.size()) < most_)
        threads_.emplace_back([line = line_] { run(*line); });
    line_->changed.notify_one();
}

void Workers::finish()
{
    {
        const std::lock_guard lock(line_->mutex);
        line_->isOver = true;
    }
    line_->changed.notify_all();
    for (std::thread& thread : std::exchange(threads_, {}))
        thread.join();
}

void Workers::abandon()
{
    {
        const std::lock_guard lock(line_->mutex);
        line_->isOver = line_->isAbandoned = true;
    }
    line_->changed.notify_all();
    for (std::thread& thread : std::exchange(threads_, {}))
        thread.detach();
}

void Workers::run(Line& line)
{
    std::deque<std::function<void()>> dropped; // freed here, behind the lock, where it takes nobody's time
    std::unique_lock lock(line.mutex);
    for (;;) {
        ++line.idle;
        line.changed.wait(lock, [&line] { return line.isOver || !line.waiting.empty(); });
        --line.idle;
        if (line.isAbandoned)
            dropped.swap(line.waiting);
        if (line.waiting.empty())
            return;
        auto work = std::move(line.waiting.front());
        line.waiting.pop_front();
        lock.unlock();
        work();
        work = {};
        lock.lock();
    }
}

} // namespace sg::http
