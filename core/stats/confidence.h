// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/histogram.h"

#include <cstdint>
#include <optional>
#include <span>

/// How far a figure of one run can be trusted, and what the difference of two runs is worth. All intervals are 95 %,
/// two-sided, and take requests as independent of each other: a run that drifts or queues is known less well than they
/// say. Pure; nothing is drawn at random.
namespace sg::stats {

/// A figure with its 95 % confidence interval, in the unit of what it was made from.
struct Estimate
{
    double value = 0, low = 0, high = 0;
    bool operator==(const Estimate&) const = default;
};

/// The ranks (from 1) whose values enclose the true p-th percentile (0 < p < 100) with at least 95 %, whatever the
/// distribution: of n independent values B ~ Bin(n, p/100) lie at or below it; low is the largest rank with
/// P(B < low) <= 2.5 %, high the smallest with P(B < high) >= 97.5 %. Nothing when n is too small for one of them: a
/// p99 needs 368 values. Source: Conover, Practical Nonparametric Statistics, 3rd ed., 3.2; Hahn & Meeker, Statistical
/// Intervals, 5.2.
struct RankRange
{
    std::int64_t low = 0, high = 0;
};
std::optional<RankRange> percentileRanks(std::int64_t n, double p);

/// The nearest-rank percentile with the interval of percentileRanks(); of a histogram in ms.
std::optional<Estimate> percentileEstimate(const Histogram& values, double p);
std::optional<Estimate> percentileEstimate(std::span<const double> sorted, double p);

/// `hits` of `n` as a share from 0 to 1 with Wilson's score interval; nothing when n is 0 or the counts make no sense.
/// Source: Wilson 1927, J. Am. Stat. Assoc. 22:209; Newcombe 1998, Statistics in Medicine 17:857, method 3.
std::optional<Estimate> shareEstimate(std::int64_t hits, std::int64_t n);

/// `second` minus `first` of two independent samples, their intervals put together:
/// low = d - sqrt((second - second.low)^2 + (first.high - first)^2), high likewise with the other ends. For shares this
/// is Newcombe's hybrid score interval. Source: Newcombe 1998, Statistics in Medicine 17:873, method 10; Zou & Donner
/// 2008, Statistics in Medicine 27:1693 ("MOVER"), for any two estimates.
Estimate difference(const Estimate& first, const Estimate& second);

/// Zero is outside: the runs differ by more than chance explains. Of twenty figures compared this way one will say so
/// by chance.
bool isClear(const Estimate& difference);

} // namespace sg::stats
