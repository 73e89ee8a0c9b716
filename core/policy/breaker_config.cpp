// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/breaker.h"

#include <algorithm>
#include <cmath>

namespace sg::policy {

namespace {

using Finding = std::optional<ConfigFinding>;

Finding found(const char* field, const char* problem, const char* remedy)
{
    return ConfigFinding{field, problem, remedy};
}

Finding negative(const char* field)
{
    return found(field, "is negative", "give 0 or more");
}

struct Number
{
    const char* field;
    double value;
};

double nanos(Nanos span)
{
    return static_cast<double>(span.count());
}

/// The first number below zero. NaN and infinity are no numbers anybody can mean, so they are caught here too.
Finding checkNumbers(const BreakerConfig& c)
{
    const auto* time = std::get_if<TimeWindow>(&c.window);
    const auto* count = std::get_if<CountWindow>(&c.window);
    const Number numbers[] = {
        {"consecutive_failures", static_cast<double>(c.consecutiveFailures.value_or(0))},
        {"failure_rate", c.failureRate.value_or(0)},
        {"rate_limited_share", c.rateLimitedShare.value_or(0)},
        {"slow_rate", c.slowRate.value_or(0)},
        {"slow_call_ms", nanos(c.slowCall.value_or(Nanos::zero()))},
        {"minimum_calls", static_cast<double>(c.minimumCalls)},
        {"window.window_ms", time ? nanos(time->window) : 0},
        {"window.bucket_ms", time ? nanos(time->bucket) : 0},
        {"window.size", count ? static_cast<double>(count->size) : 0},
        {"open_ms", nanos(c.open)},
        {"open_multiplier", c.openMultiplier},
        {"max_open_ms", nanos(c.maxOpen)},
        {"open_jitter", c.openJitter},
        {"call_timeout_ms", nanos(c.callTimeout.value_or(Nanos::zero()))},
        {"half_open_max_probes", static_cast<double>(c.halfOpenMaxProbes)},
        {"half_open_successes", static_cast<double>(c.halfOpenSuccesses)},
        {"half_open_deadline_ms", nanos(c.halfOpenDeadline.value_or(Nanos::zero()))},
    };
    for (const Number& number : numbers) {
        if (!std::isfinite(number.value))
            return found(number.field, "is no finite number", "give a finite number");
        if (number.value < 0)
            return negative(number.field);
    }
    return {};
}

Finding checkRates(const BreakerConfig& c)
{
    const std::pair<const char*, std::optional<double>> rates[] = {
        {"failure_rate", c.failureRate}, {"rate_limited_share", c.rateLimitedShare}, {"slow_rate", c.slowRate}};
    for (const auto& [field, rate] : rates) {
        if (rate && !(*rate > 0 && *rate <= 1))
            return found(field, "is not above 0 and at most 1", "give a fraction: 0.5 is half of the calls");
    }
    if (c.rateLimitedShare && c.rateLimitedCountsAs != RateLimitedCountsAs::Share)
        return found("rate_limited_share", "can never trip: 429 answers do not count as a class of their own",
                     "set rate_limited_counts_as to share, or leave the rule out");
    return {};
}

Finding checkWindow(const BreakerConfig& c)
{
    if (const auto* count = std::get_if<CountWindow>(&c.window)) {
        if (c.minimumCalls > count->size)
            return found("minimum_calls", "is more than the window holds, so no rate can ever trip",
                         "lower it to window.size or enlarge the window");
        return {};
    }
    const auto& time = std::get<TimeWindow>(c.window);
    if (time.bucket == Nanos::zero() || time.window < time.bucket || time.window % time.bucket != Nanos::zero())
        return found("window.window_ms", "is no multiple of window.bucket_ms",
                     "choose a window that whole buckets fill, as 60000 by 1000");
    return {};
}

Finding checkOpening(const BreakerConfig& c)
{
    if (c.maxOpen < c.open)
        return found("max_open_ms", "is shorter than open_ms", "raise it to open_ms or more");
    if (c.halfOpenMaxProbes < 1)
        return found("half_open_max_probes", "leaves no place for a probe, so it could never close", "allow 1 or more");
    if (c.halfOpenSuccesses < 1)
        return found("half_open_successes", "asks for no success, so no success could close it", "ask for 1 or more");
    if (probeDeadline(c) <= Nanos::zero())
        return found("half_open_deadline_ms", "is 0, so every probe would be overdue at once",
                     c.halfOpenDeadline ? "give the time a slow healthy call needs"
                                        : "set it, or call_timeout_ms, or an open_ms above 0");
    return {};
}

} // namespace

Nanos probeDeadline(const BreakerConfig& config)
{
    return config.halfOpenDeadline.value_or(std::max(config.open, config.callTimeout.value_or(Nanos::zero())));
}

std::optional<ConfigFinding> checkBreakerConfig(const BreakerConfig& config)
{
    for (const auto check : {checkNumbers, checkRates, checkWindow, checkOpening}) {
        if (auto finding = check(config))
            return finding;
    }
    return {};
}

std::string_view toString(CallOutcome outcome)
{
    switch (outcome) {
    case CallOutcome::Success:
        return "success";
    case CallOutcome::Failure:
        return "failure";
    case CallOutcome::RateLimited:
        return "rate_limited";
    case CallOutcome::Neutral:
        break;
    }
    return "neutral";
}

std::string_view toString(BreakerState state)
{
    switch (state) {
    case BreakerState::Closed:
        return "closed";
    case BreakerState::Open:
        return "open";
    case BreakerState::HalfOpen:
        return "half_open";
    case BreakerState::ForcedOpen:
        return "forced_open";
    case BreakerState::ForcedClosed:
        return "forced_closed";
    case BreakerState::MetricsOnly:
        return "metrics_only";
    }
    return {};
}

std::string_view toString(TransitionCause cause)
{
    switch (cause) {
    case TransitionCause::ConsecutiveFailures:
        return "consecutive_failures";
    case TransitionCause::FailureRate:
        return "failure_rate";
    case TransitionCause::RateLimitedShare:
        return "rate_limited_share";
    case TransitionCause::SlowRate:
        return "slow_rate";
    case TransitionCause::ProbeFailed:
        return "probe_failed";
    case TransitionCause::ProbeTimedOut:
        return "probe_timed_out";
    case TransitionCause::ProbesSucceeded:
        return "probes_succeeded";
    case TransitionCause::OpenElapsed:
        return "open_elapsed";
    case TransitionCause::ManualTrip:
        return "manual_trip";
    case TransitionCause::ManualHoldClosed:
        return "manual_hold_closed";
    case TransitionCause::ManualReset:
        return "manual_reset";
    case TransitionCause::ManualRelease:
        return "manual_release";
    case TransitionCause::ManualProbe:
        return "manual_probe";
    }
    return {};
}

} // namespace sg::policy
