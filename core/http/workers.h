// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sg::http {

/// So many threads at most that do what they are given, begun in the order in which it was given; the threads begin
/// with the first work. In place of QThreadPool for the reason that Mailbox has: its lock is one that ThreadSanitizer
/// does not see.
class Workers
{
public:
    explicit Workers(int most)
        : most_(most)
    {
    }
    ~Workers() { finish(); }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// What `work` holds is freed by the thread that did it. After finish() it is dropped. The owner's thread.
    void start(std::function<void()> work);
    int most() const { return most_; }
    /// Waits until all that was given is done, and ends the threads. The owner's thread.
    void finish();

private:
    void run();

    const int most_;
    std::vector<std::thread> threads_; ///< the owner's
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> waiting_;
    int idle_ = 0;
    bool isOver_ = false;
};

} // namespace sg::http
