// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/latency_track.h"
#include "core/observe/recorder.h"
#include "core/stats/peak_window.h"
#include "core/stats/slot_ring.h"

namespace sg::observe {

/// Requests counted by how they ended, with their money in nano-dollars.
struct RequestCounts
{
    std::int64_t started = 0, answered = 0, failed = 0, cancelled = 0, canned = 0, cacheHits = 0;
    std::int64_t cost = 0, priced = 0, unpriced = 0, estimated = 0, saved = 0, savedKnown = 0;
    std::int64_t finished() const { return answered + failed + cancelled; }
    RequestCounts& operator+=(const RequestCounts& other);
    RequestCounts& operator-=(const RequestCounts& other);
};
RequestCounts countsOf(const chain::RunRecord& record, const RequestMoney& money);

/// The figures on top of the screen. Not thread-safe.
class TileTrack
{
public:
    explicit TileTrack(Instant start)
        : start_(start)
    {
    }
    void setHasCache(bool hasCache) { hasCache_ = hasCache; }

    /// Closes the seconds that are over; before any add() of a later time.
    void tick(Instant now, LatencyTrack& latency);
    void add(const RequestCounts& counts, Instant now);
    /// Traffic is about to move: what it cost until now is what it is compared with.
    void markTrip(Instant now);

    std::int64_t finished(Nanos window, Instant now) { return counts_.total(window, now).finished(); }
    Tiles view(Nanos window, Instant now, LatencyTrack& latency);

private:
    /// The values of the last kSparkSeconds whole seconds.
    class Spark
    {
    public:
        void push(double value);
        Series series() const;
        double meanOfLast(int seconds) const; ///< of those that are there; 0 when none
    private:
        std::array<float, kSparkSeconds> values_{};
        std::size_t next_ = 0, size_ = 0;
    };

    void closeSecond(std::int64_t second, LatencyTrack& latency);
    std::optional<double> costPerHour(Instant now);
    double spanSeconds(Nanos window, Instant now) const;
    double peak(Nanos window, Instant now);

    Instant start_;
    bool hasCache_ = false;
    std::int64_t second_ = 0;
    bool ticking_ = false;
    bool everPriced_ = false;
    stats::Windowed<RequestCounts> counts_;
    stats::PeakWindow peaks_;
    struct
    {
        Nanos window{0};
        std::int64_t second = INT64_MIN, value = 0;
    } knownPeak_;
    struct
    {
        Instant at;
        std::optional<double> perHour;
    } beforeTrip_;
    bool tripped_ = false;
    Spark requests_, success_, p50_, p95_, p99_, cost_, cache_;
};

} // namespace sg::observe
