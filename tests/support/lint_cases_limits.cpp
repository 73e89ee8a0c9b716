// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

namespace sg::test::lintcases {

void times(Cases& c)
{
    c.row(
        "limit_never_applies", "endpoints[0].timeouts.idle_ms",
        [](W w, F) { w.endpoints[0].timeouts.idle = seconds(90); }, "never applies", "Shorten it to 60 s");
    c.row(
        "limit_never_applies", "endpoints[0].timeouts.min_tokens_window_ms",
        [](W w, F) {
            w.endpoints[0].timeouts.tokens.slowest = policy::RateFloor{5, seconds(90)};
        },
        "never applies", "Shorten");
    c.row(
        "task_limit_never_applies", "endpoints[0].timeouts.by_task.floor_ms",
        [](W w, F) {
            w.endpoints[0].timeouts.byTask = policy::TaskTimeout{seconds(5), seconds(2), seconds(5)};
        },
        "the base by task");
    c.row(
        "attempt_beyond_deadline", "chains[0].tiers[0].attempt_timeout_ms",
        [](W w, F) { chainOf(w).tiers[0].attemptTimeout = seconds(90); }, "never applies", "Shorten it to 60 s");
    c.row(
        "attempt_before_first_token", "chains[0].tiers[0]",
        [](W w, F) { w.endpoints[0].timeouts.tokens.firstToken = seconds(20); }, "first-token timeout");
    c.row(
        "limiter_beyond_deadline", "chains[0].limiter.max_wait_ms",
        [](W w, F) {
            chainOf(w).limiter = chain::LimiterSpec{5, 5, seconds(60), {}};
        },
        "60 s", "Shorten it to 30 s");
    c.row(
        "backoff_never_waited", "chains[0].tiers[0].backoff",
        [](W w, F) {
            chainOf(w).maxServerWait = seconds(3);
            chainOf(w).tiers[0].maxAttempts = 4;
            chainOf(w).tiers[0].backoff.baseMs = 2000;
        },
        "of 4 attempts 2 are made", "Cap waits at 3 s");
    c.row(
        "backoff_never_waited", "chains[0].tiers[0].backoff",
        [](W w, F) {
            chainOf(w).tiers[0].maxAttempts = 2;
            chainOf(w).tiers[0].backoff.baseMs = 60000;
            chainOf(w).tiers[0].backoff.capMs = 60000;
        },
        "of 2 attempts 1 are made", "Cap waits at 30 s");
    c.row(
        "backoff_unused", "chains[0].tiers[0].backoff", [](W w, F) { chainOf(w).tiers[0].backoff.baseMs = 250; },
        "one attempt", "Remove the backoff");

    c.row(
        "total_beyond_deadline", "chains[0].tiers[1].attempt_timeout_ms",
        [](W w, F) {
            w.endpoints[1].timeouts.total = seconds(90);
            chainOf(w).tiers[1].attemptTimeout.reset();
        },
        "total of 90 s");
    c.row(
        "budget_too_small", "chains[0].attempt_budget", [](W w, F) { chainOf(w).attemptBudget = 1; }, "all 2 tiers",
        "Raise the attempt budget to 2");
    c.row(
        "budget_used_up", "chains[0].attempt_budget",
        [](W w, F) {
            chainOf(w).attemptBudget = 2;
            chainOf(w).tiers[0].maxAttempts = 2;
        },
        "use up all 2", "Raise the attempt budget to 3");
    c.row(
        "caller_retries_multiply", "chains[0].caller.retries", [](W w, F) { w.chains[0].caller.retries = 5; },
        "12 attempts for one question");
    c.row(
        "sdk_retries_multiply", "chains[0].caller.retries", [](W w, F) { chainOf(w).tiers[0].maxAttempts = 3; },
        "asks 3 times × 4 tries: 12 attempts");
    c.row(
        "caller_gives_up", "chains[0].caller.waits_ms", [](W w, F) { w.chains[0].caller.waits = seconds(15); },
        "takes 20 s, callers give up after 15 s", "Lower the deadline to 15 s");
    c.row(
        "dearer_than_paid", "chains[0].caller.pays_usd",
        [](W w, F) { w.chains[0].caller.pays = cost::NanoDollars::fromUsd(0.001); }, "may cost $0.0014");
    c.row(
        "dearer_than_paid", "chains[0].caller.pays_usd",
        [](W w, F) {
            w.chains[0].caller.pays = cost::NanoDollars::fromUsd(0.0001);
            w.endpoints[1].price.reset();
        },
        "at least");
    c.row(
        "deadline_before_last_tier", "chains[0].deadline_ms",
        [](W w, F) {
            chainOf(w).tiers[0].attemptTimeout.reset();
            chainOf(w).tiers[0].maxAttempts = 2;
        },
        "60 s may be over before \"b\"", "Raise the deadline to 131 s");
    c.row(
        "deadline_before_last_tier", "chains[0].deadline_ms",
        [](W w, F) {
            chainOf(w).tiers[0].attemptTimeout.reset();
            w.chains[0].caller.waits = seconds(60);
        },
        "may be over before");
}

void breakers(Cases& c)
{
    c.row(
        "bad_breaker", "endpoints[0].breaker.max_open_ms", [](W w, F) { breakerOf(w).maxOpen = seconds(1); }, "shorter",
        "Raise the longest open time to 30 s");
    c.row(
        "bad_breaker", "endpoints[0].breaker.rate_limited_share", [](W w, F) { breakerOf(w).rateLimitedShare = 0.5; },
        "can never trip", "429");
    c.row(
        "breaker_trips_at_once", "endpoints[0].breaker.consecutive_failures",
        [](W w, F) { breakerOf(w).consecutiveFailures = 0; }, "first call", "5 failures in a row");
    c.row(
        "breaker_never_trips", "endpoints[0].breaker.minimum_calls", [](W w, F) { rateOnly(w, 40, 30); },
        "from 40 calls in 60 s on", "Set minimum calls to 15");
    c.row(
        "breaker_never_trips", "endpoints[0].breaker.minimum_calls", [](W w, F) { rateOnly(w, 40, 0.5); }, "about 0.5",
        "5 failures in a row");
    c.row(
        "breaker_rate_never_fires", "endpoints[0].breaker.minimum_calls",
        [](W w, F) {
            rateOnly(w, 40, 30);
            breakerOf(w).consecutiveFailures = 5;
        },
        "about 30", "Set minimum calls");
    c.row(
        "breaker_slow_rule_half", "endpoints[0].breaker.slow_rate",
        [](W w, F) {
            breakerOf(w).slowRate = 0.5;
            breakerOf(w).minimumCalls = 10;
        },
        "never fire", "Remove the slow rate");
    c.row(
        "breaker_slow_rule_half", "endpoints[0].breaker.slow_call_ms",
        [](W w, F) { breakerOf(w).slowCall = seconds(5); }, "does nothing", "Remove the slow-call time");
    c.row(
        "breaker_slow_beyond_limit", "endpoints[0].breaker.slow_call_ms",
        [](W w, F) {
            breakerOf(w).slowRate = 0.5;
            breakerOf(w).slowCall = seconds(20);
            breakerOf(w).minimumCalls = 10;
        },
        "ends after 10 s");
    c.row(
        "breaker_slow_to_close", "endpoints[0].breaker.half_open_successes",
        [](W w, F) {
            breakerOf(w).halfOpenSuccesses = 30;
            w.endpoints[0].spec.requestsPerMinute = 20;
        },
        "30 successes", "Close after 3");
    c.row(
        "breaker_slow_to_close", "endpoints[0].breaker.half_open_successes",
        [](W w, F) { breakerOf(w).halfOpenSuccesses = 100; }, "100 successes", "Close after 3");
    c.row(
        "breaker_open_for_hours", "endpoints[0].breaker.max_open_ms",
        [](W w, F) {
            breakerOf(w).openMultiplier = 2;
            breakerOf(w).maxOpen = hours(3);
        },
        "3 h", "Lower the longest open time to 300 s");
    c.row(
        "breaker_open_for_hours", "endpoints[0].breaker.open_ms",
        [](W w, F) { breakerOf(w).open = breakerOf(w).maxOpen = hours(2); }, "2 h");
    c.row(
        "breaker_probe_too_short", "endpoints[0].breaker.half_open_deadline_ms",
        [](W w, F) { breakerOf(w).halfOpenDeadline = seconds(2); }, "fails after 2 s", "Give probes 10 s");
    c.row(
        "breaker_hair_trigger", "endpoints[0].breaker.minimum_calls", [](W w, F) { breakerOf(w).failureRate = 0.5; },
        "One failed call", "Set minimum calls to 10");
    c.row(
        "breaker_hair_trigger", "endpoints[0].breaker.minimum_calls", [](W w, F) { rateOnly(w, 1, 1); },
        "One failed call");
    c.row(
        "breaker_without_rule", "endpoints[0].breaker", [](W w, F) { breakerOf(w).consecutiveFailures.reset(); },
        "never opens", "5 failures in a row");
    c.row(
        "breaker_metrics_only", "endpoints[0].breaker.metrics_only", [](W w, F) { breakerOf(w).metricsOnly = true; },
        "only counts");
}

} // namespace sg::test::lintcases
