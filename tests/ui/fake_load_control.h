// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/control.h"
#include "core/policy/breaker.h"

#include <QJsonArray>

#include <cmath>

/// A load control without an engine: hands out the picture a test puts in, remembers what it was told.
class FakeLoadControl : public sg::load::LoadControl
{
public:
    std::vector<std::string> chainNames{"prod-chat", "batch"};
    std::vector<std::string> endpointNames{"gpt-4.1", "claude", "gemini", "deepseek"};
    QString refusal;
    sg::load::RunProgressPtr picture;
    sg::load::CostEstimate cost{0.84, 2.10, 12'400, 40'000, {}};
    std::optional<sg::load::OwnGateway> ownGateway;
    QString keyWords; ///< why the key of a URL cannot be used
    sg::engine::ConnectionResult testAnswer;
    std::vector<sg::load::UrlTarget> tested;
    std::vector<sg::load::LoadPlan> started;
    std::vector<double> rates;
    std::vector<int> userCounts;
    int stops = 0;
    mutable int polls = 0, estimates = 0;

    std::vector<std::string> chains() const override { return chainNames; }
    std::vector<std::string> endpoints() const override { return endpointNames; }
    std::optional<sg::load::OwnGateway> gateway() const override { return ownGateway; }
    QString keyProblem(const sg::workspace::KeyRef& key) const override
    {
        return key.source == sg::workspace::KeySource::None ? QString() : keyWords;
    }
    void test(const sg::load::UrlTarget& url, std::function<void(const sg::engine::ConnectionResult&)> done) override
    {
        tested.push_back(url);
        done(testAnswer);
    }
    QString start(const sg::load::LoadPlan& plan) override
    {
        if (refusal.isEmpty())
            started.push_back(plan);
        return refusal;
    }
    void stop() override { ++stops; }
    void setRate(double perSecond) override { rates.push_back(perSecond); }
    void setUsers(int users) override { userCounts.push_back(users); }
    sg::load::RunProgressPtr progress() const override
    {
        ++polls;
        return picture;
    }
    sg::load::CostEstimate estimate(const sg::load::LoadPlan&) const override
    {
        ++estimates;
        return cost;
    }
};

namespace sample {

using namespace sg::load;

inline double wave(int i, int k)
{
    return 0.5 + 0.5 * std::sin(i * 0.7 + k) * std::sin(i * 0.31 + 2 * k);
}

inline void addSecond(RunProgress& run, int i, double total)
{
    const double part = i / total;
    const bool isOutage = part > 0.4 && part < 0.54;
    RunSecond second;
    second.second = i;
    second.answered = static_cast<int>(isOutage ? 36 + 6 * wave(i, 1) : std::min(80.0, 160 * part) + 5 * wave(i, 2));
    second.failed = isOutage && i % 9 == 0 ? 1 : 0;
    second.attempts = static_cast<int>(second.answered * (isOutage ? 1.9 : 0.85));
    second.attemptsFailed =
        static_cast<int>(isOutage ? second.attempts * (0.08 + 0.08 * wave(i, 3)) : second.attempts > 20 && i % 5 == 0);
    second.p50Ms = static_cast<float>((isOutage ? 1700 : 650) * (0.95 + 0.1 * wave(i, 4)));
    second.p95Ms = static_cast<float>((isOutage ? 4800 : 2100) * (0.9 + 0.2 * wave(i, 5)));
    second.p99Ms = static_cast<float>((isOutage ? 9200 : 4300) * (0.85 + 0.3 * wave(i, 6)));
    run.seconds.push_back(second);
}

inline void addLatency(RunProgress& run)
{
    for (int i = 0; i < 48; ++i) {
        const double low = std::pow(10, 0.9 + i * 0.075);
        const double hit = 700 * std::exp(-std::pow((i - 5) / 2.4, 2));
        const double call = 1900 * std::exp(-std::pow((i - 27) / 3.2, 2)) + (i > 30 && i < 43 ? 60.0 : 0.0);
        run.latency.push_back({low, std::pow(10, 0.9 + (i + 1) * 0.075), static_cast<std::int64_t>(hit + call),
                               i == 20   ? 120
                               : i == 42 ? 55
                                         : 0});
    }
}

/// 9:42 into a run of 15 minutes with an outage of the first endpoint.
inline RunProgress running()
{
    RunProgress run;
    run.state = RunState::Running;
    run.plan.target = "prod-chat";
    run.plan.stop.duration = std::chrono::minutes(15);
    run.plan.model = ClosedModel{96};
    run.plan.seed = 1184;
    run.elapsedSeconds = 582;
    run.etaSeconds = 318;
    run.share = 582.0 / 900;
    run.started = 26'160;
    run.answered = 26'051;
    run.failed = 13;
    run.attempts = 24'501;
    run.inFlight = 96;
    run.p50Ms = 648;
    run.p95Ms = 2200;
    run.p99Ms = 5080;
    run.costUsd = 41.1;
    for (int i = 0; i < 582; ++i)
        addSecond(run, i, 900);
    run.statuses = {{QStringLiteral("200"), QStringLiteral("from a model"), 20'012, true},
                    {QStringLiteral("200"), QStringLiteral("from cache"), 5'981, true},
                    {QStringLiteral("200"), QStringLiteral("canned reply"), 58, true},
                    {QStringLiteral("429"), QStringLiteral("returned to client"), 0, false},
                    {QStringLiteral("503"), QStringLiteral("returned to client"), 9, false},
                    {QStringLiteral("timeout"), QStringLiteral("returned to client"), 4, false}};
    run.endpoints = {"gpt-4.1", "claude", "gemini", "deepseek"};
    using sg::policy::BreakerState;
    const auto span = [&run](const char* name, BreakerState state, double from, double to) {
        run.breakers.push_back({name, static_cast<int>(state), from, to});
    };
    span("gpt-4.1", BreakerState::Closed, 0, 380);
    span("gpt-4.1", BreakerState::Open, 380, 395);
    span("gpt-4.1", BreakerState::HalfOpen, 395, 400);
    span("gpt-4.1", BreakerState::Open, 400, 490);
    span("gpt-4.1", BreakerState::HalfOpen, 490, 504);
    span("gpt-4.1", BreakerState::Closed, 504, 582);
    for (const char* name : {"claude", "gemini", "deepseek"})
        span(name, BreakerState::Closed, 0, 582);
    addLatency(run);
    const double took[] = {19400, 16800, 15100, 11900, 11200, 10700, 10200, 9840, 9410, 9070, 8960};
    for (int i = 0; i < 11; ++i)
        run.slowest.push_back(
            {378.0 + 7 * i,
             i % 3 == 0 ? QStringLiteral("gpt-4.1 → claude → deepseek") : QStringLiteral("gpt-4.1 → claude"), 6 - i / 3,
             took[i]});
    return run;
}

inline QJsonObject report(bool isValid, const QJsonArray& reasons)
{
    const auto spread = [](double p50, double p95, double p99) {
        return QJsonObject{{QStringLiteral("count"), 26'051},
                           {QStringLiteral("p50"), p50},
                           {QStringLiteral("p95"), p95},
                           {QStringLiteral("p99"), p99}};
    };
    return {{QStringLiteral("format"), QStringLiteral("switchgear-load/2")},
            {QStringLiteral("requests"), 26'064},
            {QStringLiteral("success_rate"), 0.9995},
            {QStringLiteral("response_ms"), spread(648, 2200, 5080)},
            {QStringLiteral("ttft_ms"), spread(340, 678, 912)},
            {QStringLiteral("achieved_rps"), 44.8},
            {QStringLiteral("attempts_per_request"), 1.22},
            {QStringLiteral("tokens"),
             QJsonObject{{QStringLiteral("input"), 8'430'120}, {QStringLiteral("output"), 2'210'450}}},
            {QStringLiteral("cost_usd"), 41.1},
            {QStringLiteral("verdict"),
             QJsonObject{{QStringLiteral("valid"), isValid},
                         {QStringLiteral("word"), isValid ? QStringLiteral("valid") : QStringLiteral("INVALID")},
                         {QStringLiteral("reasons"), reasons}}}};
}

inline RunProgress finished(bool isValid = true)
{
    RunProgress run = running();
    run.state = RunState::Finished;
    run.etaSeconds.reset();
    run.inFlight = 0;
    run.share = 1;
    QJsonArray reasons;
    if (!isValid)
        reasons.append(
            QStringLiteral("the load generator ran late: 95 % of its timer ticks came within 84.0 ms of their "
                           "time only; use a lower concurrency or rate"));
    run.report = report(isValid, reasons);
    return run;
}

inline RunProgress failed()
{
    RunProgress run;
    run.state = RunState::Failed;
    run.plan.target = "prod-chat";
    run.plan.stop.requests = 200;
    run.error = QStringLiteral("No key for gpt-4.1: set OPENAI_API_KEY or choose another chain.");
    return run;
}

inline RunProgress withoutAnswers()
{
    RunProgress run;
    run.state = RunState::Running;
    run.plan.target = "prod-chat";
    run.plan.stop.requests = 200;
    run.elapsedSeconds = 0.4;
    run.started = run.inFlight = 10;
    run.endpoints = {"gpt-4.1"};
    run.breakers = {{"gpt-4.1", 0, 0, 0.4}};
    return run;
}

inline RunProgress huge()
{
    RunProgress run = finished(true);
    const QString longName =
        QStringLiteral("an-endpoint-with-a-name-that-goes-on-and-on-eu-central-1-gpt-4.1-2025-04-14");
    run.plan.target = longName.toStdString();
    run.plan.stop.requests = 100'000'000;
    run.plan.stop.duration.reset();
    run.plan.seed = std::numeric_limits<std::uint64_t>::max();
    run.elapsedSeconds = 604'800;
    run.answered = 9'999'999'999;
    run.p99Ms = 86'400'000;
    run.costUsd = 123'456'789.5;
    run.costIsLowerBound = true;
    run.seconds.clear();
    for (int i = 0; i < 900; ++i)
        run.seconds.push_back({i * 672.0, 672, 2'000'000'000, 5, 2'000'000'000, 1'000'000, 0.04F, 4e6F, 8.64e7F});
    run.statuses[0].count = 9'999'999'999;
    run.endpoints.clear();
    run.breakers.clear();
    for (int i = 0; i < 30; ++i) {
        run.endpoints.push_back(longName.toStdString() + std::to_string(i));
        run.breakers.push_back({run.endpoints.back(), i % 6, 0, 604'800});
    }
    run.slowest[0] = {500'000, longName + QStringLiteral(" → ") + longName, 99, 86'400'000};
    return run;
}

inline RunProgressPtr shared(RunProgress run)
{
    return std::make_shared<const RunProgress>(std::move(run));
}

} // namespace sample
