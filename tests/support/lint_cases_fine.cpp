// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

namespace sg::test {

using namespace lintcases;

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
        {"a gateway for others with a token and names",
         [](W w, F) {
             w.gateway.address = QStringLiteral("0.0.0.0");
             w.gateway.token = {KeySource::Environment, QStringLiteral("SWITCHGEAR_TOKEN")};
             w.gateway.hosts = {QStringLiteral("Desk.example"), QStringLiteral("10.0.0.5"), QStringLiteral("fd00::5")};
             w.gateway.origins = {QStringLiteral("https://desk.example"), QStringLiteral("http://localhost:3000"),
                                  QStringLiteral("http://[fd00::5]:80")};
         }},
        {"a gateway on a free port that never begins early",
         [](W w, F) {
             w.gateway.port = 0;
             w.gateway.beginAfter.reset();
             w.gateway.address = QStringLiteral("::1");
         }},
        {"callers who wait longer than the queue",
         [](W w, F) {
             w.chains[0].caller.waits = seconds(60);
             w.chains[0].caller.retries = 0;
         }},
        {"callers who wait shorter, and no queue",
         [](W w, F) {
             w.gateway.maxQueued = 0;
             w.gateway.maxQueueWait = seconds(26);
             w.chains[0].caller = {seconds(25), 0};
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
        {"a split with a canned reply",
         [](W w, F) {
             chainOf(w).tiers.insert(chainOf(w).tiers.begin() + 1, canned("sorry", {{{}, "Later."}}));
             chainOf(w).tiers[1].split = chainOf(w).tiers[2].split = "s";
             chainOf(w).tiers[2].weight = 9;
         }},
        {"a split whose first member keeps what it gets",
         [](W w, F) {
             chainOf(w).tiers[0].split = chainOf(w).tiers[1].split = "s";
             chainOf(w).tiers[0].movesOn = {false, false, false, false, false, false};
         }},
        {"a class that leaves the chain's order",
         [](W w, F) {
             chainOf(w).router = chain::RouterSpec{{{"x", {"design"}, 1, false, ""}}};
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

} // namespace sg::test
