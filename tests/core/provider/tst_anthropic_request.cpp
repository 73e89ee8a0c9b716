// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/anthropic_request.h"
#include "tests/support/json.h"
#include "tests/support/openai_request.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace sg::provider;
using sg::test::hello;
using sg::test::object;
using sg::test::requestOf;
using sg::test::text;

namespace {
const char* const kModel = "claude-sonnet-4-5";
} // namespace

class TestAnthropicRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plain();
    void typedFields();
    void messages_data();
    void messages();
    void parameters_data();
    void parameters();
    void models_data();
    void models();
    void leftOutMayBeNull();
};

void TestAnthropicRequest::plain()
{
    QStringList left;
    QCOMPARE(anthropicBody(hello(), kModel, &left), object(R"({"model":"claude-sonnet-4-5","max_tokens":4096,
                        "messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})"));
    QVERIFY(left.isEmpty());
}

void TestAnthropicRequest::typedFields()
{
    ChatRequest request = hello();
    request.sampling = {0.5, {}, 100, true};
    request.stream = true;
    request.tools = QJsonDocument::fromJson(R"([{"type":"function","function":{"name":"f"}}])").array();
    request.extra =
        object(R"({"temperature":2,"max_tokens":7,"stream":false,"stream_options":{"include_usage":true}})");
    QStringList left;
    const QJsonObject body = anthropicBody(request, kModel, &left);
    QCOMPARE(body[QLatin1String("temperature")].toDouble(), 0.5);
    QCOMPARE(body[QLatin1String("max_tokens")].toInt(), 100);
    QCOMPARE(body[QLatin1String("stream")], QJsonValue(true));
    QCOMPARE(body[QLatin1String("tools")].toArray().size(), 1);
    QCOMPARE(left, QStringList{QStringLiteral("response_format")});
}

void TestAnthropicRequest::messages_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QByteArray>("expected"); // messages, and system where there is one
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const char* messages, const char* expected, const QStringList& left = {}) {
        QTest::newRow(name) << QByteArray(messages) << QByteArray(expected) << left;
    };
    const auto left = [](const char* name) { return QStringList{QLatin1String(name)}; };
    row("system prompts",
        R"([{"role":"system","content":"A"},{"role":"developer","content":[{"type":"text","text":"B"}]},
        {"role":"user","content":"Hi"},{"role":"system","content":"C"}])",
        R"({"system":"A\n\nB\n\nC","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})");
    row("system prompt alone", R"([{"role":"system","content":"A"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]}]})");
    row("cached system prompt",
        R"([{"role":"system","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}]},
            {"role":"user","content":"Hi"}])",
        R"({"system":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}],
            "messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})");
    row("same role in a row", R"([{"role":"user","content":"A"},{"role":"user","content":"B"},
        {"role":"assistant","content":"C"},{"role":"assistant","content":"D"},{"role":"user","content":"E"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]},
            {"role":"assistant","content":[{"type":"text","text":"C"},{"type":"text","text":"D"}]},
            {"role":"user","content":[{"type":"text","text":"E"}]}]})");
    row("blank texts",
        R"([{"role":"user","content":"A"},{"role":"assistant","content":" "},{"role":"user","content":""},
        {"role":"user","content":[{"type":"text","text":"\n"},{"type":"text","text":"B"}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]}]})");
    row("begun answer", R"([{"role":"user","content":"A"},{"role":"assistant","content":"Well, \n"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]},
            {"role":"assistant","content":[{"type":"text","text":"Well,"}]}]})");
    row("calls and results", R"([{"role":"user","content":"Weather?"},
        {"role":"assistant","content":null,"tool_calls":[
            {"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
            {"id":"functions.g:1","type":"function","function":{"name":"g","arguments":""}}]},
        {"role":"tool","tool_call_id":"call_1","content":"17"},
        {"role":"tool","tool_call_id":"functions.g:1","name":"g","content":[{"type":"text","text":"18"}]},
        {"role":"user","content":"And?"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"Weather?"}]},
            {"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"f","input":{"x":1}},
                {"type":"tool_use","id":"functions_g_1","name":"g","input":{}}]},
            {"role":"user","content":[
                {"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"17"}]},
                {"type":"tool_result","tool_use_id":"functions_g_1","content":[{"type":"text","text":"18"}]},
                {"type":"text","text":"And?"}]}]})");
    row("words before a call", R"([{"role":"user","content":"A"},{"role":"assistant","content":"Let me see",
        "tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]},{"role":"tool","tool_call_id":"a","content":""}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]},
            {"role":"assistant","content":[{"type":"text","text":"Let me see"},
                {"type":"tool_use","id":"a","name":"f","input":{"x":1}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]})");
    row("arguments that are no JSON",
        R"([{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{x"}}]}])",
        R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"arguments":"{x"}}]}]})",
        left("tool_calls.arguments"));
    row("calls in the old form", R"([{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
        {"role":"function","name":"f","content":"17"}])",
        R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"f","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"f","content":[{"type":"text","text":"17"}]}]}]})");
    row("image by address", R"([{"role":"user","content":[{"type":"text","text":"What?"},
        {"type":"image_url","image_url":{"url":"https:\/\/i.example.test\/a%20b.png?x=1","detail":"auto"}}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"What?"},
            {"type":"image","source":{"type":"url","url":"https:\/\/i.example.test\/a%20b.png?x=1"}}]}]})");
    row("image as data",
        R"([{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image\/png;base64,iVBO+\/w=","detail":"high"}}]}])",
        R"({"messages":[{"role":"user","content":[
            {"type":"image","source":{"type":"base64","media_type":"image\/png","data":"iVBO+\/w="}}]}]})",
        left("detail"));
    row("image in the short form",
        R"([{"role":"user","content":[{"type":"input_image","image_url":"data:image\/gif;base64,AAAA"}]}])",
        R"({"messages":[{"role":"user","content":[
            {"type":"image","source":{"type":"base64","media_type":"image\/gif","data":"AAAA"}}]}]})");
    row("image from a tool",
        R"([{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"data:image\/gif;base64,AAAA"}}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[
            {"type":"image","source":{"type":"base64","media_type":"image\/gif","data":"AAAA"}}]}]}]})");
    row("document",
        R"([{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application\/pdf;base64,JVBE"}}]}])",
        R"({"messages":[{"role":"user","content":[
            {"type":"document","source":{"type":"base64","media_type":"application\/pdf","data":"JVBE"}}]}]})");
    row("sound",
        R"([{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},{"type":"text","text":"A"}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]}]})", left("input_audio"));
    row("uploaded file",
        R"([{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}},{"type":"text","text":"A"}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]}]})", left("file"));
    row("something new", R"([{"role":"user","content":[{"type":"hologram"},7,{"type":"text","text":"A"}]}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]}]})",
        {QStringLiteral("hologram"), QStringLiteral("content")});
    row("refusal",
        R"([{"role":"user","content":"A"},{"role":"assistant","content":null,"refusal":"No."},{"role":"user","content":"B"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]},
            {"role":"assistant","content":[{"type":"text","text":"No."}]},
            {"role":"user","content":[{"type":"text","text":"B"}]}]})");
    row("fields of OpenAI's", R"([{"role":"user","content":"A","name":"Bob"},
        {"role":"assistant","content":"B","reasoning_content":"Hm","audio":null,"annotations":[],"tool_calls":[]},
        {"role":"user","content":"C"}])",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"A"}]},
            {"role":"assistant","content":[{"type":"text","text":"B"}]},
            {"role":"user","content":[{"type":"text","text":"C"}]}]})",
        {QStringLiteral("name"), QStringLiteral("reasoning_content")});
    row("image in a system prompt",
        R"([{"role":"system","content":[{"type":"image_url","image_url":{"url":"data:image\/gif;base64,AAAA"}},{"type":"text","text":"S"}]},
            {"role":"user","content":"A"}])",
        R"({"system":"S","messages":[{"role":"user","content":[{"type":"text","text":"A"}]}]})", left("image_url"));
}

void TestAnthropicRequest::messages()
{
    QFETCH(QByteArray, messages);
    QFETCH(QByteArray, expected);
    QStringList left;
    QJsonObject body = anthropicBody(requestOf("{\"messages\":" + messages + "}"), kModel, &left);
    body.remove(QLatin1String("model"));
    body.remove(QLatin1String("max_tokens"));
    QCOMPARE(text(body), text(object(expected)));
    QTEST(left, "leftOut");
}

void TestAnthropicRequest::parameters_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<QByteArray>("expected"); // beside model and messages
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const QByteArray& parameters, const QByteArray& expected,
                        const QStringList& left = {}) { QTest::newRow(name) << parameters << expected << left; };
    const auto left = [](const char* name) { return QStringList{QLatin1String(name)}; };
    const QByteArray limit = R"("max_tokens":4096)";
    row("limit", R"({"max_tokens":7})", R"({"max_tokens":7})");
    row("newer limit", R"({"max_completion_tokens":8,"max_tokens":7})", R"({"max_tokens":8})");
    row("null limit", R"({"max_tokens":null})", "{" + limit + "}");
    row("temperature", R"({"temperature":1})", R"({"temperature":1,)" + limit + "}");
    row("temperature above", R"({"temperature":1.5})", R"({"temperature":1,)" + limit + "}", left("temperature"));
    row("top_p", R"({"top_p":0.9,"top_k":40})", R"({"top_p":0.9,"top_k":40,)" + limit + "}");
    row("both", R"({"temperature":0,"top_p":0.9})", R"({"temperature":0,)" + limit + "}", left("top_p"));
    row("stop", R"({"stop":"END"})", R"({"stop_sequences":["END"],)" + limit + "}");
    row("stops", R"({"stop":["END","\n",""]})", R"({"stop_sequences":["END"],)" + limit + "}", left("stop"));
    row("no stop", R"({"stop":null})", "{" + limit + "}");
    row("seed and the like", R"({"seed":1,"logit_bias":{"1":2},"presence_penalty":0.5,"n":2,"logprobs":null})",
        "{" + limit + "}",
        {QStringLiteral("logit_bias"), QStringLiteral("n"), QStringLiteral("presence_penalty"),
         QStringLiteral("seed")});
    row("one answer", R"({"n":1})", "{" + limit + "}");
    row("user", R"({"user":"u-1"})", R"({"metadata":{"user_id":"u-1"},)" + limit + "}");
    row("metadata", R"({"metadata":{"user_id":"u-2","team":"x"},"user":"u-1"})",
        R"({"metadata":{"user_id":"u-2"},)" + limit + "}", left("metadata"));
    row("any JSON", R"({"response_format":{"type":"json_object"}})", "{" + limit + "}", left("response_format"));
    row("text", R"({"response_format":{"type":"text"}})", "{" + limit + "}");
    row("JSON after a schema",
        R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}}})",
        R"({"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},)" + limit + "}");
    row("thinking", R"({"thinking":{"type":"enabled","budget_tokens":2000}})",
        R"({"thinking":{"type":"enabled","budget_tokens":2000},)" + limit + "}");

    const QByteArray tools =
        R"("tools":[{"type":"function","function":{"name":"f","description":"D","parameters":{"type":"object","properties":{"x":{"type":"integer"}}}}}])";
    const QByteArray sent =
        R"("tools":[{"name":"f","description":"D","input_schema":{"type":"object","properties":{"x":{"type":"integer"}}}}],)" +
        limit;
    row("tools", "{" + tools + "}", "{" + sent + "}");
    row("tool without parameters", R"({"tools":[{"type":"function","function":{"name":"f","strict":true}}]})",
        R"({"tools":[{"name":"f","input_schema":{"type":"object"}}],)" + limit + "}", left("strict"));
    row("alternatives at the root of a schema",
        R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","anyOf":[{"required":["x"]}]}}}]})",
        R"({"tools":[{"name":"f","input_schema":{"type":"object"}}],)" + limit + "}", left("anyOf"));
    row("tool of another kind", R"({"tools":[{"type":"web_search"}],"tool_choice":"auto"})", "{" + limit + "}",
        {QStringLiteral("tools"), QStringLiteral("tool_choice")});
    row("auto", "{" + tools + R"(,"tool_choice":"auto"})", R"({"tool_choice":{"type":"auto"},)" + sent + "}");
    row("none", "{" + tools + R"(,"tool_choice":"none","parallel_tool_calls":false})",
        R"({"tool_choice":{"type":"none"},)" + sent + "}");
    row("required", "{" + tools + R"(,"tool_choice":"required"})", R"({"tool_choice":{"type":"any"},)" + sent + "}");
    row("named", "{" + tools + R"(,"tool_choice":{"type":"function","function":{"name":"f"}}})",
        R"({"tool_choice":{"type":"tool","name":"f"},)" + sent + "}");
    row("unknown choice", "{" + tools + R"(,"tool_choice":{"type":"allowed_tools"}})", "{" + sent + "}",
        left("tool_choice"));
    row("one call at a time", "{" + tools + R"(,"parallel_tool_calls":false})",
        R"({"tool_choice":{"type":"auto","disable_parallel_tool_use":true},)" + sent + "}");
    row("one required call", "{" + tools + R"(,"parallel_tool_calls":false,"tool_choice":"required"})",
        R"({"tool_choice":{"type":"any","disable_parallel_tool_use":true},)" + sent + "}");
    row("several calls", "{" + tools + R"(,"parallel_tool_calls":true})", "{" + sent + "}");
    row("choice without tools", R"({"tool_choice":"required"})", "{" + limit + "}", left("tool_choice"));
}

void TestAnthropicRequest::parameters()
{
    QFETCH(QByteArray, parameters);
    QFETCH(QByteArray, expected);
    ChatRequest request = hello();
    request.extra = object(parameters);
    QStringList left;
    QJsonObject body = anthropicBody(request, kModel, &left);
    body.remove(QLatin1String("model"));
    body.remove(QLatin1String("messages"));
    QCOMPARE(text(body), text(object(expected)));
    QTEST(left, "leftOut");
}

void TestAnthropicRequest::models_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("sampling");
    QTest::addColumn<bool>("effort");
    const auto row = [](const char* model, bool sampling, bool effort) {
        QTest::newRow(model) << QString::fromUtf8(model) << sampling << effort;
    };
    row("claude-3-haiku-20240307", true, false);
    row("claude-3-5-sonnet-20241022", true, false);
    row("claude-sonnet-4-20250514", true, false);
    row("claude-opus-4-1-20250805", true, false);
    row("claude-sonnet-4-5@20250929", true, false);
    row("anthropic/claude-4.5-sonnet", true, false);
    row("claude-opus-4-6", true, true);
    row("claude-opus-4-7", false, true);
    row("anthropic/claude-4.7-opus", false, true);
    row("claude-sonnet-5", false, true);
    row("claude-opus-5-5-20261001", false, true);
    row("my-own-name", true, false);
}

void TestAnthropicRequest::models()
{
    QFETCH(QString, model);
    QFETCH(bool, sampling);
    QFETCH(bool, effort);
    ChatRequest request = hello();
    request.extra = object(R"({"temperature":0.5,"top_k":40,"reasoning_effort":"high"})");
    QStringList left;
    const QJsonObject body = anthropicBody(request, model.toStdString(), &left);
    QCOMPARE(body.contains(QLatin1String("temperature")), sampling);
    QCOMPARE(body.contains(QLatin1String("top_k")), sampling);
    QCOMPARE(left.contains(QLatin1String("temperature")), !sampling);
    QCOMPARE(body[QLatin1String("output_config")][QLatin1String("effort")].toString(),
             effort ? QStringLiteral("high") : QString());
    QCOMPARE(left.contains(QLatin1String("reasoning_effort")), !effort);
}

void TestAnthropicRequest::leftOutMayBeNull()
{
    ChatRequest request = hello();
    request.extra = object(R"({"seed":1})");
    QVERIFY(!anthropicBody(request, kModel, nullptr).contains(QLatin1String("seed")));
}

QTEST_APPLESS_MAIN(TestAnthropicRequest)
#include "tst_anthropic_request.moc"
