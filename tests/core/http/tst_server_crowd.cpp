// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/descriptors.h"
#include "tests/support/few_descriptors.h"
#include "tests/support/server_fixture.h"

#include <QTimer>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace sg;
using http::ServerLimits;
using testing::Client;
using testing::get;

namespace {

/// Connections that only stay open.
class Crowd
{
public:
    ~Crowd()
    {
        for (const int fd : open_)
            ::close(fd);
    }
    bool join(quint16 port, const QByteArray& bytes = {})
    {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
            return false;
        open_.push_back(fd);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            return false;
        return ::send(fd, bytes.constData(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL) == bytes.size();
    }

private:
    std::vector<int> open_;
};

int openDescriptors()
{
    int count = 0;
    for (int fd = 0; fd < 65536 && count < 65536; ++fd)
        count += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
    return count;
}

} // namespace

/// Many clients, no descriptors left, and the end of service.
class tst_server_crowd : public QObject, private testing::ServerFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { descriptors_ = http::raiseDescriptorLimit(); }
    void cleanup() { forget(); }

    void serviceGoesOnBesideIdleAndSlowClients()
    {
        const int wanted =
            qEnvironmentVariableIsSet("SWITCHGEAR_CROWD") ? qEnvironmentVariableIntValue("SWITCHGEAR_CROWD") : 1000;
        const int each = std::min(wanted, (descriptors_ - 200) / 4);
        if (each < 100)
            QSKIP("too few descriptors");
        ServerLimits limits;
        limits.headerTimeout = std::chrono::seconds(60);
        limits.maxConnections = 2 * each + 1;
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Crowd idle, slow;
        for (int i = 0; i < each; ++i) {
            QVERIFY(idle.join(port_, get()) && slow.join(port_, "GET / HT"));
            if (i % 50 == 0)
                QCoreApplication::processEvents();
        }
        QTRY_COMPARE_WITH_TIMEOUT(server_->connectionCount(), 2 * each, 20000);
        QTRY_COMPARE(server_->requestCount(), quint64(each));
        Client live(port_);
        for (int i = 0; i < 20; ++i) {
            live.answer.clear();
            live.send(get());
            QTRY_VERIFY(live.got().endsWith("ok"));
        }
        QCOMPARE(server_->requestCount(), quint64(each + 20));
    }

    void parkedConnectionsComeBack()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, s.request.path); };
        Client client(port_, get("/1"));
        QTRY_VERIFY(client.got().endsWith("/1"));
        auto leaves = std::make_unique<Client>(port_, get("/x"));
        QTRY_COMPARE(server_->connectionCount(), 2);
        // Long enough to be put aside; either way nothing of it is seen from outside.
        QTRY_VERIFY_WITH_TIMEOUT(http::steadyNow() - seen_.back().request.received > Millis(1700), 5000);
        client.answer.clear();
        client.send(get("/2"));
        QTRY_VERIFY(client.got().endsWith("/2"));
        QCOMPARE(seen_.back().request.connectionId, seen_.front().request.connectionId);
        QCOMPARE(server_->connectionsAccepted(), quint64(2));
        leaves.reset();
        QTRY_COMPARE(server_->connectionCount(), 1);
        client.socket.abort();
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void parkedConnectionsTimeOut()
    {
        ServerLimits limits;
        limits.idleTimeout = Millis(1600);
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Client client(port_, get());
        QTRY_VERIFY(client.closed());
        QCOMPARE(client.status(), 200);
        QVERIFY(http::steadyNow() - seen_.back().request.received >= limits.idleTimeout);
        QCOMPARE(server_->connectionCount(), 0);
    }

    void goesOnWithoutDescriptors()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Client before(port_, get());
        QTRY_COMPARE(before.status(), 200);
        std::vector<std::unique_ptr<Client>> clients;
        for (int i = 0; i < 5; ++i)
            clients.push_back(std::make_unique<Client>(port_)); // their own ends exist before the limit falls
        for (const auto& client : clients)
            client->socket.waitForConnected(5000);
        // They wait in the backlog; nothing has turned the event loop since.
        test::FewDescriptors none(0);
        for (const auto& client : clients)
            client->send(get());
        for (const auto& client : clients) {
            QTRY_COMPARE(client->status(), 503);
            QVERIFY(client->answer.contains("Retry-After: "));
            QTRY_VERIFY(client->closed());
        }
        before.answer.clear();
        before.send(get());
        QTRY_COMPARE(before.status(), 200); // who is in is served
        QCOMPARE(server_->refusedCount(), quint64(5));
        none.giveBack();
        Client after(port_, get());
        QTRY_COMPARE(after.status(), 200);
    }

    void leavesDescriptorsForItsErrands()
    {
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &old), 0);
        rlimit low = old;
        low.rlim_cur = static_cast<rlim_t>(openDescriptors()) + 20;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
        serve();
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &old), 0); // the test's own ends need some, too
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        std::vector<std::unique_ptr<Client>> clients;
        for (int i = 0; i < http::connectionsWithin(static_cast<int>(low.rlim_cur), -1); ++i)
            clients.push_back(std::make_unique<Client>(port_, get()));
        for (const auto& client : clients)
            QTRY_COMPARE(client->status(), 200);
        Client more(port_, get());
        QTRY_COMPARE(more.status(), 503);
    }

    void otherErrandsCountAtOnce()
    {
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &old), 0);
        rlimit low = old;
        low.rlim_cur = 20; // fewer than there are: only what is said of it counts
        const auto withFew = [&](const auto& call) {
            ::setrlimit(RLIMIT_NOFILE, &low);
            call();
            ::setrlimit(RLIMIT_NOFILE, &old);
        };
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        std::vector<std::unique_ptr<Client>> clients;
        const auto letIn = [&] {
            clients.push_back(std::make_unique<Client>(port_, get()));
            if (!QTest::qWaitFor([&] { return clients.back()->status() != 0; }))
                return 0;
            return clients.back()->status();
        };
        withFew([&] { server_->setErrands(20'000); });
        for (int i = 0; i < http::connectionsWithin(20, 20'000); ++i)
            QCOMPARE(letIn(), 200);
        QCOMPARE(letIn(), 503);
        withFew([&] { server_->setErrands(0); });
        while (clients.size() <= std::size_t(http::connectionsWithin(20, 0))) // with the one that was refused
            QCOMPARE(letIn(), 200);
        QCOMPARE(letIn(), 503);
        for (int i = 0; i < http::connectionsWithin(20, 20'000); ++i)
            QVERIFY(!clients[std::size_t(i)]->closed());
    }

    void drainLetsALastAnswerOut()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, QByteArray(16 * 1024 * 1024, 'x') + '$'); };
        Client client(port_);
        client.socket.setReadBufferSize(1024);
        client.send(get());
        QTRY_COMPARE(server_->requestCount(), quint64(1));
        int done = 0;
        server_->drain(std::chrono::seconds(30), [&] { ++done; });
        QTRY_VERIFY(client.status() == 200);
        QCOMPARE(done, 0);
        client.socket.setReadBufferSize(0);
        QTRY_VERIFY_WITH_TIMEOUT(client.got().endsWith('$'), 20000);
        QTRY_COMPARE(done, 1);
    }

    void drainsIdleAtOnceAndAnswersToTheirEnd()
    {
        serve();
        answer_ = [](Seen& s) {
            if (s.request.path == "/quick")
                s.responder->send(200, {}, "ok");
            else if (s.request.path == "/stream")
                s.responder->begin(200, {});
        };
        Client idle(port_, get("/quick")), fresh(port_), half(port_, "GET / HTTP/1.1\r\n"), whole(port_, get("/whole")),
            stream(port_, get("/stream") + get("/behind"));
        QTRY_VERIFY(server_->requestCount() == 3 && idle.status() == 200 && stream.status() == 200);
        QTRY_COMPARE(server_->connectionCount(), 5);
        int done = 0;
        server_->drain(std::chrono::seconds(30), [&] { ++done; });
        QTRY_VERIFY(idle.closed() && fresh.closed());
        QTRY_COMPARE(half.status(), 503);
        QTRY_VERIFY(half.closed());
        QVERIFY(!whole.closed() && !stream.closed());
        QTcpSocket late;
        late.connectToHost(QHostAddress(QHostAddress::LocalHost), port_);
        QVERIFY(!late.waitForConnected(2000));
        for (auto& seen : seen_) {
            if (seen.request.path == "/whole")
                seen.responder->send(200, {}, "at last");
            if (seen.request.path != "/stream")
                continue;
            seen.responder->write("piece");
            seen.responder->end();
        }
        QTRY_VERIFY(whole.closed() && stream.closed());
        QVERIFY(whole.answer.contains("Connection: close\r\n") && whole.answer.endsWith("at last"));
        QVERIFY(stream.answer.endsWith("5\r\npiece\r\n0\r\n\r\n"));
        QTRY_COMPARE(done, 1);
        QCOMPARE(server_->connectionCount(), 0);
        QCOMPARE(server_->requestCount(), quint64(3));
    }

    void drainDropsWhatIsLate()
    {
        serve();
        int gone = 0, done = 0;
        answer_ = [&](Seen& s) {
            s.responder->onClientGone([&] { ++gone; });
            s.responder->begin(200, {});
        };
        Client client(port_, get());
        QTRY_COMPARE(client.status(), 200);
        server_->drain(std::chrono::hours(1), [] { QFAIL("replaced by the later one"); });
        server_->drain(Millis(50), [&] { ++done; });
        QTRY_COMPARE(done, 1);
        QCOMPARE(gone, 1);
        QTRY_VERIFY(client.closed());
        QCOMPARE(server_->connectionCount(), 0);
    }

    void drainOfAnEmptyServer()
    {
        serve();
        int done = 0;
        server_->drain(std::chrono::hours(1), [&] { ++done; });
        QCOMPARE(done, 0); // never from inside
        QTRY_COMPARE(done, 1);
    }

    void whatClientsMayTake()
    {
        // Errands that nobody knows of, none, some, and more than there is room for.
        QCOMPARE(http::connectionsWithin(1024, -1), 448);
        QCOMPARE(http::connectionsWithin(1024, 0), 896);
        QCOMPARE(http::connectionsWithin(1024, 400), 496);
        QCOMPARE(http::connectionsWithin(1024, 20000), 299);
        QCOMPARE(http::connectionsWithin(20, 20000), 8);
    }

private:
    int descriptors_ = 0;
};

QTEST_GUILESS_MAIN(tst_server_crowd)
#include "tst_server_crowd.moc"
