// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/recorded_answer.h"

#include <QtTest>

#include <zlib.h>

using namespace sg;
using namespace sg::provider;

namespace {

QByteArray packed(const QByteArray& text, int windowBits)
{
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(text.size()))) + 64,
                   Qt::Uninitialized);
    QByteArray in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

constexpr int kGzip = 15 + 16;
constexpr int kZlib = 15;

QByteArray utf16(const QString& text, bool bigEnd)
{
    QByteArray out(bigEnd ? "\xFE\xFF" : "\xFF\xFE");
    for (const QChar c : text) {
        const char high = static_cast<char>(c.unicode() >> 8), low = static_cast<char>(c.unicode() & 0xFF);
        out.append(bigEnd ? high : low).append(bigEnd ? low : high);
    }
    return out;
}

std::string header(const RecordedAnswer& answer, const std::string& name)
{
    for (const auto& [key, value] : answer.headers) {
        if (key == name)
            return value;
    }
    return "(none)";
}

} // namespace

class TestRecordedAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void heads_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char* name, const QByteArray& bytes, int status, const QByteArray& body) {
            QTest::newRow(name) << bytes << status << body;
        };
        row("CRLF", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello", 200, "hello");
        row("LF", "HTTP/1.1 200 OK\nA: b\n\nhello", 200, "hello");
        row("HTTP/2 without reason", "HTTP/2 429 \r\n\r\nx", 429, "x");
        row("HTTP/1.0 without blank", "HTTP/1.0 503\r\n\r\nx", 503, "x");
        row("mark and blank lines first", "\xEF\xBB\xBF\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", 200, "x");
        row("continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\nx", 201, "x");
        row("early hints", "HTTP/2 103 \r\nlink: </a>\r\n\r\nHTTP/2 200 \r\n\r\nx", 200, "x");
        row("tunnel", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nx", 404, "x");
        row("redirect with a body", "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nmoveHTTP/1.1 200 OK\r\n\r\nx", 200,
            "x");
        row("body that speaks of HTTP", "HTTP/1.1 400 Bad Request\r\n\r\nHTTP/1.1 is needed", 400,
            "HTTP/1.1 is needed");
        row("no empty line", "HTTP/1.1 500 Oops\r\nA: b\r\n{\"a\":1}", 500, "{\"a\":1}");
        row("head alone", "HTTP/1.1 502 Bad Gateway\r\nServer: x", 502, "");
        row("nothing behind the head", "HTTP/1.1 204 No Content\r\n\r\n", 204, "");
    }
    void heads()
    {
        QFETCH(QByteArray, bytes);
        const RecordedAnswer answer = readRecorded(bytes);
        QVERIFY(answer.form == RecordedForm::HttpAnswer);
        QVERIFY(answer.status.has_value());
        QTEST(*answer.status, "status");
        QTEST(answer.body, "body");
    }

    void onlyTheLastHeadCounts()
    {
        const RecordedAnswer answer = readRecorded("HTTP/1.1 307 Temporary Redirect\r\nretry-after: 9\r\nX: old\r\n\r\n"
                                                   "HTTP/1.1 200 OK\r\nX: new\r\n\r\nbody");
        QCOMPARE(header(answer, "X"), std::string("new"));
        QCOMPARE(header(answer, "retry-after"), std::string("(none)"));
    }

    void headersAreTrimmedAndUnfolded()
    {
        const RecordedAnswer answer =
            readRecorded("HTTP/1.1 200 OK\r\nA:   b c  \r\n   d\r\n\te\r\nnonsense\r\nE:\r\n\r\n");
        QCOMPARE(header(answer, "A"), std::string("b c d e"));
        QCOMPARE(header(answer, "E"), std::string());
        QCOMPARE(answer.headers.size(), std::size_t(2));
        QCOMPARE(answer.warnings.size(), 1);
    }

    void chunks_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("cut");
        const auto row = [](const char* name, const char* sent, const char* body, bool cut) {
            QTest::newRow(name) << QByteArray(sent) << QByteArray(body) << cut;
        };
        row("whole", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world", false);
        row("large letters, extension, trailer", "A;x=y\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n", "0123456789", false);
        row("LF", "5\nhello\n0\n\n", "hello", false);
        row("ends inside a chunk", "5\r\nhello\r\n20\r\n wor", "hello wor", true);
        row("without the last chunk", "5\r\nhello\r\n", "hello", true);
        row("undone by curl already", "{\"a\": 1}", "{\"a\": 1}", false);
        row("text that begins like a size", "face it\r\n", "face it\r\n", false);
        row("number as the body", "12\n", "12\n", false);
        row("line break inside a chunk", "7\r\na\r\nb\r\nc\r\n0\r\n\r\n", "a\r\nb\r\nc", false);
    }
    void chunks()
    {
        QFETCH(QByteArray, sent);
        const RecordedAnswer answer = readRecorded("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n" + sent);
        QTEST(answer.body, "body");
        QTEST(answer.cut, "cut");
        QCOMPARE(!answer.warnings.isEmpty(), answer.cut);
    }

    void chunksWithoutTheirHeader()
    {
        QCOMPARE(readRecorded("HTTP/1.1 200 OK\r\n\r\n5\r\nhello\r\n0\r\n\r\n").body, QByteArray("hello"));
        QCOMPARE(readRecorded("HTTP/1.1 200 OK\r\n\r\n5\r\nhello\r\n").body, QByteArray("5\r\nhello\r\n"));
    }

    void packedBodies_data()
    {
        QTest::addColumn<QByteArray>("encoding");
        QTest::addColumn<QByteArray>("body");
        const QByteArray text = "{\"answer\": 42}";
        QTest::newRow("gzip") << QByteArray("gzip") << packed(text, kGzip);
        QTest::newRow("deflate") << QByteArray("deflate") << packed(text, kZlib);
        QTest::newRow("unpacked by curl") << QByteArray("gzip") << text;
        QTest::newRow("br, unpacked by curl") << QByteArray("br") << text;
        QTest::newRow("identity") << QByteArray("identity") << text;
    }
    void packedBodies()
    {
        QFETCH(QByteArray, encoding);
        QFETCH(QByteArray, body);
        const RecordedAnswer answer =
            readRecorded("HTTP/1.1 200 OK\r\nContent-Encoding: " + encoding + "\r\nContent-Length: 34\r\n\r\n" + body);
        QCOMPARE(answer.body, QByteArray("{\"answer\": 42}"));
    }

    void packedBodyThatEndsEarly()
    {
        QByteArray text;
        for (int i = 0; i < 20000; ++i)
            text += QByteArray::number(i * 7919);
        const RecordedAnswer answer =
            readRecorded("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed(text, kGzip).chopped(2000));
        QVERIFY(answer.cut);
        QVERIFY(!answer.body.isEmpty());
        QVERIFY(text.startsWith(answer.body));
        QCOMPARE(answer.warnings.size(), 1);
    }

    void packedBodyIsUnpackedUpToALimit()
    {
        const RecordedAnswer answer =
            readRecorded("HTTP/1.1 200 OK\r\n\r\n" + packed(QByteArray(70 * 1024 * 1024, ' '), kGzip));
        QCOMPARE(answer.body.size(), qsizetype(64 * 1024 * 1024));
        QVERIFY(answer.cut);
    }

    void packingThatIsNotKnownIsSaid()
    {
        const QByteArray brotli = QByteArray::fromHex("1b0e00f8058003");
        const RecordedAnswer answer = readRecorded("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n" + brotli);
        QCOMPARE(answer.body, brotli);
        QVERIFY(answer.warnings.join(QLatin1Char(' ')).contains(QLatin1String("curl --compressed")));
    }

    void lengthIsChecked()
    {
        QVERIFY(readRecorded("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello").cut);
        const RecordedAnswer fine = readRecorded("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\n");
        QVERIFY(!fine.cut);
        QVERIFY(fine.warnings.isEmpty()); // a line end behind it comes from the shell
        const RecordedAnswer longer = readRecorded("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello");
        QCOMPARE(longer.body, QByteArray("hello"));
        QCOMPARE(longer.warnings.size(), 1);
    }

    void forms_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isStream");
        const auto row = [](const char* name, const QByteArray& bytes, bool isStream) {
            QTest::newRow(name) << bytes << isStream;
        };
        row("data", "data: {}\n\n", true);
        row("mark first",
            "\xEF\xBB\xBF"
            "data: {}\n\n",
            true);
        row("blank lines first", "\r\n\r\ndata: {}\r\n\r\n", true);
        row("comment first", ": ping\n\ndata: {}\n\n", true);
        row("event first", "event: message_start\ndata: {}\n\n", true);
        row("id first", "id: 1\ndata: {}\n\n", true);
        row("id alone is no stream", "id: 1\nname: x\n", false);
        row("JSON", "{\"data\": 1}", false);
        row("list", "[{}]", false);
        row("HTML", "<html></html>", false);
        row("words", "upstream gone", false);
        row("no status behind the version", "HTTP/2  \r\n\r\n", false);
        row("half a status", "HTTP/1.1 2", false);
        row("nothing", "", false);
        row("announced", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 3\n\n", true);
        row("announced, but JSON", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{\"error\": 1}", false);
        row("announced, but nothing", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", false);
        row("not announced", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\ndata: {}\n\n", true);
    }
    void forms()
    {
        QFETCH(QByteArray, bytes);
        const RecordedAnswer answer = readRecorded(bytes);
        QTEST(answer.isStream, "isStream");
        const bool hasHead = bytes.startsWith("HTTP/1.1 200");
        QVERIFY((answer.form == RecordedForm::HttpAnswer) == hasHead);
        QVERIFY(hasHead || (answer.form == RecordedForm::EventStream) == answer.isStream);
        QCOMPARE(answer.status.has_value(), hasHead);
    }

    void powershellWritesUtf16()
    {
        const QString text = QString::fromUtf8("HTTP/1.1 200 OK\r\n\r\n{\"a\": \"né 🌍\"}");
        for (const bool bigEnd : {false, true}) {
            const RecordedAnswer answer = readRecorded(utf16(text, bigEnd));
            QCOMPARE(answer.status.value_or(0), 200);
            QCOMPARE(answer.body, QByteArray("{\"a\": \"né 🌍\"}"));
        }
    }

    void anyBytesAreRead()
    {
        // Beginnings of a real answer and bytes in its place: nothing may be read beyond the end.
        const QByteArray whole =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\n" +
            packed("hello", kGzip) + "\r\n0\r\n\r\n";
        for (qsizetype i = 0; i <= whole.size(); ++i) {
            QVERIFY(readRecorded(whole.first(i)).body.size() <= whole.size());
            QByteArray changed = whole;
            if (i < whole.size())
                changed[i] = static_cast<char>(changed[i] ^ 0x5A);
            QVERIFY(readRecorded(changed).body.size() <= whole.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestRecordedAnswer)
#include "tst_recorded_answer.moc"
