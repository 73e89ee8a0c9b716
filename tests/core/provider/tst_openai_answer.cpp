// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/answer_reader.h"
#include "core/provider/usage.h"
#include "tests/support/json.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg::provider;

namespace {
using Count = std::optional<std::int64_t>;
} // namespace

class TestOpenAiAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void everything();
    void toolCalls();
    void bad_data();
    void bad();
    void everyTruncationIsBad();
    void errorObjectKeepsItsClass();
    void filtered_data();
    void filtered();
    void failedAnswersAreRetried_data();
    void failedAnswersAreRetried();
    void oneCallInBothForms();
    void streamThatNobodyAskedFor();
    void usage_data();
    void usage();
};

void TestOpenAiAnswer::texts_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reasoning");
    const auto row = [](const char* name, const char* message, const char* text, const char* reasoning = "") {
        QTest::newRow(name) << QByteArray(message) << QString::fromUtf8(text) << QString::fromUtf8(reasoning);
    };
    row("text", R"({"content":"hi"})", "hi");
    row("empty", R"({"content":""})", "");
    row("null", R"({"content":null})", "");
    row("parts", R"({"content":[{"type":"text","text":"a"},{"type":"odd"},{"type":"output_text","text":"b"}]})", "ab");
    row("refusal", R"({"content":null,"refusal":"I can't."})", "I can't.");
    row("refusal part", R"({"content":[{"type":"refusal","refusal":"No."}]})", "No.");
    row("null refusal", R"({"content":"fine","refusal":null})", "fine");
    row("spoken", R"({"content":null,"audio":{"id":"a","data":"AA==","transcript":"hello"}})", "hello");
    row("reasoning_content", R"({"content":"42","reasoning_content":"because"})", "42", "because");
    row("reasoning", R"({"content":"42","reasoning":"because"})", "42", "because");
    row("both spellings", R"({"content":"42","reasoning":"because","reasoning_content":"because"})", "42", "because");
    row("thinking part",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"Okay"}]},{"type":"text","text":"2"}]})",
        "2", "Okay");
    row("thinking as text", R"({"content":[{"type":"thinking","thinking":"Okay"},{"type":"text","text":"2"}]})", "2",
        "Okay");
}

void TestOpenAiAnswer::texts()
{
    QFETCH(QByteArray, message);
    const auto answer = parseWhole(R"({"choices":[{"index":0,"message":)" + message + "}]}");
    QVERIFY(answer);
    QTEST(answer->text, "text");
    QTEST(answer->reasoning, "reasoning");
    QVERIFY(answer->finishReason.empty());
}

void TestOpenAiAnswer::everything()
{
    const auto answer = parseWhole(R"(

        {"id":"c","model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},
         "finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2}})");
    QVERIFY(answer);
    QCOMPARE(answer->text, QStringLiteral("Hello"));
    QCOMPARE(answer->finishReason, std::string("length"));
    QCOMPARE(answer->model, std::string("m-1"));
    QVERIFY((answer->usage == Usage{9, 2, {}, {}, false}));
}

void TestOpenAiAnswer::toolCalls()
{
    const auto answer = parseWhole(R"({"choices":[{"message":{"content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
        {"function":{"name":"g","arguments":{"y":2}}}]},"finish_reason":"tool_calls"}]})");
    QVERIFY(answer);
    QCOMPARE(answer->toolCalls, QJsonDocument::fromJson(
                                    R"([{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
                     {"id":"call_1","type":"function","function":{"name":"g","arguments":"{\"y\":2}"}}])")
                                    .array());
}

void TestOpenAiAnswer::bad_data()
{
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const char* body) { QTest::newRow(name) << QByteArray(body); };
    row("empty", "");
    row("blank", "\n\n \r\n");
    row("text", "OK");
    row("html", "<!DOCTYPE html><html><title>Welcome</title></html>");
    row("array", "[]");
    row("number", "7");
    row("empty object", "{}");
    row("no choices", R"({"choices":[]})");
    row("null choices", R"({"choices":null,"usage":{}})");
    row("choices of a wrong type", R"({"choices":{"0":{}}})");
    row("choice of a wrong type", R"({"choices":["x"]})");
    row("no message", R"({"choices":[{"index":0}]})");
    row("null message", R"({"choices":[{"message":null}]})");
    row("content of a wrong type", R"({"choices":[{"message":{"content":{"a":5}}}]})");
    row("content a number", R"({"choices":[{"message":{"content":5}}]})");
    row("content true", R"({"choices":[{"message":{"content":true,"refusal":null},"finish_reason":"stop"}]})");
    row("a part of a wrong type", R"({"choices":[{"message":{"content":[5]}}]})");
    row("a part's text of a wrong type", R"({"choices":[{"message":{"content":[{"type":"text","text":{}}]}}]})");
    row("refusal of a wrong type", R"({"choices":[{"message":{"content":null,"refusal":[]}}]})");
    row("calls of a wrong type", R"({"choices":[{"message":{"content":"a","tool_calls":5}}]})");
    row("a call of a wrong type", R"({"choices":[{"message":{"content":null,"tool_calls":["f"]}}]})");
    row("function of a wrong type", R"({"choices":[{"message":{"content":null,"tool_calls":[{"function":"f"}]}}]})");
    row("arguments a number",
        R"({"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"f","arguments":7}}]}}]})");
    row("older call of a wrong type", R"({"choices":[{"message":{"content":null,"function_call":"f"}}]})");
    row("Ollama's content", R"({"done":true,"message":{"content":{}}})");
    row("Ollama's calls", R"({"done":true,"message":{"content":"","tool_calls":{}}})");
    row("Cohere's content", R"({"finish_reason":"COMPLETE","message":{"content":{"text":"a"}}})");
    row("Converse's content", R"({"stopReason":"end_turn","output":{"message":{"content":[{"text":5}]}}})");
    row("Responses' content",
        R"({"object":"response","status":"completed","output":[{"type":"message","content":[{"text":5}]}]})");
    row("error object", R"({"error":{"message":"?"}})");
    row("error as text", R"({"error":"?"})");
    row("two documents", R"({"choices":[{"message":{"content":"a"}}]}{})");
    row("anthropic", R"({"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"})");
}

void TestOpenAiAnswer::bad()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body);
    QVERIFY(!answer);
    QVERIFY(answer.error().disposition == dispositionOf(ErrorClass::BadResponse));
    QCOMPARE(answer.error().status, 200);
    QVERIFY(!answer.error().message.empty());
}

void TestOpenAiAnswer::everyTruncationIsBad()
{
    const QByteArray body = R"({"choices":[{"message":{"content":"Hello","tool_calls":[]}}],"usage":{}})";
    QVERIFY(parseWhole(body));
    for (qsizetype length = 0; length < body.size(); ++length) {
        const auto answer = parseWhole(body.first(length));
        QVERIFY(!answer && answer.error().disposition.error == ErrorClass::BadResponse);
    }
}

void TestOpenAiAnswer::errorObjectKeepsItsClass()
{
    const auto answer = parseWhole(
        R"({"choices":null,"error":{"message":"Upstream is rate limited","code":429,"metadata":{"provider_name":"P"}}})");
    QVERIFY(!answer);
    QVERIFY(answer.error().disposition == dispositionOf(ErrorClass::RateLimited));
    QCOMPARE(answer.error().message, std::string("Upstream is rate limited"));
    QCOMPARE(answer.error().code, std::string("429"));
}

void TestOpenAiAnswer::filtered_data()
{
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const char* body) { QTest::newRow(name) << QByteArray(body); };
    row("chat completions", R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})");
    row("Responses", R"({"object":"response","status":"incomplete","output":[],
                         "incomplete_details":{"reason":"content_filter"}})");
    row("Converse", R"({"output":{"message":{"content":[]}},"stopReason":"guardrail_intervened"})");
    row("Cohere", R"({"message":{"content":[]},"finish_reason":"ERROR_TOXIC"})");
}

void TestOpenAiAnswer::filtered()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body);
    QVERIFY(!answer);
    QVERIFY(answer.error().disposition.error == ErrorClass::ContentFiltered);
    QVERIFY(answer.error().disposition.breaker == sg::policy::CallOutcome::Success);
}

void TestOpenAiAnswer::failedAnswersAreRetried_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("error");
    const auto row = [](const char* name, const char* body, ErrorClass error) {
        QTest::newRow(name) << QByteArray(body) << static_cast<int>(error);
    };
    row("OpenRouter", R"({"choices":[{"message":{"content":"Hel"},"finish_reason":"error"}]})",
        ErrorClass::ServerError);
    row("Cohere", R"({"message":{"content":[{"type":"text","text":"Hel"}]},"finish_reason":"ERROR"})",
        ErrorClass::ServerError);
    row("Cohere, too late", R"({"message":{"content":[]},"finish_reason":"TIMEOUT"})", ErrorClass::Timeout);
    row("DeepSeek", R"({"choices":[{"message":{"content":"Hel"},"finish_reason":"insufficient_system_resource"}]})",
        ErrorClass::Overloaded);
    row("AWS", R"({"__type":"com.amazon.coral.service#ThrottlingException","message":"x"})", ErrorClass::RateLimited);
}

/// Nothing of an answer sent whole has reached the caller.
void TestOpenAiAnswer::failedAnswersAreRetried()
{
    QFETCH(QByteArray, body);
    const auto answer = parseWhole(body);
    QVERIFY(!answer);
    QTEST(static_cast<int>(answer.error().disposition.error), "error");
    QVERIFY(answer.error().disposition.retry == RetryAdvice::Yes);
}

void TestOpenAiAnswer::oneCallInBothForms()
{
    const auto answer = parseWhole(R"({"choices":[{"message":{"content":null,
        "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}],
        "function_call":{"name":"f","arguments":"{}"}}}]})");
    QVERIFY(answer);
    QCOMPARE(answer->toolCalls.size(), 1);
    QCOMPARE(answer->toolCalls[0][QLatin1String("function")][QLatin1String("arguments")].toString(),
             QStringLiteral("{}"));
}

void TestOpenAiAnswer::streamThatNobodyAskedFor()
{
    const auto answer = parseWhole("data: {\"choices\":[{\"delta\":{\"content\":\"O\"}}]}\n\n"
                                   "data: {\"choices\":[{\"delta\":{\"content\":\"K\"},\"finish_reason\":\"stop\"}]}"
                                   "\n\ndata: [DONE]\n\n");
    QVERIFY(answer);
    QCOMPARE(answer->text, QStringLiteral("OK"));
}

void TestOpenAiAnswer::usage_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<Count>("input");
    QTest::addColumn<Count>("output");
    QTest::addColumn<Count>("cached");
    QTest::addColumn<Count>("reasoning");
    const auto row = [](const char* json, Count input, Count output, Count cached = {}, Count reasoning = {}) {
        QTest::newRow(json) << QByteArray(json) << input << output << cached << reasoning;
    };
    row("{}", {}, {});
    row(R"({"prompt_tokens":9,"completion_tokens":0})", 9, 0);
    row(R"({"prompt_tokens":9,"completion_tokens":370,"prompt_tokens_details":{"cached_tokens":8},
            "completion_tokens_details":{"reasoning_tokens":260}})",
        9, 370, 8, 260);
    row(R"({"prompt_tokens":"123","completion_tokens":"7"})", 123, 7);
    row(R"({"prompt_tokens":57,"completion_tokens":14417.92})", 57, 14418);
    row(R"({"prompt_tokens":-5,"completion_tokens":true})", {}, {});
    row(R"({"prompt_tokens":"abc","completion_tokens":"NaN"})", {}, {});
    row(R"({"prompt_tokens":"-1","completion_tokens":"inf"})", {}, {});
    row(R"({"prompt_tokens":null,"completion_tokens":1e300})", {}, {});
    row(R"({"prompt_tokens":[1],"completion_tokens":{"a":1},"prompt_tokens_details":7})", {}, {});
    row(R"({"prompt_tokens":5,"prompt_tokens_details":null,"prompt_cache_hit_tokens":3})", 5, {}, 3);
}

void TestOpenAiAnswer::usage()
{
    QFETCH(QByteArray, json);
    QFETCH(Count, input);
    QFETCH(Count, output);
    QFETCH(Count, cached);
    QFETCH(Count, reasoning);
    const Usage usage = readUsage(Dialect::OpenAi, sg::test::object(json));
    QVERIFY(usage.inputTokens == input);
    QVERIFY(usage.outputTokens == output);
    QVERIFY(usage.cachedInputTokens == cached);
    QVERIFY(usage.reasoningTokens == reasoning);
    QVERIFY(!usage.estimated);
    QVERIFY((tokenCounts(usage) == sg::cost::TokenCounts{input, output, cached, {}, reasoning}));
    // Bad counts never cost the text.
    const auto answer = parseWhole(R"({"choices":[{"message":{"content":"hi"}}],"usage":)" + json + "}");
    QVERIFY(answer && answer->text == QLatin1String("hi") && answer->usage == usage);
}

QTEST_GUILESS_MAIN(TestOpenAiAnswer)
#include "tst_openai_answer.moc"
