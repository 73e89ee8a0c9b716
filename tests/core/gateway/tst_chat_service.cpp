// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/gateway/chat_scene.h"
#include "tests/support/json.h"
#include "tests/support/strict_client.h"

using namespace sg;
using namespace sg::test;
using std::chrono::seconds;

namespace {

ChatServer::Handler refuses(int status, const QByteArray& type)
{
    return [=](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->send(status, {{"Content-Type", "application/json"}},
                        R"({"error":{"message":"not so","type":")" + type + "\"}}");
    };
}

} // namespace

class TestChatService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersWhole()
    {
        ChatScene scene;
        scene.server.on("first", ChatServer::fails(503));
        scene.server.on("second", ChatServer::answers("two"));
        const WireAnswer answer = scene.ask();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("content-type"), QByteArray("application/json"));
        QCOMPARE(answer.header("x-request-id"), QByteArray("id-1"));
        QCOMPARE(answer.header("x-switchgear-chain"), QByteArray("chat"));
        QCOMPARE(answer.header("x-switchgear-tier"), QByteArray("tier-second"));
        QCOMPARE(answer.header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(answer.header("x-switchgear-attempts"), QByteArray("2"));
        QCOMPARE(answer.header("x-switchgear-cost-usd"), QByteArray("0.000020000"));
        QCOMPARE(answer.json()["object"_L1], QJsonValue(QStringLiteral("chat.completion")));
        QCOMPARE(answer.json()["choices"_L1][0]["message"_L1]["content"_L1], QJsonValue(QStringLiteral("two")));
        QCOMPARE(answer.json()["usage"_L1]["total_tokens"_L1].toInt(), 15);
    }

    void streamsWhatTheChainStreams()
    {
        for (const bool includeUsage : {false, true}) {
            ChatScene scene;
            scene.server.on("first", ChatServer::fails(503));
            scene.server.on("second", ChatServer::streams({"a", "b", "c"}));
            const WireAnswer answer =
                scene.ask(chatBody(kStream + (includeUsage ? R"(,"stream_options":{"include_usage":true})" : "")));
            QCOMPARE(answer.status, 200);
            QCOMPARE(answer.header("content-type"), QByteArray("text/event-stream"));
            QCOMPARE(answer.header("x-switchgear-endpoint"), QByteArray("second"));
            QCOMPARE(answer.header("x-switchgear-tier"), QByteArray("tier-second"));
            QCOMPARE(answer.header("x-switchgear-attempts"), QByteArray("2"));
            QVERIFY(answer.header("x-switchgear-cost-usd").isEmpty());
            QCOMPARE(strictProblem(answer.body, includeUsage, {}), QString());
            QString text;
            for (const QJsonObject& chunk : chunksOf(answer.body))
                text += chunk["choices"_L1][0]["delta"_L1]["content"_L1].toString();
            QCOMPARE(text, QStringLiteral("abc"));
            QVERIFY(answer.body.contains("\n: x-switchgear-chain=chat"));
            QVERIFY(answer.body.contains("x-switchgear-cost-usd=0.000020000"));
        }
    }

    void aModelsNameAsksItsTierFirst()
    {
        ChatScene scene;
        scene.server.on("first", ChatServer::answers("one"));
        scene.server.on("second", ChatServer::answers("two"));
        QCOMPARE(scene.ask(chatBody({}, "m-second")).header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(scene.ask(chatBody({}, "m-first")).header("x-switchgear-endpoint"), QByteArray("first"));
        QCOMPARE(scene.ask(chatBody({}, "m-third")).status, 404);
        QCOMPARE(scene.server.requests("first") + scene.server.requests("second"), 2);
    }

    void longBodiesAreAnsweredAsOthers() // tst_long_bodies has the rest
    {
        ChatScene scene(oneTier());
        QByteArray seen;
        scene.server.on("first", [&seen](const http::ServerRequest& request, std::shared_ptr<http::Responder> to) {
            seen = request.body;
            ChatServer::answers("fine")(request, std::move(to));
        });
        const QByteArray text(1024 * 1024, 'x');
        QCOMPARE(scene.ask(chatBody({}, "chat", text)).status, 200);
        QVERIFY(seen.contains(text));
        QCOMPARE(scene.ask(chatBody({}, "nobody", text)).status, 404);
        QCOMPARE(scene.ask(chatBody({}, "chat", text).chopped(2)).status, 400);
        QCOMPARE(scene.server.requests("first"), 1);
    }

    void cachedAnswersAreReplayedAsStreams()
    {
        ChatScene scene(oneTier([](workspace::Workspace& w) { w.chains[0].spec.cache.emplace(); }));
        scene.server.on("first", ChatServer::answers("kept"));
        QCOMPARE(scene.ask().header("x-switchgear-cache"), QByteArray("miss"));
        const WireAnswer replayed = scene.ask(chatBody(kStream));
        QCOMPARE(replayed.header("x-switchgear-cache"), QByteArray("hit"));
        QCOMPARE(strictProblem(replayed.body, false, {}), QString());
        QCOMPARE(chunksOf(replayed.body).front()["choices"_L1][0]["delta"_L1]["content"_L1].toString(),
                 QStringLiteral("kept"));
        QCOMPARE(scene.server.requests("first"), 1);
    }

    void streamAskedForAndAnsweredWhole() // FC-A27, the other way round
    {
        ChatScene scene;
        scene.server.on("first", ChatServer::answers("whole"));
        const WireAnswer answer = scene.ask(chatBody(kStream));
        QCOMPARE(strictProblem(answer.body, false, {}), QString());
        scene.server.on("first", ChatServer::streams({"st", "ream"}));
        const WireAnswer whole = scene.ask();
        QCOMPARE(whole.header("content-type"), QByteArray("application/json"));
        QCOMPARE(whole.json()["choices"_L1][0]["message"_L1]["content"_L1].toString(), QStringLiteral("stream"));
    }

    void failuresBeforeTheFirstWordAreAnswers()
    {
        ChatScene scene(oneTier());
        for (const QByteArray& more : {QByteArray(), kStream}) {
            scene.server.on("first", ChatServer::fails(503));
            const WireAnswer down = scene.ask(chatBody(more));
            QCOMPARE(down.status, 503);
            QCOMPARE(down.error()["type"_L1].toString(), QStringLiteral("api_error"));
            QCOMPARE(down.header("x-should-retry"), QByteArray("false"));
            QCOMPARE(down.header("x-switchgear-attempts"), QByteArray("1"));
            scene.server.on("first", refuses(400, "invalid_request_error"));
            const WireAnswer wrong = scene.ask(chatBody(more));
            QCOMPARE(wrong.status, 400);
            QCOMPARE(wrong.error()["type"_L1].toString(), QStringLiteral("invalid_request_error"));
        }
    }

    void rateLimitsAreToldWithTheirWait()
    {
        ChatScene scene(oneTier());
        scene.server.on("first", ChatServer::fails(429, {{"Retry-After", "30"}}));
        for (int i = 0; i < 2; ++i) { // the second one is not sent
            const WireAnswer answer = scene.ask();
            QCOMPARE(answer.status, 429);
            const int told = answer.header("Retry-After").toInt();
            QVERIFY2(told >= 28 && told <= 31, answer.header("Retry-After").constData());
            QVERIFY(answer.header("x-should-retry").isEmpty());
        }
        QCOMPARE(scene.server.requests("first"), 1);
    }

    void openBreakersAre503WithTheirWait()
    {
        ChatScene scene(oneTier([](workspace::Workspace& w) { w.endpoints[0].spec.breaker.consecutiveFailures = 1; }));
        scene.server.on("first", ChatServer::fails(500));
        QCOMPARE(scene.ask().status, 502);
        const WireAnswer answer = scene.ask();
        QCOMPARE(answer.status, 503);
        QCOMPARE(answer.error()["code"_L1].toString(), QStringLiteral("all_tiers_out"));
        QVERIFY(answer.header("Retry-After").toInt() > 0);
    }

    void aCannedReplyIsCompleteAndRecognised()
    {
        auto workspace = oneTier();
        chain::TierSpec canned;
        canned.name = "canned reply";
        canned.kind = chain::TierKind::CannedReply;
        canned.rules = {{{}, "Later, please."}};
        workspace.chains[0].spec.tiers.push_back(canned);
        ChatScene scene(workspace);
        scene.server.on("first", refuses(401, "authentication_error"));
        const WireAnswer answer = scene.ask();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("x-switchgear-source"), QByteArray("canned"));
        QCOMPARE(answer.json()["model"_L1].toString(), QStringLiteral("chat"));
        for (const char* count : {"prompt_tokens", "completion_tokens", "total_tokens"})
            QCOMPARE(answer.json()["usage"_L1][QLatin1String(count)], QJsonValue(0));
        const auto chunks = chunksOf(scene.ask(chatBody(kStream + R"(,"stream_options":{"include_usage":true})")).body);
        QVERIFY(chunks.size() >= 2);
        for (const QJsonObject& chunk : chunks)
            QCOMPARE(chunk["model"_L1].toString(), QStringLiteral("chat"));
        QCOMPARE(chunks.back()["usage"_L1]["total_tokens"_L1], QJsonValue(0));
    }

    void aRedirectGoesToTheNextTier()
    {
        ChatScene scene;
        for (const int status : {301, 308, 405, 415, 421, 426, 431}) {
            scene.server.on("first", refuses(status, "moved"));
            scene.server.on("second", ChatServer::answers("two"));
            QCOMPARE(scene.ask().status, 200);
        }
        ChatScene alone(oneTier());
        alone.server.on("first", refuses(308, "moved"));
        const WireAnswer told = alone.ask();
        QCOMPARE(told.status, 502);
        QCOMPARE(told.error()["code"_L1].toString(), QStringLiteral("provider_wrong_address"));
    }

    void refusedKeysAreNotTheCallers()
    {
        ChatScene scene(oneTier());
        scene.server.on("first", refuses(401, "authentication_error"));
        QCOMPARE(scene.ask().status, 502);
        QCOMPARE(scene.ask().status, 503); // the key is out
    }

    void fieldsThatWereLeftOutAreNamed()
    {
        workspace::Workspace workspace =
            oneTier([](workspace::Workspace& w) { w.endpoints[0].provider = QStringLiteral("anthropic"); });
        ChatScene scene(workspace);
        const QByteArray whole =
            R"({"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn",)"
            R"("content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":1,"output_tokens":1}})";
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, whole);
        });
        const WireAnswer answer = scene.ask(chatBody(R"(,"seed":1,"logit_bias":{"1":2})"));
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("x-switchgear-left-out"), QByteArray("logit_bias, seed"));
        QVERIFY(scene.ask().header("x-switchgear-left-out").isEmpty());
    }

    void requestsBeyondTheLimitWait()
    {
        workspace::GatewaySettings settings;
        settings.maxInFlight = 1;
        settings.maxQueued = 1;
        ChatScene scene(oneTier(), settings);
        Held held;
        scene.server.on("first", held.handler());
        GatewayClient first(scene.port), second(scene.port), third(scene.port);
        first.post(chatBody());
        QTRY_VERIFY(held.responder);
        second.post(chatBody());
        QTRY_COMPARE(scene.entrance.admission().queued(), 1);
        third.post(chatBody());
        const WireAnswer refused = third.answer();
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.error()["code"_L1].toString(), QStringLiteral("queue_full"));
        QVERIFY(refused.header("Retry-After").toInt() >= 1);
        third.post(chatBody({}, "chat"), "x-switchgear-priority: 9\r\n"); // goes before the one that waits
        const WireAnswer displaced = second.answer();
        QCOMPARE(displaced.status, 503);
        scene.server.on("first", ChatServer::answers("now"));
        held.responder->send(500, {}, "{}");
        QCOMPARE(first.answer().status, 502);
        QCOMPARE(third.answer().status, 200);
        QCOMPARE(scene.entrance.admission().inFlight(), 0);
    }

    void waitingEnds()
    {
        workspace::GatewaySettings settings;
        settings.maxInFlight = 1;
        settings.maxQueueWait = Millis(30);
        ChatScene scene(oneTier(), settings);
        Held held;
        scene.server.on("first", held.handler());
        GatewayClient first(scene.port), second(scene.port), third(scene.port);
        first.post(chatBody());
        QTRY_VERIFY(held.responder);
        second.post(chatBody());
        QCOMPARE(second.answer().error()["code"_L1].toString(), QStringLiteral("queue_timeout"));
        scene.entrance.setLimits({1, 1, seconds(60)});
        third.post(chatBody());
        QTRY_COMPARE(scene.entrance.admission().queued(), 1);
        third.socket.abort();
        QTRY_COMPARE(scene.entrance.leftWhileWaiting(), 1);
        QCOMPARE(scene.entrance.admission().queued(), 0);
        QCOMPARE(scene.server.requests("first"), 1);
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        ChatScene scene;
        scene.server.on("first", [](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            const QByteArray asked = object(request.body)["messages"_L1][0]["content"_L1].toString().toUtf8();
            ChatServer::answers(asked)(request, std::move(responder));
        });
        GatewayClient client(scene.port);
        QByteArray all;
        for (int i = 0; i < 5; ++i) {
            const QByteArray body = chatBody(i % 2 ? kStream : QByteArray(), "chat", "number " + QByteArray::number(i));
            all +=
                "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + QByteArray::number(body.size()) +
                "\r\n\r\n" + body;
        }
        client.send(all);
        for (int i = 0; i < 5; ++i)
            QVERIFY(client.answer().body.contains("number " + QByteArray::number(i)));
    }
};

QTEST_GUILESS_MAIN(TestChatService)
#include "tst_chat_service.moc"
