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
/// Unix seconds.
std::optional<double> processStart();

} // namespace sg::observe
