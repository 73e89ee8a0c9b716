// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/request_parser.h"
#include "tests/support/server_fixture.h"

using namespace sg;
using http::RequestParser;
using http::ServerLimits;
using http::ServerRequest;
using testing::Client;
using testing::get;

namespace {

const QByteArray post = "POST / HTTP/1.1\r\nHost: x\r\n";
const QByteArray chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
const QByteArray smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

struct Read
{
    std::vector<ServerRequest> requests;
    int status = 0;
};

Read readInPieces(const QByteArray& bytes, qsizetype piece, const ServerLimits& limits = {})
{
    Read read;
    RequestParser parser(limits);
    for (qsizetype at = 0; at < bytes.size() && !parser.refusal(); at += piece) {
        QByteArrayView rest = QByteArrayView(bytes).sliced(at, std::min(piece, bytes.size() - at));
        while (!rest.isEmpty() && !parser.refusal()) {
            rest = rest.sliced(parser.feed(rest));
            if (parser.complete())
                read.requests.push_back(parser.take());
        }
    }
    read.status = parser.refusal().status;
    return read;
}

QByteArray nul(const char* before, const char* after)
{
    return QByteArray(before) + '\0' + after;
}

} // namespace

/// What another reader could understand differently is refused, and nothing behind it is taken for a request.
class tst_server_strict : public QObject, private testing::ServerFixture
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { forget(); }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const QByteArray& bytes, int status = 400) {
            QTest::newRow(name) << bytes << status;
        };
        // Two readings of the length
        const QByteArray length = "Content-Length: ", coding = "Transfer-Encoding: ";
        row("length and coding", post + length + "4\r\n" + coding + "chunked\r\n\r\n0\r\n\r\n");
        row("coding and length", post + coding + "chunked\r\n" + length + "4\r\n\r\n0\r\n\r\n");
        row("length and other coding", post + coding + "gzip\r\n" + length + "4\r\n\r\nabcd");
        row("two lengths", post + length + "3\r\n" + length + "4\r\n\r\nabcd");
        row("two equal lengths", post + length + "5\r\n" + length + "5\r\n\r\nabcde");
        row("two lengths, other case", post + length + "5\r\ncontent-LENGTH: 5\r\n\r\nabcde");
        row("list of lengths", post + length + "5, 5\r\n\r\nabcde");
        row("negative length", post + length + "-1\r\n\r\n");
        row("plus sign", post + length + "+5\r\n\r\nabcde");
        row("blank in length", post + length + "1 0\r\n\r\n0123456789");
        row("hexadecimal length", post + length + "0x5\r\n\r\nabcde");
        row("decimal length", post + length + "5.0\r\n\r\nabcde");
        row("empty length", post + length + "\r\n\r\n");
        row("length over 64 bits", post + length + "18446744073709551617\r\n\r\n");
        row("length with letters", post + length + "5a\r\n\r\nabcde");
        row("quoted length", post + length + "\"5\"\r\n\r\nabcde");
        // Codings
        row("chunked, identity", post + coding + "chunked, identity\r\n\r\n0\r\n\r\n");
        row("identity, chunked", post + coding + "identity, chunked\r\n\r\n0\r\n\r\n");
        row("xchunked", post + coding + "xchunked\r\n\r\n0\r\n\r\n");
        row("chunked twice", post + coding + "chunked, chunked\r\n\r\n0\r\n\r\n");
        row("chunked;q=1", post + coding + "chunked;q=1\r\n\r\n0\r\n\r\n");
        row("quoted chunked", post + coding + "\"chunked\"\r\n\r\n0\r\n\r\n");
        row("vertical tab before chunked", post + coding + "\x0b" + "chunked\r\n\r\n0\r\n\r\n");
        row("comma before chunked", post + coding + ",chunked\r\n\r\n0\r\n\r\n");
        row("empty coding", post + coding + "\r\n\r\n0\r\n\r\n");
        row("two codings", post + coding + "chunked\r\n" + coding + "chunked\r\n\r\n0\r\n\r\n");
        row("identity behind chunked", post + coding + "chunked\r\n" + coding + "identity\r\n\r\n0\r\n\r\n");
        row("coding in HTTP/1.0", "POST / HTTP/1.0\r\nHost: x\r\n" + coding + "chunked\r\n\r\n0\r\n\r\n");
        row("gzip", post + coding + "gzip\r\n\r\nabc", 501);
        row("gzip, chunked", post + coding + "gzip, chunked\r\n\r\n0\r\n\r\n", 501);
        // Lines
        row("obsolete folding", post + "X: a\r\n b\r\n\r\n");
        row("folded coding", post + coding + "\r\n chunked\r\n\r\n0\r\n\r\n");
        row("blank before the first header", "GET / HTTP/1.1\r\n Host: x\r\n\r\n");
        row("blank before the colon", post + "Content-Length : 4\r\n\r\nabcd");
        row("tab before the colon", post + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n");
        row("no colon", post + "Content-Length\r\n\r\n");
        row("empty name", post + ": x\r\n\r\n");
        row("bare LF", post + "X: a\nY: b\r\n\r\n");
        row("bare LF ends the headers", "GET / HTTP/1.1\r\nHost: x\n\n");
        row("bare CR", post + "X: a\rContent-Length: 4\r\n\r\nabcd");
        row("CR CR LF", post + "X: a\r\r\n\r\n");
        row("bare LF after the first line", "GET / HTTP/1.1\nHost: x\r\n\r\n");
        row("NUL in a value", post + nul("X: a", "b\r\n\r\n"));
        row("NUL in a name", post + nul("X", "Y: b\r\n\r\n"));
        row("control in a value", post + "X: \x01\r\n\r\n");
        row("control in a name", post + "X\x01: b\r\n\r\n");
        row("DEL in a value", post + "X: \x7f\r\n\r\n");
        row("bare CR before a request", "\rGET / HTTP/1.1\r\nHost: x\r\n\r\n");
        row("bare LF before a request", "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
        // The first line
        row("blank in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n");
        row("two blanks", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n");
        row("blank at its end", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n");
        row("tabs", "GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n");
        row("control in the target", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n");
        row("no version", "GET /\r\n\r\n");
        row("lower case version", "GET / http/1.1\r\nHost: x\r\n\r\n");
        row("no method", " / HTTP/1.1\r\nHost: x\r\n\r\n");
        row("method with a colon", "GET: / HTTP/1.1\r\nHost: x\r\n\r\n");
        row("relative target", "GET index HTTP/1.1\r\nHost: x\r\n\r\n");
        row("CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n");
        row("asterisk of GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n");
        row("TLS", "\x16\x03\x01\x02");
        row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
        row("HTTP/1.2", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505);
        row("HTTP/0.9", "GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505);
        row("HTTP/1.10", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", 505);
        // Host
        row("no host", "GET / HTTP/1.1\r\n\r\n");
        row("two hosts", get("/", "Host: x\r\n"));
        row("two hosts, HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\nhost: y\r\n\r\n");
        row("host with a path", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n");
        row("host with a user", "GET / HTTP/1.1\r\nHost: a@x\r\n\r\n");
        row("hosts in a list", "GET / HTTP/1.1\r\nHost: x, y\r\n\r\n");
        row("absolute target, other host", "GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n");
        row("absolute target, other port", "GET http://x:81/ HTTP/1.1\r\nHost: x\r\n\r\n");
        row("absolute target with a user", "GET http://a@x/ HTTP/1.1\r\nHost: x\r\n\r\n");
        row("absolute target without a host", "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n");
        // Chunks
        row("0x", chunked + "0x5\r\nabcde\r\n0\r\n\r\n");
        row("plus sign in a size", chunked + "+5\r\nabcde\r\n0\r\n\r\n");
        row("minus sign in a size", chunked + "-5\r\nabcde\r\n0\r\n\r\n");
        row("blank before a size", chunked + " 5\r\nabcde\r\n0\r\n\r\n");
        row("blank after a size", chunked + "5 \r\nabcde\r\n0\r\n\r\n");
        row("size over 64 bits", chunked + "10000000000000005\r\nabcde\r\n0\r\n\r\n");
        row("empty size", chunked + "\r\nabcde\r\n0\r\n\r\n");
        row("size without CR", chunked + "5\nabcde\r\n0\r\n\r\n");
        row("no CR LF after the data", chunked + "5\r\nabcde0\r\n\r\n");
        row("data longer than said", chunked + "5\r\nabcdefg\r\n0\r\n\r\n");
        row("LF alone after the data", chunked + "5\r\nabcde\n0\r\n\r\n");
        row("bare LF in an extension", chunked + "5;a\nabcde\r\n0\r\n\r\n");
        row("bare CR in an extension", chunked + "5;a\rb\r\nabcde\r\n0\r\n\r\n");
        row("endless extension", chunked + "5;" + QByteArray(20000, 'x') + "\r\nabcde\r\n0\r\n\r\n");
        row("endless extensions", chunked + ("1;" + QByteArray(1000, 'x') + "\r\na\r\n").repeated(20));
        row("folded trailer", chunked + "0\r\nX: a\r\n b\r\n\r\n");
        row("trailer without a name", chunked + "0\r\n: a\r\n\r\n");
        row("bare LF in a trailer", chunked + "0\r\nX: a\n\r\n\r\n");
        row("endless trailer", chunked + "0\r\nX: " + QByteArray(70000, 'x') + "\r\n\r\n", 431);
        // Expectations
        row("unknown expectation", post + "Expect: 200-ok\r\nContent-Length: 4\r\n\r\nabcd", 417);
        row("two expectations", post + "Expect: 100-continue\r\nExpect: x\r\nContent-Length: 4\r\n\r\nabcd", 417);
    }

    void refuses()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        for (const qsizetype piece : {bytes.size(), qsizetype(1), qsizetype(7)}) {
            const Read read = readInPieces(bytes, piece);
            QCOMPARE(read.status, status);
            QVERIFY(read.requests.empty());
        }
        serve();
        Client client(port_, bytes + smuggled);
        QTRY_COMPARE(client.status(), status);
        client.socket.write(smuggled);
        QTRY_VERIFY(client.closed());
        QCOMPARE(client.answer.count("HTTP/1.1 "), 1);
        QVERIFY(client.answer.contains("Connection: close\r\n"));
        QCOMPARE(server_->requestCount(), quint64(0));
        QCOMPARE(server_->refusedCount(), quint64(1));
    }

    void takes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char* name, const QByteArray& bytes, const char* target, const char* body = "") {
            QTest::newRow(name) << bytes << QByteArray(target) << QByteArray(body);
        };
        row("empty lines before", "\r\n\r\n" + get("/a"), "/a");
        row("any method", "PURGE /a HTTP/1.1\r\nHost: x\r\n\r\n", "/a");
        row("empty host", "GET /a HTTP/1.1\r\nHost:\r\n\r\n", "/a");
        row("IPv6 host", "GET /a HTTP/1.1\r\nHost: [::1]:8787\r\n\r\n", "/a");
        row("HTTP/1.0 without a host", "GET /a HTTP/1.0\r\n\r\n", "/a");
        row("absolute target", "GET http://X:80/a?b HTTP/1.1\r\nHost: x\r\n\r\n", "/a?b");
        row("absolute target without a path", "GET HTTP://x HTTP/1.1\r\nHost: x\r\n\r\n", "/");
        row("absolute target, query alone", "GET http://x?q HTTP/1.1\r\nHost: x\r\n\r\n", "/?q");
        row("asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "*");
        row("length of none", post + "Content-Length: 0\r\n\r\n", "/");
        row("length with zeros", post + "Content-Length: 0004\r\n\r\nabcd", "/", "abcd");
        row("blanks around", post + "Content-Length: \t 4\t \r\n\r\nabcd", "/", "abcd");
        row("UTF-8 in a value", post + "X-Name: na\xc3\xafve\r\nContent-Length: 1\r\n\r\na", "/", "a");
        row("chunks", chunked + "5\r\nhello\r\n006;a=\"b c\"\r\n world\r\n0\r\n\r\n", "/", "hello world");
        row("chunks in capitals", post + "transfer-encoding: CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n", "/",
            "0123456789");
        row("framing in trailers", chunked + "1\r\na\r\n0\r\nContent-Length: 99\r\nTransfer-Encoding: x\r\n\r\n", "/",
            "a");
        row("expectation of HTTP/1.0", "POST / HTTP/1.0\r\nExpect: x\r\nContent-Length: 1\r\n\r\na", "/", "a");
    }

    void takes()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, body);
        for (const qsizetype piece : {2 * bytes.size(), qsizetype(1), qsizetype(7)}) {
            const Read read = readInPieces(bytes + bytes, piece); // the second begins where the first ends
            QCOMPARE(read.status, 0);
            QCOMPARE(read.requests.size(), std::size_t(2));
            for (const ServerRequest& request : read.requests) {
                QCOMPARE(request.target, target);
                QCOMPARE(request.path, target.split('?').first());
                QCOMPARE(request.body, body);
                QCOMPARE(http::headerValue(request.headers, "Content-Length").toInt() == 99, false);
            }
        }
    }

    void limitsHoldToTheByte()
    {
        ServerLimits limits;
        limits.maxTargetBytes = 100;
        limits.maxHeaderBytes = 400;
        limits.maxHeaderFields = 5;
        limits.maxBodyBytes = 50;
        const auto statusOf = [&](const QByteArray& bytes) {
            const int status = readInPieces(bytes, bytes.size(), limits).status;
            return status == readInPieces(bytes, 1, limits).status ? status : -1;
        };
        const auto target = [](qsizetype size) { return get("/" + QByteArray(size - 1, 't')); };
        QCOMPARE(statusOf(target(100)), 0);
        QCOMPARE(statusOf(target(101)), 414);
        QCOMPARE(statusOf(target(101).left(108)), 414); // already on the way
        const qsizetype rest = get("/", "X: \r\n").size();
        QCOMPARE(statusOf(get("/", "X: " + QByteArray(400 - rest, 'x') + "\r\n")), 0);
        QCOMPARE(statusOf(get("/", "X: " + QByteArray(401 - rest, 'x') + "\r\n")), 431);
        QCOMPARE(statusOf(get("/", QByteArray("X: 1\r\n").repeated(4))), 0);
        QCOMPARE(statusOf(get("/", QByteArray("X: 1\r\n").repeated(5))), 431);
        QCOMPARE(statusOf(QByteArray(401, 'M')), 431);
        QCOMPARE(statusOf(post + "Content-Length: 50\r\n\r\n"), 0);
        QCOMPARE(statusOf(post + "Content-Length: 51\r\n\r\n"), 413); // before the body
        QCOMPARE(statusOf(chunked + "32\r\n"), 0);
        QCOMPARE(statusOf(chunked + "33\r\n"), 413);
        QCOMPARE(statusOf(chunked + "19\r\n" + QByteArray(25, 'x') + "\r\n1a\r\n"), 413);
        limits.maxTargetBytes = 1000;
        QCOMPARE(statusOf(target(401)), 414); // the other limit, but the target is what is too long
    }
};

QTEST_GUILESS_MAIN(tst_server_strict)
#include "tst_server_strict.moc"
