// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

namespace sg::observe {

/// Latency over time: one ring of columns for each column width a picture may have, so that no picture needs adding up.
/// Rows are log-spaced, six to the decade, from 1 ms to 1000 s; what is outside is in the first or last. Not
/// thread-safe.
class HeatTrack
{
public:
    static constexpr int kColumns = 60;
    static constexpr int kRows = 36;

    HeatTrack();
    void add(Nanos latency, Instant now);
    /// Columns from the first recorded one in the window to that of `now`.
    Heatmap view(Nanos window, Instant start, Instant now, const WallAnchor& anchor) const;

private:
    struct Column
    {
        std::int64_t index = INT64_MIN;
        std::array<std::uint32_t, kRows> counts{};
    };
    struct Ring
    {
        Nanos width;
        std::array<Column, kColumns> columns;
    };
    std::vector<Ring> rings_;
};

} // namespace sg::observe
