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
QByteArray sse(const QByteArray& json)
{
    return "data: " + json + "\r\n\r\n";
}
QByteArray chunkOf(const QByteArray& parts, const QByteArray& rest = {})
{
    return R"({"candidates":[{"content":{"parts":[)" + parts + R"(],"role":"model"})" + rest +
           R"(,"index":0}],"modelVersion":"gemini-test","responseId":"r-1"})";
}
QByteArray chunk(const QByteArray& parts)
{
    return sse(chunkOf(parts));
}
QByteArray last(const QByteArray& parts, const QByteArray& reason)
{
    return sse(chunkOf(parts, R"(,"finishReason":")" + reason + "\""));
}
QByteArray text(const QByteArray& words)
{
    return R"({"text":")" + words + "\"}";
}
QByteArray thought(const QByteArray& words)
{
    return R"({"text":")" + words + R"(","thought":true})";
}
QByteArray finished(const QByteArray& reason, const QByteArray& rest = {})
{
    return sse(R"({"candidates":[{"finishReason":")" + reason + R"(","index":0)" + rest +
               R"(}],"usageMetadata":{"promptTokenCount":9}})");
}
const QByteArray kBlocked =
    sse(R"({"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}})");
const QByteArray kError = sse(R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})");

StreamOutcome read(const QByteArray& stream)
{
    return test::readStream(stream, Dialect::Gemini);
}
} // namespace

class TestGeminiAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endings_data();
    void endings();
    void commitPoint_data();
    void commitPoint();
    void everything();
    void usageLastWordCounts();
    void toolCalls();
    void lostCallIsNoFaultOfTheEndpoint();
    void textBesideALostCallIsNotDelivered();
    void blockedPromptKeepsItsReason();
    void leftOut_data();
    void leftOut();
    void manyCallsAreBounded();
    void chunkList();
    void whole_data();
    void whole();
    void wholeCalls();
    void wholeThatFails_data();
    void wholeThatFails();
};

void TestGeminiAnswer::endings_data()
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
    const QByteArray hello = chunk(text("Hello"));
    row("complete", hello + last(text(" you"), "STOP"), "stop");
    row("reason alone", hello + finished("STOP"), "stop");
    row("one chunk", last(text("Hello"), "STOP"), "stop");
    row("a reason in every chunk", last(text("Hel"), "STOP") + last(text("lo"), "MAX_TOKENS"), "length");
    row("unspecified, then stop", last(text("Hel"), "FINISH_REASON_UNSPECIFIED") + finished("STOP"), "stop");
    row("limit", hello + finished("MAX_TOKENS"), "length");
    row("limit spent on thinking", finished("MAX_TOKENS"), "length");
    row("calls a function", last(R"({"functionCall":{"name":"f","args":{}}})", "STOP"), "tool_calls");
    row("filtered after words", hello + finished("SAFETY"), "content_filter");
    row("filtered at once", finished("SAFETY"), "content_filter", "content_filtered", "no");
    row("recited at once", finished("RECITATION"), "content_filter", "content_filtered", "no");
    row("language", hello + finished("LANGUAGE"), "content_filter");
    row("image filter", hello + finished("IMAGE_PROHIBITED_CONTENT"), "content_filter");
    row("no image but words", hello + finished("NO_IMAGE"), "stop");
    row("no image", finished("NO_IMAGE"), "stop", "bad_response", "once");
    row("other", hello + finished("OTHER"), "other");
    row("other, nothing said", finished("OTHER"), "other", "bad_response", "once");
    row("call not readable", finished("MALFORMED_FUNCTION_CALL"), "", "bad_response", "once");
    row("call not asked for", finished("UNEXPECTED_TOOL_CALL"), "", "bad_response", "once");
    row("too many calls", finished("TOO_MANY_TOOL_CALLS"), "", "bad_response", "once");
    row("call not readable after words", hello + finished("MALFORMED_FUNCTION_CALL"), "", "stream_broken", "no");
    row("signature missing", finished("MISSING_THOUGHT_SIGNATURE"), "", "bad_request", "no");
    row("prompt blocked", kBlocked, "", "content_filtered", "no");
    row("prompt blocked after words", hello + kBlocked, "content_filter");
    row("feedback without a block", sse(R"({"promptFeedback":{"safetyRatings":[]}})") + last(text("Hello"), "STOP"),
        "stop");
    row("nothing said", chunk(text("")) + finished("STOP"), "stop", "bad_response", "once");
    row("cut after words", hello, "", "stream_broken", "no");
    row("cut in an event", hello + "data: {\"candidates\":[{", "", "stream_broken", "no");
    row("cut before a word", sse(R"({"usageMetadata":{"promptTokenCount":9}})"), "", "stream_broken", "yes");
    row("empty", "", "", "stream_broken", "yes");
    row("error first", kError, "", "overloaded", "yes");
    row("error after words", hello + kError, "", "stream_broken", "no");
    row("error after thoughts", chunk(thought("Hm")) + kError, "", "stream_broken", "no");
    row("not JSON", sse("{"), "", "bad_response", "once");
    row("wrong types",
        sse(R"({"candidates":7,"usageMetadata":[],"modelVersion":1})") +
            sse(R"({"candidates":[{"content":"x","finishReason":3}]})") +
            sse(R"({"candidates":["x",{"content":{"parts":["y",{"text":5},{"functionCall":"z"}]}}]})") +
            last(text("Hello"), "STOP"),
        "stop");
    row("done as OpenAI says it", hello + finished("STOP") + sse("[DONE]"), "stop");
}

void TestGeminiAnswer::endings()
{
    QFETCH(QByteArray, stream);
    const StreamOutcome outcome = read(stream);
    QTEST(outcome.error ? word(outcome.error->error) : QString(), "error");
    QTEST(outcome.error ? word(outcome.error->retry) : QString(), "retry");
    QTEST(QString::fromStdString(outcome.finishReason), "finish");
    QCOMPARE(outcome.error.has_value(), !outcome.message.empty());
    QCOMPARE(test::differingCuts(stream, Dialect::Gemini), QString());
}

void TestGeminiAnswer::commitPoint_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<bool>("committed");
    const auto row = [](const char* name, const QByteArray& stream, bool committed) {
        QTest::newRow(name) << stream << committed;
    };
    row("usage", sse(R"({"usageMetadata":{"promptTokenCount":9}})"), false);
    row("no part", chunk(""), false);
    row("empty text", chunk(text("")), false);
    row("signature alone", chunk(R"({"thoughtSignature":"c2ln"})"), false);
    row("image", chunk(R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})"), false);
    row("finish", finished("STOP"), false);
    row("error", kError, false);
    row("another candidate", sse(R"({"candidates":[{"index":1,"content":{"parts":[{"text":"x"}]}}]})"), false);
    row("text", chunk(text("x")), true);
    row("thought", chunk(thought("x")), true);
    row("call", chunk(R"({"functionCall":{"name":"f"}})"), true);
}

void TestGeminiAnswer::commitPoint()
{
    QFETCH(QByteArray, stream);
    const StreamOutcome outcome = read(stream);
    QTEST(outcome.committed, "committed");
    QCOMPARE(outcome.deltas.isEmpty(), !outcome.committed);
}

void TestGeminiAnswer::everything()
{
    const QByteArray stream =
        chunk(thought("**Plan** ")) + chunk(thought("Zürich")) + chunk(text("Hello, ")) +
        chunk(text("\xF0\x9F\x98\x80")) +
        chunk(
            R"({"functionCall":{"id":"fc_1","name":"get_weather","args":{"city":"Paris","days":3}},"thoughtSignature":"c2ln"})") +
        sse(QByteArray(
                R"({"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],
               "usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":20,"thoughtsTokenCount":5,"totalTokenCount":34}})")
                .replace("\n", " "));
    const StreamOutcome outcome = read(stream);
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.reasoning, QStringLiteral("**Plan** Zürich"));
    QCOMPARE(outcome.text, QStringLiteral("Hello, 😀"));
    const QJsonArray calls =
        list(R"([{"id":"fc_1","type":"function","extra_content":{"google":{"thought_signature":"c2ln"}},
        "function":{"name":"get_weather","arguments":"{\"city\":\"Paris\",\"days\":3}"}}])");
    QCOMPARE(outcome.toolCalls, calls);
    QCOMPARE(outcome.finishReason, std::string("tool_calls"));
    QCOMPARE(outcome.finishReasonSent, std::string("STOP"));
    QCOMPARE(outcome.model, std::string("gemini-test"));
    QCOMPARE(outcome.id, std::string("r-1"));
    QVERIFY(outcome.warnings.isEmpty());
    QVERIFY(outcome.terminal && !outcome.done); // this dialect's stream ends with the connection
    QCOMPARE(test::differingCuts(stream, Dialect::Gemini), QString());
}

void TestGeminiAnswer::usageLastWordCounts()
{
    const auto usage = [](const QByteArray& json) { return sse(R"({"usageMetadata":)" + json + "}"); };
    const StreamOutcome outcome = read(
        chunk(text("a")) +
        usage(R"({"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10,"cachedContentTokenCount":4})") +
        usage(
            R"({"promptTokenCount":9,"candidatesTokenCount":7,"totalTokenCount":16,"promptTokensDetails":[{"modality":"TEXT","tokenCount":9}]})") +
        finished("STOP"));
    QCOMPARE(outcome.usageSent,
             object(R"({"promptTokenCount":9,"candidatesTokenCount":7,"totalTokenCount":16,"cachedContentTokenCount":4,
                        "promptTokensDetails":[{"modality":"TEXT","tokenCount":9}]})"));
}

void TestGeminiAnswer::toolCalls()
{
    const QByteArray stream =
        chunk(
            R"({"functionCall":{"name":"f","args":{"x":1}}},{"text":"and"},{"functionCall":{"name":"f","args":{"x":1}}})") +
        last(R"({"functionCall":{"name":"g"}})", "STOP");
    const StreamOutcome outcome = read(stream);
    const QJsonArray calls = list(R"([{"id":"call_0","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
                      {"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
                      {"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}])");
    QCOMPARE(outcome.toolCalls, calls);
    const QStringList deltas{QStringLiteral("||0,,f,{\"x\":1};"), QStringLiteral("and||"),
                             QStringLiteral("||1,,f,{\"x\":1};"), QStringLiteral("||2,,g,{};")};
    QCOMPARE(outcome.deltas, deltas);
    QCOMPARE(test::differingCuts(stream, Dialect::Gemini), QString());
}

void TestGeminiAnswer::lostCallIsNoFaultOfTheEndpoint()
{
    const StreamOutcome outcome =
        read(finished("MALFORMED_FUNCTION_CALL", R"(,"finishMessage":"Malformed function call: print f")"));
    QVERIFY((outcome.error == Disposition{ErrorClass::BadResponse, RetryAdvice::Once, policy::CallOutcome::Neutral,
                                          FallbackKind::Next}));
    QCOMPARE(outcome.code, std::string("MALFORMED_FUNCTION_CALL"));
    QCOMPARE(outcome.message, std::string("Malformed function call: print f"));
    QCOMPARE(outcome.usageSent[QLatin1String("promptTokenCount")].toInt(), 9);
}

void TestGeminiAnswer::textBesideALostCallIsNotDelivered()
{
    const StreamOutcome outcome = read(last(text("I will call it"), "MALFORMED_FUNCTION_CALL"));
    QVERIFY(!outcome.committed);
    QCOMPARE(word(outcome.error->retry), QStringLiteral("once"));
}

void TestGeminiAnswer::blockedPromptKeepsItsReason()
{
    const StreamOutcome outcome = read(kBlocked);
    QVERIFY((outcome.error == Disposition{ErrorClass::ContentFiltered, RetryAdvice::No, policy::CallOutcome::Success,
                                          FallbackKind::ContentPolicy}));
    QCOMPARE(outcome.code, std::string("PROHIBITED_CONTENT"));
    QCOMPARE(outcome.usageSent[QLatin1String("promptTokenCount")].toInt(), 9);
    QCOMPARE(read(chunk(text("a")) + kBlocked).finishReasonSent, std::string("PROHIBITED_CONTENT"));
}

void TestGeminiAnswer::leftOut_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QString>("warning");
    const auto row = [](const char* name, const char* part, const char* warning) {
        QTest::newRow(name) << QByteArray(part) << QString::fromUtf8(warning);
    };
    row("code", R"({"executableCode":{"language":"PYTHON","code":"x = 1"}})", "executableCode");
    row("its result", R"({"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}})", "codeExecutionResult");
    row("image", R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})", "inlineData");
    row("file", R"({"fileData":{"fileUri":"files/1"}})", "fileData");
}

void TestGeminiAnswer::leftOut()
{
    QFETCH(QByteArray, part);
    QFETCH(QString, warning);
    const StreamOutcome outcome = read(chunk(part) + chunk(part) + last(text("Found"), "STOP"));
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.text, QStringLiteral("Found"));
    QCOMPARE(outcome.warnings.size(), 1);
    QVERIFY2(outcome.warnings.front().contains(warning), qPrintable(outcome.warnings.front()));
}

void TestGeminiAnswer::manyCallsAreBounded()
{
    QByteArray stream;
    for (int i = 0; i < 3000; ++i)
        stream += chunk(R"({"functionCall":{"name":"f"}})");
    const StreamOutcome outcome = read(stream + finished("STOP"));
    QVERIFY(!outcome.error);
    QCOMPARE(outcome.toolCalls.size(), 512);
    QCOMPARE(outcome.warnings.size(), 1);
}

void TestGeminiAnswer::chunkList()
{
    const QByteArray body = "[" + chunkOf(thought("Hm")) + ",\r\n" + chunkOf(text("Hel")) + ",\r\n" +
                            chunkOf(text("lo"), R"(,"finishReason":"STOP")") + "]";
    const auto answer = parseWhole(body, test::contextOf(Dialect::Gemini));
    QVERIFY(answer);
    QCOMPARE(answer->text, QStringLiteral("Hello"));
    QCOMPARE(answer->reasoning, QStringLiteral("Hm"));
    QCOMPARE(answer->finishReason, std::string("stop"));

    const auto one =
        parseWhole("[" + chunkOf(text("Hi"), R"(,"finishReason":"STOP")") + "]", test::contextOf(Dialect::Gemini));
    QVERIFY(one);
    QCOMPARE(one->text, QStringLiteral("Hi"));

    const auto broken = parseWhole("[" + chunkOf(text("a")) + R"(,{"error":{"code":503,"status":"UNAVAILABLE"}}])",
                                   test::contextOf(Dialect::Gemini));
    QVERIFY(!broken);
    const auto unfinished =
        parseWhole("[" + chunkOf(text("a")) + "," + chunkOf(text("b")) + "]", test::contextOf(Dialect::Gemini));
    QVERIFY(!unfinished);
    QCOMPARE(word(unfinished.error().disposition.error), QStringLiteral("stream_broken"));
}

void TestGeminiAnswer::whole_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reasoning");
    QTest::addColumn<QString>("finish");
    const auto row = [](const char* name, const QByteArray& body, const char* text, const char* reasoning,
                        const char* finish) {
        QTest::newRow(name) << body << QString::fromUtf8(text) << QString::fromUtf8(reasoning)
                            << QString::fromUtf8(finish);
    };
    row("text", chunkOf(text("Hi"), R"(,"finishReason":"STOP")"), "Hi", "", "stop");
    row("parts", chunkOf(thought("Hm") + ',' + text("Hi") + ',' + text(" you"), R"(,"finishReason":"STOP")"), "Hi you",
        "Hm", "stop");
    row("limit", chunkOf(text("Hi"), R"(,"finishReason":"MAX_TOKENS")"), "Hi", "", "length");
    row("limit spent on thinking",
        R"({"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}],"responseId":"r-1"})", "", "",
        "length");
    row("empty text", chunkOf(text(""), R"(,"finishReason":"STOP")"), "", "", "stop");
    row("no reason", chunkOf(text("Hi")), "Hi", "", "");
    row("language filter with words", chunkOf(text("Hi"), R"(,"finishReason":"LANGUAGE")"), "Hi", "", "content_filter");
}

void TestGeminiAnswer::whole()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body, test::contextOf(Dialect::Gemini));
    QVERIFY(answer);
    QTEST(answer->text, "text");
    QTEST(answer->reasoning, "reasoning");
    QTEST(QString::fromStdString(answer->finishReason), "finish");
    QCOMPARE(answer->id, std::string("r-1"));
}

void TestGeminiAnswer::wholeCalls()
{
    const auto answer =
        parseWhole(chunkOf(R"({"functionCall":{"name":"f","args":{"x":1},"id":"a"}},{"functionCall":{"name":"g"}})",
                           R"(,"finishReason":"STOP")"),
                   test::contextOf(Dialect::Gemini));
    QVERIFY(answer);
    const QJsonArray calls = list(R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
                      {"id":"call_1","type":"function","function":{"name":"g","arguments":"{}"}}])");
    QCOMPARE(answer->toolCalls, calls);
    QCOMPARE(answer->finishReason, std::string("tool_calls"));
}

void TestGeminiAnswer::wholeThatFails_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("retry");
    const auto row = [](const char* name, const QByteArray& body, const char* error, const char* retry) {
        QTest::newRow(name) << body << QString::fromUtf8(error) << QString::fromUtf8(retry);
    };
    row("prompt blocked", R"({"promptFeedback":{"blockReason":"SAFETY"}})", "content_filtered", "no");
    row("answer blocked", R"({"candidates":[{"finishReason":"SAFETY"}]})", "content_filtered", "no");
    row("image blocked", R"({"candidates":[{"finishReason":"IMAGE_SAFETY"}]})", "content_filtered", "no");
    row("call lost", R"({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","index":0}]})", "bad_response",
        "once");
    row("call lost beside words", chunkOf(text("I call"), R"(,"finishReason":"MALFORMED_FUNCTION_CALL")"),
        "bad_response", "once");
    row("signature missing", R"({"candidates":[{"finishReason":"MISSING_THOUGHT_SIGNATURE"}]})", "bad_request", "no");
    row("no parts", R"({"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]})", "bad_response", "once");
    row("a text of a wrong type", chunkOf(R"({"text":5})", R"(,"finishReason":"STOP")"), "bad_response", "once");
    row("a call of a wrong type", chunkOf(R"({"functionCall":"f"})", R"(,"finishReason":"STOP")"), "bad_response",
        "once");
    row("a part of a wrong type", chunkOf(R"("y")", R"(,"finishReason":"STOP")"), "bad_response", "once");
    row("parts of a wrong type", R"({"candidates":[{"content":{"parts":{"text":"a"}},"finishReason":"STOP"}]})",
        "bad_response", "once");
    row("content of a wrong type", R"({"candidates":[{"content":"a","finishReason":"STOP"}]})", "bad_response", "once");
    row("no content", R"({"candidates":[{"finishReason":"OTHER"}]})", "bad_response", "once");
    row("no candidate", R"({"candidates":[],"usageMetadata":{}})", "bad_response", "once");
    row("OpenAI's form", R"({"choices":[{"message":{"content":"Hi"}}]})", "bad_response", "once");
    row("error", R"({"error":{"code":429,"message":"Resource has been exhausted.","status":"RESOURCE_EXHAUSTED"}})",
        "rate_limited", "yes");
    row("error in a list", R"([{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}])", "overloaded",
        "yes");
    row("cut", R"({"candidates":[{"content":{"parts":[{"te)", "bad_response", "once");
}

void TestGeminiAnswer::wholeThatFails()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body, test::contextOf(Dialect::Gemini));
    QVERIFY(!answer);
    QTEST(word(answer.error().disposition.error), "error");
    QTEST(word(answer.error().disposition.retry), "retry");
    QVERIFY(!answer.error().message.empty());
}

QTEST_APPLESS_MAIN(TestGeminiAnswer)
#include "tst_gemini_answer.moc"
