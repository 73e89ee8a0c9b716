// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/sweep_track.h"

#include <algorithm>

namespace sg::load {

namespace {

std::optional<double> ms(const stats::Histogram& histogram, double percentile)
{
    const auto value = histogram.percentile(percentile);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

} // namespace

SweepTrack::SweepTrack(const SweepModel& sweep)
    : each_(sweep.each)
{
    for (const double rate : ratesOf(sweep)) {
        Step step;
        step.rate = rate;
        steps_.push_back(std::move(step));
    }
}

void SweepTrack::onFinished(Nanos intended, Nanos ended, Nanos response, measure::Outcome outcome)
{
    if (outcome == measure::Outcome::Cancelled || intended < Nanos(0))
        return;
    const auto index = std::min(static_cast<std::size_t>(intended / each_), steps_.size() - 1);
    Step& step = steps_[index];
    ++step.judged;
    if (outcome != measure::Outcome::Success)
        return;
    ++step.successes;
    step.response.record(response);
    const Nanos grace = steps_.front().response.percentile(50).value_or(each_);
    if (index == 0 || ended <= each_ * (static_cast<std::int64_t>(index) + 1) + grace)
        ++step.inTime;
}

std::vector<measure::KneePoint> SweepTrack::pointsAt(Nanos now) const
{
    std::vector<measure::KneePoint> points;
    const Nanos grace = steps_.front().response.percentile(50).value_or(each_);
    for (const Step& step : steps_) {
        const auto end = each_ * (static_cast<std::int64_t>(points.size()) + 1) + grace;
        if (now < end)
            break;
        points.push_back(
            {step.rate, static_cast<double>(step.inTime) * 1000 / toMs(each_), ms(step.response, 50),
             ms(step.response, 99),
             step.judged > 0 ? static_cast<double>(step.successes) / static_cast<double>(step.judged) : 0});
    }
    return points;
}

measure::Knee SweepTrack::kneeAt(Nanos now) const
{
    return measure::kneeOf(pointsAt(now));
}

} // namespace sg::load
