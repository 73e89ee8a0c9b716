// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sg::stats {

namespace {

constexpr std::int64_t kLowestNs = 1'000;
constexpr std::int64_t kHighestNs = 3'600'000'000'000;
constexpr int kFirstOctave = 9; // 2^9 ns < 1 µs: everything below would never be used
constexpr std::int64_t kBucketMax = std::numeric_limits<std::uint32_t>::max();

// Half of the smallest power of two that is at least 2 * 10^digits: the buckets each octave is divided into.
int halfBitsFor(int digits)
{
    return digits <= 2 ? 7 : 10;
}

} // namespace

Histogram::Histogram(int digits)
    : digits_(digits <= 2 ? 2 : 3)
    , halfBits_(halfBitsFor(digits))
{
}

std::size_t Histogram::indexOf(std::int64_t ns) const
{
    const auto clamped = static_cast<std::uint64_t>(std::clamp(ns, kLowestNs, kHighestNs));
    const int octave = std::bit_width(clamped) - 1;
    const int shift = octave - halfBits_;
    // The smallest octaves are finer than 1 ns at three digits; then one ns is spread over 2^-shift indices.
    const std::uint64_t inOctave =
        (shift >= 0 ? clamped >> shift : clamped << -shift) - (std::uint64_t{1} << halfBits_);
    return (static_cast<std::size_t>(octave - kFirstOctave) << halfBits_) + static_cast<std::size_t>(inOctave);
}

std::int64_t Histogram::lowestOf(std::size_t index) const
{
    const int octave = static_cast<int>(index >> halfBits_) + kFirstOctave;
    const auto inOctave = static_cast<std::int64_t>(index & ((std::size_t{1} << halfBits_) - 1));
    const int shift = octave - halfBits_;
    const std::int64_t units = (std::int64_t{1} << halfBits_) + inOctave;
    return shift >= 0 ? units << shift : units >> -shift;
}

std::int64_t Histogram::highestOf(std::size_t index) const
{
    return std::max(lowestOf(index), lowestOf(index + 1) - 1);
}

std::int64_t Histogram::addToBucket(std::size_t index, std::int64_t count)
{
    if (index >= buckets_.size())
        buckets_.resize(((index >> halfBits_) + 1) << halfBits_); // whole octaves: few reallocations
    std::uint32_t& bucket = buckets_[index];
    const std::int64_t fits = std::min(count, kBucketMax - std::int64_t{bucket});
    bucket += static_cast<std::uint32_t>(fits);
    total_ += fits;
    return fits;
}

std::int64_t Histogram::takeFromBucket(std::size_t index, std::int64_t count)
{
    if (index >= buckets_.size())
        return 0;
    std::uint32_t& bucket = buckets_[index];
    const std::int64_t taken = std::min(count, std::int64_t{bucket});
    bucket -= static_cast<std::uint32_t>(taken);
    total_ -= taken;
    return taken;
}

void Histogram::addExtremes(std::int64_t minNs, std::int64_t maxNs, bool wasEmpty)
{
    minNs_ = wasEmpty ? minNs : std::min(minNs_, minNs);
    maxNs_ = wasEmpty ? maxNs : std::max(maxNs_, maxNs);
}

void Histogram::record(Nanos value, std::int64_t count)
{
    if (count <= 0)
        return;
    const std::int64_t ns = value.count();
    const bool wasEmpty = empty();
    const std::int64_t kept = addToBucket(indexOf(ns), count);
    if (kept == 0)
        return;
    addExtremes(ns, ns, wasEmpty);
    sumNs_ += static_cast<double>(ns) * static_cast<double>(kept);
    if (ns < kLowestNs || ns > kHighestNs)
        outOfRange_ += kept;
}

void Histogram::add(const Histogram& other)
{
    if (other.empty())
        return;
    const bool wasEmpty = empty();
    for (std::size_t i = 0; i < other.buckets_.size(); ++i) {
        if (other.buckets_[i] != 0)
            addToBucket(i, other.buckets_[i]);
    }
    addExtremes(other.minNs_, other.maxNs_, wasEmpty);
    sumNs_ += other.sumNs_;
    outOfRange_ += other.outOfRange_;
}

void Histogram::subtract(const Histogram& other)
{
    for (std::size_t i = 0; i < other.buckets_.size(); ++i) {
        if (other.buckets_[i] != 0)
            takeFromBucket(i, other.buckets_[i]);
    }
    sumNs_ = empty() ? 0 : sumNs_ - other.sumNs_;
    outOfRange_ = empty() ? 0 : std::max<std::int64_t>(0, outOfRange_ - other.outOfRange_);
}

void Histogram::clear()
{
    std::fill(buckets_.begin(), buckets_.end(), 0U);
    total_ = outOfRange_ = minNs_ = maxNs_ = 0;
    sumNs_ = 0;
}

std::optional<Nanos> Histogram::min() const
{
    return empty() ? std::nullopt : std::optional(Nanos(minNs_));
}

std::optional<Nanos> Histogram::max() const
{
    return empty() ? std::nullopt : std::optional(Nanos(maxNs_));
}

std::optional<Nanos> Histogram::mean() const
{
    if (empty())
        return std::nullopt;
    return Nanos(static_cast<std::int64_t>(std::llround(sumNs_ / static_cast<double>(total_))));
}

std::optional<Nanos> Histogram::percentile(double p) const
{
    if (empty() || !(p > 0))
        return std::nullopt;
    // p/100*n of an exact share (99.9 % of 1000) may land a hair above the whole number in binary.
    const double exact = std::min(p, 100.0) * static_cast<double>(total_) / 100.0;
    return atRank(std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact - exact * 1e-12)), 1, total_));
}

std::optional<Nanos> Histogram::atRank(std::int64_t rank) const
{
    if (rank < 1 || rank > total_)
        return std::nullopt;
    const std::size_t octave = std::size_t{1} << halfBits_;
    std::int64_t seen = 0;
    for (std::size_t block = 0; block < buckets_.size(); block += octave) {
        std::int64_t inBlock = 0;
        for (std::size_t i = block; i < block + octave; ++i)
            inBlock += buckets_[i];
        if (seen + inBlock < rank) {
            seen += inBlock;
            continue;
        }
        for (std::size_t i = block; i < block + octave; ++i) {
            seen += buckets_[i];
            if (seen >= rank)
                return Nanos(std::min(highestOf(i), maxNs_));
        }
    }
    return Nanos(maxNs_);
}

std::int64_t Histogram::countBetween(Nanos low, Nanos high) const
{
    if (high <= low || high.count() <= 0)
        return 0;
    const auto middle = [this](std::size_t i) { return lowestOf(i) + (highestOf(i) - lowestOf(i)) / 2; };
    std::int64_t counted = 0;
    for (std::size_t i = indexOf(low.count()); i < buckets_.size(); ++i) {
        const std::int64_t at = middle(i);
        if (at >= high.count())
            break;
        if (at >= low.count())
            counted += buckets_[i];
    }
    return counted;
}

} // namespace sg::stats
