// SPDX-License-Identifier: GPL-3.0-or-later
// Giants: twice the bytes may cost twice the time, not four times, and what is held stays bounded. Measured in CPU time
// of this thread and only as a ratio within one run, so a busy machine changes nothing.
#include "core/provider/answer_reader.h"
#include "core/provider/explain.h"
#include "core/provider/recorded_answer.h"

#include <QtTest>

#include <ctime>

using namespace sg;
using namespace sg::provider;

namespace {
constexpr qsizetype kMiB = 1024 * 1024;
constexpr qsizetype kPiece = 16 * 1024;
constexpr int kManyEvents = 1'000'000;

double cpuSeconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

template <typename Work>
double secondsOf(Work work)
{
    const double begin = cpuSeconds();
    work();
    return cpuSeconds() - begin;
}

/// The smallest ratio of a few tries: what disturbs a measurement makes it larger in one of the two, a square in all.
template <typename Work>
void verifyLinear(qsizetype size, Work work)
{
    double best = 1e9;
    for (int attempt = 0; attempt < 4 && best >= 2.6; ++attempt) {
        const double half = secondsOf([&] { work(size / 2); });
        const double whole = secondsOf([&] { work(size); });
        best = std::min(best, whole / std::max(half, 1e-6));
    }
    QVERIFY2(best < 2.6, QByteArray::number(best).constData());
}

template <typename Feed>
void inPieces(const QByteArray& bytes, Feed feed)
{
    for (qsizetype at = 0; at < bytes.size(); at += kPiece)
        feed(QByteArrayView(bytes).sliced(at, std::min(kPiece, bytes.size() - at)));
}

QByteArray times(QByteArrayView piece, qsizetype count)
{
    QByteArray bytes;
    bytes.reserve(piece.size() * count);
    for (qsizetype i = 0; i < count; ++i)
        bytes.append(piece);
    return bytes;
}

QByteArray longLine(qsizetype content)
{
    return R"(data: {"choices":[{"index":0,"delta":{"content":")" + QByteArray(content, 'x') +
           "\"},\"finish_reason\":\"stop\"}]}\n\n";
}

qint64 countEvents(const QByteArray& stream, qint64 cap, bool whole)
{
    qint64 events = 0;
    SseParser parser([&events](const SseEvent&) { ++events; }, cap);
    if (whole)
        parser.feed(stream);
    else
        inPieces(stream, [&parser](QByteArrayView piece) { parser.feed(piece); });
    return events;
}
} // namespace

class TestSseLinear : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lineOf64MiB();
    void lineOf64MiBIsRefusedByDefault();
    void manyEvents_data();
    void manyEvents();
    void readerOfManyTokens();
    void readerHoldsLittleOfAGiant();
    void hostileFieldsStayBounded_data();
    void hostileFieldsStayBounded();
    void wholeBodyOf64MiB();
    void explainedGiants_data();
    void explainedGiants();
};

void TestSseLinear::lineOf64MiB()
{
    verifyLinear(64 * kMiB, [](qsizetype size) { QCOMPARE(countEvents(longLine(size), 80 * kMiB, false), 1); });
}

void TestSseLinear::lineOf64MiBIsRefusedByDefault()
{
    const QByteArray stream = longLine(64 * kMiB);
    SseParser parser([](const SseEvent&) {});
    bool ok = true;
    qint64 mostHeld = 0;
    inPieces(stream, [&](QByteArrayView piece) {
        ok = parser.feed(piece);
        mostHeld = std::max(mostHeld, parser.heldBytes());
    });
    QVERIFY(!ok);
    QVERIFY(mostHeld > 15 * kMiB);
    QVERIFY(mostHeld <= 16 * kMiB);
    QCOMPARE(parser.heldBytes(), 0); // a refused giant is let go of at once
}

void TestSseLinear::manyEvents_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<bool>("whole"); ///< in one feed
    QTest::newRow("LF") << QByteArray("data: 1\n\n") << false;
    QTest::newRow("CRLF in one feed") << QByteArray("event: e\r\ndata: 1\r\n\r\n") << true;
    // Each line ends with a CR and no LF is near: looked for line by line it would cost the square.
    QTest::newRow("CR in one feed") << QByteArray("data: 1\r\r") << true;
    QTest::newRow("with an id") << QByteArray("id: 1\ndata: 1\n\n") << false;
}

void TestSseLinear::manyEvents()
{
    QFETCH(QByteArray, event);
    QFETCH(bool, whole);
    verifyLinear(kManyEvents, [&](qsizetype count) { QCOMPARE(countEvents(times(event, count), kMiB, whole), count); });
}

void TestSseLinear::readerOfManyTokens()
{
    verifyLinear(kManyEvents, [](qsizetype count) {
        const QByteArray stream = times("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", count);
        qint64 deltas = 0;
        StreamReader reader([&deltas](const Delta&) { ++deltas; });
        inPieces(stream, [&reader](QByteArrayView piece) { reader.feed(piece); });
        reader.feed("data: [DONE]\n\n");
        QCOMPARE(deltas, count);
        QCOMPARE(reader.finish()->text.size(), count);
    });
}

void TestSseLinear::readerHoldsLittleOfAGiant()
{
    StreamReader reader({});
    qsizetype fed = 0;
    inPieces(longLine(64 * kMiB), [&](QByteArrayView piece) { fed += reader.feed(piece) ? piece.size() : 0; });
    QVERIFY(fed <= 16 * kMiB);
    QCOMPARE(toString(reader.finish().error().disposition.error), "bad_response");

    StreamReader endless({});
    const QByteArray event = longLine(kMiB).replace("stop", "");
    int events = 0;
    while (endless.feed(event) && events < 100)
        ++events;
    QCOMPARE(events, 8); // Mi characters of one answer
}

void TestSseLinear::hostileFieldsStayBounded_data()
{
    QTest::addColumn<QByteArray>("pattern"); ///< %1: another number in each event
    QTest::newRow("usage grows by a field with each event") << QByteArray(R"({"choices":[],"usage":{"f%1":1}})");
    QTest::newRow("and within an object") << QByteArray(R"({"choices":[],"usage":{"d":{"f%1":1}}})");
    QTest::newRow("tool calls without end")
        << QByteArray(R"({"choices":[{"delta":{"tool_calls":[{"index":%1,"function":{"name":"f"}}]}}]})");
}

void TestSseLinear::hostileFieldsStayBounded()
{
    QFETCH(QByteArray, pattern);
    verifyLinear(100'000, [&](qsizetype count) {
        StreamReader reader({});
        for (qsizetype i = 0; i < count; ++i)
            reader.feed("data: " + QByteArray(pattern).replace("%1", QByteArray::number(i)) + "\n\n");
        const Answer answer = reader.partial();
        QVERIFY(answer.usageSent.size() <= 64);
        QVERIFY(answer.usageSent[QLatin1String("d")].toObject().size() <= 64);
        QVERIFY(answer.toolCalls.size() <= 512);
        QVERIFY(answer.warnings.size() <= 20);
    });
}

void TestSseLinear::wholeBodyOf64MiB()
{
    verifyLinear(64 * kMiB, [](qsizetype size) {
        const QByteArray page = "<html>" + times("<p>filler</p>", size / 13);
        const ErrorFacts facts = classifyAnswer("openai", 502, {{"content-type", "text/html"}},
                                                {page.constData(), static_cast<std::size_t>(page.size())}, 0);
        QCOMPARE(toString(facts.disposition.error), "server_error");
    });
}

void TestSseLinear::explainedGiants_data()
{
    QTest::addColumn<QByteArray>("unit");
    QTest::addColumn<qsizetype>("count");
    QTest::addColumn<QByteArray>("before");
    const QByteArray head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
    QTest::newRow("tiny events") << QByteArray("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n")
                                 << qsizetype(200'000) << QByteArray();
    QTest::newRow("one line") << QByteArray("x") << 64 * kMiB << head + "\r\ndata: ";
    QTest::newRow("tiny chunks") << QByteArray("1\r\n:\r\n") << qsizetype(kManyEvents)
                                 << head + "Transfer-Encoding: chunked\r\n\r\n";
    QTest::newRow("page") << QByteArray("<p>filler</p>") << qsizetype(4 * kMiB)
                          << QByteArray("HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\n\r\n<html>");
    QTest::newRow("open brackets") << QByteArray("[") << 64 * kMiB << QByteArray();
    QTest::newRow("objects behind each other") << QByteArray("{\"a\":1}\n") << qsizetype(500'000) << QByteArray();
    QTest::newRow("header lines") << QByteArray("a: b\r\n") << qsizetype(500'000) << head;
}

void TestSseLinear::explainedGiants()
{
    QFETCH(QByteArray, unit);
    QFETCH(qsizetype, count);
    QFETCH(QByteArray, before);
    verifyLinear(count, [&](qsizetype units) {
        const Explanation explanation = explain(readRecorded(before + times(unit, units)));
        QVERIFY(toJson(explanation).size() > 10);
    });
}

QTEST_APPLESS_MAIN(TestSseLinear)
#include "tst_sse_linear.moc"
