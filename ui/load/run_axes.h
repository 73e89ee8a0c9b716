// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"

#include <vector>

/// The scales of the timeline: where its axes end and where their marks stand. Pure.
namespace sg::ui::runaxes {

/// The next of 1, 2, 5 × 10^n at or above `value`; 1 for nothing.
double niceCeil(double value);
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
LogScale latencyScale(const load::RunProgress& progress);
double rateEnd(const load::RunProgress& progress); ///< requests a second

double answeredRate(const load::RunSecond& second); ///< answers of any kind a second
double attemptsRate(const load::RunSecond& second);
std::optional<double> failedShare(const load::RunSecond& second); ///< of attempts; empty: none were made

struct FailedBar
{
    double from = 0, to = 0; ///< s
    double share = 0;        ///< failed attempts of all attempts, 0..1
};
/// Slots put together so that a bar is as wide as `slotsEach`; stretches without a failed attempt have none.
std::vector<FailedBar> failedBars(const load::RunProgress& progress, int slotsEach);
double failedShareEnd(const std::vector<FailedBar>& bars); ///< 0..1, at least 0.05

/// The slot that holds `second`, null when there is none.
const load::RunSecond* slotAt(const load::RunProgress& progress, double second);

} // namespace sg::ui::runaxes
