// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/generator_meter.h"

#include <QThread>

#include <algorithm>

namespace sg::load {

namespace {

/// Shorter ones are start-up and nothing else.
constexpr Nanos kShortest = std::chrono::seconds(1);

std::optional<double> difference(const std::optional<double>& from, const std::optional<double>& to)
{
    return from && to ? std::optional(*to - *from) : std::nullopt;
}

std::optional<double> shareOf(const std::optional<double>& seconds, Nanos wall, int cores)
{
    if (!seconds || wall < kShortest)
        return std::nullopt;
    return *seconds * 1000 / toMs(wall) / cores;
}

/// Threads that ended meanwhile took their figures along: then there may be nothing to say.
void readRunQueue(GeneratorMeter::Use& use, const std::optional<observe::RunQueueFigures>& from,
                  const std::optional<observe::RunQueueFigures>& to)
{
    if (!from || !to || use.wall < kShortest)
        return;
    const double waited = to->waitedSeconds - from->waitedSeconds;
    const double wanted = waited + to->ranSeconds - from->ranSeconds;
    const auto turns = static_cast<double>(to->turns - from->turns);
    if (waited < 0 || wanted <= 0 || turns <= 0)
        return;
    use.starvedShare = std::min(1.0, waited / wanted);
    use.waitPerTurn = fromMs(waited * 1000 / turns);
}

} // namespace

std::optional<double> GeneratorMeter::Use::threadShare() const
{
    return shareOf(threadSeconds, wall, 1);
}

std::optional<double> GeneratorMeter::Use::processShare() const
{
    return shareOf(cpuSeconds, wall, cores);
}

void GeneratorMeter::start(Instant now)
{
    last_.reset();
    startedAt_ = tickAt_ = now;
    const observe::ProcessFigures figures = observe::processFigures();
    cpuAtStart_ = figures.cpuSeconds;
    mostFiles_ = figures.openFds;
    queueAtStart_ = observe::runQueueFigures();
    threadAtStart_ = threadAtTick_ = observe::threadCpuSeconds();
}

std::optional<double> GeneratorMeter::tick(Instant now)
{
    const auto thread = observe::threadCpuSeconds();
    const auto used = difference(threadAtTick_, thread);
    const Nanos span = now - tickAt_;
    threadAtTick_ = thread;
    tickAt_ = now;
    if (const auto files = observe::processFigures().openFds)
        mostFiles_ = std::max(*files, mostFiles_.value_or(0));
    return used && span > Nanos(0) ? std::optional(*used * 1000 / toMs(span)) : std::nullopt;
}

void GeneratorMeter::stop(Instant now)
{
    last_ = measure(now);
}

GeneratorMeter::Use GeneratorMeter::measure(Instant now) const
{
    const observe::ProcessFigures figures = observe::processFigures();
    Use use;
    use.wall = now - startedAt_;
    use.cpuSeconds = difference(cpuAtStart_, figures.cpuSeconds);
    use.threadSeconds = difference(threadAtStart_, observe::threadCpuSeconds());
    use.cores = std::max(1, QThread::idealThreadCount());
    use.openFiles = figures.openFds;
    use.mostFiles = mostFiles_;
    if (use.openFiles)
        use.mostFiles = std::max(*use.openFiles, mostFiles_.value_or(0));
    use.residentBytes = figures.residentBytes;
    readRunQueue(use, queueAtStart_, observe::runQueueFigures());
    return use;
}

GeneratorMeter::Use GeneratorMeter::useAt(Instant now) const
{
    return last_ ? *last_ : measure(now);
}

} // namespace sg::load
