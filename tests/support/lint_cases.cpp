// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_cases.h"

#include "core/workspace/workspace_file.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace sg::test {

using namespace sg::workspace;
using std::chrono::hours;
using std::chrono::seconds;

namespace {

cost::Price price(double usdPerMillion)
{
    const auto each = cost::NanoDollars::fromUsd(usdPerMillion);
    return {{each, each, {}, {}, {}}, {}};
}

Endpoint endpoint(const char* name)
{
    Endpoint made;
    made.provider = QStringLiteral("openai-compatible");
    made.baseUrl = QStringLiteral("https://%1.example/v1").arg(QLatin1String(name));
    made.model = QStringLiteral("model-") + QLatin1String(name);
    made.key = {KeySource::Environment, QString::fromLatin1(name).toUpper() + QStringLiteral("_KEY")};
    made.spec.name = made.spec.quotaGroup = made.spec.credential = name;
    made.spec.breaker.consecutiveFailures = 5;
    made.price = price(1);
    return made;
}

chain::TierSpec tier(const char* endpoint)
{
    chain::TierSpec made;
    made.name = made.endpoint = endpoint;
    made.attemptTimeout = seconds(10);
    return made;
}

chain::TierSpec canned(const char* name, std::vector<chain::CannedRule> rules)
{
    chain::TierSpec made;
    made.name = name;
    made.kind = chain::TierKind::CannedReply;
    made.rules = std::move(rules);
    return made;
}

chain::ChainSpec& chainOf(Workspace& w)
{
    return w.chains[0].spec;
}

policy::BreakerConfig& breakerOf(Workspace& w)
{
    return w.endpoints[0].spec.breaker;
}

void addTier(Workspace& w, const char* name)
{
    w.endpoints.push_back(endpoint(name));
    chainOf(w).tiers.push_back(tier(name));
}

/// Only a rate, judged in a window of a minute.
void rateOnly(Workspace& w, int minimum, double perMinute)
{
    breakerOf(w).consecutiveFailures.reset();
    breakerOf(w).failureRate = 0.5;
    breakerOf(w).minimumCalls = minimum;
    w.endpoints[0].spec.requestsPerMinute = perMinute;
}

using W = Workspace&;
using F = LintFacts&;

class Cases
{
public:
    template <typename Spoil>
    void row(const char* rule, const char* place, Spoil spoil, const char* words, const char* fix = nullptr)
    {
        all.push_back({QString::fromUtf8(rule), QString::fromUtf8(place), spoil, QString::fromUtf8(words),
                       fix != nullptr, QString::fromUtf8(fix)});
    }
    std::vector<LintCase> all;
};

void namesAndFields(Cases& c)
{
    c.row(
        "duplicate_name", "endpoints[2].name", [](W w, F) { w.endpoints.push_back(w.endpoints[0]); }, "\"a\"",
        "Rename it to \"a 2\"");
    c.row(
        "duplicate_name", "chains[1].name", [](W w, F) { w.chains.push_back(w.chains[0]); }, "\"c\"", "\"c 2\"");
    c.row(
        "duplicate_tier_name", "chains[0].tiers[1].name", [](W w, F) { chainOf(w).tiers[1].name = "a"; }, "\"a\"",
        "\"a 2\"");
    c.row(
        "unknown_endpoint", "chains[0].tiers[1].endpoint", [](W w, F) { chainOf(w).tiers[1].endpoint = "bb"; },
        "\"bb\"");
    c.row(
        "not_in_script", "endpoints[0].base_url",
        [](W w, F) {
            w.simulator = QJsonDocument::fromJson(R"({"endpoints":[{"name":"steady"}]})").object();
            w.endpoints[0].baseUrl = QStringLiteral("sim:steddy");
        },
        "steddy");
    c.row(
        "endpoint_empty_field", "endpoints[0].model", [](W w, F) { w.endpoints[0].model.clear(); }, "empty");
    c.row(
        "endpoint_empty_field", "endpoints[0].base_url", [](W w, F) { w.endpoints[0].baseUrl.clear(); }, "empty");
    c.row(
        "endpoint_empty_field", "endpoints[0].key.name", [](W w, F) { w.endpoints[0].key.name.clear(); }, "empty");
    c.row(
        "endpoint_empty_field", "endpoints[2].name", [](W w, F) { w.endpoints.push_back(endpoint("")); }, "empty");
    c.row(
        "endpoint_out_of_range", "endpoints[0].timeouts.by_task",
        [](W w, F) {
            w.endpoints[0].timeouts.byTask = policy::TaskTimeout{seconds(5), Nanos(0), Nanos(0)};
        },
        "out of range");
    c.row(
        "endpoint_out_of_range", "endpoints[0].timeouts.total_ms",
        [](W w, F) { w.endpoints[0].timeouts.total = Nanos(0); }, "0 is out of range");
    c.row(
        "endpoint_out_of_range", "endpoints[0].limits.max_in_flight",
        [](W w, F) { w.endpoints[0].spec.maxInFlight = 0; }, "out of range");
    c.row(
        "bad_address", "endpoints[0].base_url",
        [](W w, F) { w.endpoints[0].baseUrl = QStringLiteral("api.openai.com"); }, "no web address");
    c.row(
        "unknown_provider", "endpoints[0].provider", [](W w, F) { w.endpoints[0].provider = QStringLiteral("openia"); },
        "openia");
    c.row(
        "chain_empty_field", "chains[0].tiers", [](W w, F) { chainOf(w).tiers.clear(); }, "no tier");
    c.row(
        "chain_empty_field", "chains[0].name", [](W w, F) { chainOf(w).name.clear(); }, "empty");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules", [](W w, F) { chainOf(w).tiers.push_back(canned("x", {})); },
        "empty");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules[0].reply",
        [](W w, F) {
            chainOf(w).tiers.push_back(canned("x", {{{}, ""}}));
        },
        "empty");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules[0].words",
        [](W w, F) {
            chainOf(w).tiers.push_back(canned("x", {{{"a", " "}, "r"}}));
        },
        "empty");
    c.row(
        "chain_empty_field", "chains[0].router.classes[0].tier",
        [](W w, F) {
            chainOf(w).router = chain::RouterSpec{{{"complex", {"x"}, 1, false, ""}}};
        },
        "empty");
    c.row(
        "chain_out_of_range", "chains[0].attempt_budget", [](W w, F) { chainOf(w).attemptBudget = 0; }, "out of range");
    c.row(
        "chain_out_of_range", "chains[0].tiers[0].weight",
        [](W w, F) { chainOf(w).tiers[0].weight = std::numeric_limits<double>::quiet_NaN(); }, "out of range");
    c.row(
        "chain_out_of_range", "chains[0].router.classes[0].at_least",
        [](W w, F) {
            chainOf(w).router = chain::RouterSpec{{{"complex", {"x"}, 0, false, "b"}}};
        },
        "out of range");
    c.row(
        "bad_backoff", "chains[0].tiers[0].backoff.jitter.r",
        [](W w, F) {
            chainOf(w).tiers[0].backoff.jitter = {policy::JitterType::Proportional, 30, 0};
        },
        "above 1");
    c.row(
        "bad_limiter", "chains[0].limiter.burst",
        [](W w, F) {
            chainOf(w).limiter = chain::LimiterSpec{5, 0.5, seconds(1), {}};
        },
        "less than 1", "Make burst 1");
    c.row(
        "bad_limiter", "chains[0].limiter.rate_per_second",
        [](W w, F) {
            chainOf(w).limiter = chain::LimiterSpec{0, 5, seconds(1), {}};
        },
        "never refilled");
}

void access(Cases& c)
{
    c.row(
        "bad_address", "endpoints[0].proxy", [](W w, F) { w.endpoints[0].proxy = QStringLiteral("ftp://p:21"); },
        "no kind of proxy");
    c.row(
        "bad_address", "endpoints[0].ca_file", [](W w, F) { w.endpoints[0].caFile = QStringLiteral("ca.pem"); },
        "relative");
    c.row(
        "bad_variable", "endpoints[0].key.name", [](W w, F) { w.endpoints[0].key.name = QStringLiteral("MY KEY"); },
        "");
    c.row(
        "pasted_key", "endpoints[0].key.name",
        [](W w, F) { w.endpoints[0].key.name = QStringLiteral("sk-proj-abcdefghijklmnop1234"); }, "never holds a key");
    c.row(
        "key_unusable", "endpoints[0].key",
        [](W, F f) {
            f.keys["a"] = {false, QStringLiteral("The environment variable A_KEY is not set."),
                           QStringLiteral("Set it.")};
        },
        "the environment variable A_KEY is not set");
    c.row(
        "key_odd", "endpoints[0].key",
        [](W, F f) {
            f.keys["a"] = {true, QStringLiteral("A_KEY: Keys begin with \"sk-\"."), QStringLiteral("Check it.")};
        },
        "A_KEY: Keys");
    c.row(
        "key_not_named", "endpoints[0].key", [](W w, F) { w.endpoints[0].key = {}; }, "no key is named");
    c.row(
        "plain_http", "endpoints[0].base_url",
        [](W w, F) { w.endpoints[0].baseUrl = QStringLiteral("http://a.example/v1"); }, "readable", "Use https");
    c.row(
        "plain_http", "endpoints[0].base_url",
        [](W w, F) { w.endpoints[0].baseUrl = QStringLiteral("http://192.168.1.5:11434/v1"); }, "readable");
    c.row(
        "unpriced", "endpoints[0].price", [](W w, F) { w.endpoints[0].price.reset(); }, "model-a");
    c.row(
        "unpriced", "endpoints[0].price",
        [](W w, F) {
            w.endpoints[0].price.reset();
            w.endpoints[0].model = QStringLiteral("openai/gpt-4.1-2025-04-14");
        },
        "gpt-4.1", "Take the price of gpt-4.1: $2.00/M in, $8.00/M out");
    c.row(
        "half_priced", "endpoints[0].price", [](W w, F) { w.endpoints[0].price->output.reset(); }, "output");
}

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
        "base_ms");
    c.row(
        "attempt_beyond_deadline", "chains[0].tiers[0].attempt_timeout_ms",
        [](W w, F) { chainOf(w).tiers[0].attemptTimeout = seconds(90); }, "never applies", "Shorten it to 60 s");
    c.row(
        "attempt_before_first_token", "chains[0].tiers[0]",
        [](W w, F) { w.endpoints[0].timeouts.tokens.firstToken = seconds(20); }, "first_token_ms");
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
        "backoff_unused", "chains[0].tiers[0].backoff", [](W w, F) { chainOf(w).tiers[0].backoff.baseMs = 250; },
        "one attempt", "Remove the backoff");

    c.row(
        "total_beyond_deadline", "chains[0].tiers[1].attempt_timeout_ms",
        [](W w, F) {
            w.endpoints[1].timeouts.total = seconds(90);
            chainOf(w).tiers[1].attemptTimeout.reset();
        },
        "total_ms of 90 s");
    c.row(
        "budget_too_small", "chains[0].attempt_budget", [](W w, F) { chainOf(w).attemptBudget = 1; }, "all 2 tiers",
        "Raise attempt_budget to 2");
    c.row(
        "budget_used_up", "chains[0].attempt_budget",
        [](W w, F) {
            chainOf(w).attemptBudget = 2;
            chainOf(w).tiers[0].maxAttempts = 2;
        },
        "use up all 2", "Raise attempt_budget to 3");
    c.row(
        "caller_retries_multiply", "chains[0].caller.retries", [](W w, F) { w.chains[0].caller.retries = 5; },
        "12 attempts for one question");
    c.row(
        "sdk_retries_multiply", "chains[0].caller.retries", [](W w, F) { chainOf(w).tiers[0].maxAttempts = 3; },
        "asks 3 times by itself: 12 attempts");
    c.row(
        "caller_gives_up", "chains[0].caller.waits_ms", [](W w, F) { w.chains[0].caller.waits = seconds(15); },
        "takes 20 s, callers give up after 15 s", "Lower deadline_ms to 15 s");
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
        "60 s is over before \"b\"", "Raise deadline_ms to 131 s");
    c.row(
        "deadline_before_last_tier", "chains[0].deadline_ms",
        [](W w, F) {
            chainOf(w).tiers[0].attemptTimeout.reset();
            w.chains[0].caller.waits = seconds(60);
        },
        "is over before");
}

void breakers(Cases& c)
{
    c.row(
        "bad_breaker", "endpoints[0].breaker.max_open_ms", [](W w, F) { breakerOf(w).maxOpen = seconds(1); }, "shorter",
        "Raise max_open_ms to 30 s");
    c.row(
        "bad_breaker", "endpoints[0].breaker.rate_limited_share", [](W w, F) { breakerOf(w).rateLimitedShare = 0.5; },
        "can never trip", "429");
    c.row(
        "breaker_trips_at_once", "endpoints[0].breaker.consecutive_failures",
        [](W w, F) { breakerOf(w).consecutiveFailures = 0; }, "first call", "5 failures in a row");
    c.row(
        "breaker_never_trips", "endpoints[0].breaker.minimum_calls", [](W w, F) { rateOnly(w, 40, 30); },
        "from 40 calls in 60 s on", "Set minimum_calls to 15");
    c.row(
        "breaker_never_trips", "endpoints[0].breaker.minimum_calls", [](W w, F) { rateOnly(w, 40, 0.5); }, "about 0.5",
        "5 failures in a row");
    c.row(
        "breaker_rate_never_fires", "endpoints[0].breaker.minimum_calls",
        [](W w, F) {
            rateOnly(w, 40, 30);
            breakerOf(w).consecutiveFailures = 5;
        },
        "about 30", "Set minimum_calls");
    c.row(
        "breaker_slow_rule_half", "endpoints[0].breaker.slow_rate",
        [](W w, F) {
            breakerOf(w).slowRate = 0.5;
            breakerOf(w).minimumCalls = 10;
        },
        "never fire", "Remove slow_rate");
    c.row(
        "breaker_slow_rule_half", "endpoints[0].breaker.slow_call_ms",
        [](W w, F) { breakerOf(w).slowCall = seconds(5); }, "does nothing", "Remove slow_call_ms");
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
        "3 h", "Lower max_open_ms to 300 s");
    c.row(
        "breaker_open_for_hours", "endpoints[0].breaker.open_ms",
        [](W w, F) { breakerOf(w).open = breakerOf(w).maxOpen = hours(2); }, "2 h");
    c.row(
        "breaker_probe_too_short", "endpoints[0].breaker.half_open_deadline_ms",
        [](W w, F) { breakerOf(w).halfOpenDeadline = seconds(2); }, "fails after 2 s", "Give probes 10 s");
    c.row(
        "breaker_hair_trigger", "endpoints[0].breaker.minimum_calls", [](W w, F) { breakerOf(w).failureRate = 0.5; },
        "One failed call", "Set minimum_calls to 10");
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

void windows(W w, std::vector<std::int64_t> sizes)
{
    while (w.endpoints.size() < sizes.size())
        addTier(w, w.endpoints.size() == 2 ? "d" : "e");
    for (std::size_t i = 0; i < sizes.size(); ++i)
        w.endpoints[i].spec.capabilities.contextWindow = sizes[i];
    w.chains[0].caller.retries = 0;
}

void fallback(Cases& c)
{
    c.row(
        "window_without_fallback", "chains[0].tiers[1]",
        [](W w, F) {
            windows(w, {1047576, 131072});
        },
        "\"b\" cannot take over long prompts: \"a\" accepts 1\u2009047\u2009576 tokens, \"b\" accepts 131\u2009072");
    c.row(
        "window_without_fallback", "chains[0].tiers[2]",
        [](W w, F) {
            windows(w, {200000, 8000, 64000});
        },
        "back to the caller as an error");
    c.row(
        "window_smaller", "chains[0].tiers[3]",
        [](W w, F) {
            windows(w, {1047576, 200000, 1048576, 131072});
            chainOf(w).tiers.push_back(canned("sorry", {{{}, "Later."}}));
        },
        "straight to the canned reply");
    c.row(
        "ability_without_fallback", "chains[0].tiers[1]",
        [](W w, F) { w.endpoints[1].spec.capabilities.tools = false; }, "requests with tools");
    c.row(
        "ability_missing", "chains[0].tiers[2]",
        [](W w, F) {
            windows(w, {1000, 1000, 1000});
            w.endpoints[2].spec.capabilities.jsonMode = false;
        },
        "requests for JSON");
    c.row(
        "same_endpoint", "chains[0].tiers[1].endpoint", [](W w, F) { chainOf(w).tiers[1].endpoint = "a"; },
        "\"a\" and \"b\" call the same");
    c.row(
        "same_quota", "chains[0].tiers[1]", [](W w, F) { w.endpoints[1].spec.quotaGroup = "a"; }, "quota group \"a\"");
    c.row(
        "same_key", "chains[0].tiers[1]", [](W w, F) { w.endpoints[1].key = w.endpoints[0].key; }, "one key");
    c.row(
        "same_key", "chains[0].tiers[1]",
        [](W w, F) { w.endpoints[0].spec.credential = w.endpoints[1].spec.credential = "team"; }, "one key");
}

void reach(Cases& c)
{
    const std::vector<chain::CannedRule> always{{{}, "Later."}};
    c.row(
        "all_tiers_off", "chains[0].tiers",
        [](W w, F) { chainOf(w).tiers[0].enabled = chainOf(w).tiers[1].enabled = false; }, "switched off",
        "Switch on \"a\"");
    c.row(
        "never_reached", "chains[0].tiers[2]",
        [always](W w, F) { chainOf(w).tiers.insert(chainOf(w).tiers.begin() + 1, canned("sorry", always)); },
        "except by requests for JSON", "Move \"b\" before \"sorry\"");
    c.row(
        "never_reached", "chains[0].tiers[3]",
        [always](W w, F) {
            chainOf(w).tiers.push_back(canned("json", {{{}, "{\"error\": true}"}}));
            chainOf(w).tiers.push_back(canned("sorry", always));
        },
        "never reached", "Switch off \"sorry\"");
    c.row(
        "never_moves_on", "chains[0].tiers[0].moves_on",
        [](W w, F) { chainOf(w).tiers[0].movesOn = {false, false, false, false, false, false}; }, "nothing");
    c.row(
        "rule_never_fires", "chains[0].tiers[2].rules[1]",
        [](W w, F) {
            chainOf(w).tiers.push_back(canned("x", {{{}, "1"}, {{"bug"}, "2"}}));
        },
        "without words", "Remove rule 2");
    c.row(
        "rule_never_fires", "chains[0].tiers[2].rules[2]",
        [](W w, F) {
            chainOf(w).tiers.push_back(
                canned("x", {{{"Bug"}, "1"}, {{"issue"}, "2"}, {{"bug", "an issue here"}, "3"}, {{}, "4"}}));
        },
        "all of its words", "Remove rule 3");
    c.row(
        "limits_nothing", "chains[0].limiter", [](W w, F) { chainOf(w).limiter = chain::LimiterSpec(); },
        "limits nothing", "Remove the limiter");
}

void route(Cases& c)
{
    const auto routed = [](std::vector<chain::RouteClass> classes) {
        return [classes](W w, F) { chainOf(w).router = chain::RouterSpec{classes}; };
    };
    c.row("duplicate_class_name", "chains[0].router.classes[1].name",
          routed({{"x", {"design"}, 1, false, "a"}, {"x", {"plan"}, 1, false, "b"}}), "\"x\"");
    c.row("class_without_tier", "chains[0].router.classes[0].tier", routed({{"x", {"design"}, 1, false, "z"}}),
          "\"z\"");
    c.row(
        "class_of_tier_off", "chains[0].router.classes[0].tier",
        [](W w, F) {
            chainOf(w).router = chain::RouterSpec{{{"x", {"design"}, 1, false, "b"}}};
            chainOf(w).tiers[1].enabled = false;
        },
        "switched off");
    c.row("class_never_fits", "chains[0].router.classes[1]",
          routed({{"all", {}, 1, false, "a"}, {"x", {"design"}, 1, false, "b"}}), "takes every request",
          "Remove the class \"x\"");
    c.row("class_never_fits", "chains[0].router.classes[0]", routed({{"x", {"design", "plan"}, 3, false, "b"}}),
          "3 words must occur and there are only 2", "Remove the class");
    c.row("class_never_fits", "chains[0].router.classes[1]",
          routed({{"x", {"design", "plan"}, 1, false, "b"}, {"y", {"Plan"}, 1, false, "a"}}), "one of its words",
          "Remove the class \"y\"");
    c.row(
        "class_never_fits", "chains[0].router.classes[1]",
        routed(
            {{"x", {"design", "plan"}, 1, false, "b"}, {"y", {"plan"}, 1, false, "a"}, {"z", {"code"}, 2, true, "b"}}),
        "one of its words");
    c.row(
        "weight_without_split", "chains[0].tiers[0].weight", [](W w, F) { chainOf(w).tiers[0].weight = 3; },
        "does nothing", "Remove the weight");
    c.row(
        "split_of_one", "chains[0].tiers[0].split", [](W w, F) { chainOf(w).tiers[0].split = "s"; }, "no neighbour",
        "Remove the split");
    c.row(
        "split_of_nothing", "chains[0].tiers[0].weight",
        [](W w, F) {
            for (chain::TierSpec& each : chainOf(w).tiers) {
                each.split = "s";
                each.weight = 0;
            }
        },
        "all weights", "Share equally");
}

} // namespace

Workspace soundWorkspace()
{
    Workspace made;
    made.name = QStringLiteral("w");
    made.endpoints = {endpoint("a"), endpoint("b")};
    Chain chain;
    chain.spec.name = "c";
    chain.spec.tiers = {tier("a"), tier("b")};
    made.chains = {chain};
    return made;
}

cost::PriceBook somePrices()
{
    cost::PriceBook prices;
    cost::Price known = price(2);
    known.output = cost::NanoDollars::fromUsd(8);
    prices.add({QStringLiteral("gpt-4.1"), known, QStringLiteral("test"), {}, {}});
    return prices;
}

const std::vector<LintCase>& lintCases()
{
    static const std::vector<LintCase> all = [] {
        Cases c;
        for (const auto family : {namesAndFields, access, times, breakers, fallback, reach, route})
            family(c);
        return c.all;
    }();
    return all;
}

const std::vector<FineCase>& fineCases()
{
    static const std::vector<FineCase> all{
        {"http on this machine", [](W w, F) { w.endpoints[0].baseUrl = QStringLiteral("http://127.0.0.1:11434/v1"); }},
        {"http on localhost without price or key",
         [](W w, F) {
             w.endpoints[0].baseUrl = QStringLiteral("http://localhost:8000/v1");
             w.endpoints[0].key = {};
             w.endpoints[0].price.reset();
         }},
        {"no key on purpose",
         [](W w, F) {
             w.endpoints[0].key = {KeySource::None, {}, true};
         }},
        {"the provider's usual address",
         [](W w, F) {
             w.endpoints[0].provider = QStringLiteral("openai");
             w.endpoints[0].baseUrl.clear();
         }},
        {"a price from the book",
         [](W w, F) {
             w.endpoints[0].price.reset();
             w.endpoints[0].model = QStringLiteral("gpt-4.1");
         }},
        {"windows that rise",
         [](W w, F) {
             windows(w, {131072, 1047576});
         }},
        {"a small one before a large one",
         [](W w, F) {
             windows(w, {1047576, 8000, 1048576});
         }},
        {"windows nobody knows", [](W w, F) { w.endpoints[0].spec.capabilities.contextWindow = 1047576; }},
        {"a smaller tier that is off",
         [](W w, F) {
             windows(w, {1047576, 131072});
             chainOf(w).tiers[1].enabled = false;
         }},
        {"nobody can do images",
         [](W w, F) {
             for (Endpoint& each : w.endpoints)
                 each.spec.capabilities.images = false;
         }},
        {"a class reaches what stands behind a reply",
         [](W w, F) {
             chainOf(w).tiers.insert(chainOf(w).tiers.begin() + 1, canned("sorry", {{{}, "Later."}}));
             chainOf(w).router = chain::RouterSpec{{{"x", {"design"}, 1, false, "b"}}};
         }},
        {"classes of complexity",
         [](W w, F) {
             chainOf(w).router = chain::RouterSpec{{{"complex", {"design", "plan"}, 2, false, "a"},
                                                    {"moderate", {"write"}, 1, true, "b"},
                                                    {"simple", {}, 1, false, "b"}}};
         }},
        {"a split",
         [](W w, F) {
             chainOf(w).tiers[0].split = chainOf(w).tiers[1].split = "s";
             chainOf(w).tiers[0].weight = 3;
         }},
        {"words that only look alike",
         [](W w, F) {
             chainOf(w).tiers.push_back(canned("x", {{{"how"}, "1"}, {{"show", "bug"}, "2"}}));
         }},
        {"the caller waits longer than the slowest path", [](W w, F) { w.chains[0].caller.waits = seconds(20); }},
        {"the caller pays the dearest path",
         [](W w, F) { w.chains[0].caller.pays = cost::NanoDollars::fromUsd(0.0014); }},
        {"the caller does not ask again",
         [](W w, F) {
             w.chains[0].caller.retries = 0;
             chainOf(w).tiers[0].maxAttempts = 4;
         }},
        {"a rate that its window can hold", [](W w, F) { rateOnly(w, 30, 30); }},
        {"a slow rule",
         [](W w, F) {
             breakerOf(w).slowRate = 0.5;
             breakerOf(w).slowCall = seconds(5);
             breakerOf(w).minimumCalls = 10;
         }},
        {"a key that is there", [](W, F f) { f.keys["a"] = {}; }},
    };
    return all;
}

Workspace largeWorkspace(int tiers, int endpoints)
{
    Workspace made = soundWorkspace();
    made.endpoints.clear();
    for (int i = 0; i < endpoints; ++i) {
        made.endpoints.push_back(endpoint(("endpoint-" + std::to_string(i)).c_str()));
        made.endpoints.back().spec.capabilities.contextWindow = 1000 * (endpoints - i);
        made.endpoints.back().spec.breaker.failureRate = 0.5;
    }
    chain::ChainSpec& chain = made.chains[0].spec;
    chain.tiers.clear();
    for (int i = 0; i < tiers; ++i) {
        chain::TierSpec one = tier(made.endpoints[std::size_t(i % endpoints)].spec.name.c_str());
        one.name = "tier " + std::to_string(i);
        one.maxAttempts = 3;
        one.attemptTimeout = seconds(i % 3 == 0 ? 90 : 5);
        if (i % 10 == 9)
            one = canned(one.name.c_str(), {{{"bug", "issue"}, "1"}, {{"bug report"}, "2"}, {{"help"}, "3"}});
        chain.tiers.push_back(std::move(one));
    }
    chain.attemptBudget = 1000;
    return made;
}

policy::BreakerConfig breakerFrom(const QJsonObject& vector)
{
    policy::BreakerConfig c;
    const auto number = [&](const char* name) -> std::optional<double> {
        const QJsonValue value = vector[QLatin1String(name)];
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    const auto whole = [&](const char* name) {
        const auto value = number(name);
        return value ? std::optional(int(*value)) : std::nullopt;
    };
    const auto span = [&](const char* name) {
        const auto value = number(name);
        return value ? std::optional(fromMs(*value)) : std::nullopt;
    };
    c.consecutiveFailures = whole("consecutive_failures");
    c.failureRate = number("failure_rate");
    c.rateLimitedShare = number("rate_limited_share");
    c.slowRate = number("slow_rate");
    c.slowCall = span("slow_call_ms");
    c.minimumCalls = whole("minimum_calls").value_or(1);
    const QJsonObject window = vector[QLatin1String("window")].toObject();
    if (window[QLatin1String("type")] == QLatin1String("count"))
        c.window = policy::CountWindow{window[QLatin1String("size")].toInt()};
    else
        c.window = policy::TimeWindow{fromMs(window[QLatin1String("window_ms")].toDouble()),
                                      fromMs(window[QLatin1String("bucket_ms")].toDouble())};
    const QString counts = vector[QLatin1String("rate_limited_counts_as")].toString();
    c.rateLimitedCountsAs = counts == QLatin1String("share")     ? policy::RateLimitedCountsAs::Share
                            : counts == QLatin1String("neutral") ? policy::RateLimitedCountsAs::Neutral
                                                                 : policy::RateLimitedCountsAs::Failure;
    c.open = span("open_ms").value_or(c.open);
    c.openMultiplier = number("open_multiplier").value_or(1);
    c.maxOpen = span("max_open_ms").value_or(c.maxOpen);
    c.openJitter = number("open_jitter").value_or(0);
    c.callTimeout = span("call_timeout_ms");
    c.halfOpenMaxProbes = whole("half_open_max_probes").value_or(1);
    c.halfOpenSuccesses = whole("half_open_successes").value_or(1);
    c.halfOpenDeadline = span("half_open_deadline_ms");
    c.metricsOnly = vector[QLatin1String("metrics_only")].toBool();
    return c;
}

} // namespace sg::test
