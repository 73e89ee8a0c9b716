// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/process_figures.h"

#include <QtGlobal>

#ifdef Q_OS_UNIX
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QList>
#include <QString>

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace sg::observe {

namespace {

QByteArray contentOf(const char* path)
{
    QFile file(QString::fromLatin1(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::optional<std::int64_t> openDescriptors()
{
    // Newer kernels (6.2) tell the number as the directory's size; else it is counted, with the one that counts.
    struct stat about;
    if (stat("/proc/self/fd", &about) != 0)
        return std::nullopt;
    if (about.st_size > 0)
        return about.st_size;
    const QDir directory(QStringLiteral("/proc/self/fd"));
    return directory.entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot).size();
}

} // namespace

ProcessFigures processFigures()
{
    ProcessFigures figures;
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) == 0)
        figures.cpuSeconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        figures.maxFds = static_cast<std::int64_t>(limit.rlim_cur);
    const QList<QByteArray> pages = contentOf("/proc/self/statm").split(' ');
    if (pages.size() >= 2) {
        const auto pageSize = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
        figures.virtualBytes = pages[0].toLongLong() * pageSize;
        figures.residentBytes = pages[1].toLongLong() * pageSize;
    }
    figures.openFds = openDescriptors();
    return figures;
}

std::optional<double> threadCpuSeconds()
{
    timespec used{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0)
        return std::nullopt;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

std::optional<RunQueueFigures> runQueueFigures()
{
    RunQueueFigures figures;
    const QDir threads(QStringLiteral("/proc/self/task"));
    for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QByteArray path = threads.filePath(thread + QLatin1String("/schedstat")).toLatin1();
        const QList<QByteArray> fields = contentOf(path.constData()).simplified().split(' ');
        if (fields.size() < 3)
            continue; // it ended meanwhile, or this kernel does not tell
        figures.ranSeconds += fields[0].toDouble() / 1e9;
        figures.waitedSeconds += fields[1].toDouble() / 1e9;
        figures.turns += fields[2].toLongLong();
    }
    return figures.turns > 0 ? std::optional(figures) : std::nullopt;
}

std::optional<double> processStart()
{
    // The program's name, which may hold anything, stands in brackets; what follows it begins with field 3.
    const QByteArray status = contentOf("/proc/self/stat");
    const QList<QByteArray> fields = status.mid(status.lastIndexOf(')') + 2).split(' ');
    const QByteArray system = contentOf("/proc/stat");
    const qsizetype boot = system.indexOf("\nbtime ");
    if (fields.size() < 20 || boot < 0)
        return std::nullopt;
    const double bootSeconds = system.mid(boot + 7, system.indexOf('\n', boot + 7) - boot - 7).toDouble();
    return bootSeconds + fields[19].toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace sg::observe
#else
namespace sg::observe {

ProcessFigures processFigures()
{
    return {};
}

std::optional<double> threadCpuSeconds()
{
    return std::nullopt;
}

std::optional<RunQueueFigures> runQueueFigures()
{
    return std::nullopt;
}

std::optional<double> processStart()
{
    return std::nullopt;
}

} // namespace sg::observe
#endif
