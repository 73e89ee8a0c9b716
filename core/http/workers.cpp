// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/workers.h"

#include <utility>

namespace sg::http {

void Workers::start(std::function<void()> work)
{
    const std::lock_guard lock(mutex_);
    if (isOver_)
        return;
    waiting_.push_back(std::move(work));
    if (static_cast<int>(waiting_.size()) > idle_ && static_cast<int>(threads_.size()) < most_)
        threads_.emplace_back([this] { run(); });
    changed_.notify_one();
}

void Workers::finish()
{
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : std::exchange(threads_, {}))
        thread.join();
}

void Workers::run()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        changed_.wait(lock, [this] { return isOver_ || !waiting_.empty(); });
        --idle_;
        if (waiting_.empty())
            return;
        auto work = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        work();
        work = {};
        lock.lock();
    }
}

} // namespace sg::http
