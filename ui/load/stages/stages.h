// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

namespace sg::ui {

/// A corner of the rate over time.
struct StagePoint
{
    double second = 0;    ///< since the start of the run
    double perSecond = 0; ///< requests a second
    bool operator==(const StagePoint&) const = default;
};
/// The rate over time as a line through its corners: at least two, the first at 0 s, times never fall. Two corners at
/// one time are a jump.
using Stages = std::vector<StagePoint>;

} // namespace sg::ui

/// What one does with stages. Pure.
namespace sg::ui::stages {

constexpr std::size_t kFewest = 2, kMost = 100;
constexpr double kLongest = 7 * 86400.0; ///< s
constexpr double kFastest = 100'000;     ///< requests a second

bool isSound(const Stages& stages);
double length(const Stages& stages);                ///< s
double peak(const Stages& stages);                  ///< requests a second
double rateAt(const Stages& stages, double second); ///< after a jump, on it; 0 outside
double requests(const Stages& stages);              ///< the area under the line
/// Between its neighbours in time and within the limits; the first stays at 0 s.
Stages moved(Stages stages, std::size_t point, StagePoint to);
/// Not new: there are kMost already, or it would lie outside the limits.
struct Added
{
    Stages stages;
    std::size_t point = 0;
    bool isNew = false;
};
Added with(Stages stages, StagePoint point);
/// The first one stays, and two at least that are some time apart.
bool mayRemove(const Stages& stages, std::size_t point);
Stages without(Stages stages, std::size_t point);

/// What a drag and an arrow key move by, so that the values are round ones.
struct Grid
{
    double second = 1, perSecond = 1;
    StagePoint snapped(StagePoint point) const;
    bool operator==(const Grid&) const = default;
};
Grid gridOf(double endSecond, double endRate);

} // namespace sg::ui::stages
