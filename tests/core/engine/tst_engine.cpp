// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "core/observe/metrics.h"
#include "core/provider/answer_reader.h"
#include "tests/support/chat_server.h"
#include "tests/support/exposition_reader.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using test::ChatServer;
using test::word;

namespace {

workspace::Endpoint endpointNamed(const std::string& name)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = QStringLiteral("sim:") + QString::fromStdString(name);
    endpoint.model = QStringLiteral("m-") + QString::fromStdString(name);
    endpoint.spec.name = name;
    endpoint.spec.breaker.consecutiveFailures = 2;
    endpoint.price = cost::Price{cost::NanoDollars(1'000'000'000), cost::NanoDollars(2'000'000'000), {}, {}, {}};
    return endpoint;
}

workspace::Workspace twoTiers()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("test");
    workspace.endpoints = {endpointNamed("first"), endpointNamed("second")};
    workspace::Chain chain;
    chain.spec.name = "chain";
    for (const char* name : {"first", "second"}) {
        chain::TierSpec tier;
        tier.name = tier.endpoint = name;
        tier.backoff.baseMs = 1;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

/// What a callback saw, copied out of its references.
struct Seen
{
    bool done = false;
    chain::RunRecord record;
    QString text;
    std::optional<std::int64_t> cost;
    bool costIsLowerBound = false;
    std::int64_t estimated = 0;
    QStringList deltas;
};

class Bench
{
public:
    explicit Bench(const workspace::Workspace& workspace = twoTiers())
        : core({})
    {
        apply(workspace);
    }

    void apply(const workspace::Workspace& workspace)
    {
        core.apply(workspace, {}, server.base(), [this](const workspace::KeyRef&) { return key; });
    }
    engine::CallId start(Seen& seen, const QString& prompt = QStringLiteral("hello"), bool stream = false,
                         engine::CallTarget target = {engine::TargetKind::Chain, "chain"})
    {
        engine::Call call;
        call.target = std::move(target);
        call.request.messages = {{"user", prompt}};
        call.request.stream = stream;
        call.intended = http::steadyNow();
        call.onDelta = [&seen](const provider::Delta& delta, Instant) { seen.deltas.append(delta.text); };
        call.onFinished = [&seen](const engine::CallResult& result) {
            QVERIFY2(!seen.done, "finished twice");
            seen.done = true;
            seen.record = result.record;
            seen.text = result.answer ? result.answer->text : QString();
            seen.cost = result.costNanoUsd;
            seen.costIsLowerBound = result.costIsLowerBound;
            seen.estimated = result.estimatedNanoUsd;
        };
        return core.start(std::move(call));
    }
    Seen run(bool stream = false, engine::CallTarget target = {engine::TargetKind::Chain, "chain"})
    {
        Seen seen;
        start(seen, QStringLiteral("hello"), stream, std::move(target));
        if (!QTest::qWaitFor([&] { return seen.done; }))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return seen;
    }

    ChatServer server;
    engine::EngineCore core;
    tl::expected<QByteArray, QString> key = QByteArray("secret");
};

class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersFromTheFirstTier()
    {
        Bench bench;
        bench.server.on("first", ChatServer::answers("one"));
        const Seen seen = bench.run();
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.text, QStringLiteral("one"));
        QCOMPARE(seen.record.endpoint, std::string("first"));
        QCOMPARE(seen.cost.value(), 10 * 1000 + 5 * 2000); // 1 and 2 USD per 1M tokens, in nano-dollars
        QCOMPARE(bench.server.requests("second"), 0);
    }

    void whatHappenedIsExposed()
    {
        Bench bench;
        bench.server.on("first", ChatServer::fails(503));
        bench.server.on("second", ChatServer::answers("two"));
        bench.run();
        observe::Recorder& recorder = bench.core.recorder();
        const auto now = recorder.snapshot(std::chrono::minutes(15), http::steadyNow());
        constexpr auto kFormat = observe::ExpositionFormat::OpenMetrics100;
        const QByteArray text = recorder.metrics().expose(kFormat, *now, {});
        const test::Exposed page = test::readExposition(text, kFormat);
        QCOMPARE(page.faults, QStringList());
        const QMap<QString, QString> labels{
            {QStringLiteral("gen_ai_operation_name"), QStringLiteral("chat")},
            {QStringLiteral("gen_ai_provider_name"), QStringLiteral("openai-compatible")},
            {QStringLiteral("gen_ai_request_model"), QStringLiteral("m-second")},
            {QStringLiteral("server_address"), bench.server.base().host()},
            {QStringLiteral("server_port"), QString::number(bench.server.base().port())},
            {QStringLiteral("switchgear_endpoint"), QStringLiteral("second")}};
        QCOMPARE(page.value(QStringLiteral("gen_ai_client_operation_duration_seconds_count"), labels), 1.0);
        const QMap<QString, QString> chain{{QStringLiteral("switchgear_chain"), QStringLiteral("chain")}};
        QCOMPARE(page.value(QStringLiteral("switchgear_cost_usd_total"), chain), (10 * 1000 + 5 * 2000) / 1e9);
    }

    void fallsOverToTheNextTier()
    {
        Bench bench;
        bench.server.on("first", ChatServer::fails(503));
        bench.server.on("second", ChatServer::answers("two"));
        const Seen seen = bench.run();
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.record.endpoint, std::string("second"));
        QCOMPARE(seen.record.attempts, 2);
    }

    void anOpenBreakerIsNotCalled()
    {
        Bench bench;
        bench.server.on("first", ChatServer::fails(503));
        bench.server.on("second", ChatServer::answers("two"));
        for (int i = 0; i < 4; ++i)
            QCOMPARE(word(bench.run().record.ending), word(chain::Ending::Answered));
        QCOMPARE(bench.server.requests("first"), 2);
        QCOMPARE(bench.server.requests("second"), 4);
    }

    void streamsOnlyFromTheCommitPoint()
    {
        Bench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n");
            responder->end(); // ends without a terminal event and without a delta
        });
        bench.server.on("second", ChatServer::streams({"Hel", "lo"}));
        const Seen seen = bench.run(true);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.text, QStringLiteral("Hello"));
        QCOMPARE(seen.deltas.join(QString()), QStringLiteral("Hello"));
        QVERIFY(seen.record.committed);
    }

    void aStreamBrokenAfterTheCommitIsNotRetried()
    {
        Bench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write(ChatServer::chunk("Hel"));
            responder->end();
        });
        bench.server.on("second", ChatServer::answers("two"));
        const Seen seen = bench.run(true);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Failed));
        QCOMPARE(word(seen.record.error.disposition.error), word(provider::ErrorClass::StreamBroken));
        QCOMPARE(seen.deltas, QStringList{QStringLiteral("Hel")});
        QCOMPARE(bench.server.requests("second"), 0);
    }

    void aConnectionLostAfterTheLastEventLosesNothing()
    {
        Bench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write(ChatServer::chunk("Hello"));
            responder->write("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                             "data: [DONE]\n\n");
            responder->drop(false); // without the chunk that ends an HTTP body
        });
        const Seen seen = bench.run(true);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.text, QStringLiteral("Hello"));
    }

    void aCancelledCallHearsNoMore()
    {
        Bench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write(ChatServer::chunk("one") + ChatServer::chunk("two"));
            responder->end();
        });
        int deltas = 0, ends = 0;
        engine::CallId id = 0;
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.request.stream = true;
        call.onDelta = [&](const provider::Delta&, Instant) {
            ++deltas;
            bench.core.cancel(id);
        };
        call.onFinished = [&](const engine::CallResult&) { ++ends; };
        id = bench.core.start(std::move(call));
        QTRY_COMPARE(ends, 1);
        QCOMPARE(deltas, 1);
    }

    void cancellingEndsTheUpstream()
    {
        Bench bench;
        bool gone = false;
        std::shared_ptr<http::Responder> kept;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            kept = std::move(responder);
            kept->onClientGone([&] { gone = true; });
        });
        Seen seen;
        const engine::CallId id = bench.start(seen);
        QTRY_VERIFY(kept);
        bench.core.cancel(id);
        QVERIFY(seen.done);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Cancelled));
        QTRY_VERIFY(gone);
        QCOMPARE(bench.core.inFlight(), 0);
        QCOMPARE(bench.core.switchboard().endpoint("first")->state->inFlight, 0);
    }

    void equalRequestsInFlightShareOneCall()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains.front().spec.cache = chain::CacheSpec{};
        Bench bench(workspace);
        std::vector<std::shared_ptr<http::Responder>> waiting;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            waiting.push_back(std::move(responder));
        });
        std::array<Seen, 3> seen;
        for (Seen& one : seen)
            bench.start(one);
        QTRY_COMPARE(waiting.size(), std::size_t(1));
        ChatServer::answers("shared")({}, waiting.front());
        for (Seen& one : seen) {
            QTRY_VERIFY(one.done);
            QCOMPARE(one.text, QStringLiteral("shared"));
        }
        QCOMPARE(bench.server.requests("first"), 1);
        QCOMPARE(word(bench.run().record.source), word(chain::Source::Cache));
        QCOMPARE(bench.server.requests("first"), 1);
    }

    void followersGoOnWhenTheLeaderIsCancelled()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains.front().spec.cache = chain::CacheSpec{};
        Bench bench(workspace);
        std::vector<std::shared_ptr<http::Responder>> waiting;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            waiting.push_back(std::move(responder));
        });
        Seen leader, follower;
        const engine::CallId id = bench.start(leader);
        bench.start(follower);
        QTRY_COMPARE(waiting.size(), std::size_t(1));
        bench.core.cancel(id);
        QTRY_COMPARE(waiting.size(), std::size_t(2));
        ChatServer::answers("own way")({}, waiting.back());
        QTRY_VERIFY(follower.done);
        QCOMPARE(follower.text, QStringLiteral("own way"));
    }

    void anEndpointTargetTriesOnceAndLeavesTheBreakerAlone()
    {
        Bench bench;
        bench.server.on("first", ChatServer::fails(429, {{"Retry-After", "30"}}));
        for (int i = 0; i < 5; ++i) {
            const Seen seen = bench.run(false, {engine::TargetKind::Endpoint, "first"});
            QCOMPARE(word(seen.record.ending), word(chain::Ending::Failed));
            QCOMPARE(seen.record.attempts, 1);
        }
        QCOMPARE(bench.server.requests("first"), 5);
        auto& breaker = bench.core.switchboard().endpoint("first")->state->breaker();
        QCOMPARE(word(breaker.state(http::steadyNow())), word(policy::BreakerState::Closed));
    }

    void anUnknownTargetFails()
    {
        Bench bench;
        const Seen seen = bench.run(false, {engine::TargetKind::Chain, "nowhere"});
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Failed));
        QCOMPARE(seen.record.attempts, 0);
    }

    void theKeyIsSentAndAMissingOneSkipsTheTier()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].key = {workspace::KeySource::Environment, QStringLiteral("SOME_KEY")};
        Bench bench(workspace);
        QByteArray authorization;
        bench.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            authorization = http::headerValue(request.headers, "authorization");
            ChatServer::answers("one")(request, std::move(responder));
        });
        bench.server.on("second", ChatServer::answers("two"));
        bench.run();
        QCOMPARE(authorization, QByteArray("Bearer secret"));

        bench.key = tl::unexpected(QStringLiteral("SOME_KEY is not set. Export it and try again."));
        bench.apply(workspace);
        const Seen seen = bench.run();
        QCOMPARE(seen.text, QStringLiteral("two"));
        QCOMPARE(bench.server.requests("first"), 1);
        QCOMPARE(seen.record.attempts, 1);
        QVERIFY(!bench.core.switchboard().endpoint("first")->state->credential().out); // nobody has refused it
        const Seen direct = bench.run(false, {engine::TargetKind::Endpoint, "first"});
        QCOMPARE(direct.record.attempts, 0);
        QCOMPARE(word(direct.record.error.disposition.error), word(provider::ErrorClass::LocalReject));
        QVERIFY(direct.record.error.message.find("SOME_KEY is not set") != std::string::npos);
        const auto now = bench.core.recorder().snapshot(std::chrono::minutes(15), http::steadyNow());
        constexpr auto kFormat = observe::ExpositionFormat::OpenMetrics100;
        QVERIFY(!bench.core.recorder().metrics().expose(kFormat, *now, {}).contains("authentication"));
    }

    void aNewKeyBringsItsEndpointBack()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].key = {workspace::KeySource::Environment, QStringLiteral("SOME_KEY")};
        Bench bench(workspace);
        bench.server.on("first", [](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            const bool fits = http::headerValue(request.headers, "authorization") == "Bearer better";
            (fits ? ChatServer::answers("one") : ChatServer::fails(401))(request, std::move(responder));
        });
        bench.server.on("second", ChatServer::answers("two"));
        QCOMPARE(bench.run().text, QStringLiteral("two"));
        bench.apply(workspace);
        QCOMPARE(bench.run().text, QStringLiteral("two"));
        QCOMPARE(bench.server.requests("first"), 1); // the same key stays out

        bench.key = QByteArray("better");
        bench.apply(workspace);
        QCOMPARE(bench.run().text, QStringLiteral("one"));
    }

    void aKeyThatComesLateServes()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].key = {workspace::KeySource::Keychain, QStringLiteral("entry")};
        Bench bench;
        bench.key = tl::unexpected(QStringLiteral("The key is still being read."));
        bench.apply(workspace);
        bench.server.on("first", ChatServer::answers("one"));
        bench.server.on("second", ChatServer::answers("two"));
        QCOMPARE(bench.run().text, QStringLiteral("two"));

        bench.key = QByteArray("secret");
        bench.apply(workspace);
        QCOMPARE(bench.run().text, QStringLiteral("one"));
    }

    void aWholeAnswerToAStreamedRequestIsRead()
    {
        Bench bench;
        bench.server.on("first", ChatServer::answers("whole"));
        const Seen seen = bench.run(true);
        QCOMPARE(seen.text, QStringLiteral("whole"));
    }

    void aServerThatDoesNotCloseAfterDoneHoldsNobody()
    {
        Bench bench; // without an idle limit
        std::shared_ptr<http::Responder> open;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            open = std::move(responder);
            open->begin(200, {{"Content-Type", "text/event-stream"}});
            open->write(ChatServer::chunk("all") + "data: {\"choices\":[{\"index\":0,\"delta\":{},"
                                                   "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
        });
        const Seen seen = bench.run(true);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.text, QStringLiteral("all"));
        QTRY_VERIFY(open->clientGone());
        QCOMPARE(bench.core.switchboard().endpoint("first")->state->inFlight, 0);
    }

    void aRefusalCostsNothingAndATimeoutIsUnknown()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].timeouts.firstByte = Millis(50);
        Bench bench(workspace);
        bench.server.on("second", ChatServer::answers("two"));
        bench.server.on("first", ChatServer::fails(503));
        const Seen refused = bench.run();
        QCOMPARE(refused.cost.value(), 10 * 1000 + 5 * 2000);
        QVERIFY(!refused.costIsLowerBound);

        std::vector<std::shared_ptr<http::Responder>> silent;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            silent.push_back(std::move(responder));
        });
        const Seen late = bench.run();
        QCOMPARE(late.text, QStringLiteral("two"));
        QCOMPARE(late.cost.value(), 10 * 1000 + 5 * 2000);
        QVERIFY(late.costIsLowerBound); // the provider may have billed what nobody waited for
    }

    void whatBeganAndEndedWithoutUsageIsEstimated_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<bool>("cancel");
        QTest::addColumn<qint64>("cost"); // -1: unknown
        QTest::addColumn<qint64>("estimated");
        const QByteArray stop = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        const QByteArray twelve = ChatServer::chunk("Hello, world"); // 3 tokens by characters, the prompt 2
        QTest::newRow("broken stream") << twelve << false << qint64(8000) << qint64(8000);
        QTest::newRow("caller left") << twelve << true << qint64(8000) << qint64(8000);
        QTest::newRow("complete, never said") << twelve + stop << false << qint64(8000) << qint64(8000);
        QTest::newRow("told before it broke")
            << twelve + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\n"
            << false << qint64(20'000) << qint64(0);
        QTest::newRow("reported")
            << twelve + stop +
                   "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"cost\":0.001}}\n\n"
            << false << qint64(1'000'000) << qint64(0);
        QTest::newRow("not a word") << QByteArray("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n")
                                    << false << qint64(-1) << qint64(0);
    }

    void whatBeganAndEndedWithoutUsageIsEstimated()
    {
        QFETCH(QByteArray, first);
        QFETCH(bool, cancel);
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.tiers.resize(1);
        Bench bench(workspace);
        std::shared_ptr<http::Responder> open;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write(first);
            if (cancel)
                open = std::move(responder);
            else
                responder->end();
        });
        Seen seen;
        const engine::CallId id = bench.start(seen, QStringLiteral("hello"), true);
        if (cancel) {
            QTRY_VERIFY(!seen.deltas.isEmpty());
            bench.core.cancel(id);
        }
        QTRY_VERIFY(seen.done);
        QTEST(qint64(seen.cost.value_or(-1)), "cost");
        QTEST(qint64(seen.estimated), "estimated");
        QCOMPARE(seen.costIsLowerBound, !seen.cost.has_value());
    }

    void resetBringsARefusedKeyBack()
    {
        Bench bench;
        bench.server.on("first", ChatServer::fails(403));
        bench.server.on("second", ChatServer::answers("two"));
        bench.run();
        bench.run();
        QCOMPARE(bench.server.requests("first"), 1);
        bench.server.on("first", ChatServer::answers("one"));
        bench.core.command("first", observe::BreakerCommand::Reset, "paid");
        QCOMPARE(bench.run().text, QStringLiteral("one"));
    }

    void waitsAsLongAsTheServerAsked()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains.front().spec.tiers.resize(1);
        workspace.chains.front().spec.tiers.front().maxAttempts = 2;
        Bench bench(workspace);
        std::vector<Instant> arrivals;
        bench.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            arrivals.push_back(http::steadyNow());
            if (arrivals.size() == 1)
                ChatServer::fails(429, {{"retry-after-ms", "120"}})(request, std::move(responder));
            else
                ChatServer::answers("late")(request, std::move(responder));
        });
        QCOMPARE(bench.run().text, QStringLiteral("late"));
        QCOMPARE(arrivals.size(), std::size_t(2));
        QVERIFY(arrivals[1] - arrivals[0] >= Millis(120));
    }

    void aWaitAskedForInsideA200Counts_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::newRow("stream") << true;
        QTest::newRow("whole") << false;
    }
    void aWaitAskedForInsideA200Counts()
    {
        QFETCH(bool, stream);
        workspace::Workspace workspace = twoTiers();
        workspace.chains.front().spec.tiers.resize(1);
        workspace.chains.front().spec.tiers.front().maxAttempts = 2;
        Bench bench(workspace);
        std::vector<Instant> arrivals;
        bench.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            arrivals.push_back(http::steadyNow());
            if (arrivals.size() > 1)
                return (stream ? ChatServer::streams({"late"}) : ChatServer::answers("late"))(request, responder);
            const QByteArray error = R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})";
            const QByteArray type = stream ? "text/event-stream" : "application/json";
            responder->send(200, {{"Content-Type", type}, {"retry-after-ms", "120"}},
                            stream ? "data: " + error + "\n\n" : error);
        });
        QCOMPARE(bench.run(stream).text, QStringLiteral("late"));
        QCOMPARE(arrivals.size(), std::size_t(2));
        QVERIFY(arrivals[1] - arrivals[0] >= Millis(120));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
