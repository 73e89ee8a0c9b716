// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <utility>

namespace sg::history {

/// Says that a program is at work on a file: a lock of the system (flock), which ends with the program however it ends.
/// It belongs to the open file, so that it also holds against the same program.
class RunLock
{
public:
    RunLock() = default;
    RunLock(RunLock&& other) noexcept
        : file_(std::exchange(other.file_, -1))
    {
    }
    RunLock& operator=(RunLock&& other) noexcept
    {
        std::swap(file_, other.file_);
        return *this;
    }
    ~RunLock();

    /// A new file under `path`, whole and for its owner only, that nobody sees without its lock. The error is what the
    /// system said, without a full stop.
    static std::pair<RunLock, QString> create(const QString& path, const QByteArray& bytes);
    /// Locks an open file for as long as it is open; what cannot be locked stays as it is.
    static void lock(int file);
    /// Somebody has the lock on it. No such file: nobody.
    static bool isHeld(const QString& path);

    void release() { const RunLock gone(std::move(*this)); }
    explicit operator bool() const { return file_ >= 0; }

private:
    int file_ = -1;
};

} // namespace sg::history
