// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace sg::http {

/// So many threads at most that do what they are given, begun in the order in which it was given; the threads begin
/// with the first work. In place of QThreadPool for the reason that Mailbox has: its lock is one that ThreadSanitizer
/// does not see.
class Workers
{
public:
    explicit Workers(int most);
    ~Workers() { finish(); }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// What `work` holds is freed by the thread that did it. After the end it is dropped. The owner's thread.
    void start(std::function<void()> work);
    int most() const { return most_; }
    /// Waits until all that was given is done, and ends the threads. The owner's thread.
    void finish();
    /// Waits for nothing: what has not begun is dropped, and what has begun goes on in a thread that is nobody's any
    /// more, perhaps until the process ends; so it must own all it uses. The owner's thread.
    void abandon();

private:
    struct Line;
    static void run(Line& line);

    const int most_;
    std::vector<std::thread> threads_; ///< the owner's
    std::shared_ptr<Line> line_;
};

} // namespace sg::http
