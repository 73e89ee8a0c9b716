// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reaction.h"
#include "tests/support/server_fixture.h"

#include <QTimer>

using namespace sg;
using http::ServerLimits;
using testing::Client;
using testing::get;

/// What the server refuses, times out and holds back.
class tst_server_limits : public QObject, private testing::ServerFixture
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { forget(); }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        const QByteArray post = "POST / HTTP/1.1\r\nHost: x\r\n";
        QTest::newRow("garbage") << QByteArray("\x16\x03\x01 hello\r\n\r\n") << 400;
        QTest::newRow("no version") << QByteArray("GET /\r\n\r\n") << 400;
        QTest::newRow("HTTP/2 preface") << QByteArray("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") << 505;
        QTest::newRow("no host") << QByteArray("GET / HTTP/1.1\r\n\r\n") << 400;
        QTest::newRow("two hosts") << get("/", "Host: y\r\n") << 400;
        QTest::newRow("space before colon") << get("/", "Bad : y\r\n") << 400;
        QTest::newRow("two lengths") << post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd" << 400;
        QTest::newRow("length and chunked")
            << post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc" << 400;
        QTest::newRow("negative length") << post + "Content-Length: -3\r\n\r\nabc" << 400;
        QTest::newRow("bad chunk") << post + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc" << 400;
        QTest::newRow("unknown coding") << post + "Transfer-Encoding: gzip\r\n\r\nabc" << 501;
        QTest::newRow("long header") << get("/", "X: " + QByteArray(5000, 'x') + "\r\n") << 431;
        QTest::newRow("many headers") << get("/", QByteArray("X: 1\r\n").repeated(1000)) << 431;
        QTest::newRow("long target") << get("/" + QByteArray(5000, 'x')) << 414;
        QTest::newRow("endless header") << QByteArray("GET / HTTP/1.1\r\nHost: x\r\nX: " + QByteArray(100000, 'x'))
                                        << 431;
        QTest::newRow("announced body") << post + "Content-Length: 10001\r\n\r\n" << 413;
        QTest::newRow("announced body, waiting") << post + "Expect: 100-continue\r\nContent-Length: 10001\r\n\r\n"
                                                 << 413;
        QTest::newRow("chunked body") << post + "Transfer-Encoding: chunked\r\n\r\n" +
                                             QByteArray("3e8\r\n" + QByteArray(1000, 'x') + "\r\n").repeated(11)
                                      << 413;
        QTest::newRow("endless chunk extension")
            << post + "Transfer-Encoding: chunked\r\n\r\n1;" + QByteArray(100000, 'x') << 400;
    }

    void refuses()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        ServerLimits limits;
        limits.maxHeaderBytes = 4096;
        limits.maxBodyBytes = 10000;
        serve(limits);
        Client client(port_);
        for (qsizetype at = 0; at < bytes.size(); at += 700) { // pieces: a limit must not depend on how it is cut
            client.send(bytes.mid(at, 700));
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(client.status(), status);
        QTRY_VERIFY(client.closed());
        QCOMPARE(client.answer.count("HTTP/1.1 "), 1);
        QVERIFY(client.answer.contains("Connection: close\r\n"));
        QVERIFY(seen_.empty());
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void slowHeadersAndIdleConnections()
    {
        ServerLimits limits;
        limits.headerTimeout = Millis(150);
        limits.idleTimeout = Millis(600);
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Client slow(port_, "GET / HT");
        Client idle(port_);
        Client between(port_, get());
        QTimer drip; // bytes that trickle in do not extend the time for headers
        connect(&drip, &QTimer::timeout, this, [&] {
            if (slow.socket.state() == QAbstractSocket::ConnectedState)
                slow.socket.write("x");
        });
        drip.start(20);
        QTRY_COMPARE(slow.status(), 408);
        QVERIFY(!idle.closed());
        QTRY_VERIFY(idle.closed() && idle.answer.isEmpty());
        QTRY_VERIFY(between.closed());
        QCOMPARE(between.answer.count("HTTP/1.1"), 1);
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void slowBodies()
    {
        ServerLimits limits;
        limits.bodyTimeout = Millis(200);
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Client slow(port_, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
        QTimer drip;
        connect(&drip, &QTimer::timeout, this, [&] {
            if (slow.socket.state() == QAbstractSocket::ConnectedState)
                slow.socket.write("x");
        });
        drip.start(20);
        QTRY_COMPARE(slow.status(), 408);
        QTRY_VERIFY(slow.closed());
        QVERIFY(seen_.empty());
    }

    void slowBodiesThatKeepOnComing()
    {
        ServerLimits limits;
        limits.bodyTimeout = Millis(400);
        limits.minBodyRate = 500;
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        const Instant begun = http::steadyNow();
        Client slow(port_, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
        QTimer drip;
        connect(&drip, &QTimer::timeout, this, [&] { slow.socket.write(QByteArray(1000, 'x')); });
        drip.start(20);
        QTRY_COMPARE_WITH_TIMEOUT(slow.status(), 200, 20000);
        QCOMPARE(seen_.front().request.body.size(), 60000);
        QVERIFY(seen_.front().request.received - begun > 2 * limits.bodyTimeout);
    }

    void headsAreJudgedBeforeTheirBodies()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        int asked = 0;
        server_->setHeadCheck([&](const http::ServerRequest& head) -> std::optional<http::OwnAnswer> {
            ++asked;
            if (head.path != "/no" || http::headerValue(head.headers, "Host") != "x")
                return std::nullopt;
            return http::OwnAnswer{401, {{"WWW-Authenticate", "Bearer"}}, "no"};
        });
        const QByteArray rest = " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n";
        Client waiting(port_, "POST /no" + rest + "Expect: 100-continue\r\n\r\n");
        Client begun(port_, "POST /no" + rest + "\r\nabc");
        Client chunked(port_, "POST /no HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (Client* client : {&waiting, &begun, &chunked}) {
            QTRY_VERIFY(client->closed());
            QVERIFY(client->answer.startsWith("HTTP/1.1 401 "));
            QVERIFY(client->answer.contains("WWW-Authenticate: Bearer\r\n") && client->answer.endsWith("no"));
            QVERIFY(client->answer.contains("Connection: close\r\n"));
        }
        QCOMPARE(asked, 3);
        QVERIFY(seen_.empty());
        QCOMPARE(server_->refusedCount(), quint64(0));

        Client let(port_, "POST /yes" + rest + "Expect: 100-continue\r\n\r\n");
        QTRY_VERIFY(let.got().startsWith("HTTP/1.1 100 "));
        let.send("ab");
        let.send("cde" + get("/no")); // came whole: the handler's matter
        QTRY_COMPARE(let.got().count("HTTP/1.1 200 "), 2);
        QCOMPARE(asked, 4);
    }

    void pipelinedRequestsWaitForTheReader()
    {
        ServerLimits limits;
        limits.maxWriteBuffer = 64 * 1024;
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, s.request.path + QByteArray(16 * 1024, 'x') + '$'); };
        constexpr int all = 2000;
        QByteArray bytes;
        for (int i = 0; i < all; ++i)
            bytes += get('/' + QByteArray::number(i));
        Client client(port_);
        client.socket.setReadBufferSize(1024); // does not read
        client.send(bytes);
        quint64 before = 0; // it has come to rest
        QTRY_VERIFY(std::exchange(before, server_->requestCount()) == server_->requestCount() && before > 0);
        QVERIFY2(before < all / 2, qPrintable(QString::number(before)));
        client.socket.setReadBufferSize(0);
        QTRY_COMPARE_WITH_TIMEOUT(client.got().count('$'), qsizetype(all), 20000);
        qsizetype at = 0;
        for (int i = 0; i < all; ++i) {
            at = client.answer.indexOf("\r\n\r\n/" + QByteArray::number(i) + 'x', at);
            QVERIFY(at >= 0);
        }
    }

    void whoPipelinesAndDoesNotReadIsDropped()
    {
        ServerLimits limits;
        limits.stallTimeout = Millis(300);
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, QByteArray(16 * 1024, 'x')); };
        Client client(port_);
        client.socket.setReadBufferSize(1024);
        client.send(get().repeated(2000));
        QTimer more; // goes on asking
        connect(&more, &QTimer::timeout, this, [&] {
            if (client.socket.state() == QAbstractSocket::ConnectedState)
                client.socket.write(get());
        });
        more.start(20);
        QTRY_COMPARE(server_->connectionsAccepted(), quint64(1));
        QTRY_COMPARE(server_->connectionCount(), 0);
        QVERIFY(server_->requestCount() < 1000);
    }

    void refusalsOfASecondRequest()
    {
        serve();
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        server_->setRefusalText([](int status, const QString& words, const char*, const http::ServerRequest& head) {
            const QByteArray body =
                "{\"status\":" + QByteArray::number(status) + ",\"words\":\"" + words.toUtf8() + "\"}";
            const QByteArray id = http::headerValue(head.headers, "X-Id");
            return http::OwnAnswer{status, {{"Content-Type", "application/json"}, {"X-Id", id}}, body};
        });
        Client client(port_, get());
        QTRY_VERIFY(client.got().endsWith("ok"));
        client.answer.clear();
        client.send("POST / HTTP/1.1\r\nHost: x\r\nX-Id: mine\r\nContent-Length: x\r\n\r\n");
        QTRY_COMPARE(client.status(), 400);
        QTRY_VERIFY(client.closed());
        QVERIFY(client.answer.contains("Content-Type: application/json\r\nX-Id: mine\r\n"));
        QVERIFY2(client.answer.endsWith("{\"status\":400,\"words\":\"Content-Length is not a number.\"}"),
                 client.answer.constData());
        QCOMPARE(server_->refusedCount(), quint64(1));
        QCOMPARE(server_->requestCount(), quint64(1));
    }

    void unfinishedRequestsTogetherAreBounded()
    {
        ServerLimits limits;
        limits.maxBufferedBytes = 300'000;
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        const QByteArray part =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n" + QByteArray(200'000, 'x');
        Client first(port_, part);
        QTRY_COMPARE(first.socket.bytesToWrite(), 0);
        Client second(port_, part);
        QTRY_VERIFY(first.status() == 503 || second.status() == 503);
        Client& refused = first.status() == 503 ? first : second;
        Client& other = first.status() == 503 ? second : first;
        QVERIFY(refused.got().contains("Retry-After: 1\r\n"));
        other.send("x");
        QTRY_COMPARE(other.status(), 200); // what the refused one held is free again
        QCOMPARE(server_->requestCount(), quint64(1));
    }

    void whatIsBeingAnsweredIsCounted()
    {
        ServerLimits limits;
        limits.maxBufferedBytes = 700'000;
        limits.bodyWeight = 4;
        serve(limits);
        const QByteArray head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", body(100'000, 'x');
        const QByteArray chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" + body;
        Client first(port_, head + body.chopped(1)), both(port_, head), inChunks(port_, chunked);
        QTRY_VERIFY(first.socket.bytesToWrite() + both.socket.bytesToWrite() + inChunks.socket.bytesToWrite() == 0);
        QTRY_COMPARE(server_->connectionCount(), 3);
        first.send("x");
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        Client late(port_, head);
        QTRY_COMPARE(late.status(), 503); // before its body
        QVERIFY(late.got().contains("Retry-After: 1\r\n"));
        both.send(body);
        QTRY_COMPARE(both.status(), 503); // what its head had promised was not held
        inChunks.send("\r\n0\r\n\r\n");
        QTRY_COMPARE(inChunks.status(), 503);
        Client small(port_, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + QByteArray(60'000, 'x'));
        QTRY_COMPARE(seen_.size(), std::size_t(2));
        for (Seen& each : seen_)
            each.responder->send(200, {}, "ok");
        QTRY_COMPARE(first.status(), 200);
        QTRY_COMPARE(small.status(), 200);
        first.send(head + body); // on the same connection
        QTRY_COMPARE(seen_.size(), std::size_t(3));
        first.socket.abort(); // who leaves gives it back
        QTRY_VERIFY(seen_[2].responder->clientGone());
        Client last(port_, head + body);
        QTRY_COMPARE(seen_.size(), std::size_t(4));
        QCOMPARE(server_->refusedCount(), quint64(3));
    }

    void aSlowReaderHoldsLittle()
    {
        ServerLimits limits;
        limits.maxWriteBuffer = 64 * 1024;
        serve(limits);
        Client client(port_);
        client.socket.setSocketOption(QAbstractSocket::ReceiveBufferSizeSocketOption, 4096);
        client.socket.setReadBufferSize(1024);
        client.send(get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        const auto responder = seen_[0].responder;
        responder->begin(200, {});
        qint64 written = 0;
        while (responder->bytesBuffered() < limits.maxWriteBuffer && written < 64 * 1024 * 1024) {
            responder->write(QByteArray(200, 'x')); // as tokens come: kernels count small pieces by what they take up
            written += 200;
        }
        QVERIFY2(written < 8 * 1024 * 1024, qPrintable(QString::number(written)));
        QCOMPARE(server_->connectionCount(), 1);
    }

    void aLongWaitBeforeALargePieceIsNotHeldAgainstTheReader()
    {
        ServerLimits limits;
        limits.stallTimeout = Millis(400);
        serve(limits);
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        QTRY_VERIFY(http::steadyNow() - seen_[0].request.received > 2 * limits.stallTimeout);
        bool gone = false;
        seen_[0].responder->onClientGone([&] { gone = true; });
        seen_[0].responder->begin(200, {});
        seen_[0].responder->write(QByteArray(16 * 1024 * 1024, 'x'));
        QVERIFY(seen_[0].responder->bytesBuffered() > 0);
        seen_[0].responder->end();
        QTRY_VERIFY_WITH_TIMEOUT(client.got().endsWith("\r\n0\r\n\r\n"), 20000);
        QVERIFY(!gone);
    }

    void slowHandlersAreNotIdle()
    {
        ServerLimits limits;
        limits.idleTimeout = limits.headerTimeout = Millis(100);
        serve(limits);
        Client client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        // One that came later and says nothing is sent away first: the limit has passed for both.
        Client idle(port_);
        QTRY_VERIFY(idle.closed());
        QVERIFY(!client.closed());
        seen_[0].responder->send(200, {}, "late");
        QTRY_VERIFY(client.got().endsWith("late"));
    }

    void tooManyConnections()
    {
        ServerLimits limits;
        limits.maxConnections = 2;
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, "ok"); };
        Client a(port_, get()), b(port_, get());
        QTRY_VERIFY(a.status() == 200 && b.status() == 200);
        Client c(port_, get());
        QTRY_COMPARE(c.status(), 503);
        QTRY_VERIFY(c.closed());
        a.socket.disconnectFromHost();
        QTRY_COMPARE(server_->connectionCount(), 1);
        std::vector<std::unique_ptr<Client>> stubborn; // refused clients that do not leave take nobody's place
        Client last(port_, get());
        QTRY_COMPARE(last.status(), 200);
        for (int i = 0; i < 5; ++i)
            stubborn.push_back(std::make_unique<Client>(port_, get()));
        for (const auto& client : stubborn)
            QTRY_COMPARE(client->status(), 503);
        last.socket.abort();
        QTRY_VERIFY(server_->connectionCount() <= 1);
        Client d(port_, get());
        QTRY_COMPARE(d.status(), 200);
    }

    void backPressure()
    {
        ServerLimits limits;
        limits.maxWriteBuffer = 100 * 1024;
        serve(limits);
        Client client(port_);
        client.socket.setReadBufferSize(1024); // does not read on
        client.send(get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        const auto responder = seen_[0].responder;
        responder->begin(200, {});
        int writable = 0;
        qint64 written = 0;
        constexpr qint64 total = 32 * 1024 * 1024;
        const auto fill = [&] {
            while (written < total && responder->bytesBuffered() < limits.maxWriteBuffer) {
                responder->write(QByteArray(16 * 1024, 'x'));
                written += 16 * 1024;
            }
            if (written == total)
                responder->end();
        };
        responder->onWritable([&] {
            QVERIFY(responder->bytesBuffered() < limits.maxWriteBuffer / 2);
            ++writable;
            fill();
        });
        fill();
        QVERIFY(written < total);
        client.socket.setReadBufferSize(0);
        qint64 received = 0;
        bool ended = false;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                const QByteArray piece = client.socket.readAll();
                received += piece.size();
                ended = ended || piece.endsWith("\r\n0\r\n\r\n");
                return ended;
            }(),
            20000);
        QCOMPARE(written, total);
        QVERIFY(received > total);
        QVERIFY(writable > 0);
    }

    void aSlowButSteadyReaderIsKept_data()
    {
        QTest::addColumn<int>("buffer"); ///< of the client's kernel; 0: its own choice
        QTest::newRow("small buffer") << 16 * 1024;
        QTest::newRow("default buffer") << 0; // taken at once, then not again before most of it has been read
    }
    void aSlowButSteadyReaderIsKept()
    {
        QFETCH(int, buffer);
        ServerLimits limits;
        limits.idleTimeout = Millis(300);
        limits.stallTimeout = 7 * limits.idleTimeout;
        serve(limits);
        bool gone = false;
        answer_ = [&](Seen& s) {
            s.responder->onClientGone([&] { gone = true; });
            s.responder->begin(200, {});
            s.responder->write(QByteArray(4 * 1024 * 1024, 'x'));
        };
        Client client(port_);
        if (buffer > 0)
            client.socket.setSocketOption(QAbstractSocket::ReceiveBufferSizeSocketOption, buffer);
        client.socket.setReadBufferSize(2048);
        client.send(get());
        QTimer sips; // 128 KiB in some 0.7 s
        connect(&sips, &QTimer::timeout, this, [&] { client.socket.read(2048); });
        sips.start(10);
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        QTRY_VERIFY(gone || http::steadyNow() - seen_[0].request.received > limits.stallTimeout + Millis(900));
        QVERIFY(!gone);
        QVERIFY(seen_[0].responder->bytesBuffered() > 0);
    }

    void whoLeavesBehindPipelinedRequestsIsNoticed()
    {
        serve();
        std::optional<Instant> gone;
        answer_ = [&](Seen& s) { s.responder->onClientGone([&] { gone = http::steadyNow(); }); };
        const Nanos took = test::middleOf(5, [&]() -> Nanos {
            constexpr Nanos never = std::chrono::hours(1);
            gone.reset();
            const std::size_t before = seen_.size();
            Client client(port_, get());
            if (!QTest::qWaitFor([&] { return seen_.size() == before + 1; }))
                return never;
            client.send(get().repeated(2000)); // less than the buffer
            if (!QTest::qWaitFor([&] { return client.socket.bytesToWrite() == 0; }) || gone)
                return never;
            const Instant left = http::steadyNow();
            client.socket.abort();
            return QTest::qWaitFor([&] { return gone.has_value(); }) ? *gone - left : never;
        });
        QVERIFY2(took <= Millis(100), QByteArray::number(toMs(took)).constData());
        QCOMPARE(server_->requestCount(), quint64(5));
    }

    void whoPipelinesMoreThanCanBeWatchedIsDropped()
    {
        serve();
        int gone = 0;
        answer_ = [&](Seen& s) { s.responder->onClientGone([&] { ++gone; }); };
        Client first(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        first.send(get().repeated(20'000)); // more than the kernels' buffers take; it does not leave
        QTRY_COMPARE(gone, 1);
        QTRY_VERIFY(first.closed());
        Client second(port_, get().repeated(20'000)); // all at once
        QTRY_COMPARE(gone, 2);
        QTRY_VERIFY(second.closed());
        QCOMPARE(server_->requestCount(), quint64(2));
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void clientThatDoesNotReadIsDropped()
    {
        ServerLimits limits;
        limits.stallTimeout = Millis(200);
        serve(limits);
        bool gone = false;
        answer_ = [&](Seen& s) {
            s.responder->onClientGone([&] { gone = true; });
            s.responder->begin(200, {});
            s.responder->write(QByteArray(32 * 1024 * 1024, 'x'));
        };
        Client client(port_);
        client.socket.setReadBufferSize(1024);
        client.send(get());
        QTRY_VERIFY(gone);
        QTRY_COMPARE(server_->connectionCount(), 0);
    }
};

QTEST_GUILESS_MAIN(tst_server_limits)
#include "tst_server_limits.moc"
