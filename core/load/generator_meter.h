// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/process_figures.h"
#include "core/policy/time.h"

namespace sg::load {

/// What a run costs the machine that makes it. Lives in the generator's thread, which is the one it measures.
class GeneratorMeter
{
public:
    struct Use
    {
        Nanos wall{0};
        std::optional<double> cpuSeconds, threadSeconds; ///< of the process, of the generator's thread
        int cores = 1;
        std::optional<std::int64_t> openFiles, mostFiles; ///< sockets are files: at the end, at most
        std::optional<std::int64_t> residentBytes;
        /// Of the threads' time that they wanted, 0..1, the part in which they were ready and had no processor.
        std::optional<double> starvedShare;
        std::optional<Nanos> waitPerTurn;           ///< how long such a wait was, on average over all their turns
        std::optional<double> threadShare() const;  ///< 0..1 of one core
        std::optional<double> processShare() const; ///< 0..1 of all cores
    };

    void start(Instant now);
    /// Since the last call or the start: the thread's share of one core.
    std::optional<double> tick(Instant now);
    void stop(Instant now);
    Use useAt(Instant now) const; ///< of a stopped one: as it was then

private:
    Use measure(Instant now) const;
    Instant startedAt_{}, tickAt_{};
    std::optional<double> cpuAtStart_, threadAtStart_, threadAtTick_;
    std::optional<std::int64_t> mostFiles_;
    std::optional<observe::RunQueueFigures> queueAtStart_;
    std::optional<Use> last_;
};

} // namespace sg::load
