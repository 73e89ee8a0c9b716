// SPDX-License-Identifier: GPL-3.0-or-later
// Long bodies are read beside the thread in which everybody's tokens wait, a few at a time.
#include "core/gateway/chat_request.h"
#include "core/gateway/long_bodies.h"
#include "tests/core/gateway/served_scene.h"
#include "tests/support/api_bench.h"

#include <QElapsedTimer>
#include <QTimer>

#include <semaphore>

using namespace sg;
using namespace sg::test;
using gateway::Exchange;
using gateway::LongBodies;

namespace {

const QByteArray kLong(LongBodies::kShort + 1, 'x');

std::counting_semaphore<> mayRead{0};
std::atomic<int> haveRead = 0;

std::atomic<bool> wasLetRead = true;
std::atomic<int> beingRead = 0, madeThere = 0;

/// Counts how many of it there are.
struct Made
{
    Made() { ++madeThere; }
    Made(const Made&) { ++madeThere; }
    ~Made() { --madeThere; }
    Made& operator=(const Made&) = default;
};

Made makeWhenTold(const QByteArray&)
{
    ++beingRead;
    wasLetRead = mayRead.try_acquire_for(std::chrono::seconds(20));
    Made made;
    --beingRead;
    return made;
}

qsizetype readWhenTold(const QByteArray& body)
{
    mayRead.acquire();
    ++haveRead;
    return body.size();
}

/// Bodies that are not read before the test says so, and what became of each.
struct Readers
{
    explicit Readers(qsizetype mostWaiting = LongBodies::kMostWaiting)
        : bodies(mostWaiting)
    {
        haveRead = 0;
    }
    ~Readers()
    {
        letRead(64); // or their threads would never end
        (void)QTest::qWaitFor([&] { return isDone(); });
        while (mayRead.try_acquire()) {
        }
    }
    void letRead(int count) { mayRead.release(count); }
    bool isDone() const { return std::size_t(read.size()) + left + refused == clients.size(); }

    void add()
    {
        const auto client = std::make_shared<KeptAnswer>();
        Exchange exchange;
        exchange.request.body = kLong;
        exchange.responder = client;
        exchange.requestId = QByteArray::number(clients.size());
        exchange.onEnded = &onEnded;
        clients.push_back(client);
        bodies.read<qsizetype>(
            std::move(exchange), readWhenTold,
            [this](qsizetype size, const Exchange& whose) {
                QCOMPARE(size, kLong.size());
                QVERIFY(whose.isLong);
                read << whose.requestId;
            },
            [this](bool clientLeft) { ++(clientLeft ? left : refused); });
    }
    void add(int count)
    {
        for (int i = 0; i < count; ++i)
            add();
    }

    std::vector<gateway::Ended> told;
    gateway::OnEnded onEnded = [this](const gateway::Ended& each) { told.push_back(each); };
    std::vector<Kept> clients;
    QByteArrayList read;
    std::size_t left = 0, refused = 0;
    LongBodies bodies;
};

QByteArray shortMessages(int count)
{
    QByteArray all;
    for (int i = 0; i < count; ++i)
        all += R"({"role":"user","content":"hi"},)";
    return R"({"model":"nobody","messages":[)" + all.chopped(1) + "]}";
}

QByteArray headOf(const QByteArray& path, qsizetype length)
{
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
           QByteArray::number(length) + "\r\n\r\n";
}

} // namespace

class TestLongBodies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyoneIsReadInTheEnd()
    {
        Readers readers;
        readers.add(12);
        QCOMPARE(readers.read.size(), 0); // however many there are
        QCOMPARE(haveRead.load(), 0);
        readers.letRead(12);
        QTRY_COMPARE(readers.read.size(), 12);
        QCOMPARE(readers.left + readers.refused, std::size_t(0));
    }

    void whoLeavesIsToldAtOnceAndNotRead()
    {
        Readers readers;
        readers.add(6);
        readers.clients[5]->leave(); // waits
        readers.clients[0]->leave(); // is being read
        QCOMPARE(readers.left, std::size_t(2));
        QCOMPARE(readers.bodies.clientsLeft(), 2);
        QCOMPARE(readers.told.size(), std::size_t(2));
        for (const gateway::Ended& each : readers.told)
            QCOMPARE(each.status, gateway::kClientLeft);
        readers.letRead(6);
        QTRY_COMPARE(readers.read.size(), 4);
        std::sort(readers.read.begin(), readers.read.end());
        QCOMPARE(readers.read, (QByteArrayList{"1", "2", "3", "4"}));
        QCOMPARE(haveRead.load(), 5);
        QCOMPARE(readers.bodies.cutOffTotal(), 0);
    }

    void whoIsCutOffIsToldSo()
    {
        Readers readers;
        readers.add(5);
        readers.bodies.cutOff();
        QCOMPARE(readers.bodies.cutOffTotal(), 5);
        QCOMPARE(readers.bodies.clientsLeft(), 0);
        QCOMPARE(readers.refused, std::size_t(5));
        QCOMPARE(readers.told.size(), std::size_t(5));
        for (const gateway::Ended& each : readers.told)
            QCOMPARE(each.code, QStringLiteral("stopping"));
        for (const Kept& client : readers.clients) {
            QCOMPARE(client->status, 503);
            QCOMPARE(client->error()["code"_L1].toString(), QStringLiteral("stopping"));
        }
        readers.letRead(5);
        readers.add(); // behind those that were being read
        QTRY_COMPARE(readers.read, QByteArrayList{"5"});
        QVERIFY(haveRead <= 3);
    }

    void whatIsReadIsNotWaitedForAtTheEnd()
    {
        const auto client = std::make_shared<KeptAnswer>();
        bool isTold = false;
        {
            LongBodies bodies;
            Exchange exchange;
            exchange.request.body = kLong;
            exchange.responder = client;
            bodies.read<Made>(
                std::move(exchange), makeWhenTold, [&](const Made&, const Exchange&) { isTold = true; },
                [&](bool) { isTold = true; });
            QTRY_COMPARE(beingRead.load(), 1);
        }
        QCOMPARE(beingRead.load(), 1);
        mayRead.release();
        QTRY_COMPARE(beingRead.load(), 0);
        QTRY_COMPARE(madeThere.load(), 0); // by the thread that nobody has any more
        QVERIFY(wasLetRead);
        QVERIFY(!isTold);
    }

    void thoseThatWaitAreBounded()
    {
        Readers readers(3 * kLong.size());
        readers.add(10);
        QVERIFY(readers.refused == 5 || readers.refused == 6); // one or two are being read
        const KeptAnswer& last = *readers.clients.back();
        QCOMPARE(last.status, 503);
        QCOMPARE(last.error()["code"_L1].toString(), QStringLiteral("queue_full"));
        QCOMPARE(last.header("Retry-After"), QByteArray("1"));
        QCOMPARE(readers.told.size(), readers.refused);
        readers.clients[3]->leave(); // who leaves makes room
        const std::size_t refused = readers.refused;
        readers.add();
        QCOMPARE(readers.refused, refused);
        readers.letRead(10);
        QTRY_VERIFY(readers.isDone());
        readers.add();
        QCOMPARE(readers.refused, refused);
    }

    void theyHoldNobodyUp()
    {
        const QByteArray body = shortMessages(150'000);
        QElapsedTimer clock;
        clock.start();
        QVERIFY(gateway::readChat(body));
        const qint64 one = clock.elapsed();
        ServedScene scene;
        std::vector<std::unique_ptr<GatewayClient>> clients;
        for (int i = 0; i < 12; ++i) {
            clients.push_back(std::make_unique<GatewayClient>(scene.port));
            clients.back()->send(headOf("/v1/chat/completions", body.size()) + body.chopped(1));
        }
        QVERIFY(QTest::qWaitFor(
            [&] {
                return std::all_of(clients.begin(), clients.end(),
                                   [](const auto& client) { return client->socket.bytesToWrite() == 0; });
            },
            60'000));
        qint64 longest = 0;
        QTimer tick;
        QObject::connect(&tick, &QTimer::timeout, &tick, [&] { longest = std::max(longest, clock.restart()); });
        clock.restart();
        tick.start(20);
        for (const auto& client : clients)
            client->send(body.last(1));
        for (const auto& client : clients)
            QCOMPARE(client->answer().status, 404);
        qInfo("one takes %lld ms to be read; the longest of 12: %lld ms at a time", qlonglong(one), qlonglong(longest));
        QVERIFY2(longest < one, qPrintable(QStringLiteral("%1 of %2 ms").arg(longest).arg(one)));
    }

    void othersAreAnsweredMeanwhile_data()
    {
        QTest::addColumn<QByteArray>("path");
        for (const char* path : {"/v1/chat/completions", "/v1/embeddings", "/chat"})
            QTest::newRow(path) << QByteArray(path);
    }
    void othersAreAnsweredMeanwhile()
    {
        QFETCH(QByteArray, path);
        const QByteArray many = QByteArray(R"({"a":"b"},)").repeated(1'000'000).chopped(1);
        const QByteArray body = R"({"model":"nobody","message":"hi","input":"hi","x":[)" + many + "]}";
        ServedScene scene;
        GatewayClient slow(scene.port), quick(scene.port);
        slow.send(headOf(path, body.size()) + body);
        QVERIFY(QTest::qWaitFor([&] { return scene.gateway->figures().requests == 1; }, 20'000));
        quick.get("/api/state");
        QCOMPARE(quick.answer().status, 200);
        QVERIFY(slow.bytes().isEmpty());
        QVERIFY(slow.answer().status >= 400);
    }

    void whoIsReadAsTheGatewayStopsIsTold()
    {
        const QByteArray many = QByteArray(R"({"a":"b"},)").repeated(100'000).chopped(1);
        const QByteArray body = R"({"model":"m-first","message":"hi","input":"hi","x":[)" + many + "]}";
        for (const bool isItsEnd : {false, true}) {
            gateway::Options options = plainOptions();
            options.settings.maxInFlight = 1; // none of them is sent
            ServedScene scene(gatewayWorkspace(), options);
            std::shared_ptr<http::Responder> held;
            scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
                held = std::move(responder);
            });
            std::vector<std::unique_ptr<GatewayClient>> clients;
            for (int i = 0; i < 6; ++i)
                clients.push_back(std::make_unique<GatewayClient>(scene.port));
            clients[0]->post(chatBody());
            QTRY_VERIFY(held);
            for (std::size_t i = 1; i < clients.size(); ++i)
                clients[i]->post(body, {}, i % 2 ? "/v1/embeddings" : "/chat");
            QTRY_COMPARE(scene.gateway->figures().requests, 6);
            bool isDone = isItsEnd;
            if (isItsEnd)
                scene.gateway.reset();
            else
                scene.gateway->cutOff(Millis(250), [&] { isDone = true; });
            QCOMPARE(scene.ended.size(), clients.size());
            for (const gateway::Ended& each : scene.ended)
                QCOMPARE(each.code, QStringLiteral("stopping"));
            QTRY_VERIFY(isDone);
            for (const auto& client : clients)
                QCOMPARE(client->answer().error()["code"_L1].toString(), QStringLiteral("stopping"));
        }
    }

    void whatIsLetInIsBoundedByItsBytes()
    {
        gateway::Options options = plainOptions();
        options.limits.maxBufferedBytes = 2'000'000;
        ServedScene scene(gatewayWorkspace(), options);
        std::vector<std::shared_ptr<http::Responder>> held;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            held.push_back(std::move(responder));
        });
        const QByteArray body = chatBody({}, "chat", QByteArray(300'000, 'x'));
        GatewayClient first(scene.port), second(scene.port), little(scene.port), third(scene.port);
        first.post(body);
        QTRY_COMPARE(held.size(), std::size_t(1)); // its body has been taken by the provider, and is kept for another
        second.send(headOf("/v1/chat/completions", body.size()));
        const WireAnswer refused = second.answer(); // before any of it was sent
        QCOMPARE(refused.status, 503);
        QCOMPARE(refused.header("Retry-After"), QByteArray("1"));
        QCOMPARE(refused.error()["type"_L1].toString(), QStringLiteral("api_error"));
        QCOMPARE(scene.ended.size(), std::size_t(1));
        QCOMPARE(scene.ended[0].status, 503);
        little.post(chatBody());
        QTRY_COMPARE(held.size(), std::size_t(2));
        for (const auto& each : held)
            ChatServer::answers("fine")({}, each);
        QCOMPARE(first.answer().status, 200);
        QCOMPARE(little.answer().status, 200);
        third.post(body);
        QTRY_COMPARE(held.size(), std::size_t(3));
        third.socket.abort(); // who leaves gives it back, too
        QTRY_COMPARE(scene.gateway->figures().inFlight, 0);
        GatewayClient fourth(scene.port);
        fourth.post(body);
        QTRY_COMPARE(held.size(), std::size_t(4));
    }
};

QTEST_GUILESS_MAIN(TestLongBodies)
#include "tst_long_bodies.moc"
