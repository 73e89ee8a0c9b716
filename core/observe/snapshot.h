// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/event.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What the screen sees: an immutable picture of everything, made by the engine thread, shared by pointer. Times are
/// Unix ms (wall clock), spans ms, rates per second. Empty optionals are unknown and shown as "–", never as 0.
namespace sg::observe {

/// One value a second, oldest first; the last is the newest whole second. NaN = no data in that second.
using Series = std::vector<float>;
constexpr std::size_t kSparkSeconds = 120;

struct Tiles
{
    double requestsPerSecond = 0;     ///< mean of the last 5 whole seconds
    double peakRequestsPerSecond = 0; ///< in the window
    Series requestsSpark;

    std::int64_t requests = 0, answered = 0, failed = 0, cancelled = 0, canned = 0; ///< in the window
    std::optional<double> successShare;                                             ///< answered / (answered + failed)
    Series successSpark;                                                            ///< 0..1

    std::optional<double> p50Ms, p95Ms, p99Ms; ///< over answered requests of the window; p99 from 100 on
    std::int64_t latencySamples = 0;
    Series p50Spark, p95Spark, p99Spark; ///< ms, each second's over the 10 s that end with it

    std::optional<double> costPerHourUsd; ///< last 5 min × 12; empty: nothing priced yet, or only unpriced traffic
    bool costIsLowerBound = false;        ///< some traffic has no price
    bool costIsEstimated = false;         ///< some answers came without usage: estimated from characters
    Series costSpark;                     ///< USD per hour, mean of 10 s
    std::optional<double> costDeltaPerHourUsd; ///< against the hour rate before the last failover

    std::optional<double> cacheHitShare; ///< hits and shared calls / requests; empty without a cache
    std::optional<double> cacheSavesPerHourUsd;
    Series cacheSpark;
};

enum class TripRule { None, ConsecutiveFailures, FailureRate, RateLimitedShare, SlowRate };

struct LastError
{
    std::int64_t unixMs = 0;
    int status = 0; ///< 0: no HTTP answer
    provider::ErrorClass error = provider::ErrorClass::None;
    std::string words; ///< "The provider has no capacity. Retried, answered after 2.10 s"
};

/// One breaker card.
struct EndpointView
{
    std::string name, provider, model;
    policy::BreakerState state = policy::BreakerState::Closed;
    std::int64_t sinceUnixMs = 0;
    std::optional<std::int64_t> nextProbeUnixMs;
    double openForMs = 0; ///< length of the current wait
    int openings = 0;
    policy::BreakerFigures figures;
    int probesNeeded = 1;
    TripRule rule = TripRule::None; ///< the rule the gauge shows: the one nearest to tripping
    std::optional<double> gauge;    ///< share 0..1 or streak; empty: no calls in the window
    std::optional<double> gaugeAtTrip;
    double gaugeLimit = 0; ///< trips at
    double windowMs = 0;   ///< 0 for a count window
    int inFlight = 0;
    std::optional<double> rpmUsed, rpmLimit; ///< taken of the limit; attempts in the last 60 s without one
    std::optional<double> answeredShare;     ///< of all requests of the window
    std::optional<double> p50Ms, p95Ms;
    std::int64_t attempts = 0, failures = 0; ///< in the window
    std::optional<LastError> lastError;
    std::string note; ///< "Tripped 14:24:12; traffic moved to claude" or a manual action's reason, plain words
    bool credentialOut = false;
    std::string keyMissing{}; ///< why there is no key to send, in plain words; empty: there is one, or none is needed
    std::optional<std::int64_t> parkedUntilUnixMs;
    std::int64_t lastAttemptUnixMs = 0; ///< 0 = never
};

struct LaneSegment
{
    policy::BreakerState state = policy::BreakerState::Closed;
    std::int64_t fromUnixMs = 0, toUnixMs = 0;
    std::string cause; ///< sentence for the hover
};
struct Lane
{
    std::string endpoint;
    std::vector<LaneSegment> segments; ///< oldest first, without gaps since the endpoint exists, at most 400
};

/// Why traffic left a tier; the tags on an edge of the canvas.
enum class MovedBy { Disabled, OpenBreaker, RateLimited, ServerError, Timeout, ContextTooLong, ContentPolicy, Unsuited,
                     Credential, NoRule, Other };
constexpr std::size_t kMovedByCount = 11;

struct TierView
{
    std::string name, endpoint; ///< as the chain had them when the picture was made
    std::int64_t entered = 0;   ///< requests that came to this tier
    std::int64_t answered = 0;
    std::int64_t failedHere = 0; ///< requests that ended here without an answer
    std::array<std::int64_t, kMovedByCount> moved{}; ///< requests that left for the next tier, by MovedBy
    // entered = answered + failedHere + all of moved + those that were cancelled here.
    std::optional<double> p95Ms; ///< of the attempts it answered with; from 20 on
};

/// One chain in a window of its own, ChainView::windowMs.
struct ChainView
{
    std::string name;
    std::int64_t windowMs = 60000; ///< the span these counts are of: 1 min, or the snapshot's window
    std::int64_t requests = 0, answered = 0, failed = 0, cancelled = 0;
    std::int64_t fromCache = 0; ///< hits and shared calls
    std::int64_t refusedByLimiter = 0;
    double requestsPerSecond = 0; ///< that ended, over the span as far as recorded
    std::optional<double> limiterUsed, limiterLimit; ///< requests a minute; empty without a limiter
    std::int64_t cacheEntries = 0;
    std::vector<TierView> tiers; ///< in the chain's order
};

struct LatencyBin
{
    double lowMs = 0, highMs = 0; ///< from 0: all that is below
    std::int64_t answered = 0, cached = 0, failed = 0; ///< `answered` is without `cached`
};

struct Heatmap
{
    std::int64_t firstColumnUnixMs = 0;
    std::int64_t columnMs = 15000;
    std::vector<double> rowEdgesMs;    ///< rows + 1, rising; the end rows hold what lies outside
    int columns = 0;                   ///< the last one is under way; none from before recording began
    std::vector<std::uint32_t> counts; ///< column-major: counts[column * rows + row]
    std::uint32_t maxCount = 0;
};

struct Snapshot
{
    std::uint64_t sequence = 0;
    std::int64_t takenUnixMs = 0;
    std::int64_t startedUnixMs = 0; ///< recording since
    std::int64_t windowMs = 15 * 60 * 1000;
    std::string workspace, environment;
    bool simulated = false; ///< traffic goes to the built-in simulator
    Tiles tiles;
    std::vector<EndpointView> endpoints; ///< in order of the workspace
    std::vector<Lane> lanes;
    std::vector<LatencyBin> latency; ///< log-spaced
    Heatmap heatmap;
    std::vector<Event> events; ///< newest first, at most 200
    std::uint64_t eventsTotal = 0, eventsDropped = 0;
    int inFlight = 0;
    std::int64_t requestsTotal = 0; ///< since start
    std::int64_t lastRequestUnixMs = 0;
    std::vector<ChainView> chainsMinute{}; ///< the last minute, in the workspace's order
    std::vector<ChainView> chainsWindow{}; ///< the same over `windowMs`
    double recorderLagMs = 0; ///< how late the recording thread was for this picture
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace sg::observe
