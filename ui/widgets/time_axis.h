// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace sg::ui {

/// A stretch of wall-clock time laid on pixels.
struct TimeAxis
{
    std::int64_t fromMs = 0, toMs = 1; ///< Unix ms, fromMs < toMs
    double left = 0, right = 1;        ///< px

    double xOf(std::int64_t unixMs) const;
    std::int64_t timeAt(double x) const;
    /// Round local times, at most `atMost` of them.
    std::vector<std::int64_t> ticks(int atMost) const;
};

} // namespace sg::ui
