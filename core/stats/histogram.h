// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sg::stats {

class PackedHistogram;

/// Log-linear (HDR) histogram of non-negative durations from 1 µs to 1 h. `digits` significant decimal digits (2 or 3):
/// buckets are at most 1/128 or 1/1024 of their value wide. Values outside the range are counted and clamped into the
/// first or last bucket; minimum, maximum and sum keep them as they were. A bucket holds at most 2^32 - 1; what goes
/// beyond is not in count() either, so that count() is always the sum of the buckets. Not thread-safe.
class Histogram
{
public:
    explicit Histogram(int digits = 3);

    void record(Nanos value, std::int64_t count = 1);
    void add(const Histogram& other);      ///< same digits
    void subtract(const Histogram& other); ///< counts that had been added before; minimum and maximum stay as they were
    void clear();

    std::int64_t count() const { return total_; }
    bool empty() const { return total_ == 0; }
    std::int64_t outOfRange() const { return outOfRange_; }
    std::optional<Nanos> min() const;
    std::optional<Nanos> max() const;
    std::optional<Nanos> mean() const;
    /// Nearest rank: the smallest recorded value with at least p % (0 < p <= 100) of the values at or below it, as the
    /// highest value equivalent to its bucket, never above max. Empty histogram: nothing.
    std::optional<Nanos> percentile(double p) const;
    /// The value of that rank from 1 to count(), as percentile() tells values. Another rank: nothing.
    std::optional<Nanos> atRank(std::int64_t rank) const;
    /// Counts between two bounds by bucket midpoint; for drawing.
    std::int64_t countBetween(Nanos low, Nanos high) const;

    int digits() const { return digits_; }

private:
    friend class PackedHistogram;
    std::size_t indexOf(std::int64_t ns) const;
    std::int64_t lowestOf(std::size_t index) const;                     ///< smallest ns of a bucket
    std::int64_t highestOf(std::size_t index) const;                    ///< largest ns of a bucket
    std::int64_t addToBucket(std::size_t index, std::int64_t count);    ///< what fitted
    std::int64_t takeFromBucket(std::size_t index, std::int64_t count); ///< what was there
    void addExtremes(std::int64_t minNs, std::int64_t maxNs, bool wasEmpty);

    int digits_;
    int halfBits_;                       ///< log2 of the buckets of one octave
    std::vector<std::uint32_t> buckets_; ///< grown on demand
    std::int64_t total_ = 0, outOfRange_ = 0;
    std::int64_t minNs_ = 0, maxNs_ = 0;
    double sumNs_ = 0;
};

} // namespace sg::stats
