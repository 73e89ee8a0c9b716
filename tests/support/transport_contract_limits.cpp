// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/contract_pace.h"
#include "tests/support/transport_contract.h"

#include <QTcpServer>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace sg::testing {

using http::FailureKind;
using http::Request;
using Peer = MisbehavingServer::Peer;

namespace {

/// A listening socket whose queue is full: connects to it hang.
class Blackhole
{
public:
    Blackhole()
    {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        if (::bind(listener_, generic(), size) != 0 || ::listen(listener_, 0) != 0 ||
            ::getsockname(listener_, generic(), &size) != 0)
            return;
        for (int i = 0; i < 4; ++i) {
            fillers_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            full_ = ::connect(fillers_.back(), generic(), size) != 0 && errno == EINPROGRESS;
        }
    }
    ~Blackhole()
    {
        for (const int filler : fillers_)
            ::close(filler);
        ::close(listener_);
    }
    Blackhole(const Blackhole&) = delete;
    Blackhole& operator=(const Blackhole&) = delete;
    bool works() const { return full_; }
    QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(ntohs(address_.sin_port))); }

private:
    sockaddr* generic() { return reinterpret_cast<sockaddr*>(&address_); }

    int listener_ = -1;
    sockaddr_in address_{};
    std::vector<int> fillers_;
    bool full_ = false;
};

} // namespace

void TransportContract::limits_data()
{
    QTest::addColumn<QByteArray>("which");
    QTest::addColumn<int>("limitMs");
    QTest::addColumn<FailureKind>("expected");
    for (const int ms : {30, 150, 400}) {
        QTest::addRow("first byte %d", ms) << QByteArray("firstByte") << ms << FailureKind::FirstByteTimeout;
        QTest::addRow("idle %d", ms) << QByteArray("idle") << ms << FailureKind::IdleTimeout;
        QTest::addRow("total, silent, %d", ms) << QByteArray("total") << ms << FailureKind::TotalTimeout;
        QTest::addRow("total, dripping, %d", ms) << QByteArray("drip") << ms << FailureKind::TotalTimeout;
    }
}

/// The machine may be busy elsewhere: a limit has to keep its time in one of three attempts, and in none may it come
/// early or under another name.
void TransportContract::limits()
{
    QFETCH(QByteArray, which);
    QFETCH(int, limitMs);
    QFETCH(FailureKind, expected);
    server_->onRequest([which](Peer& peer) {
        if (which == "idle" || which == "drip")
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx");
        if (which == "drip")
            peer.drip("x", 10, 1000);
    });
    double late = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        Request request = post();
        const Nanos limit = Millis(limitMs);
        if (which == "firstByte")
            request.limits.firstByte = limit;
        else if (which == "idle")
            request.limits.idle = limit;
        else
            request.limits.total = limit;
        const auto got = start(request);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(expected));
        QVERIFY(got->outcome->detail.contains(QString::number(limitMs)));
        const http::Timing& t = got->outcome->timing;
        const Instant from = which == "firstByte" ? *t.sent : which == "idle" ? *t.lastByte : t.dispatched;
        late = toMs(t.end - from) - limitMs;
        QVERIFY2(late >= 0, "fired early");
        if (late < marginMs)
            break;
    }
    QVERIFY2(late < marginMs, qPrintable(QStringLiteral("%1 ms late").arg(late)));
}

void TransportContract::connectLimit()
{
    Blackhole hole;
    if (!hole.works())
        QSKIP("this system accepts connections beyond a listener's queue");
    double late = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        Request request = post();
        request.url = hole.url();
        request.limits.connect = Millis(200);
        request.limits.firstByte = Millis(50); // must not run yet
        request.limits.idle = Millis(50);
        const auto got = start(request);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(FailureKind::ConnectTimeout));
        late = got->tookMs() - 200;
        QVERIFY(late >= 0);
        if (late < marginMs)
            break;
    }
    QVERIFY2(late < marginMs, qPrintable(QStringLiteral("%1 ms late").arg(late)));
}

void TransportContract::drippingIsNotIdle()
{
    server_->onRequest([](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n");
        peer.drip("x", 20, 20);
    });
    Request request = post();
    request.limits.idle = Millis(300); // the whole answer takes longer than that
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body.size(), 20);
    QVERIFY(got->pieces > 5);
    QVERIFY(got->tookMs() > 300);
}

void TransportContract::limitsAllowWhatIsInTime()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    for (int i = 0; i < 3; ++i) {
        Request request = post();
        request.limits.connect = request.limits.firstByte = request.limits.idle = Nanos(Millis(2000));
        const auto got = start(request);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(FailureKind::None));
    }
}

void TransportContract::totalRunsInTheQueue()
{
    restart(1);
    const auto first = start(post());
    Request request = post();
    request.limits = {};
    request.limits.connect = request.limits.firstByte = request.limits.idle = Nanos(Millis(20)); // do not run yet
    request.limits.total = Millis(200);
    const auto second = start(request);
    QCOMPARE(transport_->figures().queued, 1);
    QTRY_VERIFY(second->outcome);
    QCOMPARE(second->failure(), named(FailureKind::TotalTimeout));
    QVERIFY(second->tookMs() >= 200);
    QVERIFY(!second->outcome->timing.sent);
    QCOMPARE(transport_->figures().queued, 0);
    QCOMPARE(server_->heads(), 1);
    QVERIFY(!first->outcome);
}

namespace {

/// Sends the first client headers as fast as it takes them, from a thread of its own: slower ones do no harm.
class HeaderFlood
{
public:
    HeaderFlood()
    {
        const int yes = 1;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        door_ = ::socket(AF_INET, SOCK_STREAM, 0);
        ::setsockopt(door_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (::bind(door_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(door_, 16) != 0)
            qFatal("no port");
        ::getsockname(door_, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~HeaderFlood()
    {
        over_ = true;
        ::shutdown(door_, SHUT_RDWR); // ends accept()
        thread_.join();
        ::close(door_);
    }

    int port = 0;
    std::atomic<bool> wasLeft = false; ///< the first client has closed

private:
    void serve()
    {
        const int first = ::accept(door_, nullptr, nullptr);
        const QByteArray begin = "HTTP/1.1 200 OK\r\nX-Long: ", more(64 * 1024, 'b');
        ::send(first, begin.constData(), static_cast<std::size_t>(begin.size()), MSG_NOSIGNAL);
        std::thread flood([&] {
            while (!over_ && ::send(first, more.constData(), static_cast<std::size_t>(more.size()), MSG_NOSIGNAL) > 0) {
            }
            wasLeft = !over_;
        });
        const QByteArray good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
        for (int next = ::accept(door_, nullptr, nullptr); next >= 0; next = ::accept(door_, nullptr, nullptr)) {
            char head[4096];
            if (::recv(next, head, sizeof head, 0) > 0)
                ::send(next, good.constData(), static_cast<std::size_t>(good.size()), MSG_NOSIGNAL);
            ::shutdown(next, SHUT_WR);
            while (::recv(next, head, sizeof head, 0) > 0) {
            }
            ::close(next);
        }
        over_ = true;
        ::shutdown(first, SHUT_RDWR);
        flood.join();
        ::close(first);
    }

    int door_ = -1;
    std::atomic<bool> over_ = false;
    std::thread thread_;
};

} // namespace

void TransportContract::headersWithoutEnd()
{
    HeaderFlood server;
    Request request = post();
    request.url.setPort(server.port);
    request.limits.firstByte = Millis(300);
    request.limits.total = Millis(3000);
    const auto flooded = start(request);
    QTRY_VERIFY(flooded->outcome);
    // A transport that bounds what it keeps of headers may end it earlier.
    if (flooded->failure() != named(FailureKind::Protocol))
        QCOMPARE(flooded->failure(), named(FailureKind::FirstByteTimeout));
    const auto after = start(request);
    QTRY_VERIFY(after->outcome);
    QCOMPARE(after->failure(), named(FailureKind::None));
    QCOMPARE(after->body, QByteArray("ok"));
    QTRY_VERIFY(server.wasLeft);
}

void TransportContract::floodAgainstAPause()
{
    constexpr qint64 total = 48 * 1024 * 1024;
    server_->onRequest([](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(total) + "\r\n\r\n");
        peer.flood(total);
    });
    std::shared_ptr<http::Exchange> exchange;
    const auto got = start(post(), &exchange);
    got->atHeaders = [&] { exchange->setPaused(true); };
    QTRY_COMPARE(got->status, 200);
    qint64 before = -1;
    const auto stands = [&] {
        const qint64 now = server_->lastPeer()->flooded();
        return std::exchange(before, now) == now;
    };
    QTRY_VERIFY(stands()); // polled: the same figure twice, so the server can write no more
    // Both kernel buffers may grow to several MiB; the rest of the flood has to wait outside.
    QVERIFY2(before < 24 * 1024 * 1024, qPrintable(QString::number(before)));
    QCOMPARE(got->pieces, 0);
    exchange->setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT(got->outcome, 20000);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body.size(), total);
    QVERIFY(got->body.count('0') == total);
}

void TransportContract::finishedWaitsForThePause()
{
    server_->onRequest([](Peer& peer) {
        peer.send(answer(200, "hello"));
        peer.close();
    });
    std::shared_ptr<http::Exchange> exchange;
    const auto got = start(post(), &exchange);
    got->atHeaders = [&] { exchange->setPaused(true); };
    QTRY_COMPARE(got->status, 200);
    letPass(100);
    QVERIFY(!got->outcome);
    QCOMPARE(got->pieces, 0);
    exchange->setPaused(false);
    QCOMPARE(got->pieces, 0); // never from inside the call
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body, QByteArray("hello"));
}

void TransportContract::anUploadThatStandsStillEndsByTheFirstByte()
{
    QTcpServer deaf; // the kernel connects and takes what its buffers hold; nobody reads
    QVERIFY(deaf.listen(QHostAddress::LocalHost));
    deaf.pauseAccepting();
    Request request = post();
    request.url.setPort(deaf.serverPort());
    request.body = QByteArray(32 << 20, 'x');
    request.limits.firstByte = Millis(200);
    request.limits.total = Millis(20'000);
    const auto got = start(request);
    QTRY_VERIFY_WITH_TIMEOUT(got->outcome, 25'000);
    QCOMPARE(got->failure(), named(FailureKind::FirstByteTimeout));
}

void TransportContract::idleDoesNotRunWhilePaused()
{
    server_->onRequest([](Peer& peer) { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx"); });
    std::shared_ptr<http::Exchange> exchange;
    Request request = post();
    request.limits.idle = Millis(100);
    const auto got = start(request, &exchange);
    got->atBody = [&] { exchange->setPaused(true); };
    QTRY_COMPARE(got->pieces, 1);
    letPass(300);
    QVERIFY(!got->outcome);
    exchange->setPaused(false);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::IdleTimeout));
}

void TransportContract::errorBody_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("framing");
    QTest::addColumn<bool>("paused");
    std::vector<int> statuses{302, 403, 429, 503};
    if (factory_({})->figures().name == QLatin1String("curl"))
        statuses.push_back(401); // of which Qt tells nothing before its body has ended
    for (const int status : statuses) {
        QTest::addRow("%d with a length", status) << status << QByteArray("Content-Length: 100000\r\n") << false;
        QTest::addRow("%d until close", status) << status << QByteArray("Connection: close\r\n") << false;
        QTest::addRow("%d paused", status) << status << QByteArray("Content-Length: 100000\r\n") << true;
    }
}

void TransportContract::errorBody()
{
    QFETCH(int, status);
    QFETCH(QByteArray, framing);
    QFETCH(bool, paused);
    server_->onRequest([&](Peer& peer) {
        peer.send("HTTP/1.1 " + QByteArray::number(status) + " X\r\nRetry-After: 7\r\n" + framing + "\r\n");
        peer.drip("x", 10, 1000);
    });
    double late = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        Request request = post();
        request.limits.errorBody = Millis(150);
        request.limits.idle = request.limits.total = Millis(8000);
        std::shared_ptr<http::Exchange> handle;
        const auto got = start(request, &handle);
        got->atHeaders = [&] { handle->setPaused(paused); };
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(FailureKind::ErrorBodyTimeout));
        QCOMPARE(got->status, status);
        QCOMPARE(http::headerValue(got->headers, "retry-after"), QByteArray("7"));
        QCOMPARE(got->body.isEmpty(), paused);
        late = toMs(got->outcome->timing.end - *got->outcome->timing.headers) - 150;
        QVERIFY2(late >= 0, "fired early");
        if (late < marginMs)
            break;
    }
    QVERIFY2(late < marginMs, qPrintable(QStringLiteral("%1 ms late").arg(late)));
    QTRY_COMPARE(server_->open(), 0);
}

/// It is a matter of errors alone, and of those that take longer.
void TransportContract::errorBodyInTime()
{
    int status = 200;
    server_->onRequest([&](Peer& peer) {
        peer.send("HTTP/1.1 " + QByteArray::number(status) + " X\r\nContent-Length: 10\r\n\r\n");
        peer.drip("x", status == 200 ? 40 : 5, 10);
    });
    Request request = post();
    request.limits.errorBody = Millis(250);
    for (const int each : {200, 503}) {
        status = each;
        if (each == 503)
            request.limits.errorBody = Millis(5000);
        const auto got = start(request);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(FailureKind::None));
        QCOMPARE(got->body, QByteArray(10, 'x'));
    }
}

void TransportContract::bodyTooLarge_data()
{
    QTest::addColumn<QByteArray>("framing");
    QTest::addColumn<qint64>("delivered");
    QTest::newRow("announced") << QByteArray("Content-Length: 10000000\r\n") << qint64(0);
    QTest::newRow("until close") << QByteArray("Connection: close\r\n") << qint64(100000);
}

void TransportContract::bodyTooLarge()
{
    QFETCH(QByteArray, framing);
    QFETCH(qint64, delivered);
    server_->onRequest([framing](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\n" + framing + "\r\n");
        peer.flood(10'000'000);
    });
    Request request = post();
    request.limits.maxBodyBytes = 100000;
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::BodyTooLarge));
    QCOMPARE(got->body.size(), delivered);
    QCOMPARE(got->outcome->bodyBytes, delivered);
    QTRY_COMPARE(server_->open(), 0); // nobody goes on paying for it
}

} // namespace sg::testing
