// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/live_feed.h"

#include "tests/support/bench_chain.h"

#include <QTimer>

#include <random>

namespace sg::test {

namespace {
constexpr std::int64_t kCommandEvery = 20000; ///< requests
} // namespace

struct LiveFeed::Feeder
{
    Feeder(engine::EngineCore& engineCore, double requestsPerSecond, std::atomic<std::int64_t>& count)
        : core(engineCore)
        , rate(requestsPerSecond)
        , fed(count)
        , names(core.switchboard().endpointNames())
        , started(http::steadyNow())
    {
        QObject::connect(&timer, &QTimer::timeout, &timer, [this] { feedUpTo(http::steadyNow()); });
        timer.setTimerType(Qt::PreciseTimer);
        timer.start(5);
    }

    void feedUpTo(Instant now)
    {
        const auto due = static_cast<std::int64_t>(toMs(now - started) / 1000 * rate);
        for (; fed < due; ++fed)
            feedOne(fed, now);
    }

    void feedOne(std::int64_t number, Instant now)
    {
        const auto at = static_cast<std::size_t>(number) % names.size();
        const Nanos took = fromMs(latencyMs(random));
        chain::RunRecord record;
        record.id = static_cast<std::uint64_t>(number);
        record.chain = "bench";
        record.started = now - took;
        record.ended = now;
        record.ending = chain::Ending::Answered;
        record.source = chain::Source::Endpoint;
        record.endpoint = names[at];
        core.recorder().onRequestStarted(now);
        if (number % 50 == 0)
            attempt(record, names[(at + 1) % names.size()], provider::ErrorClass::Overloaded, took, now);
        attempt(record, names[at], provider::ErrorClass::None, took, now);
        core.recorder().onRequestFinished(record, record.started, {100'000, {}}, now);
        if (number % kCommandEvery == 0)
            core.command(names[(at + 3) % names.size()],
                         number / kCommandEvery % 2 == 0 ? observe::BreakerCommand::ForceOpen
                                                         : observe::BreakerCommand::Release,
                         "practice");
    }

    void attempt(chain::RunRecord& record, const std::string& name, provider::ErrorClass error, Nanos took, Instant now)
    {
        chain::AttemptRecord attempt;
        attempt.number = ++record.attempts;
        attempt.endpoint = name;
        attempt.error.disposition = provider::dispositionOf(error);
        attempt.error.status = error == provider::ErrorClass::None ? 200 : 503;
        attempt.timing.dispatched = attempt.timing.sent.emplace(now - took);
        attempt.timing.lastToken = attempt.timing.end = now;
        attempt.usage.inputTokens = 45;
        attempt.usage.outputTokens = 60;
        core.recorder().onAttemptStarted(name, now);
        core.recorder().onAttemptFinished(attempt, now);
        record.steps.emplace_back(std::move(attempt));
    }

    engine::EngineCore& core;
    double rate;
    std::atomic<std::int64_t>& fed;
    std::vector<std::string> names;
    Instant started;
    std::mt19937_64 random{1};
    std::lognormal_distribution<double> latencyMs{std::log(700.0), 0.5};
    QTimer timer;
};

LiveFeed::LiveFeed(engine::Engine& engine, int endpoints, double requestsPerSecond)
    : engine_(engine)
{
    engine_.run([&](engine::EngineCore& core) {
        const QUrl nowhere(QStringLiteral("http://127.0.0.1:9"));
        applyBench(core, {std::vector<QUrl>(static_cast<std::size_t>(endpoints), nowhere), true});
        feeder_ = std::make_unique<Feeder>(core, requestsPerSecond, fed_);
    });
}

LiveFeed::~LiveFeed()
{
    engine_.run([this](engine::EngineCore&) { feeder_.reset(); });
}

} // namespace sg::test
