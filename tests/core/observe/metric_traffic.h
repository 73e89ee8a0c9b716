// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/metrics.h"
#include "tests/core/observe/desk.h"
#include "tests/support/exposition_reader.h"

/// Requests of every kind for what is counted of them.
namespace sg::test {

using observe::ExpositionFormat;
using provider::ErrorClass;
using Labels = QMap<QString, QString>;

inline chain::AttemptRecord streamed(const std::string& endpoint, Instant sent, Nanos firstToken, Nanos took)
{
    chain::AttemptRecord attempt;
    attempt.endpoint = endpoint;
    attempt.timing.dispatched = sent;
    attempt.timing.sent = sent;
    attempt.timing.firstToken = sent + firstToken;
    attempt.timing.lastToken = attempt.timing.end = sent + took;
    return attempt;
}

inline chain::AttemptRecord failed(const std::string& endpoint, Instant sent, ErrorClass error, Nanos took)
{
    chain::AttemptRecord attempt;
    attempt.endpoint = endpoint;
    attempt.timing.dispatched = sent;
    attempt.timing.sent = sent;
    attempt.timing.end = sent + took;
    attempt.error.disposition = provider::dispositionOf(error);
    return attempt;
}

/// Two endpoints behind the chain "assist", which has a cache and a limiter.
struct MetricDesk
{
    MetricDesk()
    {
        desk.add("one", streakRule(3), 600);
        desk.add("two", rateRule());
        spec.name = "assist";
        spec.cache = chain::CacheSpec{};
        spec.limiter = chain::LimiterSpec{10, 20, Nanos(0), {}, Millis(60000)};
        for (const char* name : {"one", "two"}) {
            chain::TierSpec tier;
            tier.name = tier.endpoint = name;
            spec.tiers.push_back(tier);
        }
        desk.infos[0] = {"one", "mistral", "large", desk.states["one"], "api.example.com", 443};
        desk.infos[1] = {"two", "openai", "gpt \"x\"\\y\nz", desk.states["two"], "127.0.0.1", 8080};
        desk.recorder.setEndpoints(desk.infos);
        desk.recorder.setChains({std::make_shared<chain::ChainState>(
            spec, std::vector<std::shared_ptr<chain::EndpointState>>{desk.states["one"], desk.states["two"]})});
        desk.recorder.setWorkspace("shop", "production", true, true);
    }

    void attempt(chain::RunRecord& run, const chain::AttemptRecord& attempt)
    {
        desk.now = std::max(desk.now, attempt.timing.end);
        desk.recorder.onAttemptFinished(attempt, desk.now);
        desk.step(run, attempt);
    }

    void end(chain::RunRecord& run, chain::Ending ending, chain::Source source, const std::string& endpoint = {},
             observe::RequestMoney money = {}, bool inChain = true)
    {
        run.ending = ending;
        run.source = source;
        run.endpoint = endpoint;
        run.ended = desk.now;
        desk.recorder.onRequestFinished(run, run.started, money, desk.now, inChain ? &spec : nullptr);
    }

    /// A few of each kind.
    void play()
    {
        chain::RunRecord run = desk.begin();
        chain::AttemptRecord good = streamed("two", desk.now, Millis(200), Millis(1200));
        good.usage.inputTokens = 100;
        good.usage.outputTokens = 51;
        good.usage.cachedInputTokens = 40;
        attempt(run, failed("one", desk.now, ErrorClass::RateLimited, Millis(30)));
        run.steps.emplace_back(chain::WaitRecord{
            desk.now, desk.now + Millis(500), chain::WaitReason::ServerHint, "retry-after", {}, Millis(500), "one"});
        run.steps.emplace_back(chain::MoveRecord{desk.now, 0, "one", chain::MoveReason::AttemptsUsed, {}});
        attempt(run, good);
        end(run, chain::Ending::Answered, chain::Source::Endpoint, "two", {1'500'000, {}, false, true, 500'000});

        run = desk.begin();
        desk.now += Millis(2);
        end(run, chain::Ending::Answered, chain::Source::Cache, {}, {0, 2'000'000'000});

        run = desk.begin();
        attempt(run, failed("one", desk.now, ErrorClass::Timeout, Millis(90'000)));
        run.error.disposition = provider::dispositionOf(ErrorClass::Timeout);
        end(run, chain::Ending::Failed, chain::Source::None);

        run = desk.begin();
        chain::AttemptRecord cut = failed("two", desk.now, ErrorClass::Cancelled, Millis(10));
        cut.usage = {7, 3, {}, {}, true};
        attempt(run, cut);
        end(run, chain::Ending::Cancelled, chain::Source::None, {}, {}, false);

        desk.breaker("one").trip(desk.now);
    }

    QByteArray page(ExpositionFormat format, const observe::GatewayGauges& gateway = {})
    {
        return desk.recorder.metrics().expose(format, *desk.look(), gateway);
    }
    Exposed read(ExpositionFormat format = ExpositionFormat::OpenMetrics100)
    {
        return readExposition(page(format), format);
    }

    Desk desk;
    chain::ChainSpec spec;
};

} // namespace sg::test
