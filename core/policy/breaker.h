// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/random.h"
#include "core/policy/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sg::policy {

enum class BreakerState { Closed, Open, HalfOpen, ForcedOpen, ForcedClosed, MetricsOnly };
std::string_view toString(BreakerState state); // "closed", "open", "half_open", "forced_open", ...

enum class CallOutcome { Success, Failure, RateLimited, Neutral };
std::string_view toString(CallOutcome outcome); // "success", "failure", "rate_limited", "neutral"

enum class RateLimitedCountsAs { Failure, Share, Neutral };

struct TimeWindow
{
    Nanos window{Millis(60000)};
    Nanos bucket{Millis(1000)};
    bool operator==(const TimeWindow&) const = default;
};
struct CountWindow
{
    int size = 100;
    bool operator==(const CountWindow&) const = default;
};

/// One breaker's rules. Rules that are not set never trip. Spans are >= 0, rates and shares in (0, 1].
/// Field names in files and findings are the snake_case of the vectors (tests/data/vectors/README.md).
struct BreakerConfig
{
    std::optional<int> consecutiveFailures;
    std::optional<double> failureRate;
    std::optional<double> rateLimitedShare;
    std::optional<double> slowRate;
    std::optional<Nanos> slowCall;
    int minimumCalls = 1;
    std::variant<TimeWindow, CountWindow> window = TimeWindow{};
    RateLimitedCountsAs rateLimitedCountsAs = RateLimitedCountsAs::Failure;
    Nanos open{Millis(30000)};
    double openMultiplier = 1;
    Nanos maxOpen{Millis(300000)};
    double openJitter = 0;
    std::optional<Nanos> callTimeout;
    int halfOpenMaxProbes = 1;
    int halfOpenSuccesses = 1;
    std::optional<Nanos> halfOpenDeadline; ///< not set: max(open, callTimeout or 0)
    bool metricsOnly = false;
    bool operator==(const BreakerConfig&) const = default;
};

/// How long a probe may run before it counts as hung.
Nanos probeDeadline(const BreakerConfig& config);

/// What is wrong with a configuration: the field in the spelling of files, why, and what would mend it.
struct ConfigFinding
{
    std::string field;
    std::string problem;
    std::string remedy;
};
/// The first thing that is wrong, or nothing. A breaker may be built with any configuration, also a wrong one.
std::optional<ConfigFinding> checkBreakerConfig(const BreakerConfig& config);

struct CallResult
{
    CallOutcome outcome = CallOutcome::Neutral;
    Nanos duration{0};
    std::optional<Nanos> retryAfter; ///< what the server asked for, if it did
};

enum class TransitionCause {
    ConsecutiveFailures,
    FailureRate,
    RateLimitedShare,
    SlowRate, // trips in closed
    ProbeFailed,
    ProbeTimedOut,
    ProbesSucceeded, // in half-open
    OpenElapsed,
    ManualTrip,
    ManualHoldClosed,
    ManualReset,
    ManualRelease,
    ManualProbe,
};
std::string_view toString(TransitionCause cause); // snake_case

/// What the breaker has counted in its window (closed, metrics_only) or since half-open began.
struct BreakerFigures
{
    std::int64_t successes = 0, failures = 0, rateLimited = 0, slow = 0;
    int streak = 0;             ///< failures in a row
    int probesInFlight = 0;     ///< half-open only
    int probeSuccesses = 0;     ///< half-open only
    double failureRate() const; ///< failures / (successes + failures); 0 when none
    double rateLimitedShare() const;
    double slowRate() const;
    bool operator==(const BreakerFigures&) const = default;
};

/// One state change, with the figures that made it (those before the change zeroed them). A reset of a breaker that is
/// closed already is one too (from == to): it zeroes what was counted.
struct BreakerTransition
{
    Instant at; ///< for a missed probe deadline that very instant, however late somebody looked
    BreakerState from = BreakerState::Closed, to = BreakerState::Closed;
    TransitionCause cause = TransitionCause::ManualReset;
    BreakerFigures figures;
    std::optional<Instant> nextProbe; ///< set when `to` is Open
    int openings = 0;                 ///< k: openings in a row without closing in between
    std::uint64_t sequence = 0;       ///< counts up per breaker, in order of happening
};

struct BreakerCounters
{
    std::int64_t late = 0, opened = 0, rejected = 0, wouldHaveOpened = 0;
    bool operator==(const BreakerCounters&) const = default;
};

/// Everything a screen needs of one breaker, read in one go.
struct BreakerStatus
{
    BreakerState state = BreakerState::Closed;
    Instant since;                    ///< when this state began
    std::optional<Instant> nextProbe; ///< Open only
    Nanos openFor{0};                 ///< length of the current open wait; 0 unless Open
    int openings = 0;
    BreakerFigures figures;
    std::optional<BreakerTransition> lastTransition;
    BreakerCounters counters;
};

class Breaker;

/// Leave for one call. Finish it with the call's result; destroyed without one it is dropped at the latest time the
/// breaker has seen. Move-only; may outlive nothing but the breaker it came from.
class Permit
{
public:
    Permit() = default;
    Permit(Permit&& other) noexcept;
    Permit& operator=(Permit&& other) noexcept;
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    ~Permit();

    explicit operator bool() const { return breaker_ != nullptr; }
    bool isProbe() const { return probe_; } ///< taken in half-open
    void finish(const CallResult& result, Instant now);
    void drop(Instant now);

private:
    friend class Breaker;
    Breaker* breaker_ = nullptr;
    std::uint64_t generation_ = 0;
    std::uint64_t id_ = 0;
    bool probe_ = false;
};

/// Circuit breaker after tests/data/vectors/README.md. Thread-safe; a `now` older than one seen before counts as that
/// one. The observer is called after the lock is given back, in the thread that caused the transition, in order per
/// thread (use BreakerTransition::sequence to order across threads).
class Breaker
{
public:
    using Observer = std::function<void(const BreakerTransition&)>;

    /// `random` is drawn from only when openJitter > 0, under the breaker's lock, and must outlive the breaker. Null:
    /// no jitter. Breakers used in different threads need sources of their own.
    Breaker(const BreakerConfig& config, RandomSource* random = nullptr, Observer observer = {});
    Breaker(const Breaker&) = delete;
    Breaker& operator=(const Breaker&) = delete;
    ~Breaker();

    /// An empty permit (false) when refused.
    Permit acquire(Instant now);
    /// Reading may move open to half_open.
    BreakerState state(Instant now);
    BreakerStatus status(Instant now);
    /// Time until an open breaker lets a probe through; 0 unless open.
    Nanos untilProbe(Instant now);

    // What the operator does. A trip of a tripped breaker and a hold of a held one change nothing.
    void trip(Instant now);
    void holdClosed(Instant now);
    void reset(Instant now);
    void release(Instant now);
    void probeNow(Instant now);

    const BreakerConfig& config() const;

private:
    friend class Permit;
    void finish(const Permit& permit, const CallResult& result, Instant now);
    void drop(const Permit& permit, Instant now);
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::policy
