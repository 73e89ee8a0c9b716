// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>

namespace sg::observe {

/// This process as its system counts it; empty: the system does not tell.
struct ProcessFigures
{
    std::optional<double> cpuSeconds; ///< user and system
    std::optional<std::int64_t> residentBytes, virtualBytes, openFds, maxFds;
};
ProcessFigures processFigures();
/// Processor time of the calling thread; empty: the system does not tell.
std::optional<double> threadCpuSeconds();
/// How the system's scheduler treated the threads that this process has now (Linux's schedstat: nanoseconds on a
/// processor, nanoseconds ready and waiting for one, turns).
struct RunQueueFigures
{
    double ranSeconds = 0, waitedSeconds = 0;
    std::int64_t turns = 0;
};
std::optional<RunQueueFigures> runQueueFigures();
/// Unix seconds.
std::optional<double> processStart();

} // namespace sg::observe
