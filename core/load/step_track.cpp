// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/step_track.h"

#include "core/measure/validity.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

constexpr Nanos kLeastByHand = std::chrono::seconds(5);
// Of a ramp's piece: a p99 says something from 100 requests on.
constexpr double kRequestsOfPiece = 100;
constexpr Nanos kShortestPiece = std::chrono::seconds(1);

std::optional<double> ms(const stats::Histogram& histogram, double percentile)
{
    const auto value = histogram.percentile(percentile);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

std::size_t piecesOf(const Stage& stage)
{
    if (stage.from == stage.to)
        return 1;
    const double requests = (stage.from + stage.to) / 2 * toMs(stage.length) / 1000;
    const double fit = std::min(requests / kRequestsOfPiece, toMs(stage.length) / toMs(kShortestPiece));
    return static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(StepTrack::kMostPieces)));
}

} // namespace

StepTrack::StepTrack(const LoadModel& model, Nanos measuredFrom, Nanos measuredTo)
    : mostInFlight_(mostInFlightOf(model).value_or(0))
{
    Nanos at{0};
    for (const Stage& stage : stagesOf(model)) {
        const std::size_t pieces = piecesOf(stage);
        const auto rateAt = [&](Nanos moment) {
            return stage.from + (stage.to - stage.from) * toMs(moment - at) / toMs(stage.length);
        };
        for (std::size_t i = 0; i < pieces; ++i) {
            const Nanos from = std::max(measuredFrom, at + stage.length * static_cast<std::int64_t>(i) /
                                                               static_cast<std::int64_t>(pieces));
            const Nanos to = std::min(measuredTo, at + stage.length * static_cast<std::int64_t>(i + 1) /
                                                           static_cast<std::int64_t>(pieces));
            if (from < to)
                add(from, to, rateAt(from), rateAt(to));
        }
        at += stage.length;
    }
}

void StepTrack::add(Nanos from, Nanos to, double fromRate, double toRate)
{
    if (steps_.size() >= kMostSteps || fromRate + toRate <= 0)
        return;
    Step step;
    step.from = from;
    step.to = to;
    step.fromRate = fromRate;
    step.toRate = toRate;
    steps_.push_back(std::move(step));
}

StepTrack::Step* StepTrack::stepAt(Nanos intended)
{
    const auto after = std::ranges::upper_bound(steps_, intended, {}, &Step::from);
    if (after == steps_.begin() || intended >= std::prev(after)->to)
        return nullptr;
    return &*std::prev(after);
}

Nanos StepTrack::grace() const
{
    const Step& first = steps_.front();
    return first.response.percentile(99).value_or(first.to == Nanos::max() ? kLeastByHand : first.to - first.from);
}

void StepTrack::onRateSet(Nanos now, double perSecond)
{
    std::erase_if(steps_, [now](const Step& step) { return step.from >= now; });
    if (!steps_.empty() && steps_.back().to > now) {
        Step& cut = steps_.back();
        const double share = cut.to == Nanos::max() ? 1 : toMs(now - cut.from) / toMs(cut.to - cut.from);
        cut.toRate = cut.fromRate + (cut.toRate - cut.fromRate) * share;
        cut.to = now;
        // A slider on its way leaves steps that say nothing.
        if (cut.to - cut.from < kShortestPiece)
            steps_.pop_back();
    }
    add(now, Nanos::max(), perSecond, perSecond);
}

void StepTrack::onDue(Nanos intended)
{
    if (Step* step = stepAt(intended))
        ++step->due;
}

void StepTrack::onDropped(Nanos intended)
{
    if (Step* step = stepAt(intended))
        ++step->dropped;
}

void StepTrack::onFinished(Nanos intended, std::optional<Nanos> dispatched, Nanos ended, measure::Outcome outcome)
{
    Step* step = stepAt(intended);
    if (!step || outcome == measure::Outcome::Cancelled)
        return;
    ++step->judged;
    if (dispatched)
        step->delay.record(*dispatched - intended);
    if (outcome != measure::Outcome::Success)
        return;
    ++step->successes;
    step->response.record(ended - intended);
    if (step == &steps_.front() || step->to == Nanos::max() || ended <= step->to + grace())
        ++step->inTime;
}

std::optional<Nanos> StepTrack::playedTo(const Step& step, Nanos now, std::optional<Nanos> stoppedAt) const
{
    if (!stoppedAt) {
        const bool isOver = step.to != Nanos::max() && now >= step.to + grace();
        return isOver ? std::optional(step.to) : std::nullopt;
    }
    const Nanos to = std::min(step.to, *stoppedAt);
    const Nanos least = step.to == Nanos::max() ? kLeastByHand : (step.to - step.from) / 2;
    return to > step.from && to - step.from >= least ? std::optional(to) : std::nullopt;
}

RateStep StepTrack::read(const Step& step, Nanos to) const
{
    RateStep read;
    read.from = step.from;
    read.to = to;
    read.fromRate = step.fromRate;
    read.toRate = step.toRate;
    if (to < step.to && step.to != Nanos::max())
        read.toRate += (step.fromRate - step.toRate) * (1 - toMs(to - step.from) / toMs(step.to - step.from));
    read.requestedRate = (read.fromRate + read.toRate) / 2;
    const auto perSecond = [&](std::int64_t count) { return static_cast<double>(count) / read.seconds(); };
    read.dueRate = perSecond(step.due);
    read.sentRate = perSecond(step.due - step.dropped);
    read.achievedRate = perSecond(step.inTime);
    read.answeredRate = perSecond(step.successes);
    read.p50Ms = ms(step.response, 50);
    read.p95Ms = ms(step.response, 95);
    read.p99Ms = ms(step.response, 99);
    if (step.judged > 0)
        read.successShare = static_cast<double>(step.successes) / static_cast<double>(step.judged);
    read.requests = step.judged;
    read.dropped = step.dropped;
    measure::GeneratorFacts facts;
    facts.finished = step.judged;
    facts.medianResponse = step.response.percentile(50);
    facts.responseP99 = step.response.percentile(99);
    facts.sendLateTypical = measure::typicalLateness(step.delay);
    facts.sendLateP99 = step.delay.percentile(99);
    facts.scheduleDelayP99 = step.delay.percentile(99);
    facts.dropped = step.dropped;
    facts.mostInFlight = mostInFlight_;
    read.invalidBecause = measure::invalidBecause(facts);
    return read;
}

std::vector<RateStep> StepTrack::stepsAt(Nanos now, std::optional<Nanos> stoppedAt) const
{
    std::vector<RateStep> steps;
    for (const Step& step : steps_) {
        if (const auto to = playedTo(step, now, stoppedAt))
            steps.push_back(read(step, *to));
        else if (!stoppedAt)
            break;
    }
    return steps;
}

} // namespace sg::load
