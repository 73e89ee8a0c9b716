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

SweepTrack::Step& SweepTrack::stepAt(Nanos intended)
{
    return steps_[std::min(static_cast<std::size_t>(intended / each_), steps_.size() - 1)];
}

Nanos SweepTrack::grace() const
{
    return steps_.front().response.percentile(99).value_or(each_);
}

void SweepTrack::onDue(Nanos intended)
{
    if (intended >= Nanos(0))
        ++stepAt(intended).due;
}

void SweepTrack::onFinished(Nanos intended, Nanos ended, Nanos response, measure::Outcome outcome)
{
    if (outcome == measure::Outcome::Cancelled || intended < Nanos(0))
        return;
    Step& step = stepAt(intended);
    ++step.judged;
    if (outcome != measure::Outcome::Success)
        return;
    ++step.successes;
    step.response.record(response);
    const auto index = &step - steps_.data();
    if (index == 0 || ended <= each_ * (index + 1) + grace())
        ++step.inTime;
}

std::vector<measure::KneePoint> SweepTrack::pointsAt(Nanos now) const
{
    std::vector<measure::KneePoint> points;
    const auto perSecond = [this](std::int64_t count) { return static_cast<double>(count) * 1000 / toMs(each_); };
    for (const Step& step : steps_) {
        if (now < each_ * (static_cast<std::int64_t>(points.size()) + 1) + grace())
            break;
        points.push_back({step.rate, perSecond(step.inTime), ms(step.response, 50), ms(step.response, 99),
                          step.judged > 0 ? static_cast<double>(step.successes) / static_cast<double>(step.judged) : 0,
                          perSecond(step.due)});
    }
    return points;
}

measure::Knee SweepTrack::kneeAt(Nanos now) const
{
    return measure::kneeOf(pointsAt(now));
}

} // namespace sg::load
