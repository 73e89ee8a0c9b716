// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/literals.h"
#include "tests/support/load_bench.h"

using namespace sg;
using namespace test;

namespace {

class TestLoadRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsWhatTheServerCounted()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadRun run(bench.core, closedPlan(200, 20));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(bench.server.requests("e0"), 200);
        QCOMPARE(report["requests"_L1].toInt(), 200);
        QCOMPARE(report["succeeded"_L1].toInt(), 200);
        QCOMPARE(report["attempts"_L1].toInt(), 200);
        QCOMPARE(report["success_rate"_L1].toDouble(), 1.0);
        QCOMPARE(report["by_tier"_L1]["e0"_L1].toInt(), 200);
        QCOMPARE(report["tokens"_L1]["input"_L1].toInt(), 2000);
        QCOMPARE(report["response_ms"_L1]["count"_L1].toInt(), 200);
        QVERIFY(report["cost_usd"_L1].isNull());          // no price: unknown, not 0
        QVERIFY(report["ttft_ms"_L1]["p50"_L1].isNull()); // whole answers have no first token
        QVERIFY(run.progress()->firstToken.bars.empty() && run.progress()->betweenTokens.answers == 0);
    }

    void neverMoreInFlightThanUsers()
    {
        LoadBench bench(oneEndpoint());
        int inFlight = 0, most = 0;
        std::vector<std::shared_ptr<http::Responder>> waiting;
        bench.server.on("e0", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            most = std::max(most, ++inFlight);
            waiting.push_back(std::move(responder));
            // Answers when all users are there, or when fewer are left.
            if (static_cast<int>(waiting.size()) < 7)
                return;
            for (const auto& one : std::exchange(waiting, {})) {
                --inFlight;
                ChatServer::answers("x")({}, one);
            }
        });
        load::LoadRun run(bench.core, closedPlan(70, 7));
        runToEnd(run);
        QCOMPARE(most, 7);
    }

    void failuresHaveTheirOwnDistribution()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::fails(400));
        load::LoadRun run(bench.core, closedPlan(10, 2));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["failed"_L1].toInt(), 10);
        QCOMPARE(report["by_error_class"_L1]["bad_request"_L1].toInt(), 10);
        QCOMPARE(report["response_ms"_L1]["count"_L1].toInt(), 0);
        QVERIFY(report["response_ms"_L1]["p50"_L1].isNull());
        QCOMPARE(report["failed_response_ms"_L1]["count"_L1].toInt(), 10);
    }

    void everyFailureHasItsRowWithAStatusOrWithout()
    {
        LoadBench bench(oneEndpoint());
        int served = 0;
        bench.server.on("e0", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            if (++served % 2 == 0)
                ChatServer::fails(400)(request, std::move(responder));
            else
                responder->drop(true);
        });
        load::LoadRun run(bench.core, closedPlan(2, 1));
        runToEnd(run);
        std::int64_t failed = 0;
        QStringList names;
        const auto picture = run.progress();
        for (const load::StatusRow& row : picture->statuses) {
            failed += row.good ? 0 : row.count;
            if (!row.good)
                names.append(row.status);
        }
        QCOMPARE(failed, 2);
        QCOMPARE(names, QStringList({QStringLiteral("400"), QStringLiteral("connection")}));
    }

    void breakerTransitionsAreInTheReport()
    {
        LoadBench bench(oneEndpoint(2));
        bench.server.on("e0", ChatServer::fails(503));
        bench.server.on("e1", ChatServer::answers("yes"));
        load::LoadRun run(bench.core, closedPlan(20, 1));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["succeeded"_L1].toInt(), 20);
        QCOMPARE(bench.server.requests("e0"), 3);
        const QJsonArray transitions = report["breakers"_L1].toArray().at(0)["transitions"_L1].toArray();
        QCOMPARE(transitions.size(), 1);
        QCOMPARE(transitions.at(0)["to"_L1].toString(), QStringLiteral("open"));
        QCOMPARE(transitions.at(0)["cause"_L1].toString(), QStringLiteral("consecutive_failures"));
        QCOMPARE(report["attempts_by_error_class"_L1]["overloaded"_L1].toInt() +
                     report["attempts_by_error_class"_L1]["server_error"_L1].toInt(),
                 3);
    }

    void stoppingLetsThoseInFlightFinishAndAgainCancelsThem()
    {
        LoadBench bench(oneEndpoint());
        std::vector<std::shared_ptr<http::Responder>> waiting;
        bench.server.on("e0", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            waiting.push_back(std::move(responder));
        });
        load::LoadRun run(bench.core, closedPlan(100, 4));
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        QTRY_COMPARE(waiting.size(), std::size_t(4));
        run.stop();
        ChatServer::answers("x")({}, waiting.front());
        QTRY_COMPARE(run.tally().answered(), 1);
        QVERIFY(!run.ended());
        run.stop();
        QTRY_COMPARE(finished.size(), 1);
        const QJsonObject report = load::reportOf(run);
        QCOMPARE(report["requests"_L1].toInt(), 4);
        QCOMPARE(report["cancelled"_L1].toInt(), 3);
        QCOMPARE(report["succeeded"_L1].toInt(), 1);
        QCOMPARE(report["success_rate"_L1].toDouble(), 1.0); // cancelled by us: nobody's failure
    }

    void cachedAnswersDoNotRecurse()
    {
        workspace::Workspace workspace = oneEndpoint();
        workspace.chains.front().spec.cache = chain::CacheSpec{};
        LoadBench bench(workspace);
        bench.server.on("e0", ChatServer::answers("same"));
        load::LoadPlan repeated = closedPlan(50000, 1);
        repeated.prompts = load::promptsOf({QStringLiteral("the same prompt")});
        load::LoadRun run(bench.core, repeated);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["succeeded"_L1].toInt(), 50000);
        QCOMPARE(bench.server.requests("e0"), 1);
        QCOMPARE(report["cache"_L1]["hits"_L1].toInt(), 49999);
    }

    void theSlowestSayWhereTheirAnswerCameFrom()
    {
        workspace::Workspace workspace = oneEndpoint();
        workspace.chains.front().spec.cache = chain::CacheSpec{};
        LoadBench bench(workspace);
        Waiting waiting;
        bench.server.on("e0", waiting.handler());
        load::LoadPlan same = closedPlan(4, 3);
        same.prompts = load::promptsOf({QStringLiteral("the same prompt")});
        load::LoadRun run(bench.core, same);
        QVERIFY(run.progress()->plan.prompts.isSharedWith(same.prompts)); // a picture copies none of them
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        QTRY_COMPARE(run.tally().started(), 3);
        QTRY_COMPARE(waiting.size(), std::size_t(1));
        waiting.answerAll();
        QTRY_COMPARE(finished.size(), 1);
        QStringList paths;
        for (const load::SlowAnswer& slow : run.tally().slowest())
            paths << slow.path;
        paths.sort();
        const QString shared = QStringLiteral("shared call");
        QCOMPARE(paths, (QStringList{QStringLiteral("cache"), QStringLiteral("e0"), shared, shared}));
    }

    void aConcurrencyAboveTheConnectionLimitIsInvalid()
    {
        workspace::Workspace workspace = oneEndpoint();
        ChatServer server;
        server.on("e0", ChatServer::answers("yes"));
        engine::EngineCore core({1, 2});
        core.apply(workspace, {}, server.base(), [](const auto&) { return QByteArray(); });
        load::LoadPlan tooMany = closedPlan(20, 10);
        tooMany.targetKind = load::TargetKind::Endpoint;
        tooMany.target = "e0";
        load::LoadRun run(core, tooMany);
        const QJsonObject report = runToEnd(run);
        QVERIFY(!load::isValid(report));
        QCOMPARE(report["verdict"_L1]["word"_L1].toString(), QStringLiteral("INVALID"));
        QVERIFY(!report["verdict"_L1]["reasons"_L1].toArray().isEmpty());
    }

    void progressAddsUp()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadRun run(bench.core, closedPlan(300, 10));
        runToEnd(run);
        const load::RunProgressPtr progress = run.progress();
        QCOMPARE(progress->state, load::RunState::Finished);
        QCOMPARE(progress->share, 1.0);
        std::int64_t inSeconds = 0, inBars = 0, inStatuses = 0;
        for (const auto& second : progress->seconds)
            inSeconds += second.answered;
        for (const auto& bar : progress->latency)
            inBars += bar.answered;
        for (const auto& row : progress->statuses)
            inStatuses += row.count;
        QCOMPARE(inSeconds, 300);
        QCOMPARE(inBars, 300);
        QCOMPARE(inStatuses, 300);
        QVERIFY(!progress->report.isEmpty());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestLoadRun)
#include "tst_load_run.moc"
