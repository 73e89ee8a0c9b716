// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/tally.h"

#include <algorithm>

namespace sg::measure {

namespace {

std::size_t placeOf(Metric metric, Outcome outcome)
{
    return static_cast<std::size_t>(outcome) * kDistributionCount + static_cast<std::size_t>(metric);
}

std::optional<double> inUnit(const std::optional<Nanos>& value)
{
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

} // namespace

Tally::Tally(std::vector<Objective> objectives, int digits)
    : objectives_(std::move(objectives))
    , histograms_(kOutcomeCount * kDistributionCount, stats::Histogram(digits))
{
}

void Tally::add(const Sample& sample)
{
    ++counts_[static_cast<std::size_t>(sample.outcome)];
    good_ += isGood(sample, objectives_) ? 1 : 0;
    if (sample.outcome == Outcome::Success)
        addTokens(sample);
    for (int i = 0; i < kDistributionCount; ++i) {
        const auto metric = static_cast<Metric>(i);
        stats::Histogram& histogram = histograms_[placeOf(metric, sample.outcome)];
        valuesOf(sample, metric, [&](double value, std::int64_t count) { histogram.record(fromMs(value), count); });
    }
}

void Tally::addTokens(const Sample& sample)
{
    const bool isCounted = sample.outputTokens && !sample.tokensAreEstimated;
    const bool isFromEndpoint = sample.source.empty() || sample.source == "endpoint";
    outputTokens_ += isCounted ? *sample.outputTokens : 0;
    uncounted_ += !isCounted && isFromEndpoint ? 1 : 0;
}

std::int64_t Tally::finished() const
{
    std::int64_t sum = 0;
    for (const std::int64_t count : counts_)
        sum += count;
    return sum;
}

const stats::Histogram& Tally::of(Metric metric, Outcome outcome) const
{
    return histograms_[placeOf(metric, outcome)];
}

std::optional<double> Tally::statistic(const Objective& objective) const
{
    const stats::Histogram& histogram = of(objective.metric);
    switch (objective.statistic) {
    case Statistic::Percentile:
        return inUnit(histogram.percentile(objective.percentile));
    case Statistic::Mean:
        return inUnit(histogram.mean());
    case Statistic::Min:
        return inUnit(histogram.min());
    case Statistic::Max:
        return inUnit(histogram.max());
    case Statistic::Whole:
        break;
    }
    return std::nullopt;
}

Figures Tally::figures(Nanos span) const
{
    Figures figures;
    const auto set = [&](Metric metric, double part, double whole) {
        if (whole > 0)
            figures[static_cast<std::size_t>(metric)] = part / whole;
    };
    const auto judgedCount = static_cast<double>(judged());
    const auto successes = static_cast<double>(count(Outcome::Success));
    const double seconds = toMs(span) / 1000;
    set(Metric::SuccessRate, successes * 100, judgedCount);
    set(Metric::FailureRate, (judgedCount - successes) * 100, judgedCount);
    set(Metric::GoodShare, static_cast<double>(good_) * 100, judgedCount);
    set(Metric::AchievedRate, static_cast<double>(finished()), seconds);
    set(Metric::Goodput, static_cast<double>(good_), seconds);
    set(Metric::TokenRate, static_cast<double>(outputTokens_), outputTokens_ > 0 && uncounted_ == 0 ? seconds : 0);
    return figures;
}

std::vector<ObjectiveVerdict> judge(const Tally& tally, const Figures& figures)
{
    std::vector<ObjectiveVerdict> verdicts;
    for (const Objective& objective : tally.objectives())
        verdicts.push_back({objective, objective.statistic == Statistic::Whole
                                           ? figures[static_cast<std::size_t>(objective.metric)]
                                           : tally.statistic(objective)});
    return verdicts;
}

bool allMet(const std::vector<ObjectiveVerdict>& verdicts)
{
    return std::ranges::all_of(verdicts, &ObjectiveVerdict::met);
}

} // namespace sg::measure
