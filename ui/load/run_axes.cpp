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
    if (progress.plan.stop.duration && !progress.plan.stop.requests && progress.state != load::RunState::Stopping)
        return std::max({1.0, toMs(*progress.plan.stop.duration) / 1000, progress.elapsedSeconds});
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
    LogScale scale{niceCeil(low / 2.01), niceCeil(high * 1.05)};
    if (scale.high < scale.low * 5)
        scale.high = scale.low * 10;
    return scale;
}

LogScale latencyScale(const load::RunProgress& progress)
{
    std::vector<double> values;
    for (const load::RunSecond& second : progress.seconds)
        for (const auto& value : {second.p50Ms, second.p95Ms, second.p99Ms})
            values.push_back(value.value_or(0));
    return latencyScale(values);
}

double rateEnd(const load::RunProgress& progress)
{
    double most = 0;
    for (const load::RunSecond& second : progress.seconds)
        most = std::max({most, answeredRate(second), attemptsRate(second)});
    return std::max(1.0, niceCeil(most));
}

std::vector<FailedBar> failedBars(const load::RunProgress& progress, int slotsEach)
{
    std::vector<FailedBar> bars;
    const auto each = static_cast<std::size_t>(std::max(1, slotsEach));
    for (std::size_t first = 0; first < progress.seconds.size(); first += each) {
        const std::size_t end = std::min(first + each, progress.seconds.size());
        std::int64_t failed = 0, all = 0;
        for (std::size_t i = first; i < end; ++i) {
            failed += progress.seconds[i].attemptsFailed;
            all += progress.seconds[i].attempts;
        }
        const load::RunSecond& last = progress.seconds[end - 1];
        if (failed > 0 && all > 0)
            bars.push_back({progress.seconds[first].second, last.second + last.width,
                            std::min(1.0, static_cast<double>(failed) / static_cast<double>(all))});
    }
    return bars;
}

double failedShareEnd(const std::vector<FailedBar>& bars)
{
    double most = 0.05;
    for (const FailedBar& bar : bars)
        most = std::max(most, bar.share);
    return std::min(1.0, niceCeil(most));
}

double answeredRate(const load::RunSecond& second)
{
    return second.width > 0 ? second.answered / second.width : 0;
}

double attemptsRate(const load::RunSecond& second)
{
    return second.width > 0 ? second.attempts / second.width : 0;
}

std::optional<double> failedShare(const load::RunSecond& second)
{
    if (second.attempts <= 0)
        return std::nullopt;
    return std::clamp(static_cast<double>(second.attemptsFailed) / second.attempts, 0.0, 1.0);
}

const load::RunSecond* slotAt(const load::RunProgress& progress, double second)
{
    for (const load::RunSecond& slot : progress.seconds)
        if (second >= slot.second && second < slot.second + slot.width)
            return &slot;
    return nullptr;
}

} // namespace sg::ui::runaxes
