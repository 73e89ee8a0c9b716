// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/literals.h"
#include "tests/support/watch_desk.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QTest>

using namespace sg;
using namespace sg::test;
using engine::WatchView;
using engine::WatchViewPtr;

namespace {

const engine::CallTarget kFirst{engine::TargetKind::Endpoint, "first"};

/// Holds what comes to an endpoint until the test answers it.
struct Held
{
    std::vector<std::shared_ptr<http::Responder>> responders;
    http::ServerRequest request;
    ChatServer::Handler handler()
    {
        return [this](const http::ServerRequest& came, std::shared_ptr<http::Responder> responder) {
            request = came;
            responders.push_back(std::move(responder));
        };
    }
};

ChatServer::Handler sends(int status, const http::Headers& headers, const QByteArray& body)
{
    return [=](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->send(status, headers, body);
    };
}

void begin(http::Responder& responder)
{
    responder.begin(200, {{"Content-Type", "text/event-stream"}});
}

class TestWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void targetsAreChainsThenEndpoints()
    {
        WatchDesk desk([](workspace::Workspace& workspace) { workspace.endpoints[1].baseUrl = QStringLiteral("::"); });
        const auto targets = desk.watcher.targets();
        QCOMPARE(targets.size(), std::size_t(3));
        QCOMPARE(targets[0].target.name, std::string("chain"));
        QVERIFY(targets[0].target.kind == engine::TargetKind::Chain);
        QVERIFY(targets[0].model.empty());
        QCOMPARE(targets[1].target.name, std::string("first"));
        QVERIFY(targets[1].target.kind == engine::TargetKind::Endpoint);
        QCOMPARE(targets[1].model, std::string("m-first"));
        QVERIFY(targets[1].unusable.isEmpty());
        QVERIFY(!targets[2].unusable.isEmpty());
    }

    void targetsFollowTheWorkspace()
    {
        WatchDesk desk;
        desk.engine.run([](engine::EngineCore& core) { core.apply({}, {}, {}, {}); });
        QVERIFY(desk.watcher.targets().empty());
    }

    void anEstimateNamesEachEndpointOfTheChain()
    {
        WatchDesk desk([](workspace::Workspace& workspace) { workspace.endpoints[1].price.reset(); });
        desk.request.messages = {{"user", QString(400, QLatin1Char('a'))}};
        desk.request.sampling.maxTokens = 1000;
        const auto estimates = desk.watcher.estimate({engine::TargetKind::Chain, "chain"}, desk.request);
        QCOMPARE(estimates.size(), std::size_t(2));
        QCOMPARE(estimates[0].endpoint, std::string("first"));
        const std::int64_t input = estimates[0].inputTokens;
        QVERIFY(input >= 100);
        QCOMPARE(estimates[0].costNanoUsd.value(), input * 1000 + 250 * 2000);
        QCOMPARE(estimates[0].worstNanoUsd.value(), input * 1000 + 1000 * 2000);
        QVERIFY(!estimates[1].costNanoUsd && !estimates[1].worstNanoUsd);
        desk.request.sampling.maxTokens.reset();
        const auto unlimited = desk.watcher.estimate(kFirst, desk.request);
        QCOMPARE(unlimited.size(), std::size_t(1));
        QCOMPARE(unlimited[0].costNanoUsd.value(), input * 1000 + 1024 * 2000);
        QVERIFY(!unlimited[0].worstNanoUsd);
        QVERIFY(desk.watcher.estimate({engine::TargetKind::Chain, "nowhere"}, desk.request).empty());
    }

    void anAnsweredRequestShowsAllOfIt()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", held.handler());
        desk.request.messages = {{"user", QStringLiteral("it's\n“hello” \\ $HOME")}};
        const std::uint64_t id = desk.send();
        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        ChatServer::answers("one")({}, held.responders.front());
        const WatchViewPtr view = desk.end(id);
        QVERIFY(view);
        QCOMPARE(view->id, id);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Answered));
        QCOMPARE(view->answer.text, QStringLiteral("one"));
        QVERIFY(!view->answerIsPartial && !view->current && !view->waitingUntil);
        QCOMPARE(view->costNanoUsd.value(), 10 * 1000 + 5 * 2000);
        QVERIFY2(view->costBasis.startsWith(QStringLiteral("10 in × $1")), qPrintable(view->costBasis));
        QCOMPARE(view->traces.size(), std::size_t(1));
        const engine::AttemptTrace& trace = view->traces.front();
        QCOMPARE(trace.requestBody, held.request.body); // byte for byte
        QCOMPARE(trace.method, std::string("POST"));
        QCOMPARE(trace.url, desk.server.base().toString().toStdString() + "/first/v1/chat/completions");
        QCOMPARE(valueOf(trace.requestHeaders, "authorization"), std::string("Bearer ***"));
        QCOMPARE(trace.keyVariable, std::string("WATCH_KEY"));
        QCOMPARE(trace.status, 200);
        QCOMPARE(valueOf(trace.responseHeaders, "content-type"), std::string("application/json"));
        QVERIFY(trace.raw.contains("\"content\":\"one\""));
        QCOMPARE(trace.rawBytes, qint64(trace.raw.size()));
        QCOMPARE(desk.watcher.view(id), view); // the same pointer: nothing changes any more
    }

    void everyDialectIsTraced_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QByteArray>("dialect");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const char* path, const char* header, const char* shown) {
            QTest::newRow(name) << QString::fromLatin1(name) << QByteArray(name) << QByteArray(path)
                                << QByteArray(header) << QByteArray(shown);
        };
        row("openai", "/first/v1/chat/completions", "authorization", "Bearer ***");
        row("anthropic", "/first/v1/messages", "x-api-key", "***");
        row("gemini", "/first/v1beta/models/m-first:streamGenerateContent?alt=sse", "x-goog-api-key", "***");
    }
    void everyDialectIsTraced()
    {
        QFETCH(QString, provider);
        QFETCH(QByteArray, dialect);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, shown);
        WatchDesk desk([&](workspace::Workspace& workspace) { workspace.endpoints.front().provider = provider; });
        Held held;
        desk.server.on("first", held.handler());
        const std::uint64_t id = desk.send(true, kFirst);
        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        held.responders.front()->send(500, {}, "{}");
        const WatchViewPtr view = desk.end(id);
        QVERIFY(view);
        const engine::AttemptTrace& trace = view->traces.at(0);
        QCOMPARE(QByteArray::fromStdString(trace.dialect), dialect);
        QCOMPARE(trace.requestBody, held.request.body);
        QCOMPARE(QByteArray::fromStdString(trace.url), desk.server.base().toEncoded() + path);
        QCOMPARE(held.request.target, path);
        QVERIFY(http::headerValue(held.request.headers, header).contains(WatchDesk::kKey));
        QCOMPARE(valueOf(trace.requestHeaders, header.toStdString()), shown.toStdString());
        QVERIFY(engine::toCurl(*view, 1).contains(QLatin1String("\"$WATCH_KEY\"")));
        QVERIFY(engine::toCurl(*view, 1).startsWith(QLatin1String("curl -N")));
    }

    void whatADialectCannotCarryIsNamed()
    {
        WatchDesk desk([](workspace::Workspace& workspace) {
            workspace.endpoints.front().provider = QStringLiteral("anthropic");
        });
        Held held;
        desk.server.on("first", held.handler());
        desk.request.extra[QLatin1String("seed")] = 7;
        const std::uint64_t id = desk.send(true, kFirst);
        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        held.responders.front()->send(500, {}, "{}");
        const WatchViewPtr view = desk.end(id);
        QVERIFY(view);
        QCOMPARE(view->traces.at(0).leftOut, QStringList{QStringLiteral("seed")});
        QVERIFY(!held.request.body.contains("seed"));
        QVERIFY(engine::toJson(*view).contains("\"left_out\""));
    }

    void aWaitIsSeenWhileItIsUnderWay()
    {
        WatchDesk desk([](workspace::Workspace& workspace) {
            workspace.chains.front().spec.tiers.front().maxAttempts = 2;
            workspace.chains.front().spec.tiers.front().backoff = {};
            workspace.chains.front().spec.tiers.front().backoff.baseMs = 20000;
            workspace.chains.front().spec.tiers.front().backoff.capMs = 20000;
            workspace.chains.front().spec.tiers.front().backoff.jitter.type = policy::JitterType::None;
        });
        desk.server.on("first", ChatServer::fails(503));
        const std::uint64_t id = desk.send();
        const WatchViewPtr view = desk.viewOf(id, [](const WatchView& v) { return v.waitingUntil.has_value(); });
        QVERIFY(view);
        QVERIFY(view->running && !view->current);
        QVERIFY(*view->waitingUntil > view->taken);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Running));
        const auto attempts = stepsOf<chain::AttemptRecord>(view->record);
        QCOMPARE(attempts.size(), std::size_t(1));
        QCOMPARE(attempts[0].error.status, 503);
        QCOMPARE(view->traces.size(), std::size_t(1));
        QVERIFY(view->traces[0].raw.contains("server_error"));
        const auto waits = stepsOf<chain::WaitRecord>(view->record);
        QCOMPARE(waits.size(), std::size_t(1));
        QCOMPARE(word(waits[0].reason), word(chain::WaitReason::Backoff));
        QCOMPARE(waits[0].until, *view->waitingUntil);

        desk.watcher.cancel(id);
        const WatchViewPtr last = desk.end(id);
        QVERIFY(last);
        QCOMPARE(word(last->record.ending), word(chain::Ending::Cancelled));
        QVERIFY(!last->waitingUntil);
        QVERIFY(last->answerIsPartial);
    }

    void aMoveAndTheAttemptUnderWayAreSeen()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", ChatServer::fails(500));
        desk.server.on("second", held.handler());
        const std::uint64_t id = desk.send(true);
        const WatchViewPtr waiting = desk.viewOf(
            id, [](const WatchView& v) { return v.current && v.current->number == 2 && v.current->timing.sent; });
        QVERIFY(waiting);
        QCOMPARE(waiting->current->endpoint, std::string("second"));
        QCOMPARE(waiting->current->tier, 1);
        QVERIFY(!waiting->current->timing.headers && !waiting->current->committed);
        QCOMPARE(waiting->current->timing.end, waiting->taken);
        QCOMPARE(stepsOf<chain::MoveRecord>(waiting->record).size(), std::size_t(1));
        QCOMPARE(waiting->traces.size(), std::size_t(2));
        QCOMPARE(waiting->traces[1].status, 0);

        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        http::Responder& responder = *held.responders.front();
        begin(responder);
        responder.write(ChatServer::chunk("Hel"));
        const WatchViewPtr speaking = desk.viewOf(id, [](const WatchView& v) { return !v.answer.text.isEmpty(); });
        QVERIFY(speaking);
        QCOMPARE(speaking->answer.text, QStringLiteral("Hel"));
        QVERIFY(speaking->current && speaking->current->committed && speaking->current->timing.firstToken);
        QCOMPARE(speaking->arrivals.size(), std::size_t(1));
        QCOMPARE(speaking->arrivals[0].characters, 3);
        QCOMPARE(speaking->traces[1].raw, ChatServer::chunk("Hel"));
        responder.write(ChatServer::chunk("lo"));
        responder.write("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                        "data: [DONE]\n\n");
        responder.end();
        const WatchViewPtr last = desk.end(id);
        QVERIFY(last);
        QCOMPARE(last->answer.text, QStringLiteral("Hello"));
        QVERIFY(!last->answerIsPartial);
        QCOMPARE(last->arrivals.size(), std::size_t(2));
        QCOMPARE(word(last->record.ending), word(chain::Ending::Answered));
    }

    void aFailedAttemptIsNeverAnAnsweredOne_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << 200 << QByteArray();
        QTest::newRow("no choices") << 200 << QByteArray("{\"choices\":[]}");
        QTest::newRow("web page") << 200 << QByteArray("<html>busy</html>");
        QTest::newRow("cut") << 200 << QByteArray("{\"choices\":[{\"mess");
        QTest::newRow("server error") << 500 << QByteArray("{}");
    }
    void aFailedAttemptIsNeverAnAnsweredOne()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        WatchDesk desk;
        desk.server.on("first", sends(status, {{"Content-Type", "application/json"}}, body));
        const WatchViewPtr view = desk.run(false, kFirst);
        QVERIFY(view);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Failed));
        const auto attempts = stepsOf<chain::AttemptRecord>(view->record);
        QCOMPARE(attempts.size(), std::size_t(1));
        QVERIFY(attempts[0].error.disposition.error != provider::ErrorClass::None);
        QVERIFY(view->answerIsPartial && view->answer.text.isEmpty());
        QCOMPARE(view->traces.at(0).status, status);
        QCOMPARE(view->traces.at(0).raw, body);
    }

    void aBrokenStreamKeepsWhatItHadSaid()
    {
        WatchDesk desk;
        desk.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            begin(*responder);
            responder->write(ChatServer::chunk("Hel"));
            responder->end();
        });
        const WatchViewPtr view = desk.run(true);
        QVERIFY(view);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Failed));
        QCOMPARE(word(view->record.error.disposition.error), word(provider::ErrorClass::StreamBroken));
        QCOMPARE(view->answer.text, QStringLiteral("Hel"));
        QVERIFY(view->answerIsPartial);
    }

    void aCancelKeepsWhatWasSaidAndEndsTheUpstream()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", held.handler());
        const std::uint64_t id = desk.send(true);
        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        bool gone = false;
        held.responders.front()->onClientGone([&] { gone = true; });
        begin(*held.responders.front());
        held.responders.front()->write(ChatServer::chunk("Hel"));
        QVERIFY(desk.viewOf(id, [](const WatchView& v) { return v.answer.text == QLatin1String("Hel"); }));
        desk.watcher.cancel(id);
        const WatchViewPtr view = desk.end(id);
        QVERIFY(view);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Cancelled));
        QCOMPARE(view->answer.text, QStringLiteral("Hel"));
        QVERIFY(view->answerIsPartial);
        QTRY_VERIFY(gone);
    }

    void forgettingEndsTheUpstreamAndTheView()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", held.handler());
        const std::uint64_t id = desk.send();
        QTRY_COMPARE(held.responders.size(), std::size_t(1));
        bool gone = false;
        held.responders.front()->onClientGone([&] { gone = true; });
        desk.watcher.forget(id);
        QVERIFY(!desk.watcher.view(id));
        QTRY_VERIFY(gone);
        QVERIFY(!desk.watcher.view(id));
    }

    void aWatcherThatGoesCancelsWhatRuns()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", held.handler());
        bool gone = false;
        {
            engine::Watcher other(desk.engine);
            other.send(kFirst, desk.request);
            QTRY_COMPARE(held.responders.size(), std::size_t(1));
            held.responders.front()->onClientGone([&] { gone = true; });
        }
        QTRY_VERIFY(gone);
    }

    void cachedAndCannedAnswersHaveNoTrace()
    {
        WatchDesk desk([](workspace::Workspace& workspace) {
            workspace.chains.front().spec.cache = chain::CacheSpec{};
            chain::TierSpec canned;
            canned.name = "sorry";
            canned.kind = chain::TierKind::CannedReply;
            canned.rules = {{{}, "later"}};
            workspace.chains.push_back(workspace.chains.front());
            workspace.chains.back().spec.name = "canned";
            workspace.chains.back().spec.tiers = {canned};
        });
        desk.server.on("first", ChatServer::answers("one"));
        QVERIFY(desk.run());
        const WatchViewPtr cached = desk.run();
        QVERIFY(cached);
        QCOMPARE(word(cached->record.source), word(chain::Source::Cache));
        QCOMPARE(cached->answer.text, QStringLiteral("one"));
        QVERIFY(cached->traces.empty());
        QCOMPARE(cached->costBasis, QStringLiteral("no provider was asked"));
        QCOMPARE(cached->costNanoUsd.value(), 0);
        const WatchViewPtr canned = desk.run(false, {engine::TargetKind::Chain, "canned"});
        QVERIFY(canned);
        QCOMPARE(word(canned->record.source), word(chain::Source::CannedReply));
        QCOMPARE(canned->answer.text, QStringLiteral("later"));
        QVERIFY(canned->traces.empty() && !canned->answerIsPartial);
    }

    void anUnknownTargetEndsWithoutATrace()
    {
        WatchDesk desk;
        const WatchViewPtr view = desk.run(false, {engine::TargetKind::Chain, "nowhere"});
        QVERIFY(view);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Failed));
        QVERIFY(view->traces.empty());
    }

    void buffersAreBoundedAndCount()
    {
        WatchDesk desk([](workspace::Workspace& workspace) {
            auto& spec = workspace.chains.front().spec;
            spec.attemptBudget = 50;
            spec.tiers.front().maxAttempts = 40;
            spec.tiers.front().backoff.kind = policy::BackoffKind::None;
        });
        const QByteArray piece = ChatServer::chunk("abcdefgh");
        constexpr int kPieces = 5000;
        desk.server.on("first", ChatServer::fails(500));
        desk.server.on("second", ChatServer::streams(QList<QByteArray>(kPieces, "abcdefgh")));
        const WatchViewPtr view = desk.run(true);
        QVERIFY(view);
        QCOMPARE(word(view->record.ending), word(chain::Ending::Answered));
        QCOMPARE(view->record.attempts, 41);
        QCOMPARE(view->traces.size(), std::size_t(32));
        QCOMPARE(view->tracesDropped, 9);
        QCOMPARE(view->traces.back().number, 41);
        QCOMPARE(view->traces.back().raw.size(), 256 * 1024);
        QVERIFY(view->traces.back().rawBytes > kPieces * piece.size());
        QCOMPARE(view->answer.text.size(), kPieces * 8);
        QCOMPARE(view->arrivals.size(), std::size_t(4096));
        QCOMPARE(view->arrivalsDropped, qint64(kPieces - 4096));
    }

    void whatHasEndedIsKeptUpToAPoint()
    {
        WatchDesk desk;
        const engine::CallTarget nowhere{engine::TargetKind::Chain, "nowhere"};
        const std::uint64_t oldest = desk.send(false, nowhere);
        QVERIFY(desk.end(oldest));
        std::uint64_t newest = 0;
        for (std::size_t i = 0; i < engine::Watcher::kMostKept; ++i) {
            newest = desk.send(false, nowhere);
            QVERIFY(desk.end(newest));
        }
        QVERIFY(!desk.watcher.view(oldest));
        QVERIFY(desk.watcher.view(oldest + 1));
        QVERIFY(desk.watcher.view(newest));
    }

    void theKeyIsNowhere_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::addColumn<int>("status");
        QTest::newRow("refused") << false << 401;
        QTest::newRow("refused stream") << true << 401;
        QTest::newRow("answer") << false << 200;
        QTest::newRow("stream") << true << 200;
    }
    void theKeyIsNowhere()
    {
        QFETCH(bool, stream);
        QFETCH(int, status);
        WatchDesk desk;
        const QByteArray key = WatchDesk::kKey;
        // Repeated in a header, in a body, and far enough into a message that cutting it cuts the key.
        const QByteArray padding(300 - 12, 'x');
        desk.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            const http::Headers headers{
                {"X-Echo", "key=" + key}, {"Set-Cookie", "session=abc"}, {"X-Api-Key", "another-secret"}};
            if (status != 200)
                return responder->send(status, headers,
                                       "{\"error\":{\"message\":\"" + padding + key + " is wrong: " + key +
                                           "\",\"code\":\"" + key + "\"}}");
            if (!stream)
                return ChatServer::answers("You sent " + key)({}, responder);
            responder->begin(200, {{"Content-Type", "text/event-stream"}, {"X-Echo", key}});
            responder->write(ChatServer::chunk("You sent " + key));
            responder->write(ChatServer::chunk("half of it " + key.first(10)));
            responder->end();
        });
        const WatchViewPtr view = desk.run(stream, kFirst);
        QVERIFY(view);
        QCOMPARE(word(view->record.ending),
                 word(status == 200 && !stream ? chain::Ending::Answered : chain::Ending::Failed));
        QByteArray all = engine::toJson(*view) + engine::toCurl(*view, 1).toUtf8() + chain::toJson(view->record);
        desk.engine.run([&](engine::EngineCore& core) {
            const auto snapshot = core.recorder().snapshot(Nanos(std::chrono::minutes(1)), http::steadyNow());
            for (const auto& event : snapshot->events)
                all += QByteArray::fromStdString(event.text);
        });
        QVERIFY(all.contains("***"));
        QVERIFY2(!all.contains(key.first(10)), all.constData());
        QVERIFY(!all.contains("another-secret") && !all.contains("session=abc"));
    }

    void theSameViewGivesTheSameJson()
    {
        WatchDesk desk;
        desk.server.on("first", ChatServer::fails(500));
        desk.server.on("second", ChatServer::streams({"Hel", "lo"}));
        const WatchViewPtr view = desk.run(true);
        QVERIFY(view);
        const QByteArray json = engine::toJson(*view);
        QCOMPARE(engine::toJson(*view), json);
        const QJsonObject object = QJsonDocument::fromJson(json).object();
        QCOMPARE(object["format"_L1].toString(), QStringLiteral("switchgear-request/1"));
        QCOMPARE(object["answer"_L1]["text"_L1].toString(), QStringLiteral("Hello"));
        QCOMPARE(object["attempts"_L1].toArray().size(), 2);
        const QJsonArray steps = object["record"_L1]["steps"_L1].toArray();
        const QJsonObject timing = steps.last()["timing"_L1].toObject();
        QVERIFY(timing["sent_ms"_L1].isDouble());
        QVERIFY(timing["sent_ms"_L1].toDouble() < 60000);
        QVERIFY(!json.contains("_ns\""));
        QCOMPARE(object["arrivals"_L1].toArray().size(), 2);
    }

    void theJsonOfARunningRequestShowsWhatIsUnderWay()
    {
        WatchDesk desk;
        Held held;
        desk.server.on("first", held.handler());
        const std::uint64_t id = desk.send();
        const WatchViewPtr view = desk.viewOf(id, [](const WatchView& v) { return v.current.has_value(); });
        QVERIFY(view);
        const QJsonObject object = QJsonDocument::fromJson(engine::toJson(*view)).object();
        QVERIFY(object["running"_L1].toBool());
        QCOMPARE(object["current"_L1]["endpoint"_L1].toString(), QStringLiteral("first"));
        QVERIFY(object["record"_L1]["ended_ms"_L1].isNull());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestWatch)
#include "tst_watch.moc"
