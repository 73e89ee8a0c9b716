// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/heat_track.h"

#include "core/stats/window_levels.h"

#include <algorithm>
#include <cmath>

namespace sg::observe {

using stats::slotIndex;

namespace {

constexpr double kRowsPerDecade = 6;

std::size_t rowOf(Nanos latency)
{
    const double row = std::log10(std::max(toMs(latency), 1.0)) * kRowsPerDecade;
    return std::min(static_cast<std::size_t>(row), std::size_t{HeatTrack::kRows - 1});
}

std::size_t place(std::int64_t index)
{
    constexpr std::int64_t size = HeatTrack::kColumns;
    return static_cast<std::size_t>(((index % size) + size) % size);
}

std::vector<double> rowEdges()
{
    std::vector<double> edges;
    for (int row = 0; row <= HeatTrack::kRows; ++row)
        edges.push_back(std::pow(10.0, row / kRowsPerDecade));
    return edges;
}

} // namespace

HeatTrack::HeatTrack()
{
    // 60 columns are 5 min, 15 min, 1 h, 6 h and 24 h.
    for (const int seconds : {5, 15, 60, 360, 1440})
        rings_.push_back({std::chrono::seconds(seconds), {}});
}

void HeatTrack::add(Nanos latency, Instant now)
{
    const std::size_t row = rowOf(latency);
    for (Ring& ring : rings_) {
        const std::int64_t index = slotIndex(now, ring.width);
        Column& column = ring.columns[place(index)];
        if (column.index > index)
            continue;
        if (column.index != index)
            column = {index, {}};
        ++column.counts[row];
    }
}

Heatmap HeatTrack::view(Nanos window, Instant start, Instant now, const WallAnchor& anchor) const
{
    // Young recordings are shown finely: a few wide columns would say less than the same minutes in many narrow ones.
    const Nanos covered = std::min(window, now - start);
    const Ring* best = &rings_.back();
    for (const Ring& ring : rings_) {
        if (ring.width * (kColumns - 1) >= covered || ring.width * kColumns >= window) {
            best = &ring;
            break;
        }
    }
    static const std::vector<double> edges = rowEdges();
    const std::int64_t last = slotIndex(now, best->width);
    const int wanted = std::clamp(stats::slotsFor(window, best->width), 1, kColumns);
    const std::int64_t first = std::min(std::max(last - wanted + 1, slotIndex(start, best->width)), last);

    Heatmap map;
    map.firstColumnUnixMs = anchor.toUnixMs(Instant(best->width * first));
    map.columnMs = std::chrono::duration_cast<Millis>(best->width).count();
    map.rowEdgesMs = edges;
    map.columns = static_cast<int>(last - first + 1);
    map.counts.resize(static_cast<std::size_t>(map.columns) * kRows);
    auto target = map.counts.begin();
    for (std::int64_t index = first; index <= last; ++index, target += kRows) {
        const Column& column = best->columns[place(index)];
        if (column.index == index)
            std::copy(column.counts.begin(), column.counts.end(), target);
    }
    for (const std::uint32_t count : map.counts)
        map.maxCount = std::max(map.maxCount, count);
    return map;
}

} // namespace sg::observe
