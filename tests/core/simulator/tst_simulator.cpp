// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport.h"
#include "tests/core/simulator/simulator_client.h"

#include <QDateTime>
#include <QJsonArray>
#include <QTest>
#include <QTimeZone>

using namespace sg;
using namespace sg::test;

class TestSimulator : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void wholeAnswer()
    {
        Simulator simulator(scriptOf(R"("model":"big-1",)" + kQuick + kFiveTokens));
        QVERIFY(simulator.start());
        const Received received = chat(simulator);
        QCOMPARE(received.status, 200);
        QVERIFY(received.complete);
        const auto answer = provider::parseWhole(received.body);
        QVERIFY(answer);
        QCOMPARE(answer->model, std::string("big-1"));
        QCOMPARE(answer->usage.inputTokens, std::optional<std::int64_t>(2));
        QCOMPARE(answer->usage.outputTokens, std::optional<std::int64_t>(5));
        QCOMPARE(answer->finishReason, std::string("stop"));
        QCOMPARE(answer->text.count(QLatin1Char(' ')), 5);
    }

    void streamedAnswer()
    {
        Simulator simulator(scriptOf(kQuick + kFiveTokens));
        QVERIFY(simulator.start());
        const Received received = chat(simulator, true, R"(,"stream_options":{"include_usage":true})");
        QCOMPARE(received.status, 200);
        QVERIFY(received.complete);
        QVERIFY(received.header("Content-Type").startsWith("text/event-stream"));
        QCOMPARE(received.body.count("\"content\":\""), 1 + 3); // the role's empty one, then 2 + 2 + 1 tokens
        QVERIFY(received.body.endsWith("data: [DONE]\n\n"));
        auto reader = read(received.body);
        const auto answer = reader->finish();
        QVERIFY(answer);
        QCOMPARE(answer->text.count(QLatin1Char(' ')), 5);
        QCOMPARE(answer->model, std::string("m"));
        QCOMPARE(answer->usage.outputTokens, std::optional<std::int64_t>(5));
    }

    void usageOnlyWhereAskedFor()
    {
        Simulator simulator(scriptOf(kQuick));
        QVERIFY(simulator.start());
        QVERIFY(!chat(simulator, true).body.contains("usage"));
    }

    void maxTokensCuts()
    {
        Simulator simulator(scriptOf(kQuick + kFiveTokens));
        QVERIFY(simulator.start());
        const auto answer = provider::parseWhole(chat(simulator, false, R"(,"max_tokens":3)").body);
        QVERIFY(answer);
        QCOMPARE(answer->usage.outputTokens, std::optional<std::int64_t>(3));
        QCOMPARE(answer->finishReason, std::string("length"));
    }

    void neverFasterThanTheScript()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"constant","ms":60},"ttft":{"kind":"constant","ms":25})"));
        QVERIFY(simulator.start());
        for (const bool stream : {false, true}) {
            const Received received = chat(simulator, stream);
            QVERIFY(received.complete);
            QVERIFY(received.tookMs >= 60);
        }
        const QJsonObject service = truthOf(simulator).value(QStringLiteral("service_ms")).toObject();
        const QJsonObject first = truthOf(simulator).value(QStringLiteral("first_token_ms")).toObject();
        QCOMPARE(service.value(QStringLiteral("count")).toInt(), 2);
        QVERIFY(service.value(QStringLiteral("p50")).toDouble() >= 60);
        QCOMPARE(first.value(QStringLiteral("count")).toInt(), 1); // a whole answer has no first token
        QVERIFY(first.value(QStringLiteral("p50")).toDouble() >= 25);
        QVERIFY(first.value(QStringLiteral("max")).toDouble() < service.value(QStringLiteral("max")).toDouble());
    }

    void statusFaultWithHeaders()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"faults":[{"kind":"status","status":429,"body":"openai_rate_limit",
            "headers":{"Retry-After":"{date+5s}","retry-after-ms":"1500","X-Both":["1","2"]}}])"));
        QVERIFY(simulator.start());
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        const Received received = chat(simulator, true);
        QCOMPARE(received.status, 429);
        QVERIFY(received.complete);
        QCOMPARE(received.header("retry-after-ms"), QByteArray("1500"));
        QCOMPARE(received.head.count("X-Both: "), 2);
        QCOMPARE(received.header("Content-Type"), QByteArray("application/json"));
        const QDateTime date = QLocale::c().toDateTime(QString::fromLatin1(received.header("Retry-After")),
                                                       QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'"));
        QDateTime utc = date;
        utc.setTimeZone(QTimeZone::utc());
        QVERIFY(utc.isValid());
        QVERIFY(utc.toMSecsSinceEpoch() >= before + 5000);
        QCOMPARE(truthOf(simulator).value(QStringLiteral("answered")).toObject().value(QStringLiteral("429")).toInt(),
                 1);
        QCOMPARE(
            truthOf(simulator).value(QStringLiteral("service_ms")).toObject().value(QStringLiteral("count")).toInt(),
            0);
        QVERIFY(
            truthOf(simulator).value(QStringLiteral("service_ms")).toObject().value(QStringLiteral("p50")).isNull());
    }

    void literalBody()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"faults":[{"kind":"status","status":502,"body":"<h1>no</h1>"}])"));
        QVERIFY(simulator.start());
        const Received received = chat(simulator);
        QCOMPARE(received.status, 502);
        QCOMPARE(received.body, QByteArray("<h1>no</h1>"));
        QVERIFY(received.header("Content-Type").startsWith("text/html"));
    }

    void drops()
    {
        Simulator before(scriptOf(kQuick + R"(,"faults":[{"kind":"drop_before_headers"}])"));
        QVERIFY(before.start());
        QCOMPARE(chat(before).status, 0);
        QCOMPARE(truthOf(before).value(QStringLiteral("dropped")).toInt(), 1);

        Simulator after(scriptOf(kQuick + R"(,"faults":[{"kind":"drop_after_headers"}])"));
        QVERIFY(after.start());
        const Received headersOnly = chat(after, true);
        QCOMPARE(headersOnly.status, 200);
        QVERIFY(!headersOnly.complete);
        QVERIFY(headersOnly.body.isEmpty());

        Simulator mid(scriptOf(kQuick + kFiveTokens + R"(,"faults":[{"kind":"drop_mid_stream","after_tokens":3}])"));
        QVERIFY(mid.start());
        const Received cut = chat(mid, true);
        QCOMPARE(cut.status, 200);
        QVERIFY(!cut.complete);
        QVERIFY(!cut.body.contains("[DONE]"));
        QCOMPARE(read(cut.body)->partial().text.count(QLatin1Char(' ')), 4); // the piece that reaches 3 is sent
        const Received half = chat(mid, false);
        QCOMPARE(half.status, 200);
        QVERIFY(!half.complete);
        QVERIFY(!half.body.isEmpty());
        QCOMPARE(truthOf(mid).value(QStringLiteral("dropped")).toInt(), 2);
        QCOMPARE(truthOf(mid).value(QStringLiteral("in_flight")).toInt(), 0);
    }

    void errorEventAndGarbage()
    {
        Simulator error(scriptOf(kQuick + kFiveTokens + R"(,"faults":[{"kind":"error_event","after_tokens":2}])"));
        QVERIFY(error.start());
        auto reader = read(chat(error, true).body);
        QVERIFY(reader->committed());
        QVERIFY(!reader->finish());
        const Received whole = chat(error, false);
        QCOMPARE(whole.status, 200);
        QVERIFY(whole.json().contains(QStringLiteral("error")));

        Simulator garbage(scriptOf(kQuick + R"(,"faults":[{"kind":"garbage"}])"));
        QVERIFY(garbage.start());
        QVERIFY(!provider::parseWhole(chat(garbage, false).body));
        QVERIFY(!read(chat(garbage, true).body)->finish());
        QCOMPARE(truthOf(garbage).value(QStringLiteral("complete")).toInt(), 0);
        QCOMPARE(truthOf(garbage).value(QStringLiteral("in_flight")).toInt(), 0);
    }

    void stallsUntilTheClientLeaves()
    {
        Simulator simulator(scriptOf(kQuick + kFiveTokens + R"(,"faults":[{"kind":"stall","after_tokens":2}])"));
        QVERIFY(simulator.start());
        Client client(simulator.port());
        client.send("POST", "/a/v1/chat/completions", chatBody(true));
        while (!client.soFar().contains("\"content\":\"") || client.soFar().count("data: ") < 2)
            QVERIFY(client.waitForBytes());
        QCOMPARE(truthOf(simulator).value(QStringLiteral("in_flight")).toInt(), 1);
        client.leave();
        QTRY_COMPARE_WITH_TIMEOUT(truthOf(simulator).value(QStringLiteral("client_gone")).toInt(), 1, kPatience);
        QCOMPARE(truthOf(simulator).value(QStringLiteral("in_flight")).toInt(), 0);
    }

    void slowFactor()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"constant","ms":10},"faults":[{"kind":"slow","factor":6}])"));
        QVERIFY(simulator.start());
        QVERIFY(chat(simulator).tookMs >= 60);
    }

    void oneWorkerServesOneAfterAnother()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"constant","ms":40},"workers":1)"));
        QVERIFY(simulator.start());
        Client a(simulator.port()), b(simulator.port()), gone(simulator.port()), c(simulator.port());
        for (Client* client : {&a, &b, &gone, &c})
            client->send("POST", "/a/v1/chat/completions", chatBody(false));
        gone.leave();
        double slowest = 0;
        for (Client* client : {&a, &b, &c}) {
            const Received received = client->finish();
            QCOMPARE(received.status, 200);
            slowest = std::max(slowest, received.tookMs);
        }
        QVERIFY(slowest >= 120); // three services, one at a time
        const QJsonObject service = truthOf(simulator).value(QStringLiteral("service_ms")).toObject();
        QVERIFY(service.value(QStringLiteral("max")).toDouble() >= 120); // queueing counts: from request to last byte
    }

    void quotaWindow()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"rpm":2)"));
        QVERIFY(simulator.start());
        QCOMPARE(chat(simulator).status, 200);
        QCOMPARE(chat(simulator).status, 200);
        const Received refused = chat(simulator);
        QCOMPARE(refused.status, 429);
        QVERIFY(refused.header("Retry-After").toInt() > 0);
        QVERIFY(refused.header("Retry-After").toInt() <= 60);
        QCOMPARE(refused.header("x-ratelimit-remaining-requests"), QByteArray("0"));
        QCOMPARE(truthOf(simulator).value(QStringLiteral("over_quota")).toInt(), 1);
        QCOMPARE(call(simulator, "POST", "/reset").status, 200);
        QCOMPARE(chat(simulator).status, 200);
        QCOMPARE(truthOf(simulator).value(QStringLiteral("requests")).toInt(), 1); // counted afresh
    }

    void aQuotaThatSaysNothing()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"quota":{"requests":1,"says_when":false})"));
        QVERIFY(simulator.start());
        QCOMPARE(chat(simulator).status, 200);
        const Received refused = chat(simulator);
        QCOMPARE(refused.status, 429);
        QVERIFY(refused.header("Retry-After").isEmpty());
    }

    void sameSeedSameFate()
    {
        const QByteArray fields = kQuick + R"(,"output_tokens":{"kind":"uniform","min":1,"max":400},
            "faults":[{"kind":"status","share":0.4,"status":503}])";
        const auto fates = [&](const QByteArray& seed) {
            Simulator simulator(scriptOf(fields, R"("seed":)" + seed + ','));
            if (!simulator.start())
                return QStringList();
            QStringList result;
            for (int i = 0; i < 25; ++i) {
                const Received received = chat(simulator);
                const QJsonObject usage = received.json().value(QStringLiteral("usage")).toObject();
                result << QStringLiteral("%1/%2")
                              .arg(received.status)
                              .arg(usage.value(QStringLiteral("completion_tokens")).toInt());
            }
            return result;
        };
        const QStringList first = fates("7");
        QCOMPARE(first.size(), 25);
        QCOMPARE(fates("7"), first);
        QVERIFY(fates("8") != first);
        const auto failed = first.filter(QStringLiteral("503")).size();
        QVERIFY(failed > 2 && failed < 20);
        QVERIFY(QSet<QString>(first.begin(), first.end()).size() > 10);
    }

    void phasesFollowTheClock()
    {
        Simulator simulator(scriptOf(
            kQuick +
            R"(,"phases":[{"from_ms":0,"to_ms":86400000,"label":"down","faults":[{"kind":"status","status":500}]}])"));
        QVERIFY(simulator.start());
        QCOMPARE(chat(simulator).status, 500);
        const QJsonObject stats = call(simulator, "GET", "/stats").json();
        QCOMPARE(stats.value(QStringLiteral("endpoints"))
                     .toObject()
                     .value(QStringLiteral("a"))
                     .toObject()
                     .value(QStringLiteral("phase"))
                     .toString(),
                 QStringLiteral("down"));
        QVERIFY(stats.value(QStringLiteral("connections")).toObject().value(QStringLiteral("accepted")).toInt() >= 2);
    }

    void frozenUntilThePhaseEnds()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"phases":[{"from_ms":0,"to_ms":150,"frozen":true}])"));
        QElapsedTimer clock;
        clock.start(); // before the script's clock, so it shows at least as much
        QVERIFY(simulator.start());
        QCOMPARE(chat(simulator).status, 200);
        QVERIFY(clock.elapsed() >= 149);
    }

    void otherAddresses()
    {
        Simulator simulator(scriptOf(kQuick));
        QVERIFY(simulator.start());
        QCOMPARE(call(simulator, "GET", "/health").json().value(QStringLiteral("endpoints")).toArray(),
                 QJsonArray{QStringLiteral("a")});
        QCOMPARE(call(simulator, "GET", "/a/v1/models").json().value(QStringLiteral("data")).toArray().size(), 1);
        QCOMPARE(call(simulator, "POST", "/b/v1/chat/completions", chatBody(false)).status, 404);
        QCOMPARE(call(simulator, "GET", "/a/v1/chat/completions").status, 405);
        QCOMPARE(call(simulator, "GET", "/").status, 404);
        QCOMPARE(call(simulator, "POST", "/a/v1/chat/completions", "{}").status, 400);
        QCOMPARE(call(simulator, "POST", "/a/v1/chat/completions", "nonsense").status, 400);
        QCOMPARE(simulator.baseUrl(QStringLiteral("a")).toString(),
                 QStringLiteral("http://127.0.0.1:%1/a/v1").arg(simulator.port()));
    }

    void portInUseIsSaidInWords()
    {
        Simulator first(scriptOf(kQuick)), second(scriptOf(kQuick));
        const auto port = first.start();
        QVERIFY(port);
        const auto refused = second.start(*port);
        QVERIFY(!refused);
        QVERIFY(refused.error().contains(QStringLiteral("in use")));
        QVERIFY(!second.isRunning());
        QVERIFY(second.start()); // another one may be tried
    }

    void stopWithStreamsUnderWay()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"constant","ms":60000},"ttft":{"kind":"constant","ms":1})"));
        QVERIFY(simulator.start());
        Client client(simulator.port());
        client.send("POST", "/a/v1/chat/completions", chatBody(true));
        QVERIFY(client.waitForBytes());
        simulator.stop();
        const Received received = client.finish();
        QVERIFY(!received.complete);
    }

    void truthOfManyAtOnce()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"uniform","min_ms":20,"max_ms":60})" + kFiveTokens));
        QVERIFY(simulator.start());
        std::vector<std::unique_ptr<Client>> clients;
        for (int i = 0; i < 200; ++i) {
            clients.push_back(std::make_unique<Client>(simulator.port()));
            clients.back()->send("POST", "/a/v1/chat/completions", chatBody(i % 2 == 0));
        }
        for (const auto& client : clients)
            QVERIFY(client->finish().complete);
        const QJsonObject truth = truthOf(simulator);
        QCOMPARE(truth.value(QStringLiteral("requests")).toInt(), 200);
        QCOMPARE(truth.value(QStringLiteral("complete")).toInt(), 200);
        QCOMPARE(truth.value(QStringLiteral("in_flight")).toInt(), 0);
        const QJsonObject service = truth.value(QStringLiteral("service_ms")).toObject();
        QCOMPARE(service.value(QStringLiteral("count")).toInt(), 200);
        QVERIFY(service.value(QStringLiteral("p50")).toDouble() >= 20);
        QVERIFY(service.value(QStringLiteral("p50")).toDouble() <= service.value(QStringLiteral("max")).toDouble());
        QCOMPARE(truth.value(QStringLiteral("first_token_ms")).toObject().value(QStringLiteral("count")).toInt(), 100);
    }
};

QTEST_GUILESS_MAIN(TestSimulator)
#include "tst_simulator.moc"
