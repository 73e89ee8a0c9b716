// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

#include <memory>

namespace sg::app {

/// Writes lines in a thread of its own: a pipe whose reader has stopped must not stop who logs. So many wait; what is
/// more is dropped and counted, and a line says how many. Lines that wait are written together.
class LogWriter
{
public:
    static constexpr std::size_t kMostWaiting = 4096;

    /// `descriptor` is not closed.
    explicit LogWriter(int descriptor);
    ~LogWriter(); ///< waits at most a second for what is still to be written
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    /// Any thread; never waits. Without the line's end.
    void write(QByteArray line);

private:
    struct Shared;
    std::shared_ptr<Shared> shared_; ///< with the thread, which may have to be left behind
};

} // namespace sg::app
