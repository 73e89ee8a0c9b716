// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/stages/stages.h"

#include "ui/load/run_axes.h"

#include <algorithm>
#include <cmath>

namespace sg::ui::stages {

namespace {

double roundTo(double value, double step)
{
    // Through the number of steps, and back by a division where the step is a fraction: 3 × 0.1 is not 0.3.
    const double steps = std::round(value / step);
    return step < 1 ? steps / std::round(1 / step) : steps * step;
}

bool isWithin(const StagePoint& point)
{
    return point.second >= 0 && point.second <= kLongest && point.perSecond >= 0 && point.perSecond <= kFastest;
}

} // namespace

bool isSound(const Stages& stages)
{
    if (stages.size() < kFewest || stages.size() > kMost || stages.front().second != 0)
        return false;
    const auto isEarlier = [](const StagePoint& a, const StagePoint& b) { return a.second < b.second; };
    return std::ranges::is_sorted(stages, isEarlier) && std::ranges::all_of(stages, isWithin) && length(stages) > 0;
}

double length(const Stages& stages)
{
    return stages.empty() ? 0 : stages.back().second;
}

double peak(const Stages& stages)
{
    double most = 0;
    for (const StagePoint& point : stages)
        most = std::max(most, point.perSecond);
    return most;
}

double rateAt(const Stages& stages, double second)
{
    if (stages.empty() || second < 0 || second > length(stages))
        return 0;
    const auto after =
        std::ranges::upper_bound(stages, second, {}, [](const StagePoint& point) { return point.second; });
    if (after == stages.end())
        return stages.back().perSecond;
    if (after == stages.begin())
        return stages.front().perSecond;
    const StagePoint& from = *std::prev(after);
    const double part = (second - from.second) / (after->second - from.second);
    return from.perSecond + part * (after->perSecond - from.perSecond);
}

double requests(const Stages& stages)
{
    double area = 0;
    for (std::size_t i = 1; i < stages.size(); ++i)
        area += (stages[i].second - stages[i - 1].second) * (stages[i].perSecond + stages[i - 1].perSecond) / 2;
    return area;
}

Stages moved(Stages stages, std::size_t point, StagePoint to)
{
    if (point >= stages.size())
        return stages;
    const double earliest = point == 0 ? 0 : stages[point - 1].second;
    const double latest = point == 0 ? 0 : point + 1 < stages.size() ? stages[point + 1].second : kLongest;
    // A run that lasts no time has nothing to draw: the last point keeps off the start.
    const bool isLast = point + 1 == stages.size();
    const double least = isLast && earliest == 0 ? std::min(1.0, latest) : earliest;
    stages[point] = {std::clamp(to.second, least, std::max(least, latest)), std::clamp(to.perSecond, 0.0, kFastest)};
    return stages;
}

Added with(Stages stages, StagePoint point)
{
    if (stages.size() >= kMost || !isWithin(point))
        return {std::move(stages), 0, false};
    const auto after =
        std::ranges::upper_bound(stages, point.second, {}, [](const StagePoint& each) { return each.second; });
    const auto at = static_cast<std::size_t>(after - stages.begin());
    stages.insert(after, point);
    return {std::move(stages), at, true};
}

bool mayRemove(const Stages& stages, std::size_t point)
{
    if (point == 0 || point >= stages.size() || stages.size() <= kFewest)
        return false;
    // What is left must still last some time.
    return point + 1 < stages.size() || stages[point - 1].second > 0;
}

Stages without(Stages stages, std::size_t point)
{
    if (mayRemove(stages, point))
        stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(point));
    return stages;
}

StagePoint Grid::snapped(StagePoint point) const
{
    return {roundTo(point.second, second), roundTo(point.perSecond, perSecond)};
}

Grid gridOf(double endSecond, double endRate)
{
    return {runaxes::timeStep(endSecond, 80), std::max(0.01, runaxes::niceCeil(endRate / 100))};
}

} // namespace sg::ui::stages
