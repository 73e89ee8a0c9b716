// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/transport_contract.h"

#include <QTest>

namespace sg::testing {

using http::FailureKind;
using Peer = MisbehavingServer::Peer;

namespace {

/// All lines of a header, as one line says the same (RFC 9110 5.3).
QByteArray joined(const http::Headers& headers, QByteArrayView name)
{
    QByteArrayList lines;
    for (const auto& [key, value] : headers)
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            lines << value;
    return lines.join(", ");
}

} // namespace

/// Unusual, but HTTP, and sent by servers that exist: the same answer over every transport.
void TransportContract::oddAnswers_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("x"); ///< the header's value
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const QByteArray& reply, const QByteArray& x, const QByteArray& body,
                        int status = 200) { QTest::newRow(name) << reply << status << x << body; };
    const QByteArray ok = "HTTP/1.1 200 OK\r\n", five = "Content-Length: 5\r\n\r\nhello";
    row("a header twice", ok + "X: 7\r\nX: 9\r\n" + five, "7, 9", "hello");
    row("a header in two lines", ok + "X: one\r\n two\r\n" + five, "one two", "hello");
    row("a header without a value", ok + "X:\r\n" + five, "", "hello");
    row("a header with blanks around it", ok + "X: \t a b \t\r\n" + five, "a b", "hello");
    row("a header in another case", ok + "x: v\r\n" + five, "v", "hello");
    row("a header in UTF-8", ok + "X: gr\xc3\xbc\xc3\x9f\r\n" + five, "gr\xc3\xbc\xc3\x9f", "hello");
    row("a header with colons", ok + "X: a:b: c\r\n" + five, "a:b: c", "hello");
    row("lines that end in LF", "HTTP/1.1 200 OK\nX: v\nContent-Length: 5\n\nhello", "v", "hello");
    row("no reason", "HTTP/1.1 200\r\nX: v\r\n" + five, "v", "hello");
    row("an empty reason", "HTTP/1.1 200 \r\nX: v\r\n" + five, "v", "hello");
    row("HTTP/1.0", "HTTP/1.0 200 OK\r\nX: v\r\n" + five, "v", "hello");
    row("HTTP/1.0 until close", "HTTP/1.0 200 OK\r\nX: v\r\nConnection: close\r\n\r\nhello", "v", "hello");
    row("a status of its own", "HTTP/1.1 299 Odd\r\nX: v\r\n" + five, "v", "hello", 299);
    row("the length twice", ok + "X: v\r\nContent-Length: 5\r\n" + five, "v", "hello");
    row("chunks and a length",
        ok + "X: v\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "v", "hello");
    row("chunks with extensions", ok + "X: v\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0;c\r\n\r\n", "v",
        "hello");
    row("chunks with trailers",
        ok + "X: v\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: late\r\nY: late\r\n\r\n", "v", "hello");
    row("chunks named in capitals", ok + "X: v\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "v",
        "hello");
    row("chunks with zeros before their size",
        ok + "X: v\r\nTransfer-Encoding: chunked\r\n\r\n0005\r\nhello\r\n000\r\n\r\n", "v", "hello");
}

void TransportContract::oddAnswers()
{
    QFETCH(QByteArray, reply);
    QFETCH(int, status);
    QFETCH(QByteArray, x);
    QFETCH(QByteArray, body);
    server_->onRequest([reply](Peer& peer) {
        peer.send(reply);
        if (!reply.contains("chunked") && !reply.contains("Content-Length"))
            peer.close();
    });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, status);
    QCOMPARE(joined(got->headers, "x"), x);
    QCOMPARE(joined(got->headers, "y"), QByteArray());
    QCOMPARE(got->body, body);
    QCOMPARE(got->outcome->bodyBytes, body.size());
}

/// What nobody can read in one way only is no answer.
void TransportContract::ambiguousAnswers_data()
{
    QTest::addColumn<QByteArray>("reply");
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    QTest::newRow("two lengths") << ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello";
    QTest::newRow("a negative length") << ok + "Content-Length: -5\r\n\r\nhello";
    QTest::newRow("a length that is none") << ok + "Content-Length: five\r\n\r\nhello";
    if (factory_({})->figures().name == QLatin1String("curl")) // Qt takes it for the end
        QTest::newRow("a chunk's size that is none")
            << ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n";
}

void TransportContract::ambiguousAnswers()
{
    QFETCH(QByteArray, reply);
    server_->onRequest([reply](Peer& peer) {
        peer.send(reply);
        peer.close();
    });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QVERIFY2(got->outcome->failure != FailureKind::None, got->body.constData());
    QCOMPARE(got->failure(), named(FailureKind::Protocol));
    QCOMPARE(server_->heads(), 1);
}

/// Bytes behind an answer are nobody's.
void TransportContract::bytesBehindAnAnswerAreNoOtherAnswer()
{
    server_->onRequest([](Peer& peer) {
        peer.send(answer(200, "first") +
                  (peer.number == 0 ? QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged") : QByteArray()));
    });
    const auto first = start(post());
    QTRY_VERIFY(first->outcome);
    QCOMPARE(first->body, QByteArray("first"));
    const auto second = start(post());
    QTRY_VERIFY(second->outcome);
    QCOMPARE(second->body, QByteArray("first"));
}

} // namespace sg::testing
