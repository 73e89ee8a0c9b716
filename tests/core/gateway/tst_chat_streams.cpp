// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/traffic.h"
#include "tests/core/gateway/chat_scene.h"
#include "tests/support/json.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/strict_client.h"

using namespace sg;
using namespace sg::test;
using Peer = testing::MisbehavingServer::Peer;

namespace {
constexpr const char* kStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
} // namespace

class TestChatStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void brokenStreamsEndWithAnError()
    {
        ChatScene scene;
        gateway::TrafficLog traffic;
        scene.options.onEnded = [&](const gateway::Ended& ended) { traffic.add(ended, 1); };
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
        const gateway::Passage passage = traffic.picture()->latest.front();
        QCOMPARE(passage.sentStatus, 200);
        QVERIFY(gateway::resultOf(passage) == gateway::Result::CutShort);
        QVERIFY(!passage.errorWords.empty());
    }

    void afterItsBeginAStreamMayStillFail() // the status line is out before anybody has answered
    {
        workspace::GatewaySettings settings;
        settings.beginAfter = Millis(20);
        ChatScene scene(oneTier(), settings);
        gateway::TrafficLog traffic;
        scene.options.onEnded = [&](const gateway::Ended& ended) { traffic.add(ended, 1); };
        Held held;
        scene.server.on("first", held.handler());
        GatewayClient client(scene.port);
        client.post(chatBody(kStream));
        QTRY_VERIFY(client.bytes().startsWith("HTTP/1.1 200 "));
        held.responder->send(400, {{"Content-Type", "application/json"}}, R"({"error":{"message":"no"}})");
        QTRY_COMPARE(traffic.picture()->latest.size(), std::size_t(1));
        const gateway::Passage passage = traffic.picture()->latest.front();
        QCOMPARE(passage.status, 400);
        QCOMPARE(passage.sentStatus, 200);
        QVERIFY(gateway::resultOf(passage) == gateway::Result::StreamError);
    }

    void longWaitsAreKeptAlive()
    {
        workspace::GatewaySettings settings;
        settings.beginAfter = Millis(40);
        settings.keepAlive = Millis(20);
        ChatScene scene(gatewayWorkspace(), settings);
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
        ChatScene scene(oneTier(), settings);
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
        ChatScene scene;
        Held held;
        scene.server.on("first", stream ? held.streams("a piece of text") : held.handler());
        GatewayClient client(scene.port);
        client.post(chatBody(stream ? kStream : QByteArray()));
        QTRY_VERIFY(held.responder);
        if (stream)
            QTRY_VERIFY(client.bytes().contains("a piece of text"));
        if (resets)
            client.socket.abort();
        else
            client.socket.disconnectFromHost();
        QTRY_VERIFY(held.hasLeft);
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

    /// Fifty megabytes want to go to a client that takes one kilobyte now and then.
    void aSlowReaderHoldsTheUpstreamBack()
    {
        testing::MisbehavingServer upstream;
        workspace::Workspace workspace = oneTier();
        workspace.endpoints[0].baseUrl = upstream.url(QStringLiteral("/v1")).toString();
        ChatScene scene(workspace);
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
            QTRY_VERIFY(client.socket.bytesAvailable() > 0);
            read += client.socket.read(1024).size();
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
        ChatScene scene;
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

    void endsWithRequestsUnderWay()
    {
        Held held;
        workspace::GatewaySettings settings;
        settings.maxInFlight = 1;
        auto scene = std::make_unique<ChatScene>(oneTier(), settings);
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

QTEST_GUILESS_MAIN(TestChatStreams)
#include "tst_chat_streams.moc"
