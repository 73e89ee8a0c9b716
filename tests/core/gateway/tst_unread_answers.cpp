// SPDX-License-Identifier: GPL-3.0-or-later
// Whole answers that nobody takes: their places in flight, and the memory that they need.
#include "core/observe/process_figures.h"
#include "tests/core/gateway/served_scene.h"
#include "tests/support/deaf_client.h"

#include <algorithm>

using namespace sg;
using namespace sg::test;
using testing::DeafClient;
using testing::kIsSanitized;
using testing::kMiB;

namespace {

QByteArray posted(const Ask& ask)
{
    return "POST " + ask.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: " +
           QByteArray::number(ask.body.size()) + "\r\n\r\n" + ask.body;
}

const QByteArray kListed = "GET /v1/models?endpoint=first HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

/// Whose provider says 1 MiB whatever it is asked.
ChatServer::Handler saysMuch()
{
    return [](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
        const QByteArray much(kMiB, 'x');
        if (request.path.endsWith("/embeddings"))
            responder->send(200, {{"Content-Type", "application/json"}}, R"({"data":[],"x":")" + much + "\"}");
        else if (request.path.endsWith("/models"))
            responder->send(200, {{"Content-Type", "application/json"}}, R"({"data":[{"id":")" + much + "\"}]}");
        else
            ChatServer::answers(much)(request, std::move(responder));
    };
}

struct Scene : ServedScene
{
    explicit Scene(const gateway::Options& options = plainOptions())
        : ServedScene(gatewayWorkspace(), options)
    {
        server.on("first", saysMuch());
    }
    void join(const QByteArray& request) { deaf.push_back(std::make_unique<DeafClient>(port, request)); }
    qsizetype resets()
    {
        return std::ranges::count_if(deaf, [](const auto& each) { return each->isReset(); });
    }
    gateway::Figures now() const { return gateway->figures(); }
    QJsonObject state()
    {
        GatewayClient client(port);
        client.get("/api/state");
        return client.answer().json()[QLatin1String("gateway")].toObject();
    }
    std::vector<std::unique_ptr<DeafClient>> deaf;
};

gateway::Options limitedTo(qint64 unsent)
{
    gateway::Options options = plainOptions();
    options.limits.maxUnsentBytes = unsent;
    return options;
}

} // namespace

class TestUnreadAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void placesAreGivenBackWhenTheAnswerHasLeft_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::newRow("embeddings") << posted(kEmbeddings);
        QTest::newRow("whole chat") << posted(kWhole);
        QTest::newRow("small chat") << posted(kSmallChat);
        QTest::newRow("list") << kListed;
    }
    void placesAreGivenBackWhenTheAnswerHasLeft()
    {
        QFETCH(QByteArray, request);
        gateway::Options options = plainOptions();
        options.settings.maxInFlight = 1;
        options.settings.maxQueueWait = std::chrono::minutes(1);
        Scene scene(options);
        scene.join(request);
        QTRY_VERIFY(scene.now().unsentBytes > 0);
        QTRY_COMPARE(scene.core.inFlight(), 0);
        QCOMPARE(scene.now().inFlight, 1);
        GatewayClient sound(scene.port);
        sound.post(kEmbeddings.body, {}, kEmbeddings.path);
        QTRY_COMPARE(scene.now().queued, 1);
        QVERIFY(QTest::qWaitFor([&] {
            scene.deaf[0]->read();
            return scene.now().queued == 0;
        }));
        QCOMPARE(sound.answer().status, 200);
        QTRY_COMPARE(scene.now().inFlight, 0);
        QCOMPARE(scene.now().unsentBytes, 0);
        QCOMPARE(scene.now().unreadDrops, 0);
    }

    void whoDoesNotReadKeepsHisPlace()
    {
        Scene scene;
        for (int i = 0; i < 12; ++i)
            scene.join(posted(i % 2 ? kEmbeddings : kWhole));
        QTRY_COMPARE(scene.ended.size(), std::size_t(12));
        QCOMPARE(scene.core.inFlight(), 0);
        QCOMPARE(scene.now().inFlight, 12);
        QVERIFY(scene.now().unsentBytes > 6 * kMiB);
        QCOMPARE(scene.ask().status, 200);
        QTRY_COMPARE(scene.now().inFlight, 12);
        scene.deaf.clear();
        QTRY_COMPARE(scene.now().connections, 0);
        QCOMPARE(scene.now().inFlight, 0);
        QCOMPARE(scene.now().unsentBytes, 0);
        QCOMPARE(scene.now().unreadDrops, 0);
    }

    void whatIsNotReadIsBounded()
    {
        constexpr qint64 limit = 6 * kMiB;
        Scene scene(limitedTo(limit));
        QCOMPARE(scene.ask().status, 200); // what is there once
        scene.ended.clear();
        const auto before = qint64(observe::processFigures().residentBytes.value_or(0));
        qint64 most = 0;
        for (std::size_t i = 0; i < 24; ++i) {
            scene.join(i % 3 == 0 ? kListed : posted(kEmbeddings));
            QTRY_COMPARE(scene.now().requests, qint64(i + 2));
            QTRY_COMPARE(scene.core.inFlight(), 0);
            most = std::max(most, scene.now().unsentBytes);
        }
        QVERIFY2(most <= limit && most > limit / 2, qPrintable(QString::number(most)));
        QTRY_COMPARE(qint64(scene.resets()), scene.now().unreadDrops);
        QVERIFY2(scene.resets() >= 16, qPrintable(QString::number(scene.resets())));
        const auto memory = qint64(observe::processFigures().residentBytes.value_or(0)) - before;
        if (!kIsSanitized)
            QVERIFY2(memory < limit + 12 * kMiB, qPrintable(QString::number(memory)));

        QCOMPARE(scene.ask().status, 200);
        const QJsonObject state = scene.state();
        QCOMPARE(state[QLatin1String("unsent_bytes")].toInteger(), scene.now().unsentBytes);
        QCOMPARE(state[QLatin1String("unread_drops_total")].toInteger(), scene.now().unreadDrops);
        GatewayClient metrics(scene.port);
        metrics.get("/metrics");
        const QByteArray line =
            "switchgear_gateway_unread_drops_total " + QByteArray::number(scene.now().unreadDrops) + '\n';
        QVERIFY(metrics.answer().body.contains(line));

        scene.deaf.clear();
        metrics.socket.abort();
        QTRY_COMPARE(scene.now().connections, 0);
        QCOMPARE(scene.now().inFlight, 0);
        QCOMPARE(scene.now().unsentBytes, 0);
    }

    void theEndWaitsForNobodyWhoDoesNotRead()
    {
        gateway::Options options = plainOptions();
        options.settings.maxInFlight = 3;
        for (const bool isDrained : {true, false}) {
            options.settings.drain = Millis(50);
            Scene scene(options);
            for (int i = 0; i < 3; ++i)
                scene.join(posted(kEmbeddings));
            QTRY_COMPARE(scene.ended.size(), std::size_t(3));
            GatewayClient waiting(scene.port);
            waiting.post(chatBody());
            QTRY_COMPARE(scene.now().queued, 1);
            bool isDone = false;
            if (isDrained)
                scene.gateway->drain([&] { isDone = true; });
            else
                scene.gateway->cutOff(Millis(50), [&] { isDone = true; });
            QCOMPARE(waiting.answer().error()[QLatin1String("code")].toString(), QStringLiteral("stopping"));
            QTRY_VERIFY(isDone);
            QCOMPARE(scene.now().connections, 0);
            QCOMPARE(scene.now().inFlight, 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestUnreadAnswers)
#include "tst_unread_answers.moc"
