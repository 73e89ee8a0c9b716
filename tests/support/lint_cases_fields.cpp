// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

#include <QJsonDocument>

namespace sg::test::lintcases {

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
        "endpoint_empty_field", "endpoints[0].model", [](W w, F) { w.endpoints[0].model.clear(); }, "names no model");
    c.row(
        "endpoint_empty_field", "endpoints[0].base_url", [](W w, F) { w.endpoints[0].baseUrl.clear(); },
        "has no address");
    c.row(
        "endpoint_empty_field", "endpoints[0].key.name", [](W w, F) { w.endpoints[0].key.name.clear(); }, "which key");
    c.row(
        "endpoint_empty_field", "endpoints[2].name", [](W w, F) { w.endpoints.push_back(endpoint("")); },
        "endpoint 3 has no name");
    c.row(
        "endpoint_out_of_range", "endpoints[0].timeouts.by_task",
        [](W w, F) {
            w.endpoints[0].timeouts.byTask = policy::TaskTimeout{seconds(5), Nanos(0), Nanos(0)};
        },
        "out of range");
    c.row(
        "endpoint_out_of_range", "endpoints[0].timeouts.total_ms",
        [](W w, F) { w.endpoints[0].timeouts.total = Nanos(0); }, "total timeout 0 ms is out of range");
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
        "chain_empty_field", "chains[0].name", [](W w, F) { chainOf(w).name.clear(); }, "chain 1 has no name");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules", [](W w, F) { chainOf(w).tiers.push_back(canned("x", {})); },
        "tier \"x\" has no rule");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules[0].reply",
        [](W w, F) {
            chainOf(w).tiers.push_back(canned("x", {{{}, ""}}));
        },
        "rule 1 of tier \"x\" has no reply");
    c.row(
        "chain_empty_field", "chains[0].tiers[2].rules[0].words",
        [](W w, F) {
            chainOf(w).tiers.push_back(canned("x", {{{"a", " "}, "r"}}));
        },
        "has an empty word");
    c.row(
        "chain_empty_field", "chains[0].router.classes[0].name",
        [](W w, F) {
            chainOf(w).router = chain::RouterSpec{{{"", {"x"}, 1, false, "a"}}};
        },
        "class 1 has no name");
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
    const auto pasted = [&](const char* place, auto&& paste) {
        c.row(
            "pasted_key", place, [paste](W w, F) { paste(w, "sk-proj-abcdefghijklmnop1234"); }, "never holds a key");
    };
    pasted("endpoints[0].credential", [](W w, const char* key) { w.endpoints[0].spec.credential = key; });
    pasted("chains[0].name", [](W w, const char* key) { chainOf(w).name = key; });
    pasted("chains[0].tiers[1].name", [](W w, const char* key) { chainOf(w).tiers[1].name = key; });
    pasted("chains[0].tiers[2].rules[0].reply", [](W w, const char* key) {
        chainOf(w).tiers.push_back(canned("x", {{{}, std::string("Use ") + key}}));
    });
    pasted("chains[0].router.classes[0].words[0]", [](W w, const char* key) {
        chainOf(w).router = chain::RouterSpec{{{"x", {key}, 1, false, "b"}}};
    });
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

} // namespace sg::test::lintcases
