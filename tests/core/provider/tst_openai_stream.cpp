// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/random.h"
#include "tests/support/cuts.h"
#include "tests/support/json.h"

#include <QtTest>

using namespace sg;
using namespace sg::provider;

namespace {
QByteArray sse(const QByteArray& data)
{
    return "data: " + data + "\n\n";
}
QByteArray choice(const QByteArray& rest)
{
    return sse(R"({"model":"m-1","choices":[{"index":0,)" + rest + "}]}");
}
QByteArray delta(const QByteArray& fields)
{
    return choice(R"("delta":{)" + fields + R"(},"finish_reason":null)");
}
QByteArray content(const QByteArray& text)
{
    return delta("\"content\":\"" + text + '"');
}
QByteArray finished(const QByteArray& reason = "stop")
{
    return choice("\"delta\":{},\"finish_reason\":\"" + reason + '"');
}
const QByteArray kRole = delta(R"("role":"assistant","content":"")");
const QByteArray kDone = sse("[DONE]");
const QByteArray kError = sse(R"({"error":{"message":"The server had an error","type":"server_error"}})");

using Outcome = test::StreamOutcome;

Outcome read(const QByteArray& stream, const test::NextCut& nextCut)
{
    return test::readStream(stream, Dialect::OpenAi, nextCut);
}

Outcome readWhole(const QByteArray& stream)
{
    return test::readStream(stream, Dialect::OpenAi);
}

ErrorClass errorOf(const Outcome& outcome)
{
    return outcome.error ? outcome.error->error : ErrorClass::None;
}

QByteArray toolPiece(const QByteArray& call)
{
    return delta(R"("content":null,"tool_calls":[)" + call + "]");
}
} // namespace

class TestOpenAiStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endings_data();
    void endings();
    void commitPoint_data();
    void commitPoint();
    void usageInTheLastChunk();
    void usageLastValueWins();
    void toolCalls_data();
    void toolCalls();
    void longArgumentsAreLinear();
    void reasoningAndText();
    void partsAsContent();
    void errorKeepsPartial();
    void errorBeforeDeltaKeepsItsCode();
    void feedSaysWhenToStop();
    void nothingAfterDoneCounts();
    void otherChoicesAreIgnored();
    void keepAlivesAreNoContent();
    void oversizedEvent();
    void bigLine();
    void hintsNeedAClock();
    void everyCutGivesTheSame_data();
    void everyCutGivesTheSame();
};

void TestOpenAiStream::endings_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("retry");
    QTest::addColumn<QString>("fallback");
    const auto row = [](const char* name, const QByteArray& stream, ErrorClass error, const char* retry = "no",
                        const char* fallback = "none") {
        QTest::newRow(name) << stream << int(error) << QString::fromUtf8(retry) << QString::fromUtf8(fallback);
    };
    using enum ErrorClass;
    const QByteArray hel = content("Hel");
    row("finish and done", hel + finished() + kDone, None);
    row("finish without done", hel + finished(), None);
    row("a stray line after the finish", hel + finished() + sse("DONE"), None);
    row("a stray line before it", hel + sse("DONE") + finished(), StreamBroken);
    row("done without finish", hel + kDone, None);
    row("neither", hel, StreamBroken);
    row("neither, nothing delivered", kRole, StreamBroken, "yes", "next");
    row("no event at all", "", StreamBroken, "yes", "next");
    row("cut in an event", hel + "data: {\"choi", StreamBroken);
    row("only comments", ": keep-alive\n\n: keep-alive\n\n", StreamBroken, "yes", "next");
    row("done alone", kDone, BadResponse, "once", "next");
    row("role, finish, done", kRole + finished() + kDone, BadResponse, "once", "next");
    row("limit spent on hidden reasoning", kRole + finished("length") + kDone, None);
    row("Cohere gave up", kRole + finished("ERROR") + kDone, ServerError, "yes", "next");
    row("Cohere took too long", hel + finished("TIMEOUT") + kDone, StreamBroken);
    row("DeepSeek has no room", finished("insufficient_system_resource") + kDone, Overloaded, "yes", "next");
    row("filtered before a word", kRole + finished("content_filter") + kDone, ContentFiltered, "no", "content_policy");
    row("filtered after words", hel + finished("content_filter") + kDone, None);
    row("error first", kError, ServerError, "yes", "next");
    row("error after role", kRole + kError, ServerError, "yes", "next");
    row("error after words", hel + kError, StreamBroken);
    row("error after words, then done", hel + kError + kDone, StreamBroken);
    row("named error event", "event: error\ndata: {\"message\":\"Boom\",\"code\":503}\n\n", Overloaded, "yes", "next");
    row("error in a chunk with empty choices",
        sse(R"({"choices":[],"error":{"code":502,"message":"Worker limit reached"}})") + kDone, ServerError, "yes",
        "next");
    row("error as text", sse(R"({"error":"boom"})"), BadResponse, "once", "next");
    row("null error", sse(R"({"error":null,"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]})"), None);
    row("not JSON first", sse("hello"), BadResponse, "once", "next");
    row("not JSON later", hel + sse("{\"choices\":"), StreamBroken);
    row("JSON but no object", sse("[1]"), BadResponse, "once", "next");
    row("html", "<html>\n\n</html>\n\n", StreamBroken, "yes", "next");
    row("comment wrapped as data", sse(": PROCESSING") + hel + finished(), None);
    row("empty data", "data\n\n" + hel + finished(), None);
    row("chunk of wrong types", sse(R"({"choices":7,"usage":"x","model":[]})") + hel + finished(), None);
    row("choice of wrong types", sse(R"({"choices":["x",{"index":0,"delta":"y","finish_reason":5}]})") + hel + kDone,
        None);
    row("whole message as a chunk", choice(R"("message":{"content":"Hel"},"finish_reason":"stop")"), None);
}

void TestOpenAiStream::endings()
{
    QFETCH(QByteArray, stream);
    const Outcome outcome = readWhole(stream);
    QTEST(int(errorOf(outcome)), "error");
    const Disposition d = outcome.error.value_or(Disposition{});
    const auto text = [](std::string_view v) { return QString::fromUtf8(v.data(), static_cast<qsizetype>(v.size())); };
    QTEST(text(toString(d.retry)), "retry");
    QTEST(text(toString(d.fallback)), "fallback");
    QCOMPARE(outcome.error.has_value(), !outcome.message.empty());
    QVERIFY(read(stream, [] { return 1; }) == outcome);
}

void TestOpenAiStream::commitPoint_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<bool>("committed");
    const auto row = [](const char* name, const QByteArray& stream, bool committed) {
        QTest::newRow(name) << stream << committed;
    };
    row("comment", ": x\n\n", false);
    row("role", delta(R"("role":"assistant")"), false);
    row("empty content", kRole, false);
    row("null content", delta(R"("role":"assistant","content":null)"), false);
    row("empty reasoning", delta(R"("content":null,"reasoning_content":"")"), false);
    row("no tool calls", delta(R"("tool_calls":[])"), false);
    row("usage", sse(R"({"choices":[],"usage":{"prompt_tokens":1}})"), false);
    row("finish", finished(), false);
    row("error", kError, false);
    row("content", content("x"), true);
    row("blank content", content(" "), true);
    row("role with content", delta(R"("role":"assistant","content":"x")"), true);
    row("reasoning", delta(R"("reasoning_content":"x")"), true);
    row("refusal", delta(R"("refusal":"x")"), true);
    row("tool call", toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":""}})"), true);
}

void TestOpenAiStream::commitPoint()
{
    QFETCH(QByteArray, stream);
    QFETCH(bool, committed);
    const Outcome outcome = readWhole(stream);
    QCOMPARE(outcome.committed, committed);
    QCOMPARE(!outcome.deltas.isEmpty(), committed);
}

void TestOpenAiStream::usageInTheLastChunk()
{
    const Outcome outcome = readWhole(
        content("hi") + finished() +
        sse(R"({"choices":[],"usage":{"prompt_tokens":611,"completion_tokens":13,"total_tokens":624}})") + kDone);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.text, QStringLiteral("hi"));
    QVERIFY((outcome.usage == Usage{611, 13, {}, {}, false}));
    QCOMPARE(outcome.model, std::string("m-1"));
    QCOMPARE(outcome.finishReason, std::string("stop"));
}

void TestOpenAiStream::usageLastValueWins()
{
    const Outcome outcome = readWhole(sse(R"({"choices":[],"usage":{"prompt_tokens":25,"completion_tokens":1}})") +
                                      content("x") + sse(R"({"choices":[],"usage":null})") + finished() +
                                      sse(R"({"choices":[],"usage":{"completion_tokens":15}})"));
    QVERIFY((outcome.usage == Usage{25, 15, {}, {}, false}));
}

void TestOpenAiStream::toolCalls_data()
{
    QTest::addColumn<QByteArray>("pieces");
    QTest::addColumn<QJsonArray>("expected");
    const auto row = [](const char* name, const QByteArray& pieces, const char* expected) {
        QTest::newRow(name) << pieces << test::list(expected);
    };
    const char* search = R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{\"q\":1}"}}])";
    row("by index",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":""}})") +
            toolPiece(R"({"index":0,"function":{"arguments":"{\"q\":"}})") +
            toolPiece(R"({"index":0,"function":{"arguments":"1}"}})"),
        search);
    row("empty id means absent",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})") +
            toolPiece(R"({"index":0,"id":"","function":{"name":"","arguments":"\"q\":1}"}})"),
        search);
    row("id repeated with every piece",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"q\":"}})") +
            toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"1}"}})"),
        search);
    row("id and name late",
        toolPiece(R"({"index":0,"function":{"arguments":"{\"q\":"}})") +
            toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"1}"}})"),
        search);
    row("no index, by id",
        toolPiece(R"({"id":"a","function":{"name":"f","arguments":"{"}})") +
            toolPiece(R"({"function":{"arguments":"\"q\":"}})") +
            toolPiece(R"({"id":"a","function":{"arguments":"1}"}})"),
        search);
    row("arguments as an object", toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":{"q":1}}})"),
        search);
    row("never an id", toolPiece(R"({"index":0,"function":{"name":"f","arguments":"{}"}})"),
        R"([{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}])");
    row("signed, as Gemini's compatible address does",
        toolPiece(R"({"index":0,"id":"a","extra_content":{"google":{"thought_signature":"c2ln"}},"function":)"
                  R"({"name":"f","arguments":"{\"q\":1}"}})"),
        R"([{"id":"a","type":"function","extra_content":{"google":{"thought_signature":"c2ln"}},
             "function":{"name":"f","arguments":"{\"q\":1}"}}])");
    row("two, interleaved, the second first",
        toolPiece(R"({"index":1,"id":"b","function":{"name":"g","arguments":"{"}})") +
            toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"["}},)"
                      R"({"index":1,"function":{"arguments":"}"}})") +
            toolPiece(R"({"index":0,"function":{"arguments":"]"}})"),
        R"([{"id":"a","type":"function","function":{"name":"f","arguments":"[]"}},
            {"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}])");
    row("two without index",
        toolPiece(R"({"id":"a","function":{"name":"f","arguments":"1"}})") +
            toolPiece(R"({"id":"b","function":{"name":"g","arguments":"2"}})"),
        R"([{"id":"a","type":"function","function":{"name":"f","arguments":"1"}},
            {"id":"b","type":"function","function":{"name":"g","arguments":"2"}}])");
    const char* two = R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},
                          {"id":"b","type":"function","function":{"name":"f","arguments":"{\"q\":1}"}}])";
    row("two, both with index 0, together",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},)"
                  R"({"index":0,"id":"b","function":{"name":"f","arguments":"{\"q\":1}"}})"),
        two);
    row("two, both with index 0, in pieces",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}})") +
            toolPiece(R"({"index":0,"id":"b","function":{"name":"f","arguments":""}})") +
            toolPiece(R"({"index":0,"function":{"arguments":"{\"q\":"}})") +
            toolPiece(R"({"index":0,"id":"b","function":{"arguments":"1}"}})"),
        two);
    row("three with index 0, 0 and 1",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},)"
                  R"({"index":0,"id":"b","function":{"name":"g","arguments":"{}"}},)"
                  R"({"index":1,"id":"c","function":{"name":"h","arguments":"{}"}})"),
        R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},
            {"id":"b","type":"function","function":{"name":"g","arguments":"{}"}},
            {"id":"c","type":"function","function":{"name":"h","arguments":"{}"}}])");
    row("another id with each piece",
        toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"q\":"}})") +
            toolPiece(R"({"index":0,"id":"b","function":{"name":"f","arguments":"1"}})") +
            toolPiece(R"({"index":0,"id":"c","function":{"arguments":"}"}})"),
        search);
    row("two without index and id",
        toolPiece(R"({"function":{"name":"f","arguments":"{}"}},{"function":{"name":"g","arguments":"{}"}})"),
        R"([{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}},
            {"id":"call_1","type":"function","function":{"name":"g","arguments":"{}"}}])");
    row("one in both forms",
        delta(R"("tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"q\":1}"}}],)"
              R"("function_call":{"name":"f","arguments":"{\"q\":1}"})"),
        search);
}

void TestOpenAiStream::toolCalls()
{
    QFETCH(QByteArray, pieces);
    QFETCH(QJsonArray, expected);
    const QByteArray stream = kRole + pieces + finished("tool_calls") + kDone;
    const Outcome outcome = readWhole(stream);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.toolCalls, expected);
    QVERIFY(outcome.text.isEmpty());
    QVERIFY(read(stream, [] { return 1; }) == outcome);
}

void TestOpenAiStream::longArgumentsAreLinear()
{
    // Quadratic merging of a million characters in pieces would run into the time limit of the test.
    StreamReader reader({});
    const QByteArray piece = toolPiece(R"({"index":0,"id":"a","function":{"arguments":"0123456789"}})");
    for (int i = 0; i < 100'000; ++i)
        QVERIFY(reader.feed(piece));
    QVERIFY(reader.feed(finished()));
    const auto answer = reader.finish();
    QVERIFY(answer);
    QCOMPARE(answer->toolCalls[0][QLatin1String("function")][QLatin1String("arguments")].toString().size(), 1'000'000);
}

void TestOpenAiStream::reasoningAndText()
{
    const Outcome outcome = readWhole(delta(R"("role":"assistant","content":null,"reasoning_content":"")") +
                                      delta(R"("content":null,"reasoning_content":"be")") +
                                      delta(R"("content":null,"reasoning_content":"cause")") +
                                      delta(R"("content":"42","reasoning_content":null)") + finished() + kDone);
    QCOMPARE(outcome.deltas, (QStringList{QStringLiteral("|be|"), QStringLiteral("|cause|"), QStringLiteral("42||")}));
    QCOMPARE(outcome.text, QStringLiteral("42"));
    QCOMPARE(outcome.reasoning, QStringLiteral("because"));
}

void TestOpenAiStream::partsAsContent()
{
    const Outcome outcome =
        readWhole(delta(R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"Okay"}]}])") +
                  delta(R"("content":[{"type":"reference","reference_ids":[1]},{"type":"text","text":"2"}])") +
                  delta(R"("content":"")") + finished() + kDone);
    QCOMPARE(outcome.text, QStringLiteral("2"));
    QCOMPARE(outcome.reasoning, QStringLiteral("Okay"));
}

void TestOpenAiStream::errorKeepsPartial()
{
    const Outcome outcome =
        readWhole(content("Part") + toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})") +
                  sse(R"({"choices":[],"usage":{"prompt_tokens":9}})") +
                  sse(R"({"error":{"message":"Overloaded sk-secret-123456","type":"overloaded_error"}})"));
    QVERIFY((outcome.error ==
             Disposition{ErrorClass::StreamBroken, RetryAdvice::No, policy::CallOutcome::Failure, FallbackKind::None}));
    QCOMPARE(outcome.text, QStringLiteral("Part"));
    QCOMPARE(outcome.toolCalls.size(), 1);
    QCOMPARE(outcome.usage.inputTokens.value_or(0), 9);
    QCOMPARE(outcome.code, std::string("overloaded_error"));
    QCOMPARE(outcome.message, std::string("Overloaded ***"));
}

void TestOpenAiStream::errorBeforeDeltaKeepsItsCode()
{
    const Outcome outcome =
        readWhole(sse(R"({"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}})"));
    QVERIFY(outcome.error == dispositionOf(ErrorClass::RateLimited));
    QCOMPARE(outcome.code, std::string("rate_limit_exceeded"));
}

void TestOpenAiStream::feedSaysWhenToStop()
{
    StreamReader reader({});
    QVERIFY(reader.feed(content("a")));
    QVERIFY(!reader.feed(kError + content("b")));
    QVERIFY(!reader.feed(content("c")));
    QVERIFY(!reader.finish());
    QCOMPARE(reader.partial().text, QStringLiteral("a"));
}

void TestOpenAiStream::nothingAfterDoneCounts()
{
    const Outcome outcome = readWhole(content("a") + kDone + content("b") + kError + sse("junk"));
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.text, QStringLiteral("a"));
}

void TestOpenAiStream::otherChoicesAreIgnored()
{
    const Outcome outcome = readWhole(
        sse(R"({"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"stop"},{"index":0,"delta":{"content":"yes"}}]})") +
        finished());
    QCOMPARE(outcome.text, QStringLiteral("yes"));
}

void TestOpenAiStream::keepAlivesAreNoContent()
{
    StreamReader reader({});
    QVERIFY(reader.feed(": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n"));
    QCOMPARE(reader.comments(), 2);
    QVERIFY(!reader.committed() && !reader.terminalSeen());
}

void TestOpenAiStream::oversizedEvent()
{
    StreamReader reader({});
    const QByteArray mebibyte(1024 * 1024, 'x');
    bool going = reader.feed("data: ");
    int fed = 0;
    while (going && fed < 100) {
        going = reader.feed(mebibyte);
        ++fed;
    }
    QCOMPARE(fed, 16);
    QVERIFY(reader.finish().error().disposition == dispositionOf(ErrorClass::BadResponse));
}

void TestOpenAiStream::bigLine()
{
    const Outcome outcome = readWhole(content(QByteArray("QUJD").repeated(400'000)) + finished() + kDone);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.text.size(), 1'600'000);
}

void TestOpenAiStream::hintsNeedAClock()
{
    StreamReader reader({}, {"openrouter", {}, 0});
    reader.feed(
        sse(R"({"error":{"code":429,"message":"x","metadata":{"headers":{"X-RateLimit-Reset":"1796083200000"}}}})"));
    QVERIFY(reader.finish().error().hint.action == policy::HintAction::Backoff);
}

void TestOpenAiStream::everyCutGivesTheSame_data()
{
    QTest::addColumn<QByteArray>("stream");
    const QByteArray unicode = content("你好🌍é");
    QTest::newRow("complete") << ": hi\n\n" + kRole + unicode + content("b") + finished() +
                                     sse(R"({"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}})") + kDone;
    QTest::newRow("CRLF") << QByteArray(kRole + unicode + finished() + kDone).replace("\n", "\r\n");
    QTest::newRow("CR") << QByteArray(kRole + unicode + finished() + kDone).replace("\n", "\r");
    QTest::newRow("tool calls") << toolPiece(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"é\""}})") +
                                       toolPiece(R"({"index":0,"function":{"arguments":":1}"}})") + finished() + kDone;
    QTest::newRow("several data lines") << QByteArray(
        "data: {\"choices\":[{\"index\":0,\ndata:  \"delta\":{\"content\":"
        "\"multi\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n");
    QTest::newRow("error in the middle") << unicode + kError + content("b") + kDone;
    QTest::newRow("not JSON in the middle") << unicode + sse("{") + content("b");
    QTest::newRow("cut off") << unicode + "data: {\"choices\":[{\"delta\":{\"content\":\"b";
}

void TestOpenAiStream::everyCutGivesTheSame()
{
    QFETCH(QByteArray, stream);
    const Outcome whole = readWhole(stream);
    QVERIFY(!whole.text.contains(QChar(QChar::ReplacementCharacter)));
    QVERIFY(whole.committed);
    QVERIFY(read(stream, [] { return 1; }) == whole);
    for (qsizetype cut = 1; cut < stream.size(); ++cut) {
        bool first = true;
        QVERIFY(read(stream, [&] { return std::exchange(first, false) ? cut : stream.size(); }) == whole);
    }
    policy::SeededRandom random(7);
    for (int round = 0; round < 200; ++round)
        QVERIFY(read(stream, [&random] { return 1 + random.next() % 40; }) == whole);
}

QTEST_GUILESS_MAIN(TestOpenAiStream)
#include "tst_openai_stream.moc"
