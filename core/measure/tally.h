// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/objective.h"
#include "core/stats/histogram.h"

#include <array>

namespace sg::measure {

/// The values of a run's whole metrics, by Metric; empty: unknown, or there is none.
using Figures = std::array<std::optional<double>, kMetricCount>;

/// Every distribution of finished requests, apart for each outcome. Memory is bounded by the range of values, not by
/// their number.
class Tally
{
public:
    /// `digits`: of the histograms.
    explicit Tally(std::vector<Objective> objectives = {}, int digits = 3);

    void add(const Sample& sample);

    std::int64_t count(Outcome outcome) const { return counts_[static_cast<std::size_t>(outcome)]; }
    std::int64_t finished() const;
    std::int64_t judged() const { return finished() - count(Outcome::Cancelled); } ///< what rates are shares of
    std::int64_t good() const { return good_; }
    std::int64_t outputTokens() const { return outputTokens_; } ///< of successes, as providers counted
    std::int64_t uncounted() const { return uncounted_; }       ///< successes of endpoints whose tokens nobody counted
    /// Values in the metric's unit times a million: nanoseconds, where the unit is milliseconds.
    const stats::Histogram& of(Metric metric, Outcome outcome = Outcome::Success) const;
    /// Nearest rank, in the metric's unit; empty without values.
    std::optional<double> statistic(const Objective& objective) const;
    const std::vector<Objective>& objectives() const { return objectives_; }

    /// What follows from counts alone; no rate of tokens, when those of a success are not known. `span`: from the start
    /// of measuring to the last end.
    Figures figures(Nanos span) const;

private:
    void addTokens(const Sample& sample);
    std::vector<Objective> objectives_;
    std::array<std::int64_t, kOutcomeCount> counts_{};
    std::int64_t good_ = 0, outputTokens_ = 0, uncounted_ = 0;
    std::vector<stats::Histogram> histograms_; ///< by outcome and metric
};

/// One for each objective, in their order. Percentiles are over successes.
std::vector<ObjectiveVerdict> judge(const Tally& tally, const Figures& figures);
bool allMet(const std::vector<ObjectiveVerdict>& verdicts);

} // namespace sg::measure
