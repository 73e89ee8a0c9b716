// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/server_fixture.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTimer>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace sg;
using http::Responder;
using http::ServerRequest;
using testing::Client;
using testing::get;

namespace {

QByteArray withoutDate(QByteArray answer)
{
    for (;;) {
        const auto at = answer.indexOf("Date: ");
        if (at < 0)
            return answer;
        answer.remove(at, answer.indexOf("\r\n", at) + 2 - at);
    }
}

} // namespace

class tst_server : public QObject, private testing::ServerFixture
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { forget(); }

    void parsesARequest()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(201, {{"X-A", "1"}, {"Content-Length", "999"}}, "hello"); };
        Client client(port_);
        const QByteArray request =
            "POST /v1/chat?x=1 HTTP/1.1\r\nHost: h\r\nx-Key:  v \r\nContent-Length: 4\r\n\r\nbody";
        for (const char byte : request) { // however it is cut
            client.send(QByteArray(1, byte));
            QCoreApplication::processEvents();
        }
        QTRY_VERIFY(client.got().endsWith("hello"));
        QCOMPARE(withoutDate(client.answer),
                 QByteArray("HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello"));
        QVERIFY(client.answer.contains(" GMT\r\n"));
        const ServerRequest& r = seen_.front().request;
        QCOMPARE(r.method, QByteArray("POST"));
        QCOMPARE(r.target, QByteArray("/v1/chat?x=1"));
        QCOMPARE(r.path, QByteArray("/v1/chat"));
        QCOMPARE(r.body, QByteArray("body"));
        QCOMPARE(r.headers.size(), std::size_t(3));
        QCOMPARE(r.headers[1].first, QByteArray("x-Key"));
        QCOMPARE(http::headerValue(r.headers, "X-KEY"), QByteArray("v"));
        QVERIFY(r.received > Instant{} && r.received <= http::steadyNow());
    }

    void keepsAlive()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, s.request.path); };
        Client client(port_);
        for (const char* path : {"/1", "/2", "/3"}) {
            client.answer.clear();
            client.send(get(path));
            QTRY_VERIFY(client.got().endsWith(path));
        }
        QCOMPARE(server_->connectionsAccepted(), quint64(1));
        QCOMPARE(server_->requestCount(), quint64(3));
        QCOMPARE(seen_[0].request.connectionId, seen_[2].request.connectionId);
    }

    void answersPipelinedRequestsInOrder()
    {
        serve();
        Client client(port_, get("/1") + get("/2") + get("/3"));
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        // What comes later on another connection is seen before what waits for the first answer.
        Client other(port_, get("/other"));
        QTRY_COMPARE(seen_.size(), std::size_t(2));
        QCOMPARE(seen_[1].request.path, QByteArray("/other"));
        seen_[0].responder->send(200, {}, seen_[0].request.path);
        for (std::size_t i = 2; i < 4; ++i) {
            QTRY_COMPARE(seen_.size(), i + 1);
            seen_[i].responder->send(200, {}, seen_[i].request.path);
        }
        QTRY_VERIFY(client.got().endsWith("/3"));
        QVERIFY(client.answer.indexOf("/1") < client.answer.indexOf("/2"));
    }

    void manyPipelinedRequestsDoNotNest()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(204, {}, {}); };
        QByteArray all;
        for (int i = 0; i < 20000; ++i)
            all += get();
        Client client(port_, all);
        QTRY_COMPARE(server_->requestCount(), quint64(20000));
        QTRY_COMPARE(client.got().count("204 No Content"), 20000);
    }

    void unchunksAndContinues()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, s.request.body); };
        Client client(port_,
                      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
        QTRY_COMPARE(client.got(), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
        QVERIFY(seen_.empty());
        client.send("5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: no header\r\n\r\n");
        QTRY_VERIFY(client.got().endsWith("hello world"));
        QVERIFY(http::headerValue(seen_.front().request.headers, "X-Trailer").isEmpty());
    }

    void chunkedAnswer()
    {
        serve();
        answer_ = [](Seen& s) {
            s.responder->begin(200, {{"Content-Type", "text/event-stream"}});
            s.responder->write("data: 1\n\n");
            s.responder->write({});
            s.responder->write(QByteArray(20, 'x'));
            s.responder->end();
            s.responder->write("after the end");
            s.responder->send(500, {}, "after the end");
        };
        Client client(port_, get() + get("/2"));
        QTRY_COMPARE(client.got().count("\r\n0\r\n\r\n"), 2);
        QVERIFY(
            withoutDate(client.answer)
                .startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "9\r\ndata: 1\n\n\r\n14\r\nxxxxxxxxxxxxxxxxxxxx\r\n0\r\n\r\nHTTP/1.1 200 OK"));
        QVERIFY(!client.answer.contains("after the end"));
    }

    void writingToWhoHasLeftIsSilent()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("not open")));
        serve();
        answer_ = [](Seen& s) { s.responder->begin(200, {}); };
        Client client(port_, get());
        QTRY_VERIFY(client.got().endsWith("\r\n\r\n"));
        client.socket.abort();
        const QByteArray much(1 << 20, 'x');
        for (int i = 0; i < 20; ++i) // all in one turn of the event loop
            seen_.front().responder->write(much);
        seen_.front().responder->end();
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void http10HasNoChunks()
    {
        serve();
        answer_ = [](Seen& s) {
            if (s.request.path == "/whole")
                return s.responder->send(200, {}, "whole");
            s.responder->begin(200, {});
            s.responder->write("one");
            s.responder->write("two");
            s.responder->end();
        };
        Client stream(port_, "GET / HTTP/1.0\r\n\r\n");
        QTRY_VERIFY(stream.closed());
        QVERIFY(stream.answer.endsWith("\r\n\r\nonetwo"));
        QVERIFY(!stream.answer.contains("chunked"));
        Client alive(port_, "GET /whole HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        QTRY_VERIFY(alive.got().endsWith("whole"));
        QVERIFY(alive.answer.contains("Connection: keep-alive"));
        alive.send("GET /whole HTTP/1.0\r\n\r\n");
        QTRY_VERIFY(alive.closed());
        QCOMPARE(alive.answer.count("whole"), 2);
    }

    void headAndBodylessAnswers()
    {
        serve();
        answer_ = [](Seen& s) {
            if (s.request.path == "/204")
                return s.responder->send(204, {}, "nothing");
            if (s.request.path == "/whole")
                return s.responder->send(200, {}, "hello");
            s.responder->begin(200, {});
            s.responder->write("hello");
            s.responder->end();
        };
        const QByteArray tail = " HTTP/1.1\r\nHost: x\r\n\r\n";
        Client client(port_, "HEAD /whole" + tail + "HEAD /stream" + tail + get("/204") + get("/whole"));
        QTRY_VERIFY(client.got().endsWith("hello"));
        QCOMPARE(client.answer.count("hello"), 1);
        QCOMPARE(client.answer.count("HTTP/1.1"), 4);
        QCOMPARE(client.answer.count("Content-Length: 5"), 2);
        QVERIFY(!client.answer.contains("nothing"));
    }

    void closesWhenAsked()
    {
        serve();
        answer_ = [](Seen& s) {
            s.responder->send(200,
                              s.request.path == "/server" ? http::Headers{{"connection", "close"}} : http::Headers{},
                              QByteArray(3'000'000, 'x'));
        };
        Client client(port_, get("/", "Connection: close\r\n") + get("/ignored"));
        QTRY_VERIFY(client.closed());
        QVERIFY(client.answer.size() > 3'000'000);
        Client other(port_, get("/server"));
        QTRY_VERIFY(other.closed());
        QVERIFY(other.answer.size() > 3'000'000 && other.answer.contains("Connection: close\r\n"));
        QCOMPARE(server_->requestCount(), quint64(2));
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void declaredLengthIsKept()
    {
        serve();
        answer_ = [](Seen& s) {
            s.responder->begin(200, {{"Content-Length", "6"}});
            s.responder->write("abc");
            if (s.request.path == "/all")
                s.responder->write("defghi");
            s.responder->end();
        };
        Client client(port_, get("/all") + get("/short") + get("/never"));
        QTRY_VERIFY(client.closed());
        QVERIFY(client.answer.contains("\r\n\r\nabcdefHTTP/1.1"));
        QVERIFY(client.answer.endsWith("\r\n\r\nabc"));
        QCOMPARE(server_->requestCount(), quint64(2));
    }

    void headersCannotBeSplit()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {{"X-Echo", "a\r\nSet-Cookie: b"}, {"X-Good", "1"}}, "ok"); };
        Client client(port_, get());
        QTRY_VERIFY(client.got().endsWith("ok"));
        QVERIFY(!client.answer.contains("Cookie") && client.answer.contains("X-Good: 1\r\n"));
    }

    void drops_data()
    {
        QTest::addColumn<bool>("begun");
        QTest::addColumn<bool>("reset");
        QTest::newRow("before, close") << false << false;
        QTest::newRow("before, reset") << false << true;
        QTest::newRow("mid-answer, close") << true << false;
        QTest::newRow("mid-answer, reset") << true << true;
    }

    void drops()
    {
        QFETCH(bool, begun);
        QFETCH(bool, reset);
        serve();
        bool gone = false;
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        Responder& responder = *seen_[0].responder;
        responder.onClientGone([&] { gone = true; });
        if (begun) {
            responder.begin(200, {});
            responder.write("part");
            QTRY_VERIFY(client.got().contains("part"));
        }
        responder.drop(reset);
        QVERIFY(responder.clientGone());
        responder.write("more");
        responder.end();
        QTRY_VERIFY(client.closed());
        QVERIFY(!client.answer.contains("more") && client.answer.isEmpty() != begun);
        QVERIFY(!gone); // we left, not the client
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void resetIsAReset()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->drop(s.request.path == "/reset"); };
        for (const bool reset : {true, false}) {
            // Below Qt, which reports both as "closed": an EOF reads as 0, a reset as an error.
            const int raw = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            address.sin_port = htons(port_);
            QCOMPARE(::connect(raw, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
            const QByteArray bytes = get(reset ? "/reset" : "/close");
            QCOMPARE(::send(raw, bytes.constData(), static_cast<std::size_t>(bytes.size()), 0), bytes.size());
            pollfd watched{raw, POLLIN, 0};
            QTRY_COMPARE(::poll(&watched, 1, 0), 1);
            char byte = 0;
            const ssize_t count = ::recv(raw, &byte, 1, MSG_DONTWAIT);
            const int problem = errno;
            QCOMPARE(count, reset ? -1 : 0);
            if (reset)
                QCOMPARE(problem, ECONNRESET);
            ::close(raw);
        }
    }

    void unansweredCloses()
    {
        serve();
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        seen_.clear();
        QTRY_VERIFY(client.closed());
        QVERIFY(client.answer.isEmpty());
    }

    void leavingClientIsNoticed_data()
    {
        QTest::addColumn<bool>("streaming");
        QTest::newRow("waiting") << false;
        QTest::newRow("streaming") << true;
    }

    void leavingClientIsNoticed()
    {
        QFETCH(bool, streaming);
        serve();
        auto client = std::make_unique<Client>(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        const auto responder = seen_[0].responder;
        int gone = 0;
        responder->onClientGone([&gone, responder] { // holding the responder itself must not leak
            ++gone;
            responder->write("too late");
        });
        if (streaming)
            responder->begin(200, {});
        QVERIFY(!responder->clientGone());
        QTimer writer;
        connect(&writer, &QTimer::timeout, this, [&] { responder->write(QByteArray(1000, 'x')); });
        if (streaming)
            writer.start(0);
        client->socket.abort();
        QTRY_COMPARE(gone, 1);
        QVERIFY(responder->clientGone());
        responder->end();
        responder->send(200, {}, "x");
        responder->drop(true);
        QCOMPARE(gone, 1);
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void completeAnswerForgetsTheClient()
    {
        serve();
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        int gone = 0;
        seen_[0].responder->onClientGone([&] { ++gone; });
        seen_[0].responder->send(200, {}, "ok");
        QTRY_VERIFY(client.got().endsWith("ok"));
        client.socket.abort();
        QTRY_COMPARE(server_->connectionCount(), 0);
        QCOMPARE(gone, 0);
    }

    void closeDropsAndTells()
    {
        serve();
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        int gone = 0;
        seen_[0].responder->onClientGone([&] { ++gone; });
        server_->close();
        QCOMPARE(gone, 1);
        QCOMPARE(server_->connectionCount(), 0);
        QTRY_VERIFY(client.closed());
        seen_[0].responder->send(200, {}, "x");
        server_.reset();
        seen_[0].responder->send(200, {}, "x"); // outlives the server
    }

    void portInUse()
    {
        serve();
        http::Server second([](auto, auto) {});
        const auto result = second.listen(QHostAddress::LocalHost, port_);
        QVERIFY(!result);
        QVERIFY2(result.error().contains(QString::number(port_)) && result.error().contains(QLatin1String("in use")) &&
                     result.error().contains(QLatin1String("choose another port")),
                 qPrintable(result.error()));
        const auto elsewhere = second.listen(QHostAddress(QStringLiteral("192.0.2.1")), 0);
        QVERIFY(!elsewhere);
        QVERIFY2(elsewhere.error().contains(QLatin1String("192.0.2.1")), qPrintable(elsewhere.error()));
    }

    void largeBodyInBothDirections()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, s.request.body); };
        const QByteArray body(20'000'000, 'b');
        Client client(port_, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + QByteArray::number(body.size()) +
                                 "\r\n\r\n" + body);
        QTRY_VERIFY_WITH_TIMEOUT(client.got().size() > body.size(), 20000);
        QVERIFY(client.answer.endsWith(body));
    }
};

QTEST_GUILESS_MAIN(tst_server)
#include "tst_server.moc"
