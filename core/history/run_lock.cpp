// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_lock.h"

#include <QFile>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sg::history {

namespace {

bool writeAll(int file, const QByteArray& bytes)
{
    for (qsizetype at = 0; at < bytes.size();) {
        const ssize_t written = ::write(file, bytes.constData() + at, static_cast<std::size_t>(bytes.size() - at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
    }
    return true;
}

} // namespace

RunLock::~RunLock()
{
    if (file_ >= 0)
        ::close(file_);
}

std::pair<RunLock, QString> RunLock::create(const QString& path, const QByteArray& bytes)
{
    const QByteArray name = QFile::encodeName(path), part = name + ".part";
    RunLock lock;
    lock.file_ = ::open(part.constData(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (lock.file_ >= 0) {
        RunLock::lock(lock.file_);
        // A power cut right after the start must not leave an empty file under the finished name.
        if (writeAll(lock.file_, bytes) && ::fsync(lock.file_) == 0 &&
            std::rename(part.constData(), name.constData()) == 0)
            return {std::move(lock), QString()};
    }
    const QString why = QString::fromLocal8Bit(std::strerror(errno));
    if (lock.file_ >= 0)
        ::unlink(part.constData());
    return {RunLock(), why};
}

void RunLock::lock(int file)
{
    (void)::flock(file, LOCK_EX | LOCK_NB);
}

bool RunLock::isHeld(const QString& path)
{
    RunLock probe;
    probe.file_ = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return probe.file_ >= 0 && ::flock(probe.file_, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

} // namespace sg::history
