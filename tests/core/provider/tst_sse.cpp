// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/random.h"
#include "core/provider/sse.h"

#include <QtTest>

using namespace sg;
using namespace sg::provider;

namespace {
struct Read
{
    QStringList events; ///< "name|data|id"
    qint64 comments = 0;
    bool ok = true;
    bool operator==(const Read&) const = default;
};

/// `nextCut` gives the length of the next piece.
template <typename NextCut>
Read readWith(const QByteArray& bytes, NextCut nextCut, qint64 maxBytes = 16 * 1024 * 1024)
{
    Read read;
    SseParser parser(
        [&read](const SseEvent& e) {
            read.events +=
                QString::fromUtf8(e.event.toByteArray() + '|' + e.data.toByteArray() + '|' + e.id.toByteArray());
        },
        maxBytes);
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype length = std::min<qsizetype>(nextCut(), bytes.size() - at);
        // A buffer of its own, so that a sanitizer sees a parser that looks beyond its piece.
        const QByteArray piece(bytes.constData() + at, length);
        read.ok = parser.feed(piece);
        at += length;
    }
    read.comments = parser.comments();
    return read;
}

Read readWhole(const QByteArray& bytes, qint64 maxBytes = 16 * 1024 * 1024)
{
    return readWith(
        bytes, [&bytes] { return bytes.size(); }, maxBytes);
}

QByteArray randomStream(policy::SeededRandom& random)
{
    static const QByteArray pieces[] = {"data",     "data: ", "data:a", "event: e",     "id: 7",  ":",
                                        ": note",   "\n",     "\r",     "\r\n",         "\n\n",   "\r\n\r\n",
                                        " ",        "x",      "retry:", "\xEF\xBB\xBF", "\r\r",   "\xC3\xA9",
                                        "data: {}", "event:", "id",     "\n\r",         "data:\n"};
    QByteArray stream;
    for (int i = 0; i < 40; ++i)
        stream += pieces[random.next() % std::size(pieces)];
    return stream;
}
} // namespace

class TestSse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void forms_data();
    void forms();
    void everyCutGivesTheSame();
    void capIsTheSameForEveryCut();
    void oneLineOfSixteenMiBMinusIsTaken();
    void overflowEndsTheStream();
    void unfinishedLineIsBounded();
};

void TestSse::forms_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("events");
    QTest::addColumn<qint64>("comments");
    const auto row = [](const char* name, const QByteArray& bytes, const QStringList& events, qint64 comments = 0) {
        QTest::newRow(name) << bytes << events << comments;
    };
    const auto s = [](const char* text) { return QString::fromUtf8(text); };
    row("LF", "data: a\n\ndata: b\n\n", {s("message|a|"), s("message|b|")});
    row("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", {s("message|a|"), s("message|b|")});
    row("several fields, CRLF", "event: e\r\ndata: a\r\ndata: b\r\n\r\n", {s("e|a\nb|")});
    row("CR", "data: a\r\rdata: b\r\r", {s("message|a|"), s("message|b|")});
    row("mixed ends", "data: a\r\n\ndata: b\r\r\ndata: c\n\r\n", {s("message|a|"), s("message|b|"), s("message|c|")});
    row("several data lines", "data: a\ndata:\ndata:  b\n\n", {s("message|a\n\n b|")});
    row("no blank after the colon", "data:a\n\n", {s("message|a|")});
    row("data without colon", "data\n\n", {s("message||")});
    row("two empty data lines", "data\ndata\n\n", {s("message|\n|")});
    row("name", "event: ping\ndata: a\n\ndata: b\n\n", {s("ping|a|"), s("message|b|")});
    row("event without data", "event: ping\n\ndata: a\n\n", {s("message|a|")});
    row("id stays", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
        {s("message|a|1"), s("message|b|1"), s("message|c|")});
    row("id with NUL", QByteArray("id: 1\nid: 2\0x\ndata: a\n\n", 23), {s("message|a|1")});
    row("comments", ": x\n\n:\ndata: a\n: y\ndata: b\n\n", {s("message|a\nb|")}, 3);
    row("unknown fields", "retry: 5\nfoo: bar\nData: x\ndata: a\n\n", {s("message|a|")});
    row("BOM",
        "\xEF\xBB\xBF"
        "data: a\n\n",
        {s("message|a|")});
    row("BOM only at the start",
        "data: a\n\n\xEF\xBB\xBF"
        "data: b\n\n",
        {s("message|a|")});
    row("unfinished event", "data: a\n\ndata: b\n", {s("message|a|")});
    row("unfinished line", "data: a\n\ndata: b", {s("message|a|")});
    row("nothing", "", {});
}

void TestSse::forms()
{
    QFETCH(QByteArray, bytes);
    const Read whole = readWhole(bytes);
    QTEST(whole.events, "events");
    QTEST(whole.comments, "comments");
    QVERIFY(readWith(bytes, [] { return 1; }) == whole);
}

void TestSse::everyCutGivesTheSame()
{
    policy::SeededRandom random(42);
    int seen = 0;
    for (int round = 0; round < 2000; ++round) {
        const QByteArray stream = randomStream(random);
        const Read whole = readWhole(stream);
        seen += static_cast<int>(whole.events.size());
        QVERIFY2(readWith(stream, [] { return 1; }) == whole, stream.toHex().constData());
        QVERIFY2(readWith(stream, [&random] { return 1 + random.next() % 9; }) == whole, stream.toHex().constData());
    }
    QVERIFY(seen > 2000); // the streams do hold events
}

void TestSse::capIsTheSameForEveryCut()
{
    const QByteArray stream = "data: 1\n\ndata: 12345\ndata: 12345\n\ndata: 1\n\n";
    for (qint64 cap = 0; cap < 30; ++cap) {
        const Read whole = readWhole(stream, cap);
        QVERIFY(readWith(
                    stream, [] { return 1; }, cap) == whole);
        QVERIFY(readWith(
                    stream, [] { return 7; }, cap) == whole);
        QCOMPARE(whole.ok, cap >= 16); // "12345" held and "data: 12345" unfinished
        QCOMPARE(whole.events.size(), whole.ok ? 3 : cap >= 7 ? 1 : 0);
    }
}

void TestSse::oneLineOfSixteenMiBMinusIsTaken()
{
    const QByteArray big(16 * 1024 * 1024 - 6, 'x');
    qsizetype got = 0;
    SseParser parser([&got](const SseEvent& e) { got = e.data.size(); });
    QVERIFY(parser.feed("data: " + big));
    QVERIFY(parser.feed("\n\n"));
    QCOMPARE(got, big.size());
}

void TestSse::overflowEndsTheStream()
{
    int events = 0;
    SseParser parser([&events](const SseEvent&) { ++events; }, 10);
    QVERIFY(parser.feed("data: 1\n\n"));
    QVERIFY(!parser.feed("data: 123456\n\n"));
    QVERIFY(!parser.feed("data: 1\n\n"));
    QCOMPARE(events, 1);
}

void TestSse::unfinishedLineIsBounded()
{
    SseParser parser([](const SseEvent&) {}, 1000);
    bool ok = true;
    int fed = 0;
    while (ok && fed < 100000) {
        ok = parser.feed("x");
        ++fed;
    }
    QCOMPARE(fed, 1001);
}

QTEST_GUILESS_MAIN(TestSse)
#include "tst_sse.moc"
