// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

namespace sg::test::lintcases {

void fallback(Cases& c)
{
    c.row(
        "window_without_fallback", "chains[0].tiers[1]",
        [](W w, F) {
            windows(w, {1047576, 131072});
        },
        "\"b\" cannot take over long prompts of \"a\": 131\u2009072 of 1\u2009047\u2009576 tokens");
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
        "never_reached", "chains[0].tiers[2]",
        [always](W w, F) {
            chainOf(w).tiers.insert(chainOf(w).tiers.begin(), canned("sorry", always));
            chainOf(w).tiers[0].split = chainOf(w).tiers[1].split = "s";
            chainOf(w).tiers[1].weight = 9;
        },
        "\"sorry\" answers always");
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

} // namespace sg::test::lintcases
