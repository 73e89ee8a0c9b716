// SPDX-License-Identifier: GPL-3.0-or-later
// How the gateway ends: what is under way may end, and what may not is told so.
#include "tests/core/gateway/served_scene.h"
#include "tests/support/json.h"
#include "tests/support/strict_client.h"

#include <algorithm>

using namespace sg;
using namespace sg::test;
using gateway::Options;

namespace {

/// Takes every request and answers none.
struct Holder
{
    std::vector<std::shared_ptr<http::Responder>> held;
    int left = 0;
    ChatServer::Handler handler()
    {
        return [this](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            responder->onClientGone([this] { ++left; });
            if (object(request.body)["stream"_L1].toBool()) {
                responder->begin(200, kEvents);
                responder->write(ChatServer::chunk("half "));
            }
            held.push_back(std::move(responder));
        };
    }
};

/// One client of each kind with a request under way, and one that reads the events.
struct Everybody
{
    Holder holder; ///< before the scene: it hears of its end
    ServedScene scene;
    GatewayClient whole{scene.port}, streamed{scene.port}, small{scene.port}, embeddings{scene.port},
        events{scene.port};

    bool isUnderWay()
    {
        scene.server.on("first", holder.handler());
        for (const auto& [client, ask] : {std::pair(&whole, kWhole), std::pair(&streamed, kStreamed),
                                          std::pair(&small, kSmallChat), std::pair(&embeddings, kEmbeddings)})
            client->post(ask.body, {}, ask.path);
        events.get("/api/events");
        return QTest::qWaitFor([&] {
            return holder.held.size() == 4 && streamed.bytes().contains("half ") && events.bytes().contains("retry:");
        });
    }
    explicit Everybody(const Options& options = plainOptions())
        : scene(gatewayWorkspace(), options)
    {
    }

    void checkToldAll()
    {
        for (GatewayClient* client : {&whole, &small, &embeddings}) {
            const WireAnswer answer = client->answer();
            QCOMPARE(answer.status, 503);
            QCOMPARE(answer.error()["code"_L1].toString(), QStringLiteral("stopping"));
            QCOMPARE(answer.header("Retry-After"), QByteArray("1"));
            QVERIFY(!answer.header("x-request-id").isEmpty());
        }
        const WireAnswer stream = streamed.answer();
        QVERIFY(stream.isWhole);
        QCOMPARE(chunksOf(stream.body).back()["error"_L1]["code"_L1].toString(), QStringLiteral("stopping"));
        QVERIFY(!stream.body.contains("[DONE]"));
        const WireAnswer last = events.answer();
        QVERIFY(last.isWhole); // with the chunk that ends it
        QVERIFY2(last.body.contains("event: end\n"), last.body.constData());
        QTRY_COMPARE(holder.left, 4);
    }
    void checkLogged() const
    {
        QCOMPARE(scene.ended.size(), std::size_t(4));
        for (const gateway::Ended& each : scene.ended) {
            QCOMPARE(each.status, 503);
            QCOMPARE(each.code, QStringLiteral("stopping"));
            QCOMPARE(each.endpoint, std::string("first"));
        }
    }
};

} // namespace

class TestGatewayStop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void drainLetsWhatIsUnderWayEnd()
    {
        ServedScene scene;
        std::shared_ptr<http::Responder> held;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk("one "));
            held = std::move(responder);
        });
        GatewayClient streaming(scene.port), idle(scene.port);
        streaming.post(chatBody(kStream));
        QTRY_VERIFY(streaming.bytes().contains("one "));
        QTRY_COMPARE(scene.gateway->figures().connections, 2);
        bool isDone = false;
        scene.gateway->drain([&] { isDone = true; });
        QTRY_VERIFY(idle.socket.state() == QAbstractSocket::UnconnectedState);
        QTcpSocket late;
        late.connectToHost(QHostAddress(QHostAddress::LocalHost), scene.port);
        QTRY_VERIFY(late.state() == QAbstractSocket::UnconnectedState);
        QVERIFY(!isDone);
        held->write("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
        held->end();
        const WireAnswer answer = streaming.answer();
        QCOMPARE(strictProblem(answer.body, false, {}), QString());
        QTRY_VERIFY(isDone);
    }

    void drainCutsOffWhatTakesTooLong()
    {
        Options options = plainOptions();
        options.settings.drain = Millis(50);
        ServedScene scene(gatewayWorkspace(), options);
        std::shared_ptr<http::Responder> held;
        bool hasLeft = false;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            held = std::move(responder);
            held->onClientGone([&] { hasLeft = true; });
        });
        GatewayClient client(scene.port);
        client.post(chatBody());
        QTRY_VERIFY(held);
        int done = 0;
        scene.gateway->drain([&] { ++done; });
        QTRY_COMPARE(done, 1);
        QTRY_VERIFY(client.socket.state() == QAbstractSocket::UnconnectedState);
        const WireAnswer answer = client.answer();
        QCOMPARE(answer.status, 503);
        QCOMPARE(answer.error()["code"_L1].toString(), QStringLiteral("stopping"));
        QVERIFY(!answer.header("Retry-After").isEmpty());
        QCOMPARE(scene.gateway->figures().clientsLeft, 0);
        QCOMPARE(scene.gateway->figures().cutOff, 1);
        scene.gateway.reset();
        QTRY_VERIFY(hasLeft);
        QCOMPARE(done, 1);
    }

    void drainTellsTheStreamsThatItCutsOff()
    {
        Options options = plainOptions();
        options.settings.drain = Millis(50);
        options.settings.maxInFlight = 1;
        ServedScene scene(gatewayWorkspace(), options);
        std::shared_ptr<http::Responder> held;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk("half "));
            held = std::move(responder);
        });
        GatewayClient client(scene.port), waiting(scene.port);
        client.post(chatBody(kStream));
        QTRY_VERIFY(client.bytes().contains("half "));
        waiting.post(chatBody());
        QTRY_COMPARE(scene.gateway->figures().queued, 1);
        bool isDone = false;
        scene.gateway->drain([&] { isDone = true; });
        QTRY_VERIFY(isDone);
        const WireAnswer answer = client.answer();
        QVERIFY(answer.isWhole);
        QCOMPARE(chunksOf(answer.body).back()["error"_L1]["code"_L1].toString(), QStringLiteral("stopping"));
        QVERIFY(!answer.body.contains("[DONE]"));
        QCOMPARE(waiting.answer().error()["code"_L1].toString(), QStringLiteral("stopping"));
        QCOMPARE(scene.gateway->figures().clientsLeft, 0);
    }

    void theDrainsLimitIsToldToAll()
    {
        Options options = plainOptions();
        options.settings.drain = Millis(50);
        Everybody all(options);
        QVERIFY(all.isUnderWay());
        bool isDone = false;
        all.scene.gateway->drain([&] { isDone = true; });
        QTRY_VERIFY(isDone);
        const gateway::Figures figures = all.scene.gateway->figures();
        QCOMPARE(figures.cutOff, 4);
        QCOMPARE(figures.clientsLeft, 0);
        QCOMPARE(figures.inFlight + figures.streams + figures.queued, 0);
        all.checkToldAll();
        all.checkLogged();
    }

    void cutOffAtOnce()
    {
        Everybody all; // whose drain would take half a minute
        QVERIFY(all.isUnderWay());
        int drained = 0, done = 0;
        all.scene.gateway->drain([&] { ++drained; });
        all.scene.gateway->cutOff(Millis(250), [&] { ++done; });
        QCOMPARE(all.scene.gateway->figures().cutOff, 4);
        QTRY_COMPARE(done, 1);
        QCOMPARE(drained, 0);
        all.checkToldAll();
        all.checkLogged();
    }

    void whoDoesNotReadIsNotWaitedFor()
    {
        ServedScene scene;
        scene.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            const QByteArray piece = ChatServer::chunk(QByteArray(1024, 'x'));
            for (int i = 0; i < 8 * 1024; ++i)
                responder->write(piece);
            responder->end();
        });
        GatewayClient deaf(scene.port);
        deaf.socket.setReadBufferSize(1024);
        deaf.post(chatBody(kStream));
        QTRY_VERIFY(deaf.socket.bytesAvailable() > 0);
        bool isDone = false;
        scene.gateway->cutOff(Millis(50), [&] { isDone = true; });
        QTRY_VERIFY(isDone);
        QCOMPARE(scene.gateway->figures().connections, 0);
    }

    void itsEndTellsWhoIsStillThere()
    {
        Everybody all;
        QVERIFY(all.isUnderWay());
        all.scene.gateway.reset();
        all.checkToldAll();
        all.checkLogged();
    }

    void whatComesMeanwhile()
    {
        Everybody all;
        GatewayClient half(all.scene.port), next(all.scene.port);
        QVERIFY(all.isUnderWay());
        half.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                  "Content-Length: 1000\r\n\r\n");
        QTRY_VERIFY(half.bytes().endsWith("\r\n\r\n")); // its head has been read
        half.got.clear();
        QTRY_COMPARE(all.scene.gateway->figures().connections, 7);
        all.scene.gateway->drain([] {});
        const WireAnswer refused = half.answer();
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.error()["code"_L1].toString(), QStringLiteral("stopping"));
        QTRY_VERIFY(next.socket.state() == QAbstractSocket::UnconnectedState);
        all.scene.gateway.reset();
    }
};

QTEST_GUILESS_MAIN(TestGatewayStop)
#include "tst_gateway_stop.moc"
