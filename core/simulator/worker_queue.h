// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <deque>
#include <memory>
#include <unordered_set>

namespace sg::simulator {

/// So many are served at a time, the rest stand in line: first come, first served. Pure; not thread-safe.
template <typename T>
class WorkerQueue
{
public:
    /// True: it has a worker and begins now. `workers` holds from now on.
    bool enter(const std::shared_ptr<T>& one, int workers)
    {
        workers_ = workers;
        if (static_cast<int>(working_.size()) < workers) {
            working_.insert(one.get());
            return true;
        }
        waiting_.push_back(one);
        return false;
    }
    /// False: it had no worker.
    bool leave(T* one) { return working_.erase(one) != 0; }
    /// The next one that begins, which has a worker then; null: nobody. Those that `isGone` are left out.
    template <typename IsGone>
    std::shared_ptr<T> next(IsGone isGone)
    {
        while (!waiting_.empty() && static_cast<int>(working_.size()) < workers_) {
            const auto first = std::move(waiting_.front());
            waiting_.pop_front();
            if (isGone(*first))
                continue;
            working_.insert(first.get());
            return first;
        }
        return nullptr;
    }
    void forgetWaiting() { waiting_.clear(); }
    std::size_t waiting() const { return waiting_.size(); }

private:
    int workers_ = 0;
    std::unordered_set<T*> working_;
    std::deque<std::shared_ptr<T>> waiting_;
};

} // namespace sg::simulator
