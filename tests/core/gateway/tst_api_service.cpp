// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/api_bench.h"

using namespace sg;
using test::ApiBench;
using test::ChatServer;
using test::Kept;
using namespace test;

namespace {

/// The words around a message.
QByteArray small(const QByteArray& message, const QByteArray& model = {})
{
    return "{\"message\":\"" + message + "\"" + (model.isEmpty() ? QByteArray() : ",\"model\":\"" + model + "\"") + "}";
}

QJsonObject entry(const QJsonObject& state, const char* list, const QString& name)
{
    const QJsonArray entries = state.value(QLatin1String(list)).toArray();
    for (const QJsonValue& one : entries)
        if (one["name"_L1].toString() == name)
            return one.toObject();
    return {};
}

} // namespace

class TestApiService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ---- the small chat

    void chatAnswers()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::answers("hello"));
        const Kept kept = bench.post("/chat", small("hi"));
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->json().value("response"_L1).toString(), QStringLiteral("hello"));
        QCOMPARE(kept->json().value("model"_L1).toString(), QStringLiteral("m"));
        QCOMPARE(kept->json().value("circuit_status"_L1).toString(), QStringLiteral("closed"));
        QCOMPARE(kept->header("x-switchgear-chain"), QByteArray("prod"));
        QCOMPARE(kept->header("x-switchgear-endpoint"), QByteArray("first"));
        QCOMPARE(kept->header("x-request-id"), QByteArray("r-1"));
        QCOMPARE(bench.over, 1);
        QCOMPARE(bench.left, 0);
    }

    void chatTakesAModel()
    {
        ApiBench bench;
        bench.server.on("second", ChatServer::answers("two"));
        QCOMPARE(bench.post("/chat", small("hi", "m-second"))->header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(bench.post("/chat", small("hi", "nobody"))->status, 404);
    }

    void chatSaysWhenToComeAgain()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::fails(500));
        QCOMPARE(bench.post("/chat", small("hi", "alone"))->status, 502); // trips the breaker
        const Kept kept = bench.post("/chat", small("hi", "alone"));
        QCOMPARE(kept->status, 503);
        const int wait = kept->json().value("retry_after"_L1).toInt();
        QVERIFY(wait >= 25 && wait <= 30);
        QCOMPARE(kept->header("Retry-After"), QByteArray::number(wait));
        QCOMPARE(kept->json().value("circuit_status"_L1).toString(), QStringLiteral("open"));
        QCOMPARE(kept->json().value("reason"_L1).toString(), kept->error().value("message"_L1).toString());
        QVERIFY(kept->json().value("reason"_L1).toString().contains(QStringLiteral("first")));
        QCOMPARE(bench.server.requests("first"), 1);
    }

    void chatRefusesWhatItCannotRead_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("message=hi");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("no message") << QByteArray("{}");
        QTest::newRow("blank") << QByteArray(R"({"message":"  "})");
        QTest::newRow("a number") << QByteArray(R"({"message":5})");
        QTest::newRow("a model that is none") << QByteArray(R"({"message":"hi","model":5})");
    }
    void chatRefusesWhatItCannotRead()
    {
        QFETCH(QByteArray, body);
        ApiBench bench;
        const Kept kept = bench.post("/chat", body);
        QCOMPARE(kept->status, 400);
        QCOMPARE(kept->error().value("type"_L1).toString(), QStringLiteral("invalid_request_error"));
        QCOMPARE(bench.over, 1);
    }

    void whoLeavesCancels()
    {
        ApiBench bench;
        std::shared_ptr<http::Responder> upstream;
        bool upstreamGone = false;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
            upstream->onClientGone([&] { upstreamGone = true; });
        });
        const Kept kept = bench.ask("POST", "/chat", small("hi"));
        QTRY_VERIFY(upstream != nullptr);
        kept->leave();
        QCOMPARE(bench.left, 1);
        QCOMPARE(bench.over, 1);
        QCOMPARE(bench.core.inFlight(), 0);
        QTRY_VERIFY(upstreamGone);
        QCOMPARE(kept->status, 0);
    }

    // ---- health

    void healthyAndDegraded()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::fails(500));
        bench.server.on("second", ChatServer::answers("two"));
        Kept kept = bench.get("/health");
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->json().value("status"_L1).toString(), QStringLiteral("healthy"));
        QCOMPARE(bench.post("/chat", small("hi"))->status, 200);
        kept = bench.get("/health");
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->json().value("status"_L1).toString(), QStringLiteral("degraded"));
        const QJsonObject first = kept->json().value("breakers"_L1).toObject().value("first"_L1).toObject();
        QCOMPARE(first.value("state"_L1).toString(), QStringLiteral("open"));
        const double wait = first.value("time_until_reset"_L1).toDouble();
        QVERIFY(wait > 25 && wait <= 30);
        QCOMPARE(kept->json().value("chains"_L1)["alone"_L1]["status"_L1].toString(), QStringLiteral("unhealthy"));
        QCOMPARE(kept->json().value("chains"_L1)["prod"_L1]["status"_L1].toString(), QStringLiteral("degraded"));
    }

    void degradedWith503WhenNothingCanAnswer()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::fails(500));
        bench.post("/chat", small("hi", "alone"));
        const Kept kept = bench.get("/health?chain=alone");
        QCOMPARE(kept->status, 503);
        QCOMPARE(kept->json().value("status"_L1).toString(), QStringLiteral("degraded"));
        QCOMPARE(kept->json().value("state"_L1).toString(), QStringLiteral("open"));
        const QJsonValue breaker = kept->json().value("breakers"_L1)["first"_L1];
        for (const auto figure : {"failure_count"_L1, "success_count"_L1})
            QVERIFY(breaker[figure].isDouble() && kept->json().value(figure) == breaker[figure]);
        QVERIFY(kept->json().value("time_until_reset"_L1).toDouble() > 25);
        QVERIFY(bench.get("/health?chain=prod")->json().value("state"_L1).isUndefined()); // of which of the two?
        QVERIFY(kept->json().value("reason"_L1).toString().contains(QStringLiteral("first")));
        QCOMPARE(QByteArray::number(kept->json().value("retry_after"_L1).toInt()), kept->header("Retry-After"));
        QVERIFY(!kept->header("Retry-After").isEmpty());
        QCOMPARE(bench.get("/health?chain=prod")->status, 200);
        QCOMPARE(bench.get("/health?chain=none")->status, 404);
        // Held open by a person nobody knows until when.
        bench.core.command("first", observe::BreakerCommand::ForceOpen, "");
        const Kept held = bench.get("/health?chain=alone");
        QCOMPARE(held->status, 503);
        QVERIFY(held->header("Retry-After").isEmpty());
        QVERIFY(held->json().value("retry_after"_L1).isNull());
    }

    void healthWithoutAnything()
    {
        ApiBench bench{workspace::Workspace()};
        const Kept kept = bench.get("/health");
        QCOMPARE(kept->status, 503);
        QCOMPARE(kept->json().value("status"_L1).toString(), QStringLiteral("unhealthy"));
    }

    void aCannedReplyAnswers()
    {
        auto workspace = twoEndpoints();
        chain::TierSpec canned;
        canned.name = "sorry";
        canned.kind = chain::TierKind::CannedReply;
        canned.rules = {{{}, "Later, please."}};
        workspace.chains[1].spec.tiers.push_back(canned);
        ApiBench bench(workspace);
        bench.core.command("first", observe::BreakerCommand::ForceOpen, "");
        const Kept kept = bench.get("/health?chain=alone");
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->json().value("status"_L1).toString(), QStringLiteral("degraded"));
    }

    void strangersSeeNoNames()
    {
        ApiBench bench;
        bench.options.token = secrets::Secret("sgt-test-0001");
        const Kept stranger = bench.get("/health");
        QCOMPARE(stranger->json().value("status"_L1).toString(), QStringLiteral("healthy"));
        QVERIFY(!stranger->body.contains("first"));
        QVERIFY(!stranger->body.contains("prod"));
        QVERIFY(bench.get("/health", {{"Authorization", "Bearer sgt-test-0001"}})->body.contains("first"));
        // Nor do they learn which chains there are by asking.
        QCOMPARE(bench.get("/health?chain=none")->status, 200);
    }

    // ---- state

    void stateTellsTheBreaker()
    {
        ApiBench bench;
        bench.figures.queued = 3;
        bench.server.on("first", ChatServer::fails(500));
        bench.server.on("second", ChatServer::answers("two"));
        bench.post("/chat", small("hi"));
        const QJsonObject state = bench.get("/api/state")->json();
        QCOMPARE(state.value("workspace"_L1).toString(), QStringLiteral("shop"));
        QCOMPARE(state.value("environment"_L1).toString(), QStringLiteral("staging"));
        QCOMPARE(state.value("gateway"_L1)["queued"_L1].toInt(), 3);
        QCOMPARE(state.value("gateway"_L1)["queue_limit"_L1].toInt(), 100);
        const QJsonObject breaker = entry(state, "endpoints", QStringLiteral("first")).value("breaker"_L1).toObject();
        QCOMPARE(breaker.value("state"_L1).toString(), QStringLiteral("open"));
        QVERIFY2(breaker.value("cause"_L1).toString().contains(QStringLiteral("500")),
                 qPrintable(breaker.value("cause"_L1).toString()));
        const auto openedAt = breaker.value("opened_at_unix_ms"_L1).toInteger();
        const auto probeAt = breaker.value("next_probe_at_unix_ms"_L1).toInteger();
        QVERIFY(qAbs(probeAt - openedAt - 30000) <= 2);
        QCOMPARE(QDateTime::fromString(breaker.value("opened_at"_L1).toString(), Qt::ISODateWithMs).toMSecsSinceEpoch(),
                 openedAt);
        QVERIFY(breaker.value("opened_at"_L1).toString().endsWith(QLatin1Char('Z')));
        const QJsonObject second = entry(state, "endpoints", QStringLiteral("second"));
        QVERIFY(second.value("breaker"_L1)["opened_at"_L1].isNull());
        QCOMPARE(second.value("attempts"_L1).toInt(), 1);
        const QJsonObject chain = entry(state, "chains", QStringLiteral("prod"));
        QCOMPARE(chain.value("answered"_L1).toInt(), 1);
        const QJsonArray tiers = chain.value("tiers"_L1).toArray();
        QCOMPARE(tiers[0]["moved_on"_L1].toInt(), 1);
        QCOMPARE(tiers[1]["answered"_L1].toInt(), 1);
        QVERIFY(chain.value("cache_entries"_L1).isNull());
        QVERIFY(!bench.get("/api/state")->body.contains("sk-test"));
    }

    void stateTellsLimits()
    {
        auto workspace = twoEndpoints();
        workspace.endpoints[0].spec.requestsPerMinute = 10;
        workspace.endpoints[0].spec.maxInFlight = 4;
        workspace.chains[0].spec.limiter.emplace();
        workspace.chains[0].spec.limiter->ratePerSecond = 1;
        workspace.chains[0].spec.limiter->burst = 10;
        ApiBench bench(workspace);
        bench.server.on("first", ChatServer::answers("one"));
        bench.post("/chat", small("hi"));
        const QJsonObject state = bench.get("/api/state")->json();
        const QJsonValue limits = entry(state, "endpoints", QStringLiteral("first")).value("limits"_L1);
        QCOMPARE(limits["requests_per_minute"_L1]["limit"_L1].toDouble(), 10.0);
        QCOMPARE(qRound(limits["requests_per_minute"_L1]["used"_L1].toDouble()), 1);
        QCOMPARE(limits["in_flight"_L1]["limit"_L1].toInt(), 4);
        QVERIFY(limits["tokens_per_minute"_L1]["limit"_L1].isNull());
        QVERIFY(entry(state, "chains", QStringLiteral("prod")).value("limiter_per_minute"_L1)["limit"_L1].toDouble() >
                0);
        QVERIFY(entry(state, "chains", QStringLiteral("alone")).value("limiter_per_minute"_L1).isNull());
    }

    // ---- actions

    void actions_data()
    {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("state");
        QTest::newRow("trip") << QByteArray("trip") << QStringLiteral("forced_open");
        QTest::newRow("hold") << QByteArray("hold") << QStringLiteral("forced_closed");
        QTest::newRow("reset") << QByteArray("reset") << QStringLiteral("closed");
        QTest::newRow("probe") << QByteArray("probe") << QStringLiteral("half_open");
    }
    void actions()
    {
        QFETCH(QByteArray, action);
        ApiBench bench;
        bench.server.on("first", ChatServer::fails(500));
        bench.post("/chat", small("hi", "alone")); // open now
        const Kept kept = bench.post("/api/endpoints/first/" + action, R"({"reason":"maintenance"})");
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->json().value("name"_L1).toString(), QStringLiteral("first"));
        QTEST(kept->json().value("breaker"_L1)["state"_L1].toString(), "state");
        const auto events = bench.core.recorder().eventsAfter(0, http::steadyNow());
        QVERIFY(std::any_of(events.begin(), events.end(), [](const observe::Event& event) {
            return event.text.find("maintenance") != std::string::npos;
        }));
    }

    void releaseEndsALock()
    {
        ApiBench bench;
        bench.post("/api/endpoints/first/trip");
        const Kept kept = bench.post("/api/endpoints/first/release");
        QVERIFY(kept->json().value("breaker"_L1)["state"_L1].toString() != QStringLiteral("forced_open"));
    }

    void actionsInVain_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("because");
        QTest::newRow("a probe of one that is closed")
            << QByteArray() << QByteArray("probe") << QStringLiteral("not open");
        QTest::newRow("a probe of one that is held")
            << QByteArray("trip") << QByteArray("probe") << QStringLiteral("held");
        QTest::newRow("a release of one that is not held")
            << QByteArray("reset") << QByteArray("release") << QStringLiteral("nothing holds");
        QTest::newRow("a release") << QByteArray("hold") << QByteArray("release") << QString();
    }
    void actionsInVain()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, action);
        QFETCH(QString, because);
        ApiBench bench;
        if (!before.isEmpty())
            bench.post("/api/endpoints/first/" + before);
        const QJsonObject told = bench.post("/api/endpoints/first/" + action)->json();
        QVERIFY(told.contains("in_vain_because"_L1));
        const QString why = told.value("in_vain_because"_L1).toString();
        QVERIFY2(because.isEmpty() ? why.isEmpty() : why.contains(because), qPrintable(why));
        const auto events = bench.core.recorder().eventsAfter(0, http::steadyNow());
        QVERIFY(std::ranges::any_of(events, [&](const observe::Event& event) {
            return event.text.find(because.isEmpty() ? "by the operator" : "in vain: " + why.toStdString()) !=
                   std::string::npos;
        }));
    }

    void actionsRefuse()
    {
        ApiBench bench;
        const Kept unknown = bench.post("/api/endpoints/third/trip");
        QCOMPARE(unknown->status, 404);
        QVERIFY(unknown->error().value("message"_L1).toString().contains(QStringLiteral("second")));
        QCOMPARE(bench.post("/api/endpoints/first/trip", "reason")->status, 400);
        QCOMPARE(bench.post("/api/endpoints/first/trip", R"({"reason":5})")->status, 400);
        QCOMPARE(bench.get("/health")->json().value("status"_L1).toString(), QStringLiteral("healthy"));
    }

    // ---- queue, metrics, pages

    void mistakesDoNotWaitInTheQueue()
    {
        ApiBench bench;
        std::vector<std::shared_ptr<http::Responder>> upstream;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream.push_back(std::move(responder));
        });
        gateway::Entrance entrance(bench.core.timers(), {1, 0, std::chrono::seconds(1)});
        gateway::ApiService api(
            bench.core, bench.options, [] { return gateway::Figures(); }, &entrance);
        const auto ask = [&](gateway::Route route, const QByteArray& body, const QByteArray& target = {}) {
            const auto kept = std::make_shared<KeptAnswer>();
            gateway::Exchange exchange;
            exchange.request.target = target;
            exchange.request.method = "POST";
            exchange.request.body = body;
            exchange.request.received = http::steadyNow();
            exchange.responder = kept;
            api.handle({route}, std::move(exchange));
            return kept;
        };
        const QByteArray embed = R"({"model":"first","input":"x"})";
        const Kept holds = ask(gateway::Route::SimpleChat, small("hi"));
        QTRY_COMPARE(int(upstream.size()), 1);
        QCOMPARE(entrance.admission().inFlight(), 1);
        QCOMPARE(ask(gateway::Route::SimpleChat, "no JSON")->status, 400);
        QCOMPARE(ask(gateway::Route::SimpleChat, small("hi", "nobody"))->status, 404);
        QCOMPARE(ask(gateway::Route::Embeddings, "{}")->status, 400);
        QCOMPARE(ask(gateway::Route::SimpleChat, small("hi"))->status, 503);
        QCOMPARE(ask(gateway::Route::Embeddings, embed)->status, 503);
        QCOMPARE(ask(gateway::Route::Models, {}, "/v1/models?endpoint=first")->status, 503);
        QCOMPARE(ask(gateway::Route::Models, {}, "/v1/models?endpoint=nobody")->status, 404);
        QCOMPARE(ask(gateway::Route::Models, {}, "/v1/models")->status, 200);
        holds->leave();
        QCOMPARE(entrance.admission().inFlight(), 0);
        ask(gateway::Route::Embeddings, embed);
        QTRY_COMPARE(int(upstream.size()), 2);
        QCOMPARE(entrance.admission().inFlight(), 1);
    }

    void metricsGoByAccept()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::answers("one"));
        bench.post("/chat", small("hi"));
        const Kept plain = bench.get("/metrics");
        QVERIFY(plain->header("Content-Type").startsWith("text/plain"));
        QVERIFY(plain->body.contains("# TYPE"));
        const Kept open = bench.get("/metrics", {{"Accept", "application/openmetrics-text;version=1.0.0"}});
        QVERIFY(open->header("Content-Type").startsWith("application/openmetrics-text"));
        QVERIFY(open->body.endsWith("# EOF\n"));
    }

    void pages()
    {
        ApiBench bench;
        const Kept root = bench.get("/");
        QCOMPARE(root->status, 200);
        QVERIFY(root->body.contains("http://127.0.0.1:8787/v1"));
        const Kept preflight = bench.answer("OPTIONS", "/chat");
        QCOMPARE(preflight->status, 204);
        QCOMPARE(preflight->header("Allow"), QByteArray("POST, OPTIONS"));
        QVERIFY(preflight->body.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestApiService)
#include "tst_api_service.moc"
