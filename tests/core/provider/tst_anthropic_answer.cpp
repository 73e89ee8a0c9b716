// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuts.h"
#include "tests/support/json.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg;
using namespace sg::provider;
using test::list;
using test::object;
using test::StreamOutcome;
using test::word;

namespace {
QByteArray sent(const QByteArray& name, const QByteArray& rest = {})
{
    return "event: " + name + "\ndata: {\"type\":\"" + name + '"' + (rest.isEmpty() ? "" : ",") + rest + "}\n\n";
}
QByteArray start(const QByteArray& usage = R"({"input_tokens":25,"output_tokens":1})")
{
    return sent("message_start", R"("message":{"id":"msg_1","type":"message","role":"assistant","content":[],)"
                                 R"("model":"claude-test","stop_reason":null,"usage":)" +
                                     usage + "}");
}
QByteArray begin(int index, const QByteArray& block)
{
    return sent("content_block_start", "\"index\":" + QByteArray::number(index) + ",\"content_block\":" + block);
}
QByteArray piece(int index, const QByteArray& delta)
{
    return sent("content_block_delta", "\"index\":" + QByteArray::number(index) + ",\"delta\":" + delta);
}
QByteArray ended(int index)
{
    return sent("content_block_stop", "\"index\":" + QByteArray::number(index));
}
QByteArray text(int index, const QByteArray& words)
{
    return piece(index, R"({"type":"text_delta","text":")" + words + "\"}");
}
QByteArray input(int index, const QByteArray& json)
{
    return piece(index, R"({"type":"input_json_delta","partial_json":")" + json + "\"}");
}
QByteArray textBlock(int index, const QByteArray& words)
{
    return begin(index, R"({"type":"text","text":""})") + text(index, words) + ended(index);
}
QByteArray toolBegin(int index, const QByteArray& id, const QByteArray& name, const QByteArray& given = "{}")
{
    return begin(index, R"({"type":"tool_use","id":")" + id + R"(","name":")" + name + R"(","input":)" + given + "}");
}
QByteArray stopped(const QByteArray& reason, const QByteArray& usage = R"({"output_tokens":15})")
{
    return sent("message_delta",
                R"("delta":{"stop_reason":")" + reason + R"(","stop_sequence":null},"usage":)" + usage);
}
const QByteArray kStop = sent("message_stop");
const QByteArray kPing = sent("ping");
const QByteArray kError = sent("error", R"("error":{"type":"overloaded_error","message":"Overloaded"})");

StreamOutcome read(const QByteArray& stream)
{
    return test::readStream(stream, Dialect::Anthropic);
}

} // namespace

class TestAnthropicAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endings_data();
    void endings();
    void commitPoint_data();
    void commitPoint();
    void everything();
    void toolCalls_data();
    void toolCalls();
    void piecesGoOutAsTheyCome();
    void usageIsCumulative();
    void leftOut_data();
    void leftOut();
    void errorKeepsPartial();
    void manyToolCallsAreBounded();
    void whole_data();
    void whole();
    void wholeToolCalls();
    void wholeThatFails_data();
    void wholeThatFails();
    void typeOfAMessageIsNoErrorCode();
};

void TestAnthropicAnswer::endings_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("retry");
    QTest::addColumn<QString>("finish");
    const auto row = [](const char* name, const QByteArray& stream, const char* finish, const char* error = "",
                        const char* retry = "") {
        QTest::newRow(name) << stream << QString::fromUtf8(error) << QString::fromUtf8(retry)
                            << QString::fromUtf8(finish);
    };
    const QByteArray hello = start() + kPing + textBlock(0, "Hello");
    row("complete", hello + stopped("end_turn") + kStop, "stop");
    row("without message_stop", hello + stopped("end_turn"), "stop");
    row("without a reason", hello + kStop, "");
    row("null reason", hello + sent("message_delta", R"("delta":{"stop_reason":null},"usage":{})") + kStop, "");
    row("stop sequence", hello + stopped("stop_sequence") + kStop, "stop");
    row("limit", hello + stopped("max_tokens") + kStop, "length");
    row("limit before a word", start() + stopped("max_tokens") + kStop, "length");
    row("window full", hello + stopped("model_context_window_exceeded") + kStop, "length");
    row("tool", start() + toolBegin(0, "t", "f") + ended(0) + stopped("tool_use") + kStop, "tool_calls");
    row("paused", hello + stopped("pause_turn") + kStop, "stop");
    row("unknown reason", hello + stopped("New_Reason") + kStop, "new_reason");
    row("refused after words", hello + stopped("refusal") + kStop, "content_filter");
    row("refused at once", start() + stopped("refusal") + kStop, "content_filter", "content_filtered", "no");
    row("nothing said", start() + stopped("end_turn") + kStop, "stop", "bad_response", "once");
    row("cut after words", hello, "", "stream_broken", "no");
    row("cut in an event", hello + "event: message_delta\ndata: {\"type\":\"mess", "", "stream_broken", "no");
    row("cut before a word", start() + kPing, "", "stream_broken", "yes");
    row("empty", "", "", "stream_broken", "yes");
    row("pings only", kPing + kPing, "", "stream_broken", "yes");
    row("error first", kError, "", "overloaded", "yes");
    row("error after the start", start() + kPing + kError, "", "overloaded", "yes");
    row("error after words", hello + kError, "", "stream_broken", "no");
    row("error after reasoning", start() + piece(0, R"({"type":"thinking_delta","thinking":"x"})") + kError, "",
        "stream_broken", "no");
    row("error without its event name",
        start() + "data: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Slow\"}}\n\n", "",
        "rate_limited", "yes");
    row("error after the end", hello + stopped("end_turn") + kStop + kError, "stop");
    row("not JSON", start() + "event: message_delta\ndata: {\n\n", "", "bad_response", "once");
    row("unknown events", hello + sent("new_event", R"("x":1)") + stopped("end_turn") + kStop, "stop");
    row("wrong types",
        start() + sent("content_block_delta", R"("index":"a","delta":7)") + textBlock(0, "a") +
            sent("content_block_start", R"("content_block":[])") + stopped("end_turn") + kStop,
        "stop");
    row("event names lost", QByteArray(hello + stopped("end_turn") + kStop).replace("event: ", "x: "), "stop");
}

void TestAnthropicAnswer::endings()
{
    QFETCH(QByteArray, stream);
    const StreamOutcome outcome = read(stream);
    QTEST(outcome.error ? word(outcome.error->error) : QString(), "error");
    QTEST(outcome.error ? word(outcome.error->retry) : QString(), "retry");
    QTEST(QString::fromStdString(outcome.finishReason), "finish");
    QCOMPARE(test::differingCuts(stream, Dialect::Anthropic), QString());
}

void TestAnthropicAnswer::commitPoint_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<bool>("committed");
    const auto row = [](const char* name, const QByteArray& stream, bool committed) {
        QTest::newRow(name) << stream << committed;
    };
    row("start", start(), false);
    row("ping", kPing, false);
    row("block begins", begin(0, R"({"type":"text","text":""})"), false);
    row("empty text", text(0, ""), false);
    row("signature", piece(0, R"({"type":"signature_delta","signature":"abc"})"), false);
    row("citation", piece(0, R"({"type":"citations_delta","citation":{"cited_text":"x"}})"), false);
    row("encrypted reasoning", begin(0, R"({"type":"redacted_thinking","data":"abc"})"), false);
    row("server tool", begin(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})"), false);
    row("end", stopped("end_turn"), false);
    row("text", text(0, "x"), true);
    row("text with the block", begin(0, R"({"type":"text","text":"x"})"), true);
    row("reasoning", piece(0, R"({"type":"thinking_delta","thinking":"x"})"), true);
    row("tool", toolBegin(0, "t", "f"), true);
}

void TestAnthropicAnswer::commitPoint()
{
    QFETCH(QByteArray, stream);
    const StreamOutcome outcome = read(stream);
    QTEST(outcome.committed, "committed");
    QCOMPARE(outcome.deltas.isEmpty(), !outcome.committed);
}

void TestAnthropicAnswer::everything()
{
    const QByteArray stream =
        start() + kPing + begin(0, R"({"type":"thinking","thinking":"","signature":""})") +
        piece(0, R"({"type":"thinking_delta","thinking":"Hm, "})") +
        piece(0, R"({"type":"thinking_delta","thinking":"Zürich"})") +
        piece(0, R"({"type":"signature_delta","signature":"c2ln"})") + ended(0) +
        begin(1, R"({"type":"text","text":"","citations":[]})") + text(1, "Hello, ") +
        piece(1, R"({"type":"citations_delta","citation":{"type":"char_location","cited_text":"x"}})") +
        text(1, "\xF0\x9F\x98\x80") + ended(1) + toolBegin(2, "toolu_1", "get_weather") + input(2, "") +
        input(2, R"({\"location\":)") + input(2, R"( \"Paris\"})") + ended(2) + stopped("tool_use") + kStop;
    const StreamOutcome outcome = read(stream);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.reasoning, QStringLiteral("Hm, Zürich"));
    QCOMPARE(outcome.text, QStringLiteral("Hello, 😀"));
    const QJsonArray calls = list(R"([{"id":"toolu_1","type":"function",
        "function":{"name":"get_weather","arguments":"{\"location\": \"Paris\"}"}}])");
    QCOMPARE(outcome.toolCalls, calls);
    QCOMPARE(outcome.finishReason, std::string("tool_calls"));
    QCOMPARE(outcome.finishReasonSent, std::string("tool_use"));
    QCOMPARE(outcome.model, std::string("claude-test"));
    QCOMPARE(outcome.id, std::string("msg_1"));
    QCOMPARE(outcome.usageSent, object(R"({"input_tokens":25,"output_tokens":15})"));
    QVERIFY(outcome.warnings.isEmpty());
    QVERIFY(outcome.terminal && outcome.done);
    QCOMPARE(test::differingCuts(stream, Dialect::Anthropic), QString());
}

void TestAnthropicAnswer::toolCalls_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QStringList>("expected"); // id, name, arguments
    const auto row = [](const char* name, const QByteArray& events, const QStringList& expected) {
        QTest::newRow(name) << events << expected;
    };
    const auto call = [](const char* id, const char* name, const char* arguments) {
        return QStringLiteral("%1 %2 %3").arg(QLatin1String(id), QLatin1String(name), QLatin1String(arguments));
    };
    row("pieces", toolBegin(0, "a", "f") + input(0, R"({\"x\":)") + input(0, "1}") + ended(0),
        {call("a", "f", R"({"x":1})")});
    row("no pieces", toolBegin(0, "a", "f") + ended(0), {call("a", "f", "{}")});
    row("an empty piece", toolBegin(0, "a", "f") + input(0, "") + ended(0), {call("a", "f", "{}")});
    row("given whole", toolBegin(0, "a", "f", R"({"x":1})") + ended(0), {call("a", "f", R"({"x":1})")});
    row("given whole and in pieces", toolBegin(0, "a", "f", R"({"x":1})") + input(0, R"({\"x\":1})") + ended(0),
        {call("a", "f", R"({"x":1})")});
    row("no end of the block", toolBegin(0, "a", "f"), {call("a", "f", "{}")});
    row("two", toolBegin(1, "a", "f") + input(1, R"({\"x\":1})") + ended(1) + toolBegin(2, "b", "f") + ended(2),
        {call("a", "f", R"({"x":1})"), call("b", "f", "{}")});
    row("in one another",
        toolBegin(1, "a", "f") + toolBegin(0, "b", "g") + input(1, "1") + input(0, "2") + ended(0) + ended(1),
        {call("b", "g", "2"), call("a", "f", "1")});
    row("after words", textBlock(0, "Well") + toolBegin(1, "a", "f") + ended(1), {call("a", "f", "{}")});
    row("no input field", begin(0, R"({"type":"tool_use","id":"a","name":"f"})") + ended(0), {call("a", "f", "{}")});
    row("pieces without a call", input(3, "{}") + textBlock(0, "a"), {});
    row("pieces of a server tool",
        begin(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})") + input(0, "{}") + ended(0) +
            begin(1, R"({"type":"web_search_tool_result","tool_use_id":"s","content":[]})") + ended(1) +
            toolBegin(2, "a", "f") + input(2, "[]") + ended(2),
        {call("a", "f", "[]")});
}

void TestAnthropicAnswer::toolCalls()
{
    QFETCH(QByteArray, events);
    const QByteArray stream = start() + events + stopped("tool_use") + kStop;
    const StreamOutcome outcome = read(stream);
    QStringList calls;
    for (const QJsonValue& c : outcome.toolCalls) {
        const QJsonValue function = c[QLatin1String("function")];
        calls += QStringLiteral("%1 %2 %3")
                     .arg(c[QLatin1String("id")].toString(), function[QLatin1String("name")].toString(),
                          function[QLatin1String("arguments")].toString());
    }
    QTEST(calls, "expected");
    QCOMPARE(test::differingCuts(stream, Dialect::Anthropic), QString());
}

void TestAnthropicAnswer::piecesGoOutAsTheyCome()
{
    const StreamOutcome outcome = read(start() + toolBegin(1, "a", "f") + input(1, "{") + input(1, "}") + ended(1) +
                                       toolBegin(4, "b", "g") + ended(4) + stopped("tool_use") + kStop);
    const QStringList expected{QStringLiteral("||0,a,f,;"), QStringLiteral("||0,,,{;"), QStringLiteral("||0,,,};"),
                               QStringLiteral("||1,b,g,;"), QStringLiteral("||1,,,{};")};
    QCOMPARE(outcome.deltas, expected);
}

void TestAnthropicAnswer::usageIsCumulative()
{
    const QByteArray stream =
        start(QByteArray(
                  R"({"input_tokens":25,"cache_read_input_tokens":100,"cache_creation_input_tokens":0,"output_tokens":1,
               "cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4},"service_tier":"standard"})")
                  .replace("\n", " ")) +
        textBlock(0, "Hello!") + sent("message_delta", R"("delta":{"stop_reason":null},"usage":{"output_tokens":7})") +
        stopped(
            "end_turn",
            R"({"input_tokens":25,"cache_read_input_tokens":null,"output_tokens":15,"server_tool_use":{"web_search_requests":1}})") +
        kStop;
    QCOMPARE(read(stream).usageSent, object(R"({"input_tokens":25,"cache_read_input_tokens":100,
        "cache_creation_input_tokens":0,"output_tokens":15,"service_tier":"standard",
        "cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4},
        "server_tool_use":{"web_search_requests":1}})"));
}

void TestAnthropicAnswer::leftOut_data()
{
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<QString>("warning");
    const auto row = [](const char* name, const char* block, const char* warning) {
        QTest::newRow(name) << QByteArray(block) << QString::fromUtf8(warning);
    };
    row("encrypted", R"({"type":"redacted_thinking","data":"abc"})", "encrypted");
    row("server tool", R"({"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}})",
        "server_tool_use");
    row("its result", R"({"type":"web_search_tool_result","tool_use_id":"s","content":[]})", "web_search_tool_result");
    row("something new", R"({"type":"hologram"})", "hologram");
}

void TestAnthropicAnswer::leftOut()
{
    QFETCH(QByteArray, block);
    QFETCH(QString, warning);
    const StreamOutcome outcome = read(start() + begin(0, block) + ended(0) + begin(1, block) + ended(1) +
                                       textBlock(2, "Found") + stopped("end_turn") + kStop);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.text, QStringLiteral("Found"));
    QVERIFY(outcome.toolCalls.isEmpty());
    QCOMPARE(outcome.warnings.size(), 1);
    QVERIFY2(outcome.warnings.front().contains(warning), qPrintable(outcome.warnings.front()));

    const auto whole =
        parseWhole(R"({"content":[)" + block + R"(,{"type":"text","text":"Found"}],"stop_reason":"end_turn"})",
                   test::contextOf(Dialect::Anthropic));
    QVERIFY(whole);
    QCOMPARE(whole->text, QStringLiteral("Found"));
    QCOMPARE(whole->warnings, outcome.warnings);
}

void TestAnthropicAnswer::errorKeepsPartial()
{
    const QByteArray stream = start() + begin(0, R"({"type":"text","text":""})") + text(0, "Part") + kError;
    const StreamOutcome outcome = read(stream);
    QVERIFY((outcome.error ==
             Disposition{ErrorClass::StreamBroken, RetryAdvice::No, policy::CallOutcome::Failure, FallbackKind::None}));
    QCOMPARE(outcome.code, std::string("overloaded_error"));
    QCOMPARE(outcome.text, QStringLiteral("Part"));
    QCOMPARE(outcome.usageSent[QLatin1String("input_tokens")].toInt(), 25);
    QCOMPARE(test::differingCuts(stream, Dialect::Anthropic), QString());
}

void TestAnthropicAnswer::manyToolCallsAreBounded()
{
    QByteArray stream = start();
    for (int i = 0; i < 3000; ++i)
        stream += toolBegin(i, "a", "f");
    const StreamOutcome outcome = read(stream + stopped("tool_use") + kStop);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.toolCalls.size(), 512);
    QCOMPARE(outcome.toolCalls.last()[QLatin1String("function")][QLatin1String("arguments")].toString(),
             QStringLiteral("{}"));
    QCOMPARE(outcome.warnings.size(), 1);
}

void TestAnthropicAnswer::whole_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reasoning");
    QTest::addColumn<QString>("finish");
    const auto row = [](const char* name, const char* rest, const char* text, const char* reasoning,
                        const char* finish) {
        QTest::newRow(name) << QByteArray(R"({"id":"msg_1","type":"message","model":"claude-test",)") + rest + "}"
                            << QString::fromUtf8(text) << QString::fromUtf8(reasoning) << QString::fromUtf8(finish);
    };
    row("text", R"("content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn")", "Hi", "", "stop");
    row("texts", R"("content":[{"type":"text","text":"Hi"},{"type":"text","text":" you"}],"stop_reason":"max_tokens")",
        "Hi you", "", "length");
    row("reasoning",
        R"("content":[{"type":"thinking","thinking":"Hm","signature":"x"},{"type":"text","text":"Hi"}],"stop_reason":"stop_sequence","stop_sequence":"END")",
        "Hi", "Hm", "stop");
    row("empty text", R"("content":[{"type":"text","text":""}],"stop_reason":"end_turn")", "", "", "stop");
    row("no block", R"("content":[],"stop_reason":"end_turn")", "", "", "stop");
    row("null reason", R"("content":[{"type":"text","text":"Hi"}],"stop_reason":null)", "Hi", "", "");
}

void TestAnthropicAnswer::whole()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body, test::contextOf(Dialect::Anthropic));
    QVERIFY(answer);
    QTEST(answer->text, "text");
    QTEST(answer->reasoning, "reasoning");
    QTEST(QString::fromStdString(answer->finishReason), "finish");
    QCOMPARE(answer->id, std::string("msg_1"));
    QCOMPARE(answer->model, std::string("claude-test"));
}

void TestAnthropicAnswer::wholeToolCalls()
{
    const auto answer = parseWhole(R"({"content":[{"type":"text","text":"Well"},
        {"type":"tool_use","id":"a","name":"f","input":{"x":1}},{"type":"tool_use","id":"b","name":"g","input":{}}],
        "stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":4}})",
                                   test::contextOf(Dialect::Anthropic));
    QVERIFY(answer);
    const QJsonArray calls = list(R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
                      {"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}])");
    QCOMPARE(answer->toolCalls, calls);
    QCOMPARE(answer->finishReason, std::string("tool_calls"));
    QCOMPARE(answer->finishReasonSent, std::string("tool_use"));
    QCOMPARE(answer->usageSent, object(R"({"input_tokens":9,"output_tokens":4})"));
}

void TestAnthropicAnswer::wholeThatFails_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* body, const char* error) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(error);
    };
    row("refused", R"({"content":[],"stop_reason":"refusal"})", "content_filtered");
    row("no content", R"({"type":"message","stop_reason":"end_turn"})", "bad_response");
    row("content of a wrong type", R"({"content":"Hi","stop_reason":"end_turn"})", "bad_response");
    row("a part of a wrong type", R"({"content":["Hi"],"stop_reason":"end_turn"})", "bad_response");
    row("a text of a wrong type", R"({"content":[{"type":"text","text":5}],"stop_reason":"end_turn"})", "bad_response");
    row("an input of a wrong type",
        R"({"content":[{"type":"tool_use","id":"a","name":"f","input":"x"}],"stop_reason":"tool_use"})",
        "bad_response");
    row("a name of a wrong type",
        R"({"content":[{"type":"tool_use","id":"a","name":{},"input":{}}],"stop_reason":"tool_use"})", "bad_response");
    row("OpenAI's form", R"({"choices":[{"message":{"content":"Hi"}}]})", "bad_response");
    row("error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"})",
        "overloaded");
    row("cut", R"({"content":[{"type":"text","text":"Hi"}],"stop_re)", "bad_response");
    row("empty", "", "bad_response");
}

void TestAnthropicAnswer::wholeThatFails()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body, test::contextOf(Dialect::Anthropic));
    QVERIFY(!answer);
    QTEST(word(answer.error().disposition.error), "error");
    QVERIFY(!answer.error().message.empty());
}

void TestAnthropicAnswer::typeOfAMessageIsNoErrorCode()
{
    const auto answer =
        parseWhole(R"({"type":"message","content":[],"stop_reason":"refusal"})", test::contextOf(Dialect::Anthropic));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, std::string());
}

QTEST_APPLESS_MAIN(TestAnthropicAnswer)
#include "tst_anthropic_answer.moc"
