// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/stop_rules.h"

#include <algorithm>
#include <array>

namespace sg::load {

namespace {

constexpr int kErrorSlots = 10;
constexpr std::int64_t kFewestJudged = 20;
constexpr double kBusy = 0.95;
constexpr int kBusySeconds = 3;
constexpr int kSecondsDigits = 2;

} // namespace

std::string_view toString(StopReason reason)
{
    constexpr std::array<std::string_view, 10> kWords{"none",     "by_hand",           "requests",
                                                      "duration", "schedule_over",     "error_share",
                                                      "budget",   "objectives_broken", "generator_saturated",
                                                      "knee"};
    return kWords[static_cast<std::size_t>(reason)];
}

QString inWords(StopReason reason)
{
    switch (reason) {
    case StopReason::None:
        return QStringLiteral("it has not ended");
    case StopReason::ByHand:
        return QStringLiteral("it was stopped by hand");
    case StopReason::Requests:
        return QStringLiteral("all requests were made");
    case StopReason::Duration:
        return QStringLiteral("its time was over");
    case StopReason::ScheduleOver:
        return QStringLiteral("its schedule was over");
    case StopReason::ErrorShare:
        return QStringLiteral("too many requests failed");
    case StopReason::Budget:
        return QStringLiteral("its budget was spent");
    case StopReason::ObjectivesBroken:
        return QStringLiteral("its objectives were broken for too long");
    case StopReason::GeneratorSaturated:
        return QStringLiteral("the generator could not keep up");
    case StopReason::Knee:
        return QStringLiteral("the target did not follow the rate any more");
    }
    return {};
}

StopWatch::Counts& StopWatch::Counts::operator+=(const Counts& other)
{
    judged += other.judged;
    failed += other.failed;
    return *this;
}

StopWatch::Counts& StopWatch::Counts::operator-=(const Counts& other)
{
    judged -= other.judged;
    failed -= other.failed;
    return *this;
}

StopWatch::StopWatch(const StopRules& rules, std::vector<measure::Objective> objectives)
    : rules_(rules)
    , objectives_(std::move(objectives))
    , latest_({std::chrono::seconds(1), kErrorSlots})
    , second_(objectives_, kSecondsDigits)
{
}

void StopWatch::onFinished(const measure::Sample& sample)
{
    if (rules_.objectivesBrokenFor)
        second_.add(sample);
    if (sample.outcome == measure::Outcome::Cancelled)
        return;
    latest_.add({1, sample.outcome == measure::Outcome::Success ? 0 : 1}, sample.end);
}

StopReason StopWatch::check(Instant now)
{
    if (rules_.budgetUsd && static_cast<double>(spentNanoUsd_) >= *rules_.budgetUsd * 1e9)
        return StopReason::Budget;
    if (!rules_.errorShare)
        return StopReason::None;
    const Counts& counts = latest_.total(kErrorSlots, now);
    const bool tooMany = counts.judged >= kFewestJudged &&
                         static_cast<double>(counts.failed) > *rules_.errorShare * static_cast<double>(counts.judged);
    return tooMany ? StopReason::ErrorShare : StopReason::None;
}

/// A second without data says nothing: what was broken before it stays broken.
bool StopWatch::objectivesBroken(Instant now)
{
    const Nanos span = secondBegan_ ? now - *secondBegan_ : Nanos(std::chrono::seconds(1));
    const auto verdicts = measure::judge(second_, second_.figures(span));
    const bool hasData = second_.judged() > 0;
    const bool broken = std::ranges::any_of(
        verdicts, [](const measure::ObjectiveVerdict& verdict) { return verdict.measured && !verdict.met(); });
    const Instant began = secondBegan_.value_or(now - span);
    second_ = measure::Tally(objectives_, kSecondsDigits);
    secondBegan_ = now;
    if (hasData && !broken)
        brokenSince_.reset();
    else if (hasData && !brokenSince_)
        brokenSince_ = began;
    return brokenSince_ && now - *brokenSince_ >= *rules_.objectivesBrokenFor;
}

StopReason StopWatch::onSecond(Instant now, std::optional<double> busy)
{
    busySeconds_ = busy.value_or(0) > kBusy ? busySeconds_ + 1 : 0;
    if (rules_.whenSaturated && busySeconds_ >= kBusySeconds)
        return StopReason::GeneratorSaturated;
    if (rules_.objectivesBrokenFor && objectivesBroken(now))
        return StopReason::ObjectivesBroken;
    return check(now);
}

} // namespace sg::load
