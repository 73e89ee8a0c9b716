// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/run_axes.h"

#include <cmath>

namespace sg::ui::runaxes {

double niceCeil(double value)
{
    if (!(value > 0) || !std::isfinite(value))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * power * (1 + 1e-9))
            return step * power;
    return 10 * power;
}

double niceFloor(double value)
{
    if (!(value > 0) || !std::isfinite(value))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    double below = power;
    for (const double step : {2.0, 5.0})
        if (step * power <= value * (1 + 1e-9))
            below = step * power;
    return below;
}

double timeStep(double total, int most)
{
    constexpr double kSteps[] = {1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14400, 43200};
    for (const double step : kSteps)
        if (total / step <= most)
            return step;
    return 86400 * std::max(1.0, std::ceil(total / 86400 / most));
}

double timeEnd(const load::RunProgress& progress, double before)
{
    if (progress.state == load::RunState::Finished || progress.state == load::RunState::Failed)
        return std::max(1.0, progress.elapsedSeconds);
    const auto length = load::plannedLength(progress.plan);
    if (length && !progress.plan.stop.requests && progress.state != load::RunState::Stopping)
        return std::max({1.0, toMs(*length) / 1000, progress.elapsedSeconds});
    // 20 % of room: the end is a guess while requests are still running.
    const double wanted =
        std::max(progress.elapsedSeconds * 1.02, progress.elapsedSeconds + progress.etaSeconds.value_or(0));
    if (before >= wanted && before <= std::max(10.0, wanted * 2.5))
        return before;
    const double roomy = std::max(10.0, wanted * 1.2);
    const double step = timeStep(roomy, 10);
    return std::ceil(roomy / step) * step;
}

double LogScale::share(double ms) const
{
    if (!(ms > low))
        return 0;
    return std::min(1.0, std::log(ms / low) / std::log(high / low));
}

std::vector<double> LogScale::marks(int most) const
{
    std::vector<double> marks;
    const bool isWide = high / low > 150;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high * 1.0001; power *= 10)
        for (const double step : {1.0, 2.0, 5.0}) {
            const double mark = step * power;
            if (mark >= low * 0.9999 && mark <= high * 1.0001 && (!isWide || step == 1.0))
                marks.push_back(mark);
        }
    while (marks.size() > static_cast<std::size_t>(std::max(2, most))) {
        std::vector<double> fewer;
        for (std::size_t i = 0; i < marks.size(); i += 2)
            fewer.push_back(marks[i]);
        marks = std::move(fewer);
    }
    return marks;
}

LogScale latencyScale(const std::vector<double>& valuesMs)
{
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const double value : valuesMs)
        if (value > 0) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (high == 0)
        return {100, 10000};
    low = std::max(0.1, low);
    LogScale scale{niceFloor(low * 0.9), niceCeil(high * 1.05)};
    if (scale.high < scale.low * 5)
        scale.high = scale.low * 10;
    return scale;
}

} // namespace sg::ui::runaxes
