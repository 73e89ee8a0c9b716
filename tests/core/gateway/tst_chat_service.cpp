// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_service.h"
#include "tests/support/gateway_scene.h"
#include "tests/support/json.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/strict_client.h"
#include "tests/support/word.h"

#include <QElapsedTimer>
#include <QTest>

using namespace sg;
using namespace sg::test;
using Peer = testing::MisbehavingServer::Peer;
using std::chrono::seconds;

namespace {

constexpr qint64 kWriteBuffer = 128 * 1024;
const QByteArray kStream = R"(,"stream":true)";
const http::Headers kEvents = {{"Content-Type", "text/event-stream"}};
constexpr const char* kStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

ChatServer::Handler refuses(int status, const QByteArray& type)
{
    return [=](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->send(status, {{"Content-Type", "application/json"}},
                        R"({"error":{"message":"not so","type":")" + type + "\"}}");
    };
}

/// Answers and waits, which the test ends.
struct Held
{
    std::shared_ptr<http::Responder> responder;
    bool hasLeft = false;
    ChatServer::Handler handler()
    {
        return [this](const http::ServerRequest&, std::shared_ptr<http::Responder> r) {
            responder = std::move(r);
            responder->onClientGone([this] { hasLeft = true; });
        };
    }
    ChatServer::Handler streams(const QByteArray& first)
    {
        return [this, first](const http::ServerRequest& request, std::shared_ptr<http::Responder> r) {
            handler()(request, std::move(r));
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk(first));
        };
    }
    void end()
    {
        responder->write(
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
        responder->end();
    }
};

/// The chat service behind a server of its own.
class Scene : public EngineScene
{
public:
    explicit Scene(const workspace::Workspace& workspace = gatewayWorkspace(), workspace::GatewaySettings settings = {})
        : EngineScene(workspace)
        , entrance(core.timers(), {settings.maxInFlight, settings.maxQueued, settings.maxQueueWait})
    {
        options.settings = std::move(settings);
        options.limits.maxWriteBuffer = kWriteBuffer;
        options.onEnded = [this](const gateway::Ended& ended) {
            if (!ended.record)
                return;
            usages.push_back(ended.usage);
            for (const chain::Step& step : ended.record->steps)
                if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
                    recorded.push_back(attempt->usage);
        };
        chat = std::make_unique<gateway::ChatService>(core, entrance, options);
        door = std::make_unique<http::Server>(
            [this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
                chat->handle({std::move(request),
                              std::move(responder),
                              "id-" + QByteArray::number(++ids),
                              {},
                              {},
                              &options.onEnded});
            },
            options.limits);
        port = door->listen().value_or(0);
    }
    ~Scene() { entrance.close(); }

    WireAnswer ask(const QByteArray& body = chatBody(), const QByteArray& headers = {})
    {
        GatewayClient client(port);
        client.post(body, headers);
        return client.answer();
    }
    observe::SnapshotPtr snapshot() { return core.recorder().snapshot(seconds(60), http::steadyNow()); }

    gateway::Options options;
    gateway::Entrance entrance;
    std::unique_ptr<gateway::ChatService> chat;
    std::unique_ptr<http::Server> door;
    quint16 port = 0;
    int ids = 0;
    std::vector<provider::Usage> usages;   ///< of the calls that have ended
    std::vector<provider::Usage> recorded; ///< with their attempts
};

workspace::Workspace oneTier(const std::function<void(workspace::Workspace&)>& change = {})
{
    workspace::Workspace workspace = gatewayWorkspace();
    workspace.chains[0].spec.tiers.pop_back();
    if (change)
        change(workspace);
    return workspace;
}

} // namespace

class TestChatService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersWhole()
    {
        Scene scene;
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
            Scene scene;
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
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        scene.server.on("second", ChatServer::answers("two"));
        QCOMPARE(scene.ask(chatBody({}, "m-second")).header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(scene.ask(chatBody({}, "m-first")).header("x-switchgear-endpoint"), QByteArray("first"));
        QCOMPARE(scene.ask(chatBody({}, "m-third")).status, 404);
        QCOMPARE(scene.server.requests("first") + scene.server.requests("second"), 2);
    }

    void cachedAnswersAreReplayedAsStreams()
    {
        Scene scene(oneTier([](workspace::Workspace& w) { w.chains[0].spec.cache.emplace(); }));
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
        Scene scene;
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
        Scene scene(oneTier());
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
        Scene scene(oneTier());
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
        Scene scene(oneTier([](workspace::Workspace& w) { w.endpoints[0].spec.breaker.consecutiveFailures = 1; }));
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
        Scene scene(workspace);
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
        Scene scene;
        for (const int status : {301, 308, 405, 415, 421, 426, 431}) {
            scene.server.on("first", refuses(status, "moved"));
            scene.server.on("second", ChatServer::answers("two"));
            QCOMPARE(scene.ask().status, 200);
        }
        Scene alone(oneTier());
        alone.server.on("first", refuses(308, "moved"));
        const WireAnswer told = alone.ask();
        QCOMPARE(told.status, 502);
        QCOMPARE(told.error()["code"_L1].toString(), QStringLiteral("provider_wrong_address"));
    }

    void refusedKeysAreNotTheCallers()
    {
        Scene scene(oneTier());
        scene.server.on("first", refuses(401, "authentication_error"));
        QCOMPARE(scene.ask().status, 502);
        QCOMPARE(scene.ask().status, 503); // the key is out
    }

    void brokenStreamsEndWithAnError()
    {
        Scene scene;
        scene.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk("half"));
            responder->end();
        });
        scene.server.on("second", ChatServer::answers("never"));
        const WireAnswer answer = scene.ask(chatBody(kStream));
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.isWhole);
        const auto chunks = chunksOf(answer.body);
        QCOMPARE(chunks.size(), std::size_t(2));
        QCOMPARE(chunks[0]["choices"_L1][0]["delta"_L1]["content"_L1].toString(), QStringLiteral("half"));
        QCOMPARE(chunks[1]["error"_L1]["code"_L1].toString(), QStringLiteral("stream_broken"));
        QVERIFY(!answer.body.contains("[DONE]"));
        QCOMPARE(scene.server.requests("second"), 0);
    }

    void longWaitsAreKeptAlive()
    {
        workspace::GatewaySettings settings;
        settings.beginAfter = Millis(40);
        settings.keepAlive = Millis(20);
        Scene scene(gatewayWorkspace(), settings);
        Held held;
        GatewayClient client(scene.port);
        bool wasSilent = false;
        scene.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            wasSilent = client.bytes().isEmpty();
            held.handler()(request, std::move(responder));
        });
        client.post(chatBody(kStream));
        QTRY_VERIFY(held.responder);
        QVERIFY(wasSilent);
        QTRY_VERIFY(client.bytes().count(": keep-alive\n\n") >= 3);
        QVERIFY(client.got.startsWith("HTTP/1.1 200 "));
        QVERIFY(!client.got.contains("data:"));
        held.responder->begin(200, kEvents);
        held.responder->write(ChatServer::chunk("late"));
        QTRY_VERIFY(client.bytes().contains("late"));
        const auto before = client.got.count(": keep-alive");
        QTRY_VERIFY(client.bytes().count(": keep-alive") > before + 1); // between tokens too
        held.end();
        const WireAnswer answer = client.answer();
        QCOMPARE(strictProblem(answer.body, false, {}), QString());
    }

    void failuresAfterALongWaitAreEvents()
    {
        workspace::GatewaySettings settings;
        settings.beginAfter = Millis(10);
        Scene scene(oneTier(), settings);
        Held held;
        scene.server.on("first", held.handler());
        GatewayClient client(scene.port);
        client.post(chatBody(kStream));
        QTRY_VERIFY(client.bytes().contains("keep-alive"));
        held.responder->send(500, {}, "{}");
        const WireAnswer answer = client.answer();
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.isWhole);
        const auto chunks = chunksOf(answer.body);
        QCOMPARE(chunks.size(), std::size_t(1));
        QCOMPARE(chunks[0]["error"_L1]["code"_L1].toString(), QStringLiteral("provider_error"));
    }

    void whoLeavesEndsTheUpstream_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::addColumn<bool>("resets");
        QTest::newRow("a whole answer") << false << false;
        QTest::newRow("a stream") << true << false;
        QTest::newRow("a stream, by reset") << true << true;
    }
    void whoLeavesEndsTheUpstream()
    {
        QFETCH(bool, stream);
        QFETCH(bool, resets);
        Scene scene;
        Held held;
        scene.server.on("first", stream ? held.streams("a piece of text") : held.handler());
        GatewayClient client(scene.port);
        client.post(chatBody(stream ? kStream : QByteArray()));
        QTRY_VERIFY(held.responder);
        if (stream)
            QTRY_VERIFY(client.bytes().contains("a piece of text"));
        QElapsedTimer since;
        since.start();
        if (resets)
            client.socket.abort();
        else
            client.socket.disconnectFromHost();
        QTRY_VERIFY(held.hasLeft);
        QVERIFY2(since.elapsed() < 1000, "the upstream heard of it late"); // 100 ms is the aim; the machine is shared
        QTRY_COMPARE(scene.chat->clientsLeft(), 1);
        QCOMPARE(scene.entrance.admission().inFlight(), 0);
        QCOMPARE(scene.chat->streams(), 0);
        QCOMPARE(scene.server.requests("second"), 0);
        const auto snapshot = scene.snapshot();
        QCOMPARE(snapshot->tiles.cancelled, 1);
        // What had come is counted, and paid: nobody says how much it was.
        QCOMPARE(scene.usages.size(), std::size_t(1));
        QCOMPARE(scene.recorded.size(), std::size_t(1));
        for (const provider::Usage& usage : {scene.usages.front(), scene.recorded.front()}) {
            QCOMPARE(usage.outputTokens.value_or(0) > 0, stream);
            QCOMPARE(usage.inputTokens.value_or(0) > 0, stream);
            QCOMPARE(usage.estimated, stream);
        }
    }

    void fieldsThatWereLeftOutAreNamed()
    {
        workspace::Workspace workspace =
            oneTier([](workspace::Workspace& w) { w.endpoints[0].provider = QStringLiteral("anthropic"); });
        Scene scene(workspace);
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

    void wrongContentTypes()
    {
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        const auto statusFor = [&](const QByteArray& type) {
            GatewayClient client(scene.port);
            const QByteArray body = chatBody();
            client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n" + type +
                        "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
            return client.answer().status;
        };
        QCOMPARE(statusFor("Content-Type: text/plain\r\n"), 415);
        QCOMPARE(statusFor("Content-Type: application/x-www-form-urlencoded\r\n"), 415);
        QCOMPARE(statusFor("Content-Type: Application/JSON; charset=utf-8\r\n"), 200);
        QCOMPARE(statusFor(""), 200);
    }

    void requestsBeyondTheLimitWait()
    {
        workspace::GatewaySettings settings;
        settings.maxInFlight = 1;
        settings.maxQueued = 1;
        Scene scene(oneTier(), settings);
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
        Scene scene(oneTier(), settings);
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

    /// Fifty megabytes want to go to a client that takes one kilobyte now and then.
    void aSlowReaderHoldsTheUpstreamBack()
    {
        testing::MisbehavingServer upstream;
        workspace::Workspace workspace = oneTier();
        workspace.endpoints[0].baseUrl = upstream.url(QStringLiteral("/v1")).toString();
        Scene scene(workspace);
        QByteArray many;
        while (many.size() < 64 * 1024)
            many += ChatServer::chunk("word ");
        qint64 offered = 0;
        Peer* source = nullptr;
        const auto more = [&] {
            while (source->socket()->bytesToWrite() < 256 * 1024 && offered < 50 * 1024 * 1024) {
                source->socket()->write(many);
                offered += many.size();
            }
        };
        QObject context;
        upstream.onRequest([&](Peer& peer) {
            source = &peer;
            peer.send(kStreamHead);
            QObject::connect(peer.socket(), &QTcpSocket::bytesWritten, &context, more);
            more();
        });
        const auto taken = [&] { return offered - source->socket()->bytesToWrite(); };

        GatewayClient client(scene.port);
        client.socket.setReadBufferSize(1024);
        client.post(chatBody(kStream));
        QTRY_VERIFY(source);
        // Until what the kernels and the gateway hold is full, and nothing moves any more.
        qint64 last = -1;
        int still = 0;
        QTRY_VERIFY_WITH_TIMEOUT((still = taken() == last ? still + 1 : 0, last = taken(), still > 10), 20'000);
        qint64 read = 0;
        for (int i = 0; i < 20; ++i) {
            read += client.socket.read(1024).size();
            QTest::qWait(1);
        }
        QVERIFY(read > 0);
        QVERIFY2(offered < 20 * 1024 * 1024, QByteArray::number(offered).constData());
        QVERIFY2(taken() < 16 * 1024 * 1024, QByteArray::number(taken()).constData());
        QCOMPARE(scene.chat->streams(), 1);
        // And it goes on as soon as it is read.
        const qint64 before = taken();
        client.socket.setReadBufferSize(0);
        QTRY_VERIFY_WITH_TIMEOUT((client.socket.readAll(), taken() > before + 4 * 1024 * 1024), 20'000);
        client.socket.abort();
        QTRY_COMPARE(scene.chat->streams(), 0);
    }

    void streamsToOldClients() // HTTP/1.0 knows no chunks: the end of the connection is the end of the stream
    {
        Scene scene;
        scene.server.on("first", ChatServer::streams({"a", "b"}));
        GatewayClient client(scene.port);
        const QByteArray body = chatBody(kStream);
        client.send("POST /v1/chat/completions HTTP/1.0\r\nHost: x\r\nContent-Length: " +
                    QByteArray::number(body.size()) + "\r\n\r\n" + body);
        const WireAnswer answer = client.answer();
        QVERIFY(answer.isWhole);
        QVERIFY(answer.header("Transfer-Encoding").isEmpty());
        QCOMPARE(strictProblem(answer.body, false, {}), QString());
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        Scene scene;
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

    void endsWithRequestsUnderWay()
    {
        Held held;
        workspace::GatewaySettings settings;
        settings.maxInFlight = 1;
        auto scene = std::make_unique<Scene>(oneTier(), settings);
        scene->server.on("first", held.streams("half"));
        GatewayClient client(scene->port), waiting(scene->port);
        client.post(chatBody(kStream));
        QTRY_VERIFY(client.bytes().contains("half"));
        waiting.post(chatBody());
        QTRY_COMPARE(scene->entrance.admission().queued(), 1);
        scene->entrance.close();
        scene->chat.reset();
        QTRY_VERIFY(held.hasLeft);
        QTRY_VERIFY(client.socket.state() == QAbstractSocket::UnconnectedState);
        QTRY_VERIFY(waiting.socket.state() == QAbstractSocket::UnconnectedState);
        held.responder.reset();
        scene.reset();
    }
};

QTEST_GUILESS_MAIN(TestChatService)
#include "tst_chat_service.moc"
