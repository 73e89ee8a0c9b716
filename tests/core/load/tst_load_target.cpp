// SPDX-License-Identifier: GPL-3.0-or-later
// What a run aims at, and which transport takes it there.
#include "core/load/session.h"
#include "tests/support/literals.h"
#include "tests/support/load_bench.h"

#include <QJsonDocument>

using namespace sg;
using namespace test;
using std::chrono::seconds;

namespace {

const QByteArray kSecret = "sk-live-0123456789abcdefghij";

QJsonObject finishedReport(const load::LoadSession& session)
{
    const load::RunProgressPtr run = session.progress();
    return run && run->state == load::RunState::Finished ? run->report : QJsonObject();
}

class TestLoadTarget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLargeRunTakesLibcurlAndEndsNobodyElsesRequest()
    {
        LoadBench bench(oneEndpoint());
        Waiting waiting;
        bench.server.on("e0", waiting.handler());
        std::optional<chain::RunRecord> other;
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.intended = http::steadyNow();
        call.onFinished = [&](const engine::CallResult& result) { other = result.record; };
        bench.core.start(std::move(call));
        QTRY_COMPARE(waiting.size(), std::size_t(1));
        QCOMPARE(bench.core.transportFigures().name, QStringLiteral("qnam"));

        const int users = http::kCurlAbove + 1;
        load::LoadRun run(bench.core, closedPlan(users, users));
        QSignalSpy finished(&run, &load::LoadRun::finished);
        run.start();
        QTRY_COMPARE(waiting.size(), std::size_t(users + 1));
        QCOMPARE(run.progress()->transport, QStringLiteral("curl"));
        QCOMPARE(run.transportFigures().started, users);
        waiting.answerAll();
        QTRY_COMPARE(finished.size(), 1);
        QTRY_VERIFY(other);
        QVERIFY(other->ending == chain::Ending::Answered);
        QCOMPARE(load::reportOf(run)["transport"_L1]["name"_L1].toString(), QStringLiteral("curl"));
        QCOMPARE(load::reportOf(run)["transport"_L1]["requests_sent"_L1].toInt(), users);
        QCOMPARE(bench.core.transportFigures().name, QStringLiteral("qnam")); // as before the run
    }

    void aSmallRunAndAChoiceByHandKeepTheirs()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadRun small(bench.core, closedPlan(5, 2));
        QCOMPARE(runToEnd(small)["transport"_L1]["name"_L1].toString(), QStringLiteral("qnam"));
        bench.core.setTransport(http::TransportKind::Qnam);
        load::LoadRun large(bench.core, closedPlan(5, http::kCurlAbove + 1));
        QCOMPARE(runToEnd(large)["transport"_L1]["name"_L1].toString(), QStringLiteral("qnam"));
        bench.core.setTransport(http::TransportKind::Curl);
        load::LoadRun chosen(bench.core, closedPlan(5, 2));
        QCOMPARE(runToEnd(chosen)["transport"_L1]["name"_L1].toString(), QStringLiteral("curl"));
        QCOMPARE(load::reportOf(chosen)["transport"_L1]["requests_sent"_L1].toInt(), 5);
    }

    void whatAsksForHttp2TakesLibcurl()
    {
        workspace::Workspace workspace = oneEndpoint(2);
        workspace.endpoints[0].httpVersion = workspace::HttpVersion::Automatic;
        LoadBench bench(workspace);
        bench.server.on("e0", ChatServer::answers("yes"));
        load::LoadPlan plan = closedPlan(3, 1);
        plan.targetKind = load::TargetKind::Endpoint;
        plan.target = "e0";
        load::LoadRun run(bench.core, plan);
        QCOMPARE(runToEnd(run)["transport"_L1]["name"_L1].toString(), QStringLiteral("curl"));
        QCOMPARE(bench.server.requests("e0"), 3); // without TLS in HTTP/1.1
        load::LoadRun both(bench.core, closedPlan(3, 1));
        QCOMPARE(runToEnd(both)["transport"_L1]["name"_L1].toString(), QStringLiteral("qnam and curl"));
        bench.core.setTransport(http::TransportKind::Qnam);
        load::LoadRun forced(bench.core, plan);
        QCOMPARE(runToEnd(forced)["transport"_L1]["name"_L1].toString(), QStringLiteral("qnam"));
        QCOMPARE(load::reportOf(forced)["succeeded"_L1].toInt(), 3);
    }

    void failedAttemptsAreCountedByTheirCause()
    {
        LoadBench bench(oneEndpoint(2));
        bench.server.on("e0", ChatServer::fails(400));
        load::LoadRun run(bench.core, closedPlan(6, 2));
        runToEnd(run);
        const load::RunProgressPtr picture = run.progress();
        QCOMPARE(picture->attemptCauses, std::vector<QString>{QStringLiteral("400")});
        int counted = 0, failed = 0;
        for (const load::RunSecond& second : picture->seconds) {
            counted += second.causes.at(0);
            failed += second.attemptsFailed;
        }
        QCOMPARE(counted, 6);
        QCOMPARE(failed, 6);
    }

    void whatWasAskedForIsApartFromWhatChanceMadeOfIt()
    {
        LoadBench bench(oneEndpoint());
        bench.server.on("e0", ChatServer::answers("x"));
        load::LoadPlan plan = planOf(load::OpenModel{{{Millis(500), 40, 40}}, load::Arrivals::Poisson});
        plan.seed = 3;
        load::LoadRun run(bench.core, plan);
        const QJsonObject report = runToEnd(run);
        QVERIFY(qAbs(report["requested_rps"_L1].toDouble() - 40) < 0.01);
        QCOMPARE(report["due_rps"_L1].toDouble(), report["requests"_L1].toDouble() / 0.5);
        QVERIFY(report["due_rps"_L1].toDouble() != 40); // of this seed
    }

    void addressesAreChecked_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("said");
        QTest::newRow("fine") << "http://127.0.0.1:8787/v1"
                              << "m"
                              << ""
                              << "";
        QTest::newRow("fine with a key") << "https://api.test/v1"
                                         << "m"
                                         << "API_KEY"
                                         << "";
        QTest::newRow("none") << ""
                              << "m"
                              << ""
                              << "write it as in http://";
        QTest::newRow("no address") << "not an address"
                                    << "m"
                                    << ""
                                    << "write it as in http://";
        QTest::newRow("another scheme") << "ftp://127.0.0.1/v1"
                                        << "m"
                                        << ""
                                        << "write it as in http://";
        QTest::newRow("fragment") << "http://127.0.0.1/v1#x"
                                  << "m"
                                  << ""
                                  << "holds a #";
        QTest::newRow("key in the path") << "http://127.0.0.1/sk-proj-abcdefghijklmnop1234567890/v1"
                                         << "m"
                                         << ""
                                         << "looks like a key";
        QTest::newRow("password") << "http://me:pw@127.0.0.1/v1"
                                  << "m"
                                  << ""
                                  << "before the @";
        QTest::newRow("no model") << "http://127.0.0.1:1/v1"
                                  << " "
                                  << ""
                                  << "No model";
        QTest::newRow("the key itself") << "http://127.0.0.1:1/v1"
                                        << "m" << QString::fromUtf8(kSecret) << "That is a key";
    }

    void addressesAreChecked()
    {
        QFETCH(QString, address);
        QFETCH(QString, model);
        QFETCH(QString, key);
        QFETCH(QString, said);
        load::UrlTarget url{address, model};
        if (!key.isEmpty())
            url.key = {workspace::KeySource::Environment, key};
        const QString problem = load::checkUrl(url);
        QCOMPARE(problem.isEmpty(), said.isEmpty());
        QVERIFY2(problem.contains(said), qPrintable(problem));
        QVERIFY(!problem.contains(QString::fromUtf8(kSecret)));
        load::LoadPlan plan = closedPlan(1, 1);
        load::aimAt(plan, url);
        QCOMPARE(load::checkPlan(plan), problem);
    }

    void anAddressIsReadBack()
    {
        const load::UrlTarget url{QStringLiteral("https://api.test:8443/v1"),
                                  QStringLiteral("m"),
                                  {workspace::KeySource::Keychain, QStringLiteral("entry")}};
        QVERIFY(load::urlTargetOf(load::toJson(url)) == url);
        QCOMPARE(load::hostOf(url.baseUrl), QStringLiteral("api.test:8443"));
        QVERIFY(!load::isOnThisMachine(url.baseUrl));
        QVERIFY(load::isOnThisMachine(QStringLiteral("http://localhost:1/v1")));
        QVERIFY(load::isOnThisMachine(QStringLiteral("http://[::1]:1/v1")));
        QVERIFY(!load::urlTargetOf({}));
    }

    void aRunOverAnAddress()
    {
        ChatServer server;
        QByteArray authorization;
        server.on("e0", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            authorization = http::headerValue(request.headers, "Authorization");
            ChatServer::answers("yes")(request, std::move(responder));
        });
        engine::Engine engine(engine::EngineOptions{});
        load::LoadSession session(engine, oneEndpoint(), {});
        session.setKeys([](const workspace::KeyRef& ref) -> tl::expected<QByteArray, QString> {
            if (ref.name == QLatin1String("KEY"))
                return kSecret;
            return tl::unexpected(QStringLiteral("There is no variable of that name. Set it."));
        });
        load::LoadPlan plan = closedPlan(12, 3);
        load::UrlTarget url{server.base().toString() + QStringLiteral("/e0"), QStringLiteral("m")};
        url.key = {workspace::KeySource::Environment, QStringLiteral("OTHER")};
        load::aimAt(plan, url);
        QCOMPARE(session.start(plan), QStringLiteral("There is no variable of that name. Set it."));
        QVERIFY(!session.progress());

        url.key.name = QStringLiteral("KEY");
        load::aimAt(plan, url);
        QCOMPARE(session.start(plan), QString());
        QTRY_VERIFY(!finishedReport(session).isEmpty());
        const QJsonObject report = finishedReport(session);
        QCOMPARE(report["succeeded"_L1].toInt(), 12);
        QCOMPARE(server.requests("e0"), 12);
        QCOMPARE(authorization, "Bearer " + kSecret);
        QVERIFY(load::urlTargetOf(report["plan"_L1]["url"_L1].toObject()) == url);
        QVERIFY(report["breakers"_L1].toArray().isEmpty());
        QVERIFY(report["cost_usd"_L1].isNull());
        QVERIFY(!QJsonDocument(report).toJson().contains(kSecret));
        QVERIFY(session.progress()->breakers.empty());
        QVERIFY(session.progress()->endpoints.empty()); // those of the workspace have no part in it
        QVERIFY(session.estimate(plan).unpriced.size() == 1);
    }

    void aRunOverAnAddressThatNobodyAnswersSaysWhy()
    {
        quint16 port = 0;
        {
            ChatServer gone;
            port = static_cast<quint16>(gone.base().port());
        }
        engine::Engine engine(engine::EngineOptions{});
        load::LoadSession session(engine, {}, {});
        load::LoadPlan plan = closedPlan(2, 1);
        load::aimAt(plan, {QStringLiteral("http://127.0.0.1:%1/v1").arg(port), QStringLiteral("m")});
        QCOMPARE(session.start(plan), QString());
        QTRY_VERIFY(!finishedReport(session).isEmpty());
        const QJsonObject error = finishedReport(session)["errors"_L1].toArray().first().toObject();
        QCOMPARE(error["class"_L1].toString(), QStringLiteral("connection"));
        std::optional<engine::ConnectionResult> tested;
        session.test(*plan.url, [&](const engine::ConnectionResult& result) { tested = result; });
        QTRY_VERIFY(tested);
        QVERIFY(tested->kind == engine::ConnectionResult::Kind::NoAnswer);
        QVERIFY(!tested->remedy.isEmpty());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestLoadTarget)
#include "tst_load_target.moc"
