// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/schedule.h"
#include "tests/support/field_cases.h"
#include "tests/support/literals.h"
#include "tests/support/load_bench.h"

#include <QJsonDocument>
#include <QTimer>

using namespace sg;
using namespace test;
using measure::Metric;
using measure::Outcome;

namespace {

QJsonObject caseOf(const char* file)
{
    return fieldCase(QString::fromLatin1(file));
}

measure::Sample took(Nanos intended, Nanos end)
{
    measure::Sample sample;
    sample.intended = Instant(intended);
    sample.end = Instant(end);
    return sample;
}

double ms(const std::optional<Nanos>& span)
{
    return toMs(span.value_or(Nanos(0)));
}

bool within(double value, const QJsonValue& range)
{
    return value >= range[0].toDouble() && value <= range[1].toDouble();
}

/// When a server did what, by its own clock.
struct Moments
{
    Instant received, headers, token, end;
};

class TestLoadFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coordinatedOmission()
    {
        const QJsonObject given = caseOf("FC-H01.json"), expected = given["expect"_L1].toObject();
        const auto seconds = [](const QJsonValue& value) { return fromMs(value.toDouble() * 1000); };
        const double rate = given["rate_hz"_L1].toDouble();
        const Nanos from = seconds(given["freeze"_L1][0]), to = seconds(given["freeze"_L1][1]);
        load::Schedule schedule(
            load::OpenModel{{{seconds(given["duration_s"_L1]), rate, rate}}, load::Arrivals::Constant, 1}, 1);
        measure::Tally tally;
        int delayed = 0;
        for (; schedule.peek(); schedule.pop()) {
            const Nanos due = *schedule.peek();
            const bool frozen = due >= from && due < to;
            delayed += frozen ? 1 : 0;
            tally.add(took(due, (frozen ? to : due) + fromMs(given["service_ms"_L1].toDouble())));
        }
        QCOMPARE(tally.finished(), expected["arrivals"_L1].toInteger());
        QCOMPARE(delayed, expected["delayed"_L1].toInt());
        const stats::Histogram& response = tally.of(Metric::Response);
        QVERIFY(within(ms(response.mean()), expected["mean_ms"_L1]));
        QVERIFY(within(ms(response.percentile(99)), expected["p99_ms"_L1]));
        QVERIFY(within(ms(response.max()), expected["max_ms"_L1]));
    }

    void aLoadOfUsersIsCalledSo() { QCOMPARE(load::modelWords(load::ClosedModel{7}), QStringLiteral("7 users")); }

    void longAnswersAreInTheHistogram()
    {
        const QJsonObject given = caseOf("FC-H02.json"), expected = given["expect"_L1].toObject();
        measure::Tally tally;
        for (const QJsonValue& value : given["ms"_L1].toArray())
            tally.add(took(Nanos(0), fromMs(value.toDouble())));
        const double allowed = given["rel_err"_L1].toDouble();
        for (const auto& [key, p] : {std::pair{"p50_ms", 50}, {"p95_ms", 95}, {"p99_ms", 99}}) {
            const double truth = expected[QLatin1String(key)].toDouble();
            QVERIFY(std::abs(ms(tally.of(Metric::Response).percentile(p)) - truth) <= truth * allowed);
        }
        QCOMPARE(tally.of(Metric::Response).outOfRange(), 0);
    }

    /// Headers after 10 ms, a token after 800 ms, the end after 2 s; or cut off before it. Measured against the
    /// server's own clock, which is as late as this machine is.
    void headersAreNotTheAnswer()
    {
        const double allowed = caseOf("FC-H03.json")["tolerance_ms"_L1].toDouble();
        LoadBench bench(oneEndpoint(2));
        std::map<QByteArray, Moments> truth;
        const auto slow = [&](const QByteArray& name, bool whole) {
            return [&, name, whole](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
                Moments& moments = truth[name];
                moments.received = request.received;
                QTimer::singleShot(10, this, [&moments, responder] {
                    moments.headers = http::steadyNow();
                    responder->begin(200, {{"Content-Type", "text/event-stream"}});
                    responder->write(": comment\n\n");
                });
                QTimer::singleShot(800, this, [&moments, responder] {
                    moments.token = http::steadyNow();
                    responder->write(ChatServer::chunk("one"));
                });
                QTimer::singleShot(whole ? 2000 : 1500, this, [&moments, responder, whole] {
                    moments.end = http::steadyNow();
                    if (!whole)
                        return responder->drop(true);
                    responder->write(ChatServer::chunk("two") + "data: [DONE]\n\n");
                    responder->end();
                });
            };
        };
        bench.server.on("e0", slow("e0", true));
        bench.server.on("e1", slow("e1", false));
        const auto runOn = [&](const char* endpoint) {
            load::LoadPlan plan = closedPlan(1, 1);
            plan.targetKind = load::TargetKind::Endpoint;
            plan.target = endpoint;
            plan.stream = true;
            return plan;
        };
        load::LoadRun whole(bench.core, runOn("e0"));
        const QJsonObject answered = runToEnd(whole);
        const Moments& moments = truth["e0"];
        const auto p50 = [&](const char* metric) {
            return answered["metrics"_L1][QLatin1String(metric)]["success"_L1]["p50"_L1].toDouble(-1000);
        };
        QVERIFY(std::abs(p50("headers") - toMs(moments.headers - moments.received)) <= allowed);
        QVERIFY(std::abs(p50("ttft") - toMs(moments.token - moments.received)) <= allowed);
        QVERIFY(std::abs(p50("service") - toMs(moments.end - moments.received)) <= allowed);
        QVERIFY(std::abs(p50("response") - toMs(moments.end - moments.received)) <= allowed);

        load::LoadRun cut(bench.core, runOn("e1"));
        const QJsonObject broken = runToEnd(cut);
        QCOMPARE(broken["succeeded"_L1].toInt(), 0);
        QCOMPARE(broken["outcomes"_L1]["cut_off"_L1].toInt(), 1);
        QCOMPARE(broken["response_ms"_L1]["count"_L1].toInt(), 0);
    }

    void failuresAreNoPasses()
    {
        const QJsonObject given = caseOf("FC-H05.json"), expected = given["expect"_L1].toObject();
        std::vector<ChatServer::Handler> handlers;
        const auto add = [&](const char* kind, const ChatServer::Handler& handler) {
            for (int i = given["responses"_L1][QLatin1String(kind)].toInt(); i > 0; --i)
                handlers.push_back(handler);
        };
        add("200_ok", ChatServer::answers("yes"));
        add("200_error_body", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}},
                            "{\"error\":{\"message\":\"no\",\"type\":\"server_error\",\"code\":500}}");
        });
        add("200_truncated", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "application/json"}});
            responder->write("{\"choices\":[{\"message\":{\"content\":\"ha");
            responder->drop(true);
        });
        add("401", ChatServer::fails(401));
        add("404", ChatServer::fails(404));
        add("429", ChatServer::fails(429));
        add("timeout", [](const http::ServerRequest&, std::shared_ptr<http::Responder>) {});
        workspace::Workspace workspace = oneEndpoint();
        workspace.endpoints.front().timeouts.total = Millis(300);
        LoadBench bench(workspace);
        std::size_t next = 0;
        std::vector<std::shared_ptr<http::Responder>> kept;
        bench.server.on("e0", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            kept.push_back(responder);
            handlers[next++](request, std::move(responder));
        });
        load::LoadPlan plan = closedPlan(static_cast<std::int64_t>(handlers.size()), 10);
        plan.targetKind = load::TargetKind::Endpoint;
        plan.target = "e0";
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["requests"_L1].toInt(), expected["sent"_L1].toInt());
        QCOMPARE(report["succeeded"_L1].toInt(), expected["success"_L1].toInt());
        QCOMPARE(report["throttled"_L1].toInt(), expected["throttled"_L1].toInt());
        QCOMPARE(report["failed"_L1].toInt() - report["throttled"_L1].toInt(), expected["failed"_L1].toInt());
        std::int64_t sum = report["succeeded"_L1].toInt() + report["cancelled"_L1].toInt();
        for (const QJsonValue& count : report["by_error_class"_L1].toObject())
            sum += count.toInteger();
        QCOMPARE(sum, report["requests"_L1].toInteger());
    }

    void anAnswerThatSaysNothingIsNoSuccess()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers(""));
        load::LoadRun run(bench.core, closedPlan(3, 1));
        const QJsonObject report = runToEnd(run);
        QCOMPARE(report["succeeded"_L1].toInt(), 0);
        QCOMPARE(report["failed"_L1].toInt(), 3);
        QCOMPARE(report["by_error_class"_L1]["bad_response"_L1].toInt(), 3);
        QCOMPARE(report["response_ms"_L1]["count"_L1].toInt(), 0);
    }

    void localErrorsAreTheGenerators_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<int>("noSocket");
        QTest::addColumn<int>("unresolved");
        QTest::addColumn<int>("ofTheConnection");
        using E = provider::TransportError;
        QTest::newRow("no socket") << int(E::NoDescriptors) << 1 << 0 << 0;
        QTest::newRow("no address") << int(E::Dns) << 0 << 1 << 0;
        QTest::newRow("refused") << int(E::Refused) << 0 << 0 << 1;
    }
    void localErrorsAreTheGenerators()
    {
        QFETCH(int, error);
        QFETCH(int, noSocket);
        QFETCH(int, unresolved);
        QFETCH(int, ofTheConnection);
        load::Tally tally(Instant{});
        chain::RunRecord record;
        record.ending = chain::Ending::Failed;
        record.error = provider::classifyTransport(static_cast<provider::TransportError>(error), false, {});
        measure::Sample sample = took(Nanos(0), Millis(1));
        sample.outcome = Outcome::Failed;
        const engine::CallResult result{record, nullptr, {}, std::nullopt, false, Instant{}};
        tally.onFinished(result, sample, load::RunPart::Measured);
        QCOMPARE(tally.failed(), std::int64_t(1));
        QCOMPARE(tally.noSocket(), std::int64_t(noSocket));
        QCOMPARE(tally.unresolved(), std::int64_t(unresolved));
        QCOMPARE(tally.failedBy(provider::ErrorClass::Connection), std::int64_t(ofTheConnection));
        QCOMPARE(tally.failedWithoutStatus(provider::ErrorClass::Connection), std::int64_t(ofTheConnection));
    }

    void aLimitedGeneratorIsSaid()
    {
        const QJsonObject given = caseOf("FC-H08.json");
        measure::GeneratorFacts facts;
        facts.finished = given["sent"_L1].toInt();
        facts.requestedRate = given["intended"_L1].toDouble() / 10;
        facts.dispatchedRate = given["sent"_L1].toDouble() / 10;
        facts.localErrors = given["local_errors"_L1].toInt();
        const QStringList reasons = measure::invalidBecause(facts);
        QCOMPARE(reasons.size(), 2);
        QVERIFY(reasons[0].contains(QStringLiteral("3502 requests failed in this machine")));
        QVERIFY(reasons[1].contains(QStringLiteral("sent 350.2 requests a second of the 488.0")));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestLoadFieldCases)
#include "tst_load_field_cases.moc"
