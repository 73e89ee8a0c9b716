// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/confidence.h"

#include <algorithm>
#include <cmath>

namespace sg::stats {

namespace {

constexpr double kTail = 0.025;
constexpr double kZ = 1.959963984540054; // normal quantile of 97.5 %

/// Bin(n, p) from 0 to n, by its weights against the one of the most likely count: no factorials, no overflow.
class Binomial
{
public:
    Binomial(std::int64_t n, double p)
        : n_(n)
        , odds_(p / (1 - p))
        , first_(std::min(n, static_cast<std::int64_t>(static_cast<double>(n + 1) * p)))
    {
        double weight = 1;
        total_ = 1;
        for (std::int64_t k = first_ + 1; k <= n_ && weight > kNothing; ++k)
            total_ += weight *= ratioBelow(k);
        weight = 1;
        firstWeight_ = 1;
        while (first_ > 0 && weight > kNothing) {
            weight /= ratioBelow(first_);
            --first_;
            total_ += weight;
            firstWeight_ = weight;
        }
    }

    /// The smallest k with P(B <= k) > share, or n.
    std::int64_t firstAbove(double share) const
    {
        return walk(share, [](double sum, double at) { return sum > at; });
    }
    /// The smallest k with P(B <= k) >= share, or n.
    std::int64_t firstReaching(double share) const
    {
        return walk(share, [](double sum, double at) { return sum >= at; });
    }

private:
    static constexpr double kNothing = 1e-18;

    /// P(B = k) / P(B = k - 1)
    double ratioBelow(std::int64_t k) const { return static_cast<double>(n_ - k + 1) / static_cast<double>(k) * odds_; }
    template <typename Passed>
    std::int64_t walk(double share, Passed passed) const
    {
        double weight = firstWeight_, sum = firstWeight_;
        std::int64_t k = first_;
        while (k < n_ && !passed(sum, share * total_))
            sum += weight *= ratioBelow(++k);
        return k;
    }

    std::int64_t n_;
    double odds_;
    std::int64_t first_; ///< below it there is nothing to speak of
    double firstWeight_ = 1, total_ = 1;
};

std::int64_t nearestRank(std::int64_t n, double p)
{
    // As Histogram: an exact share of n may land a hair above the whole number in binary.
    const double exact = p * static_cast<double>(n) / 100;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact - exact * 1e-12)), 1, n);
}

} // namespace

std::optional<RankRange> percentileRanks(std::int64_t n, double p)
{
    if (n < 1 || !(p > 0) || !(p < 100))
        return std::nullopt;
    const Binomial below(n, p / 100);
    // P(B < low) <= tail holds up to the first count that passes the tail.
    const std::int64_t low = below.firstAbove(kTail);
    const std::int64_t high = below.firstReaching(1 - kTail) + 1;
    if (low < 1 || high > n)
        return std::nullopt;
    return RankRange{low, high};
}

std::optional<Estimate> percentileEstimate(const Histogram& values, double p)
{
    const auto ranks = percentileRanks(values.count(), p);
    if (!ranks)
        return std::nullopt;
    return Estimate{toMs(*values.percentile(p)), toMs(*values.atRank(ranks->low)), toMs(*values.atRank(ranks->high))};
}

std::optional<Estimate> percentileEstimate(std::span<const double> sorted, double p)
{
    const auto n = static_cast<std::int64_t>(sorted.size());
    const auto ranks = percentileRanks(n, p);
    if (!ranks)
        return std::nullopt;
    const auto at = [&](std::int64_t rank) { return sorted[static_cast<std::size_t>(rank - 1)]; };
    return Estimate{at(nearestRank(n, p)), at(ranks->low), at(ranks->high)};
}

std::optional<Estimate> shareEstimate(std::int64_t hits, std::int64_t n)
{
    if (n < 1 || hits < 0 || hits > n)
        return std::nullopt;
    const auto count = static_cast<double>(n);
    const double share = static_cast<double>(hits) / count;
    const double z2 = kZ * kZ;
    const double middle = (share + z2 / (2 * count)) / (1 + z2 / count);
    const double half = kZ * std::sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count);
    // At none or all of them one end is the share itself, and rounding must not put it beyond.
    return Estimate{share, hits == 0 ? 0 : std::max(0.0, middle - half), hits == n ? 1 : std::min(1.0, middle + half)};
}

Estimate difference(const Estimate& first, const Estimate& second)
{
    const double d = second.value - first.value;
    return {d, d - std::hypot(second.value - second.low, first.high - first.value),
            d + std::hypot(second.high - second.value, first.value - first.low)};
}

bool isClear(const Estimate& difference)
{
    return difference.low > 0 || difference.high < 0;
}

} // namespace sg::stats
