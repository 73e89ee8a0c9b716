// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bench_chain.h"

namespace sg::test {

namespace {

workspace::Endpoint endpointAt(const QUrl& url, const std::string& name)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = url.toString();
    endpoint.model = QStringLiteral("bench-1");
    endpoint.key.source = workspace::KeySource::Session;
    endpoint.timeouts.firstByte = Millis(30000);
    endpoint.timeouts.idle = Millis(30000);
    endpoint.spec.name = name;
    endpoint.spec.requestsPerMinute = 1e9;
    endpoint.spec.tokensPerMinute = 1e12;
    endpoint.spec.maxInFlight = 1000;
    endpoint.spec.breaker.consecutiveFailures = 5;
    endpoint.spec.breaker.failureRate = 0.5;
    endpoint.price = cost::Price{cost::NanoDollars(150), cost::NanoDollars(600), {}, {}, {}};
    return endpoint;
}

} // namespace

workspace::Workspace benchWorkspace(const BenchChainOptions& options)
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("Benchmark");
    workspace::Chain chain;
    chain.spec.name = "bench";
    chain.spec.limiter = chain::LimiterSpec{1e6, 1e6, Millis(1000), 1'000'000, Millis(1000)};
    if (options.cache)
        chain.spec.cache = chain::CacheSpec{};
    for (const QUrl& url : options.endpoints) {
        workspace.endpoints.push_back(endpointAt(url, "endpoint-" + std::to_string(workspace.endpoints.size() + 1)));
        chain::TierSpec tier;
        tier.name = tier.endpoint = workspace.endpoints.back().spec.name;
        tier.maxAttempts = 3;
        tier.backoff.baseMs = 1;
        tier.backoff.capMs = 2;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains.push_back(chain);
    return workspace;
}

void applyBench(engine::EngineCore& core, const BenchChainOptions& options)
{
    core.apply(benchWorkspace(options), cost::PriceBook(), QUrl(),
               [](const workspace::KeyRef&) { return QByteArray("sk-bench"); });
}

provider::ChatRequest benchRequest(bool stream, std::int64_t number)
{
    provider::ChatRequest request;
    request.messages = {
        {"system", QStringLiteral("You help the support desk of an online shop. Be brief.")},
        {"user", QStringLiteral("Summarise the support ticket below in two sentences.\n\nTicket %1: Since this morning "
                                "the export of our monthly invoice fails with a timeout after about thirty seconds.")
                     .arg(number)},
    };
    request.sampling.maxTokens = 200;
    request.stream = stream;
    return request;
}

ChainLoop::ChainLoop(const QUrl& url, bool stream)
    : request_(benchRequest(stream))
    , core_(engine::EngineOptions{})
{
    applyBench(core_, {{url, url}, false});
}

void ChainLoop::startOne()
{
    engine::Call call;
    call.target.name = "bench";
    call.request = request_;
    call.intended = http::steadyNow();
    call.onDelta = [this](const provider::Delta& delta, Instant) { characters_ += delta.text.size(); };
    call.onFinished = [this](const engine::CallResult& result) {
        if (!result.answer || !result.costNanoUsd)
            qFatal("no answer, or no price: %s", result.record.error.message.c_str());
        done();
    };
    core_.start(std::move(call));
}

} // namespace sg::test
