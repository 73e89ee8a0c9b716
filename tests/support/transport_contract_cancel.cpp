// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/server.h"
#include "tests/support/contract_pace.h"
#include "tests/support/transport_contract.h"

#include <QCoreApplication>
#include <QTcpServer>
#include <QTest>
#include <QThread>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::testing {

using http::FailureKind;
using http::Request;
using Peer = MisbehavingServer::Peer;

namespace {

double medianMs(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) / 2];
}

/// A server in a thread of its own that answers after 200 ms and knows how long each answer really took.
class SlowServer
{
public:
    SlowServer()
    {
        thread_.start();
        context_.moveToThread(&thread_);
        QMetaObject::invokeMethod(
            &context_,
            [this] {
                server_ = std::make_unique<http::Server>([this](auto request, auto responder) {
                    QTimer::singleShot(200, Qt::PreciseTimer, &context_, [this, responder, from = request.received] {
                        responder->send(200, {}, "ok");
                        took_.push_back(toMs(http::steadyNow() - from));
                    });
                });
                port_ = server_->listen().value_or(0);
            },
            Qt::BlockingQueuedConnection);
    }
    ~SlowServer() { stop(); }
    std::vector<double> stop()
    {
        if (thread_.isRunning()) {
            QMetaObject::invokeMethod(
                &context_, [this] { server_.reset(); }, Qt::BlockingQueuedConnection);
            thread_.quit();
            thread_.wait();
        }
        return took_;
    }
    QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(port_)); }

private:
    QThread thread_;
    QObject context_;
    std::unique_ptr<http::Server> server_;
    std::vector<double> took_;
    quint16 port_ = 0;
};

} // namespace

void TransportContract::cancelAnywhere_data()
{
    QTest::addColumn<QByteArray>("where");
    for (const char* where : {"at once", "waiting", "headers", "body", "paused", "finished", "queued"})
        QTest::newRow(where) << QByteArray(where);
}

void TransportContract::cancelAnywhere()
{
    QFETCH(QByteArray, where);
    restart(1);
    const bool answers = where != "waiting" && where != "queued";
    server_->onRequest([answers](Peer& peer) {
        if (answers)
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
    });
    std::shared_ptr<Recorder> blocker;
    if (where == "queued")
        blocker = start(post());
    std::shared_ptr<http::Exchange> exchange;
    const auto got = start(post(), &exchange);
    const auto cancel = [&] { exchange->cancel(); };
    if (where == "headers")
        got->atHeaders = cancel;
    else if (where == "body")
        got->atBody = cancel;
    else if (where == "paused")
        got->atHeaders = [&] { exchange->setPaused(true), exchange->cancel(); };
    else if (where == "finished")
        got->atBody = got->atFinished = cancel; // the second one comes from inside finished
    else if (where == "at once")
        cancel();
    if (where == "waiting" || where == "queued") {
        QTRY_COMPARE(server_->requests(), 1);
        cancel();
    }
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::Cancelled));
    exchange->cancel();
    exchange->setPaused(true);
    exchange->setPaused(false);
    letPass(30);
    QVERIFY(!got->orderBroken);
    if (blocker)
        QVERIFY(!blocker->outcome);
    QCOMPARE(transport_->figures().inFlight, blocker ? 1 : 0);
    QCOMPARE(transport_->figures().queued, 0);
}

/// The transport's own threads may still ask for the body of what is over and gone. For the sanitizers: elsewhere it
/// only writes into memory that is somebody else's.
void TransportContract::cancelOnItsWay()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    server.pauseAccepting(); // the kernel answers for it, so nothing here has to turn for the bytes to come
    const int door = static_cast<int>(server.socketDescriptor());
    const auto comes = [](int descriptor, int ms) {
        pollfd look{descriptor, POLLIN, 0};
        return ::poll(&look, 1, ms) > 0;
    };
    for (int round = 0; round < 10; ++round) {
        restart(1);
        http::Request request = post();
        request.url.setPort(server.serverPort());
        std::shared_ptr<http::Exchange> exchange;
        const auto got = start(request, &exchange);
        for (int turns = 0; turns < 1000 && !comes(door, 2); ++turns)
            QCoreApplication::processEvents();
        const int peer = ::accept4(door, nullptr, nullptr, SOCK_CLOEXEC);
        QVERIFY(peer >= 0);
        comes(peer, 50); // the headers, where they go before the body is asked for
        exchange->cancel();
        exchange.reset();
        letPass(10);
        ::close(peer);
        QCOMPARE(got->failure(), named(FailureKind::Cancelled));
    }
}

/// Long bodies, cancelled at every moment of their way: before, while and after the transport's thread takes them.
void TransportContract::cancelWhileMuchIsSent()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    const QByteArray much(2 * 1024 * 1024, 'x');
    for (int round = 0; round < 40; ++round) {
        std::vector<Recording> all;
        std::vector<std::shared_ptr<http::Exchange>> exchanges(6);
        for (auto& exchange : exchanges)
            all.push_back(start(post(much), &exchange));
        for (int turns = 0; turns < round; ++turns)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        for (auto& exchange : exchanges)
            exchange->cancel();
        exchanges.clear();
        for (const Recording& got : all)
            QVERIFY(got->outcome);
    }
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
}

void TransportContract::startsFromFinished()
{
    restart(1);
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    std::vector<Recording> chain{start(post())};
    std::function<void()> next = [&] {
        if (chain.size() == 50)
            return;
        auto recording = std::make_shared<Recorder>();
        recording->atFinished = next;
        chain.push_back(recording);
        transport_->start(post(), recording);
    };
    chain.front()->atFinished = next;
    QTRY_VERIFY(chain.size() == 50 && chain.back()->outcome);
    for (const auto& got : chain)
        QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(server_->connections(), 1);
}

void TransportContract::droppedHandleDoesNotCancel()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    std::shared_ptr<http::Exchange> exchange;
    const auto got = start(post(), &exchange);
    exchange.reset();
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
}

void TransportContract::destroyedTransportFinishes()
{
    restart(1);
    std::shared_ptr<http::Exchange> exchange;
    const auto running = start(post(), &exchange);
    const auto queued = start(post());
    QTRY_COMPARE(server_->heads(), 1);
    transport_.reset();
    QCOMPARE(running->failure(), named(FailureKind::Cancelled));
    QCOMPARE(queued->failure(), named(FailureKind::Cancelled));
    exchange->cancel();
    exchange->setPaused(true);
    QVERIFY(!running->orderBroken && !queued->orderBroken);
}

void TransportContract::capAndOrder()
{
    constexpr int cap = 10;
    constexpr int count = 200;
    restart(cap);
    std::vector<int> order;
    server_->onRequest([&order](Peer& peer) {
        order.push_back(peer.body.toInt());
        QTimer::singleShot(2, &peer, [&peer] { peer.send(answer(200, "ok")); });
    });
    std::vector<Recording> all;
    for (int i = 0; i < count; ++i)
        all.push_back(start(post(QByteArray::number(i))));
    QCOMPARE(transport_->figures().inFlight, cap);
    QCOMPARE(transport_->figures().queued, count - cap);
    QTRY_VERIFY_WITH_TIMEOUT(std::all_of(all.begin(), all.end(), [](const auto& got) { return got->outcome; }), 20000);
    for (const auto& got : all)
        QCOMPARE(got->failure(), named(FailureKind::None));
    QVERIFY(server_->mostOpen() <= cap);
    QCOMPARE(server_->connections(), server_->mostOpen()); // each was used to the end
    for (std::size_t i = 0; i < order.size(); ++i)         // none overtakes by more than those on the wire
        QVERIFY(std::abs(order[i] - static_cast<int>(i)) < cap);
}

void TransportContract::concurrencyKeepsTheServersTruth()
{
    if (instrumented)
        QSKIP("timings of an instrumented build say nothing");
    double client = 0;
    double truth = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        SlowServer slow;
        restart(100);
        std::vector<Recording> all;
        int next = 0;
        std::function<void()> more = [&] {
            if (next == 200)
                return;
            ++next;
            auto recording = std::make_shared<Recorder>();
            recording->atFinished = more;
            all.push_back(recording);
            Request request = post();
            request.url = slow.url();
            transport_->start(request, recording);
        };
        for (int i = 0; i < 100; ++i)
            more();
        QTRY_VERIFY_WITH_TIMEOUT(all.size() == 200 &&
                                     std::all_of(all.begin(), all.end(), [](const auto& got) { return got->outcome; }),
                                 20000);
        std::vector<double> times;
        for (const auto& got : all) {
            QCOMPARE(got->failure(), named(FailureKind::None));
            times.push_back(toMs(*got->outcome->timing.lastByte - *got->outcome->timing.sent));
        }
        client = medianMs(times);
        transport_.reset();
        truth = medianMs(slow.stop());
        if (client <= truth * 1.1)
            break;
    }
    qInfo("p50 %.1f ms, by the server's own count %.1f ms", client, truth);
    QVERIFY(client <= truth * 1.1 && client >= truth * 0.9);
}

} // namespace sg::testing
