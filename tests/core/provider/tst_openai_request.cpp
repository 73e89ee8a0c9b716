// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai.h"
#include "tests/support/json.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QtTest>

using namespace sg::provider;

namespace {
QJsonObject bodyOf(const ChatRequest& request, const Quirks& quirks = {})
{
    return sg::test::object(openai::chatBody(request, "m", quirks, nullptr));
}

} // namespace

class TestOpenAiRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainBody();
    void fullBody();
    void streamAsksForUsage();
    void fieldsAndExtraPassThrough();
    void shortCallIds();
    void needs();
};

void TestOpenAiRequest::plainBody()
{
    ChatRequest request;
    request.messages = {{"system", QStringLiteral("Be brief.")}, {"user", QStringLiteral("Grüß Gott 🌍")}};
    QCOMPARE(bodyOf(request), sg::test::object(R"({"model":"m","messages":[{"role":"system","content":"Be brief."},
                                         {"role":"user","content":"Grüß Gott 🌍"}]})"));
}

void TestOpenAiRequest::fullBody()
{
    ChatRequest request;
    request.messages = {{"user", QStringLiteral("x")}};
    request.sampling = {0.2, 0.9, 64, true};
    request.tools = {sg::test::object(R"({"type":"function","function":{"name":"f"}})")};
    QCOMPARE(bodyOf(request),
             sg::test::object(R"({"model":"m","messages":[{"role":"user","content":"x"}],"temperature":0.2,"top_p":0.9,
                       "max_tokens":64,"response_format":{"type":"json_object"},
                       "tools":[{"type":"function","function":{"name":"f"}}]})"));
}

void TestOpenAiRequest::streamAsksForUsage()
{
    ChatRequest request;
    request.messages = {{"user", QStringLiteral("x")}};
    request.stream = true;
    const QJsonObject body = bodyOf(request);
    QCOMPARE(body[QLatin1String("stream")].toBool(), true);
    QCOMPARE(body[QLatin1String("stream_options")][QLatin1String("include_usage")].toBool(), true);
    request.stream = false;
    request.extra = sg::test::object(R"({"stream":true,"stream_options":{"include_usage":false}})");
    QVERIFY(!bodyOf(request).contains(QLatin1String("stream")));
    QVERIFY(!bodyOf(request).contains(QLatin1String("stream_options")));
}

void TestOpenAiRequest::fieldsAndExtraPassThrough()
{
    ChatRequest request;
    Message called{"assistant", {}};
    called.fields = sg::test::object(R"({"content":null,"tool_calls":[{"id":"c1"}]})");
    Message result{"tool", QStringLiteral("42")};
    result.fields = sg::test::object(R"({"tool_call_id":"c1"})");
    request.messages = {called, result};
    request.sampling.maxTokens = 64;
    request.extra =
        sg::test::object(R"({"seed":7,"stop":["x"],"max_completion_tokens":99,"model":"other","messages":[]})");
    QCOMPARE(bodyOf(request), sg::test::object(R"({"model":"m","seed":7,"stop":["x"],"max_completion_tokens":99,
        "messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1"}]},
                    {"role":"tool","content":"42","tool_call_id":"c1"}]})"));
}

void TestOpenAiRequest::shortCallIds()
{
    ChatRequest request;
    Message called{"assistant", {}}, first{"tool", QStringLiteral("1")}, second{"tool", QStringLiteral("2")};
    called.fields = sg::test::object(R"({"content":null,"tool_calls":[{"id":"call_PTLP8xhu3uwZk4l3","type":"function"},
                                                            {"id":"D681PevKs","type":"function"}]})");
    first.fields = sg::test::object(R"({"tool_call_id":"call_PTLP8xhu3uwZk4l3"})");
    second.fields = sg::test::object(R"({"tool_call_id":"D681PevKs"})");
    request.messages = {called, first, second};
    Quirks quirks;
    quirks.shortCallIds = true;
    const QJsonArray messages = bodyOf(request, quirks)[QLatin1String("messages")].toArray();
    const QJsonValue calls = messages[0][QLatin1String("tool_calls")];
    const QString id = calls[0][QLatin1String("id")].toString();
    QVERIFY(QRegularExpression(QStringLiteral("^[A-Za-z0-9]{9}$")).match(id).hasMatch());
    QCOMPARE(messages[1][QLatin1String("tool_call_id")].toString(), id);
    QCOMPARE(calls[1][QLatin1String("id")].toString(), QStringLiteral("D681PevKs"));
    QCOMPARE(messages[2][QLatin1String("tool_call_id")].toString(), QStringLiteral("D681PevKs"));
    QCOMPARE(calls[0][QLatin1String("type")].toString(), QStringLiteral("function"));
}

void TestOpenAiRequest::needs()
{
    ChatRequest request;
    QCOMPARE(needsOf(request).estimatedInputTokens, 0);
    request.messages = {{"user", QStringLiteral("12345")}};
    Needs needs = needsOf(request);
    QCOMPARE(needs.estimatedInputTokens, 2); // a part of a token is a token
    QVERIFY(!needs.tools && !needs.images && !needs.jsonMode);
    QCOMPARE(needs.maxOutputTokens, 0);

    request.messages[0].fields =
        sg::test::object(R"({"content":[{"type":"text","text":"abc"},{"type":"image_url","image_url":{"url":"x"}}]})");
    request.tools = {QJsonObject{}};
    request.sampling = {{}, {}, 500, true};
    needs = needsOf(request);
    QVERIFY(needs.tools && needs.images && needs.jsonMode);
    QCOMPARE(needs.maxOutputTokens, 500);

    request.sampling.jsonMode = false;
    request.extra = sg::test::object(R"({"response_format":{"type":"text"}})");
    QVERIFY(!needsOf(request).jsonMode);
    request.extra = sg::test::object(R"({"response_format":{"type":"json_schema"}})");
    QVERIFY(needsOf(request).jsonMode);
}

QTEST_GUILESS_MAIN(TestOpenAiRequest)
#include "tst_openai_request.moc"
