// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/literals.h"
#include "tests/support/load_bench.h"
#include "tests/support/word.h"

using namespace sg;
using namespace test;
using std::chrono::seconds;

namespace {

load::OpenModel constantRate(double perSecond, Nanos length, int mostInFlight = 1000)
{
    return {{{length, perSecond, perSecond}}, load::Arrivals::Constant, mostInFlight};
}

class TestLoadModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOpenLoadDoesNotWaitForAnswers()
    {
        LoadBench bench(oneEndpoint());
        Waiting waiting;
        bench.server.on("e0", waiting.handler());
        load::LoadRun run(bench.core, planOf(constantRate(200, Millis(500))));
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        QTRY_COMPARE(waiting.size(), std::size_t(100));
        waiting.answerAll();
        QTRY_COMPARE(finished.size(), 1);
        const QJsonObject report = load::reportOf(run);
        QCOMPARE(report["requests"_L1].toInt(), 100);
        QCOMPARE(report["succeeded"_L1].toInt(), 100);
        QCOMPARE(report["ended_because"_L1].toString(), QStringLiteral("schedule_over"));
        QVERIFY(report["requested_rps"_L1].toDouble() > 150 && report["requested_rps"_L1].toDouble() <= 200);
        QCOMPARE(report["dropped"_L1].toInt(), 0);
        QCOMPARE(report["schedule_delay_ms"_L1]["count"_L1].toInt(), 100);
    }

    void arrivalsBeyondTheLimitAreDroppedAndSaid()
    {
        LoadBench bench(oneEndpoint());
        Waiting waiting;
        bench.server.on("e0", waiting.handler());
        load::LoadRun run(bench.core, planOf(constantRate(100, Millis(200), 5)));
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        QTRY_COMPARE(run.tally().dropped(), 15);
        QTRY_COMPARE(waiting.size(), std::size_t(5));
        waiting.answerAll();
        QTRY_COMPARE(finished.size(), 1);
        const QJsonObject report = load::reportOf(run);
        QCOMPARE(report["dropped"_L1].toInt(), 15);
        QCOMPARE(report["requests"_L1].toInt(), 5);
        QVERIFY(!load::isValid(report));
        // A busy machine may have a reason of its own before it.
        QStringList reasons;
        for (const QJsonValue& reason : report["verdict"_L1]["reasons"_L1].toArray())
            reasons << reason.toString();
        QCOMPARE(reasons.filter(QStringLiteral("15 scheduled arrivals were dropped because 5 requests")).size(), 1);
    }

    void warmUpAndCoolDownAreShownButDoNotCount()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadPlan plan = planOf(constantRate(100, seconds(1)));
        plan.warmUp = Millis(300);
        plan.coolDown = Millis(200);
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["requests"_L1].toInt(), 100);
        QCOMPARE(report["measured"_L1]["requests"_L1].toInt(), 50);
        QCOMPARE(report["measured"_L1]["warm_up_requests"_L1].toInt(), 30);
        QCOMPARE(report["measured"_L1]["cool_down_requests"_L1].toInt(), 20);
        QCOMPARE(report["succeeded"_L1].toInt(), 50);
        QCOMPARE(report["response_ms"_L1]["count"_L1].toInt(), 50);
        QCOMPARE(report["requested_rps"_L1].toDouble(), 100.0);
        int shown = 0;
        const load::RunProgressPtr picture = run.progress();
        for (const load::RunSecond& second : picture->seconds)
            shown += second.answered;
        QCOMPARE(shown, 100);
    }

    void theRateChangesWhileItRuns()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadPlan plan = planOf(constantRate(0.1, seconds(3600)));
        plan.stop.requests = 50;
        load::LoadRun run(bench.core, plan);
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        run.setRate(500);
        QCOMPARE(run.progress()->rateNow, std::optional(500.0));
        QVERIFY(finished.wait(15000));
        QCOMPARE(run.tally().answered(), 50);
        QCOMPARE(word(run.stopReason()), word(load::StopReason::Requests));
    }

    void moreUsersComeAndTooManyLeave()
    {
        LoadBench bench(oneEndpoint());
        Waiting waiting;
        bench.server.on("e0", waiting.handler());
        load::LoadPlan plan = planOf(load::ClosedModel{1});
        plan.stop.duration = seconds(3600);
        load::LoadRun run(bench.core, plan);
        run.start();
        QTRY_COMPARE(waiting.size(), std::size_t(1));
        run.setUsers(6);
        QTRY_COMPARE(waiting.size(), std::size_t(6));
        run.setUsers(2);
        waiting.answerAll();
        QTRY_COMPARE(run.tally().answered(), 6);
        QTRY_COMPARE(waiting.size(), std::size_t(2));
        waiting.answerAll();
        QTRY_COMPARE(run.tally().answered(), 8);
        QTRY_COMPARE(waiting.size(), std::size_t(2));
        run.stop();
        waiting.answerAll();
        QTRY_VERIFY(run.ended());
    }

    void usersThinkBetweenAnswers()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::ClosedModel closed{2};
        closed.think = stats::Distribution::constant(40);
        load::LoadPlan plan = planOf(closed);
        plan.stop.requests = 6;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["succeeded"_L1].toInt(), 6);
        QVERIFY(report["wall_ms"_L1].toDouble() >= 80);              // two thinks of each user
        QVERIFY(report["response_ms"_L1]["min"_L1].toDouble() < 40); // and they are no part of an answer
    }

    void failuresStopIt()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::fails(400));
        load::LoadPlan plan = closedPlan(100'000, 2);
        plan.stop.errorShare = 0.5;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["ended_because"_L1].toString(), QStringLiteral("error_share"));
        QVERIFY(report["requests"_L1].toInt() < 100);
    }

    void theBudgetStopsIt()
    {
        workspace::Workspace workspace = oneEndpoint();
        const cost::NanoDollars price(1'000'000'000'000); // $1000 a million: $0.015 an answer
        workspace.endpoints.front().price = cost::Price{price, price, {}, {}, {}};
        LoadBench bench(workspace);
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadPlan plan = closedPlan(100'000, 1);
        plan.stop.budgetUsd = 0.1;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["ended_because"_L1].toString(), QStringLiteral("budget"));
        QCOMPARE(report["requests"_L1].toInt(), 7);
        QVERIFY(std::abs(report["cost_usd"_L1].toDouble() - 0.105) < 1e-9);
    }

    void objectivesAreJudged()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadPlan plan = closedPlan(100, 2);
        plan.objectives = *measure::parseObjectives("success>99%,ttft.p50<1s,p95<1h");
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        const QJsonArray objectives = report["objectives"_L1].toArray();
        QVERIFY(objectives[0]["met"_L1].toBool());
        QCOMPARE(objectives[0]["measured"_L1].toDouble(), 100.0);
        QVERIFY(!objectives[1]["met"_L1].toBool()); // whole answers have no first token: nothing that could be met
        QCOMPARE(objectives[1]["measured_words"_L1].toString(), QStringLiteral("no data"));
        QVERIFY(objectives[2]["met"_L1].toBool());
        QCOMPARE(report["goodput_rps"_L1].toDouble(), 0.0); // and none that met it
        if (load::isValid(report)) // a machine that is too busy outranks it
            QVERIFY(load::missedAnObjective(report));
    }

    void everyMetricIsInTheReportWithItsFormula()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::streams({"abcd", "efgh", "ijkl"}));
        load::LoadPlan plan = closedPlan(20, 2);
        plan.stream = true;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["format"_L1].toString(), QStringLiteral("switchgear-load/2"));
        const QJsonObject metrics = report["metrics"_L1].toObject();
        QCOMPARE(metrics.size(), measure::kMetricCount);
        for (const QJsonValue& metric : metrics)
            QVERIFY(!metric["formula"_L1].toString().isEmpty());
        QCOMPARE(metrics["ttft"_L1]["success"_L1]["count"_L1].toInt(), 20);
        QCOMPARE(metrics["output_tokens"_L1]["success"_L1]["p50"_L1].toDouble(), 5.0);
        QCOMPARE(metrics["tpot"_L1]["success"_L1]["count"_L1].toInt(), 20);
        const load::RunProgressPtr picture = run.progress();
        for (const auto& [times, name] :
             {std::pair(&picture->firstToken, "ttft"_L1), std::pair(&picture->betweenTokens, "tpot"_L1)}) {
            QCOMPARE(times->answers, 20);
            QVERIFY(!times->bars.empty() && times->bars.size() < 100); // however long the run
            // The report rounds to µs.
            QVERIFY(std::abs(*times->p50Ms - metrics[name]["success"_L1]["p50"_L1].toDouble()) < 0.001);
            QVERIFY(*times->p95Ms >= *times->p50Ms);
        }
        QVERIFY(metrics["tokens"_L1]["value"_L1].toDouble() > 0);
        QVERIFY(report["generator"_L1]["cores"_L1].toInt() >= 1);
        QVERIFY(report["generator"_L1]["cpu_seconds"_L1].toDouble() >= 0);
    }

    void anAnswerThatBreaksOffIsCutOff()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "text/event-stream"}});
            responder->write(ChatServer::chunk("half an ans"));
            responder->drop(false);
        });
        load::LoadPlan plan = closedPlan(3, 1);
        plan.stream = true;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["failed"_L1].toInt(), 3);
        QCOMPARE(report["outcomes"_L1]["cut_off"_L1].toInt(), 3);
        QCOMPARE(report["outcomes"_L1]["failed"_L1].toInt(), 0);
        QCOMPARE(report["cut_off_response_ms"_L1]["count"_L1].toInt(), 3);
        QCOMPARE(report["failed_response_ms"_L1]["count"_L1].toInt(), 0);
    }

    void aSweepGoesThroughItsSteps()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadRun run(bench.core, planOf(load::SweepModel{50, 100, 2, Millis(200), load::Arrivals::Constant, 100}));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["requests"_L1].toInt(), 30);
        const QJsonArray steps = report["sweep"_L1]["steps"_L1].toArray();
        QVERIFY(!steps.isEmpty());
        QCOMPARE(steps[0]["achieved_rps"_L1].toDouble(), 50.0);
        QVERIFY(load::tableOf(report).contains(QStringLiteral("Knee")));
        const load::RateCurve curve = load::rateCurveIn(report);
        QCOMPARE(curve.steps.size(), std::size_t(2)); // the last one too, although the run ended with its last answer
        QCOMPARE(curve.steps[1].requestedRate, 100.0);
        QCOMPARE(curve.steps[1].requests, 20);
        QVERIFY(curve.steps[0].p95Ms && curve.steps[0].p95Ms <= curve.steps[0].p99Ms);
        QCOMPARE(run.progress()->rates.steps.size(), std::size_t(2));
    }

    void aReplaySendsWhenItWasRecorded()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::ReplayModel replay;
        replay.offsets = std::make_shared<const std::vector<Nanos>>(
            std::vector<Nanos>{Nanos(0), Millis(20), Millis(20), Millis(100)});
        load::LoadRun run(bench.core, planOf(replay));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["succeeded"_L1].toInt(), 4);
        QVERIFY(report["wall_ms"_L1].toDouble() >= 100);
    }

    void plansThatCannotRunSaySo()
    {
        const auto says = [](load::LoadPlan plan, const char* text) {
            plan.target = "chain";
            return load::checkPlan(plan).contains(QString::fromUtf8(text));
        };
        load::LoadPlan plan;
        QVERIFY(says(plan, "The run has no end"));
        plan.model = load::OpenModel{};
        QVERIFY(says(plan, "no stage"));
        plan.model = constantRate(0, seconds(1));
        QVERIFY(says(plan, "nothing would be sent"));
        plan.model = constantRate(10, seconds(10));
        QCOMPARE(load::checkPlan(planOf(plan.model)), QString());
        plan.warmUp = plan.coolDown = seconds(5);
        QVERIFY(says(plan, "leave nothing to measure"));
        plan.warmUp = plan.coolDown = {};
        plan.stop.objectivesBrokenFor = seconds(5);
        QVERIFY(says(plan, "no objective"));
        plan.stop = {};
        plan.model = load::ClosedModel{3};
        plan.stop.requests = 5;
        plan.coolDown = seconds(1);
        QVERIFY(says(plan, "whose end is known before"));
        plan.coolDown = {};
        plan.model = load::SweepModel{5, 5, 2, seconds(1), load::Arrivals::Poisson, 10};
        QVERIFY(says(plan, "to a higher one"));
        plan.model = load::ReplayModel{};
        QVERIFY(says(plan, "holds no arrival"));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestLoadModels)
#include "tst_load_models.moc"
