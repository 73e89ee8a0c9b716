// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

namespace sg::test {

namespace lintcases {

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

void rateOnly(Workspace& w, int minimum, double perMinute)
{
    breakerOf(w).consecutiveFailures.reset();
    breakerOf(w).failureRate = 0.5;
    breakerOf(w).minimumCalls = minimum;
    w.endpoints[0].spec.requestsPerMinute = perMinute;
}

void windows(Workspace& w, std::vector<std::int64_t> sizes)
{
    while (w.endpoints.size() < sizes.size())
        addTier(w, w.endpoints.size() == 2 ? "d" : "e");
    for (std::size_t i = 0; i < sizes.size(); ++i)
        w.endpoints[i].spec.capabilities.contextWindow = sizes[i];
    w.chains[0].caller.retries = 0;
}

} // namespace lintcases

using namespace lintcases;

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
        for (const auto family : {namesAndFields, access, times, breakers, fallback, reach, route, gateway})
            family(c);
        return c.all;
    }();
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
