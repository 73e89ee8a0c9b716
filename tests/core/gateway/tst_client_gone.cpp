// SPDX-License-Identifier: GPL-3.0-or-later
// A client that leaves ends what it asked for within 100 ms, wherever that is.
#include "tests/core/gateway/served_scene.h"
#include "tests/support/json.h"
#include "tests/support/reaction.h"

#include <sys/socket.h>

using namespace sg;
using namespace sg::test;
using gateway::Options;

namespace {

constexpr Millis kMost{100};
constexpr Nanos kNever = std::chrono::hours(1);
constexpr int kTries = 5;

enum class Way { Closes, Resets };

void leave(QTcpSocket& socket, Way way)
{
    if (way == Way::Resets) {
        constexpr linger hard{1, 0};
        ::setsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    socket.abort(); // closes the descriptor at once
}

/// Keeps the last request, and when its client was seen to have gone.
struct Upstream
{
    std::shared_ptr<http::Responder> held;
    std::optional<Instant> gone;

    ChatServer::Handler handler(bool streams)
    {
        return [this, streams](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            gone.reset();
            held = std::move(responder);
            held->onClientGone([this] { gone = http::steadyNow(); });
            if (!streams)
                return;
            held->begin(200, kEvents);
            held->write(ChatServer::chunk("a piece of text"));
        };
    }
};

/// From now until `happened`.
Nanos until(const std::function<bool()>& happened)
{
    const Instant begun = http::steadyNow();
    return QTest::qWaitFor(happened) ? http::steadyNow() - begun : kNever;
}

QByteArray inMs(Nanos took)
{
    return QByteArray::number(toMs(took)) + " ms";
}

} // namespace

Q_DECLARE_METATYPE(sg::test::Ask)
Q_DECLARE_METATYPE(Way)

class TestClientGone : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theUpstreamIsEnded_data()
    {
        QTest::addColumn<Ask>("ask");
        QTest::addColumn<Way>("way");
        QTest::addColumn<int>("behind"); ///< further requests that were sent already
        QTest::newRow("a whole answer") << kWhole << Way::Closes << 0;
        QTest::newRow("a whole answer, by reset") << kWhole << Way::Resets << 0;
        QTest::newRow("a stream") << kStreamed << Way::Closes << 0;
        QTest::newRow("a stream, by reset") << kStreamed << Way::Resets << 0;
        QTest::newRow("embeddings") << kEmbeddings << Way::Closes << 0;
        QTest::newRow("embeddings, by reset") << kEmbeddings << Way::Resets << 0;
        QTest::newRow("/chat") << kSmallChat << Way::Closes << 0;
        QTest::newRow("/chat, by reset") << kSmallChat << Way::Resets << 0;
        // Less than the server's buffer takes.
        QTest::newRow("few requests behind it") << kWhole << Way::Closes << 10;
        QTest::newRow("many requests behind it") << kWhole << Way::Closes << 1300;
        QTest::newRow("many requests behind a stream") << kStreamed << Way::Closes << 1300;
        QTest::newRow("many requests behind it, by reset") << kWhole << Way::Resets << 1300;
    }
    void theUpstreamIsEnded()
    {
        QFETCH(Ask, ask);
        QFETCH(Way, way);
        QFETCH(int, behind);
        Upstream upstream;
        ServedScene scene;
        scene.server.on("first", upstream.handler(ask.streams));
        const Nanos took = middleOf(kTries, [&] {
            upstream.held.reset();
            GatewayClient client(scene.port);
            client.post(ask.body, {}, ask.path);
            if (!QTest::qWaitFor([&] { return upstream.held && (!ask.streams || client.bytes().contains("piece")); }))
                return kNever;
            client.send(QByteArray("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").repeated(behind));
            if (!QTest::qWaitFor([&] { return client.socket.bytesToWrite() == 0; }))
                return kNever;
            QCoreApplication::processEvents(); // the gateway reads what it will
            const Instant left = http::steadyNow();
            leave(client.socket, way);
            return QTest::qWaitFor([&] { return upstream.gone.has_value(); }) ? *upstream.gone - left : kNever;
        });
        QVERIFY2(took <= kMost, inMs(took).constData());
        QCOMPARE(scene.server.requests("first"), kTries);
        QCOMPARE(scene.server.requests("second"), 0);
        QTRY_COMPARE(scene.gateway->figures().clientsLeft, kTries);
        QCOMPARE(scene.gateway->figures().inFlight, 0);
        QCOMPARE(scene.gateway->figures().cutOff, 0);
        QCOMPARE(scene.ended.size(), std::size_t(kTries));
        for (const gateway::Ended& each : scene.ended)
            QCOMPARE(each.status, gateway::kClientLeft);
    }

    void whileItWaitsToBeAskedAgain_data()
    {
        QTest::addColumn<Ask>("ask");
        QTest::newRow("a whole answer") << kWhole;
        QTest::newRow("a stream") << kStreamed;
        QTest::newRow("/chat") << kSmallChat;
    }
    void whileItWaitsToBeAskedAgain()
    {
        QFETCH(Ask, ask);
        workspace::Workspace workspace = gatewayWorkspace();
        workspace.chains[0].spec.tiers.pop_back();
        chain::TierSpec& tier = workspace.chains[0].spec.tiers[0];
        tier.maxAttempts = 2;
        tier.backoff.baseMs = 5000;
        tier.backoff.capMs = 5000;
        tier.backoff.jitter = {};
        workspace.endpoints[0].spec.breaker.metricsOnly = true;
        ServedScene scene(workspace);
        scene.server.on("first", ChatServer::fails(500));
        int asked = 0;
        const Nanos took = middleOf(kTries, [&] {
            GatewayClient client(scene.port);
            client.post(ask.body, {}, ask.path);
            ++asked;
            if (!QTest::qWaitFor([&] { return scene.server.requests("first") == asked; }))
                return kNever;
            const auto hasFailed = [&] {
                const auto now = scene.core.recorder().snapshot(std::chrono::seconds(60), http::steadyNow());
                return now->endpoints[0].failures == asked;
            };
            if (!QTest::qWaitFor(hasFailed) || scene.gateway->figures().inFlight != 1)
                return kNever;
            leave(client.socket, Way::Closes);
            return until([&] { return scene.gateway->figures().inFlight == 0; });
        });
        QVERIFY2(took <= kMost, inMs(took).constData());
        QCOMPARE(scene.server.requests("first"), kTries);
        QCOMPARE(scene.gateway->figures().clientsLeft, kTries);
    }

    void whileItWaitsInTheQueue_data()
    {
        QTest::addColumn<Ask>("ask");
        QTest::newRow("a whole answer") << kWhole;
        QTest::newRow("a stream") << kStreamed;
        QTest::newRow("embeddings") << kEmbeddings;
        QTest::newRow("/chat") << kSmallChat;
    }
    void whileItWaitsInTheQueue()
    {
        QFETCH(Ask, ask);
        Options options = plainOptions();
        options.settings.maxInFlight = 1;
        Upstream upstream;
        ServedScene scene(gatewayWorkspace(), options);
        scene.server.on("first", upstream.handler(false));
        GatewayClient inside(scene.port);
        inside.post(chatBody());
        QTRY_VERIFY(upstream.held);
        const Nanos took = middleOf(kTries, [&] {
            GatewayClient client(scene.port);
            client.post(ask.body, {}, ask.path);
            if (!QTest::qWaitFor([&] { return scene.gateway->figures().queued == 1; }))
                return kNever;
            leave(client.socket, Way::Closes);
            return until([&] { return scene.gateway->figures().queued == 0; });
        });
        QVERIFY2(took <= kMost, inMs(took).constData());
        QCOMPARE(scene.gateway->figures().clientsLeft, kTries);
        QCOMPARE(scene.server.requests("first"), 1);
        upstream.held->send(500, {}, "{}");
        QTRY_COMPARE(scene.gateway->figures().inFlight, 0);
        QCOMPARE(scene.server.requests("first"), 1); // nobody was let in for those who left
    }

    /// Its leaving could not be seen.
    void whoPipelinesTooMuchIsDropped()
    {
        Upstream upstream;
        ServedScene scene;
        scene.server.on("first", upstream.handler(false));
        GatewayClient client(scene.port);
        client.post(chatBody());
        QTRY_VERIFY(upstream.held);
        client.send(QByteArray("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").repeated(20'000));
        QTRY_VERIFY(upstream.gone);
        QTRY_VERIFY(client.socket.state() == QAbstractSocket::UnconnectedState);
        QTRY_COMPARE(scene.gateway->figures().clientsLeft, 1);
        QCOMPARE(scene.gateway->figures().requests, 1);
        QCOMPARE(scene.ended.size(), std::size_t(1));
        QCOMPARE(scene.ended[0].status, gateway::kClientLeft);
    }

    /// As nginx and Envoy have it: who says that nothing more comes has left.
    void whoHalfClosesHasLeft()
    {
        Upstream upstream;
        ServedScene scene;
        scene.server.on("first", upstream.handler(false));
        GatewayClient client(scene.port);
        client.post(chatBody());
        QTRY_VERIFY(upstream.held);
        ::shutdown(int(client.socket.socketDescriptor()), SHUT_WR);
        QTRY_VERIFY(upstream.gone);
        QTRY_COMPARE(scene.gateway->figures().clientsLeft, 1);
        QTRY_VERIFY(client.socket.state() == QAbstractSocket::UnconnectedState);
        QVERIFY(client.bytes().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestClientGone)
#include "tst_client_gone.moc"
