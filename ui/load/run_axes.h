// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"

#include <vector>

/// The scales of the timeline: where its axes end and where their marks stand. Pure.
namespace sg::ui::runaxes {

/// The next of 1, 2, 5 × 10^n at or above `value`; 1 for nothing.
double niceCeil(double value);
double niceFloor(double value); ///< the one at or below
/// Distance of time marks in seconds, so that `total` seconds have at most `most` of them.
double timeStep(double total, int most);
/// End of the time axis. Grows in steps, so that it does not move with every guess of the end; `before` is the last
/// one shown, 0 for none. An ended run ends where it ended.
double timeEnd(const load::RunProgress& progress, double before);

struct LogScale
{
    double low = 1, high = 10;                     ///< ms
    double share(double ms) const;                 ///< 0 at low, 1 at high, clamped
    std::vector<double> marks(int most = 6) const; ///< 1, 2, 5 × 10^n inside
    bool operator==(const LogScale&) const = default;
};
LogScale latencyScale(const std::vector<double>& valuesMs); ///< that holds all of them; those of 0 do not count

} // namespace sg::ui::runaxes
