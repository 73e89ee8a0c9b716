// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/tile_track.h"

#include <algorithm>
#include <limits>

namespace sg::observe {

using namespace std::chrono;

namespace {

constexpr Nanos kSecond = seconds(1);
constexpr Nanos kSmooth = seconds(10);
constexpr Nanos kRateWindow = minutes(5);
constexpr double kNanoPerDollar = 1e9;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kEnoughForP99 = 100;

double seconds(Nanos span)
{
    return toMs(span) / 1000;
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kUnknown;
}

std::optional<double> known(double value)
{
    return value == value ? std::optional(value) : std::nullopt;
}

std::optional<double> percentileMs(const stats::Histogram& histogram, double p, std::int64_t enough = 1)
{
    if (histogram.count() < enough)
        return std::nullopt;
    const auto value = histogram.percentile(p);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

} // namespace

RequestCounts& RequestCounts::operator+=(const RequestCounts& other)
{
    started += other.started;
    answered += other.answered;
    failed += other.failed;
    cancelled += other.cancelled;
    canned += other.canned;
    cacheHits += other.cacheHits;
    cost += other.cost;
    priced += other.priced;
    unpriced += other.unpriced;
    estimated += other.estimated;
    saved += other.saved;
    savedKnown += other.savedKnown;
    return *this;
}

RequestCounts& RequestCounts::operator-=(const RequestCounts& other)
{
    started -= other.started;
    answered -= other.answered;
    failed -= other.failed;
    cancelled -= other.cancelled;
    canned -= other.canned;
    cacheHits -= other.cacheHits;
    cost -= other.cost;
    priced -= other.priced;
    unpriced -= other.unpriced;
    estimated -= other.estimated;
    saved -= other.saved;
    savedKnown -= other.savedKnown;
    return *this;
}

RequestCounts countsOf(const chain::RunRecord& record, const RequestMoney& money)
{
    RequestCounts counts;
    counts.answered = record.ending == chain::Ending::Answered ? 1 : 0;
    counts.failed = record.ending == chain::Ending::Failed ? 1 : 0;
    counts.cancelled = record.ending == chain::Ending::Cancelled ? 1 : 0;
    if (counts.answered != 0) {
        counts.canned = record.source == chain::Source::CannedReply ? 1 : 0;
        const bool fromCache = record.source == chain::Source::Cache || record.source == chain::Source::SharedCall;
        counts.cacheHits = fromCache ? 1 : 0;
    }
    counts.priced = money.cost ? 1 : 0;
    counts.unpriced = money.cost && !money.costIsLowerBound ? 0 : 1;
    counts.estimated = money.costIsEstimated ? 1 : 0;
    counts.cost = money.cost.value_or(0);
    counts.savedKnown = money.saved ? 1 : 0;
    counts.saved = money.saved.value_or(0);
    return counts;
}

void TileTrack::Spark::push(double value)
{
    values_[next_] = static_cast<float>(value);
    next_ = (next_ + 1) % values_.size();
    size_ = std::min(size_ + 1, values_.size());
}

Series TileTrack::Spark::series() const
{
    Series list;
    list.reserve(size_);
    for (std::size_t i = 0; i < size_; ++i)
        list.push_back(values_[(next_ + values_.size() - size_ + i) % values_.size()]);
    return list;
}

double TileTrack::Spark::meanOfLast(int seconds) const
{
    const std::size_t n = std::min(static_cast<std::size_t>(seconds), size_);
    double sum = 0;
    for (std::size_t i = 1; i <= n; ++i)
        sum += static_cast<double>(values_[(next_ + values_.size() - i) % values_.size()]);
    return n > 0 ? sum / static_cast<double>(n) : 0;
}

void TileTrack::tick(Instant now, LatencyTrack& latency)
{
    const std::int64_t second = stats::slotIndex(now, kSecond);
    if (!ticking_) {
        ticking_ = true;
        second_ = second;
        return;
    }
    if (second <= second_)
        return;
    const auto shown = static_cast<std::int64_t>(kSparkSeconds);
    if (second - second_ > shown) { // the second left open holds facts that the peak must not lose
        closeSecond(second_, latency);
        second_ = second - shown;
    }
    for (; second_ < second; ++second_)
        closeSecond(second_, latency);
}

void TileTrack::closeSecond(std::int64_t second, LatencyTrack& latency)
{
    const Instant end(kSecond * (second + 1) - Nanos(1));
    const RequestCounts smooth = counts_.total(kSmooth, end);
    const RequestCounts counts = counts_.finest().slot(second);
    requests_.push(static_cast<double>(counts.started));
    peaks_.put(counts.started, end);
    success_.push(shareOf(counts.answered, counts.answered + counts.failed));
    cache_.push(hasCache_ ? shareOf(counts.cacheHits, counts.finished()) : kUnknown);

    const stats::Histogram& recent = latency.answered(kSmooth, end);
    p50_.push(percentileMs(recent, 50).value_or(kUnknown));
    p95_.push(percentileMs(recent, 95).value_or(kUnknown));
    p99_.push(percentileMs(recent, 99, kEnoughForP99).value_or(kUnknown));

    const bool costKnown = everPriced_ && (smooth.priced > 0 || smooth.unpriced == 0);
    const double perSecond = static_cast<double>(smooth.cost) / kNanoPerDollar / spanSeconds(kSmooth, end);
    cost_.push(costKnown ? perSecond * 3600 : kUnknown);
}

void TileTrack::add(const RequestCounts& counts, Instant now)
{
    everPriced_ = everPriced_ || counts.priced > 0;
    counts_.add(counts, now);
}

// A rate over five minutes, ten seconds after the start, is a rate over ten seconds.
double TileTrack::spanSeconds(Nanos window, Instant now) const
{
    return seconds(std::clamp(now - start_, std::min(kSmooth, window), window));
}

std::optional<double> TileTrack::costPerHour(Instant now)
{
    const RequestCounts& recent = counts_.total(kRateWindow, now);
    if (!everPriced_ || (recent.priced == 0 && recent.unpriced > 0))
        return std::nullopt;
    return static_cast<double>(recent.cost) / kNanoPerDollar * 3600 / spanSeconds(kRateWindow, now);
}

void TileTrack::markTrip(Instant now)
{
    tripped_ = true;
    beforeTrip_ = {now, costPerHour(now)};
}

double TileTrack::peak(Nanos window, Instant now)
{
    if (knownPeak_.window != window || knownPeak_.second != second_)
        knownPeak_ = {window, second_, peaks_.peak(window, now)};
    return static_cast<double>(knownPeak_.value);
}

Tiles TileTrack::view(Nanos window, Instant now, LatencyTrack& latency)
{
    const RequestCounts counts = counts_.total(window, now);
    const RequestCounts recent = counts_.total(kRateWindow, now);
    Tiles tiles;
    tiles.requestsPerSecond = requests_.meanOfLast(5);
    tiles.peakRequestsPerSecond = peak(window, now);
    tiles.requestsSpark = requests_.series();

    tiles.requests = counts.finished();
    tiles.answered = counts.answered;
    tiles.failed = counts.failed;
    tiles.cancelled = counts.cancelled;
    tiles.canned = counts.canned;
    tiles.successShare = known(shareOf(counts.answered, counts.answered + counts.failed));
    tiles.successSpark = success_.series();

    const stats::Histogram& answered = latency.answered(window, now);
    tiles.latencySamples = answered.count();
    tiles.p50Ms = percentileMs(answered, 50);
    tiles.p95Ms = percentileMs(answered, 95);
    tiles.p99Ms = percentileMs(answered, 99, kEnoughForP99);
    tiles.p50Spark = p50_.series();
    tiles.p95Spark = p95_.series();
    tiles.p99Spark = p99_.series();

    tiles.costPerHourUsd = costPerHour(now);
    tiles.costIsLowerBound = recent.unpriced > 0;
    tiles.costIsEstimated = recent.estimated > 0;
    tiles.costSpark = cost_.series();
    if (tripped_ && now - beforeTrip_.at <= window && beforeTrip_.perHour && tiles.costPerHourUsd)
        tiles.costDeltaPerHourUsd = *tiles.costPerHourUsd - *beforeTrip_.perHour;

    if (hasCache_) {
        tiles.cacheHitShare = known(shareOf(counts.cacheHits, counts.finished()));
        if (recent.savedKnown > 0)
            tiles.cacheSavesPerHourUsd =
                static_cast<double>(recent.saved) / kNanoPerDollar * 3600 / spanSeconds(kRateWindow, now);
    }
    tiles.cacheSpark = cache_.series();
    return tiles;
}

} // namespace sg::observe
