// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/gemini_request.h"
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

class TestGeminiRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void typedFields();
    void messages_data();
    void messages();
    void parameters_data();
    void parameters();
    void schemas_data();
    void schemas();
    void schemaThatMultiplies();
    void signatures();
    void models_data();
    void models();
};

void TestGeminiRequest::typedFields()
{
    ChatRequest request = hello();
    request.sampling = {0.5, 0.9, 100, true};
    request.stream = true;
    QStringList left;
    QCOMPARE(text(geminiBody(request, &left)),
             text(object(R"({"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":{"temperature":0.5,
                             "topP":0.9,"maxOutputTokens":100,"responseMimeType":"application\/json"}})")));
    QVERIFY(left.isEmpty());
}

void TestGeminiRequest::messages_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const char* messages, const char* expected, const QStringList& left = {}) {
        QTest::newRow(name) << QByteArray(messages) << QByteArray(expected) << left;
    };
    const auto left = [](const char* name) { return QStringList{QLatin1String(name)}; };
    row("plain", R"([{"role":"user","content":"Hi"}])", R"({"contents":[{"role":"user","parts":[{"text":"Hi"}]}]})");
    row("system prompts",
        R"([{"role":"system","content":"A"},{"role":"developer","content":[{"type":"text","text":"B"}]},
        {"role":"user","content":"Hi"}])",
        R"({"systemInstruction":{"parts":[{"text":"A\n\nB"}]},"contents":[{"role":"user","parts":[{"text":"Hi"}]}]})");
    row("system prompt alone", R"([{"role":"system","content":"A"}])",
        R"({"contents":[{"role":"user","parts":[{"text":"A"}]}]})");
    row("same role in a row", R"([{"role":"user","content":"A"},{"role":"user","content":"B"},
        {"role":"assistant","content":"C"},{"role":"assistant","content":"D"}])",
        R"({"contents":[{"role":"user","parts":[{"text":"A"},{"text":"B"}]},{"role":"model","parts":[{"text":"C"},{"text":"D"}]}]})");
    row("calls and results", R"([{"role":"user","content":"Weather?"},
        {"role":"assistant","content":null,"tool_calls":[
            {"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
            {"id":"call_2","type":"function","function":{"name":"g","arguments":""}}]},
        {"role":"tool","tool_call_id":"call_1","content":"17 degrees"},
        {"role":"tool","tool_call_id":"call_2","content":[{"type":"text","text":"{\"t\":18}"}]},
        {"role":"user","content":"And?"}])",
        R"({"contents":[{"role":"user","parts":[{"text":"Weather?"}]},
            {"role":"model","parts":[{"functionCall":{"id":"call_1","name":"f","args":{"x":1}}},
                {"functionCall":{"id":"call_2","name":"g","args":{}}}]},
            {"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"f","response":{"result":"17 degrees"}}},
                {"functionResponse":{"id":"call_2","name":"g","response":{"t":18}}}]},
            {"role":"user","parts":[{"text":"And?"}]}]})");
    row("result of an unknown call", R"([{"role":"tool","tool_call_id":"a","name":"f","content":"[1,2]"},
        {"role":"tool","tool_call_id":"b","content":""}])",
        R"({"contents":[{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"result":[1,2]}}},
            {"functionResponse":{"id":"b","name":"b","response":{"result":""}}}]}]})");
    row("image by address", R"([{"role":"user","content":[{"type":"text","text":"What?"},
        {"type":"image_url","image_url":{"url":"https:\/\/i.example.test\/a.PNG?x=1"}},
        {"type":"image_url","image_url":{"url":"https:\/\/i.example.test\/a"}}]}])",
        R"({"contents":[{"role":"user","parts":[{"text":"What?"},
            {"fileData":{"fileUri":"https:\/\/i.example.test\/a.PNG?x=1","mimeType":"image\/png"}},
            {"fileData":{"fileUri":"https:\/\/i.example.test\/a"}}]}]})");
    row("data",
        R"([{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image\/png;base64,iVBO+\/w="}},
        {"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},
        {"type":"file","file":{"file_data":"data:application\/pdf;base64,JVBE"}},
        {"type":"image_url","image_url":{"url":"data:image\/svg+xml,%3Csvg%2F%3E"}}]}])",
        R"({"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image\/png","data":"iVBO+\/w="}},
            {"inlineData":{"mimeType":"audio\/wav","data":"AAAA"}},
            {"inlineData":{"mimeType":"application\/pdf","data":"JVBE"}},
            {"inlineData":{"mimeType":"image\/svg+xml","data":"PHN2Zy8+"}}]}]})");
    row("marks for a cache",
        R"([{"role":"user","name":"Bob","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}]}])",
        R"({"contents":[{"role":"user","parts":[{"text":"A"}]}]})",
        {QStringLiteral("name"), QStringLiteral("cache_control")});
    row("something new", R"([{"role":"user","content":[{"type":"hologram"},{"type":"text","text":"A"}]}])",
        R"({"contents":[{"role":"user","parts":[{"text":"A"}]}]})", left("hologram"));
}

void TestGeminiRequest::messages()
{
    QFETCH(QByteArray, messages);
    QFETCH(QByteArray, expected);
    QStringList left;
    QCOMPARE(text(geminiBody(requestOf("{\"messages\":" + messages + "}"), &left)), text(object(expected)));
    QTEST(left, "leftOut");
}

void TestGeminiRequest::parameters_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<QByteArray>("expected"); // beside contents
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const QByteArray& parameters, const QByteArray& expected,
                        const QStringList& left = {}) { QTest::newRow(name) << parameters << expected << left; };
    const auto config = [](const QByteArray& fields) { return "{\"generationConfig\":{" + fields + "}}"; };
    const auto left = [](const char* name) { return QStringList{QLatin1String(name)}; };
    row("nothing", "{}", "{}");
    row("numbers",
        R"({"temperature":1.5,"top_p":0.9,"top_k":40,"seed":7,"presence_penalty":0.5,"frequency_penalty":-1})",
        config(R"("temperature":1.5,"topP":0.9,"topK":40,"seed":7,"presencePenalty":0.5,"frequencyPenalty":-1)"));
    row("limit", R"({"max_completion_tokens":8,"max_tokens":7})", config(R"("maxOutputTokens":8)"));
    row("stop", R"({"stop":"END"})", config(R"("stopSequences":["END"])"));
    row("many stops", R"({"stop":["a","b","c","d","e","f"]})", config(R"("stopSequences":["a","b","c","d","e"])"),
        left("stop"));
    row("others",
        R"({"user":"u","metadata":{"a":"b"},"logit_bias":{"1":2},"n":2,"reasoning_effort":"low","stream_options":{}})",
        "{}",
        {QStringLiteral("logit_bias"), QStringLiteral("metadata"), QStringLiteral("n"),
         QStringLiteral("reasoning_effort"), QStringLiteral("user")});
    row("any JSON", R"({"response_format":{"type":"json_object"}})",
        config(R"("responseMimeType":"application\/json")"));
    row("text", R"({"response_format":{"type":"text"}})", "{}");
    row("unknown format", R"({"response_format":{"type":"grammar"}})", "{}", left("response_format"));
    row("JSON after a schema",
        R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object",
            "properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}}})",
        config(R"("responseMimeType":"application\/json","responseSchema":{"type":"object",
            "properties":{"a":{"type":"string"}},"required":["a"]})"),
        left("additionalProperties"));

    const QByteArray tools =
        R"("tools":[{"type":"function","function":{"name":"f","description":"D","parameters":{"type":"object","properties":{"x":{"type":"integer"}}}}},
            {"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{}}}}])";
    const QByteArray sent =
        R"("tools":[{"functionDeclarations":[{"name":"f","description":"D","parameters":{"type":"object","properties":{"x":{"type":"integer"}}}},{"name":"g"}]}])";
    const auto choice = [sent](const QByteArray& fields) {
        return "{" + sent + R"(,"toolConfig":{"functionCallingConfig":{)" + fields + "}}}";
    };
    row("tools", "{" + tools + "}", "{" + sent + "}");
    row("auto", "{" + tools + R"(,"tool_choice":"auto"})", choice(R"("mode":"AUTO")"));
    row("none", "{" + tools + R"(,"tool_choice":"none"})", choice(R"("mode":"NONE")"));
    row("required", "{" + tools + R"(,"tool_choice":"required"})", choice(R"("mode":"ANY")"));
    row("named", "{" + tools + R"(,"tool_choice":{"type":"function","function":{"name":"f"}}})",
        choice(R"("mode":"ANY","allowedFunctionNames":["f"])"));
    row("one call at a time", "{" + tools + R"(,"parallel_tool_calls":false})", "{" + sent + "}",
        left("parallel_tool_calls"));
    row("several calls", "{" + tools + R"(,"parallel_tool_calls":true})", "{" + sent + "}");
    row("choice without tools", R"({"tool_choice":"required"})", "{}", left("tool_choice"));
}

void TestGeminiRequest::parameters()
{
    QFETCH(QByteArray, parameters);
    QFETCH(QByteArray, expected);
    ChatRequest request = hello();
    request.extra = object(parameters);
    QStringList left;
    QJsonObject body = geminiBody(request, &left);
    body.remove(QLatin1String("contents"));
    QCOMPARE(text(body), text(object(expected)));
    QTEST(left, "leftOut");
}

void TestGeminiRequest::schemas_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const char* schema, const char* expected, const QStringList& left = {}) {
        QTest::newRow(name) << QByteArray(schema) << QByteArray(expected) << left;
    };
    const auto left = [](const char* name) { return QStringList{QLatin1String(name)}; };
    row("words that it knows",
        R"({"type":"object","title":"T","description":"D","properties":{"a":{"type":"array","items":{"type":"number","minimum":1,"maximum":2,"format":"double"},"minItems":1,"maxItems":2},
            "b":{"type":"string","enum":["x","y"],"default":"x","pattern":"^x"}},"required":["a"],"propertyOrdering":["b","a"]})",
        R"({"type":"object","title":"T","description":"D","properties":{"a":{"type":"array","items":{"type":"number","minimum":1,"maximum":2,"format":"double"},"minItems":1,"maxItems":2},
            "b":{"type":"string","enum":["x","y"],"default":"x","pattern":"^x"}},"required":["a"],"propertyOrdering":["b","a"]})");
    row("words that it does not know",
        R"({"$schema":"s","type":"object","additionalProperties":false,"properties":{"a":{"type":"string","format":"uuid","additionalProperties":1},"b":{"type":"integer","exclusiveMinimum":0}}})",
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}})",
        {QStringLiteral("$schema"), QStringLiteral("additionalProperties"), QStringLiteral("format"),
         QStringLiteral("exclusiveMinimum")});
    row("properties named like words",
        R"({"type":"object","properties":{"$schema":{"type":"string"},"anyOf":{"type":"string"},"additionalProperties":{"type":"string"}}})",
        R"({"type":"object","properties":{"$schema":{"type":"string"},"anyOf":{"type":"string"},"additionalProperties":{"type":"string"}}})");
    row("null among types", R"({"type":["string","null"]})", R"({"type":"string","nullable":true})");
    row("several types", R"({"type":["string","integer"],"description":"D"})",
        R"({"anyOf":[{"type":"string"},{"type":"integer"}],"description":"D"})");
    row("optional", R"({"anyOf":[{"type":"integer","description":"inner"},{"type":"null"}],"description":"outer"})",
        R"({"type":"integer","nullable":true,"description":"outer"})");
    row("one of", R"({"oneOf":[{"type":"integer"},{"type":"string","const":"x"}]})",
        R"({"anyOf":[{"type":"integer"},{"type":"string","enum":["x"]}]})");
    row("constant", R"({"const":"x"})", R"({"type":"string","enum":["x"]})");
    row("numbers to choose from", R"({"type":"integer","enum":[1,2]})", R"({"type":"integer"})", left("enum"));
    row("null to choose from", R"({"type":"string","enum":["x",null]})",
        R"({"type":"string","enum":["x"],"nullable":true})");
    row("reference",
        R"({"type":"object","properties":{"a":{"$ref":"#\/$defs\/A","description":"here"},"b":{"$ref":"#\/$defs\/A"}},"$defs":{"A":{"type":"object","properties":{"c":{"$ref":"#\/definitions\/C~1"}}}},
            "definitions":{"C\/":{"type":"string"}}})",
        R"({"type":"object","properties":{"a":{"type":"object","description":"here","properties":{"c":{"type":"string"}}},"b":{"type":"object","properties":{"c":{"type":"string"}}}}})");
    row("reference in allOf",
        R"({"allOf":[{"$ref":"#\/$defs\/A"}],"description":"here","$defs":{"A":{"type":"string","description":"there"}}})",
        R"({"type":"string","description":"here"})");
    row("a schema that holds itself",
        R"({"$ref":"#\/$defs\/A","$defs":{"A":{"type":"object","properties":{"next":{"$ref":"#\/$defs\/A"}}}}})",
        R"({"type":"object","properties":{"next":{"type":"object"}}})", left("$ref"));
    row("reference to nowhere",
        R"({"type":"object","properties":{"a":{"$ref":"other.json"},"b":{"$ref":"#\/$defs\/B"}}})",
        R"({"type":"object","properties":{"a":{"type":"object"},"b":{"type":"object"}}})", left("$ref"));
}

void TestGeminiRequest::schemas()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, expected);
    ChatRequest request = hello();
    request.extra = object(R"({"response_format":{"type":"json_schema","json_schema":{"schema":)" + schema + "}}}");
    QStringList left;
    const QJsonObject body = geminiBody(request, &left);
    QCOMPARE(text(body[QLatin1String("generationConfig")][QLatin1String("responseSchema")]), text(object(expected)));
    left.sort();
    QFETCH(QStringList, leftOut);
    leftOut.sort();
    QCOMPARE(left, leftOut);
}

void TestGeminiRequest::schemaThatMultiplies()
{
    // Each level names the next one ten times: written out, ten to the power of twelve.
    QByteArray defs;
    for (int level = 0; level < 12; ++level) {
        QByteArray properties;
        for (int i = 0; i < 10; ++i)
            properties += (i > 0 ? ",\"p" : "\"p") + QByteArray::number(i) + R"(":{"$ref":"#\/$defs\/L)" +
                          QByteArray::number(level + 1) + "\"}";
        defs += "\"L" + QByteArray::number(level) + R"(":{"type":"object","properties":{)" + properties + "}},";
    }
    ChatRequest request = hello();
    request.extra =
        object(R"({"response_format":{"type":"json_schema","json_schema":{"schema":{"$ref":"#\/$defs\/L0","$defs":{)" +
               defs + R"("L12":{"type":"string"}}}}}})");
    QStringList left;
    const QJsonObject body = geminiBody(request, &left);
    QVERIFY(text(body).size() < 1'000'000);
    QVERIFY(!left.isEmpty());
}

void TestGeminiRequest::signatures()
{
    const QByteArray json = R"({"messages":[{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}},
        {"id":"b","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"b","content":"2"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}},
        {"id":"d","function":{"name":"f","arguments":"{}"}}]}]})";
    const auto signatureOf = [&](const char* model, int turn, int part) {
        const QJsonObject body = geminiBody(requestOf(json), nullptr, model);
        return body[QLatin1String("contents")][turn][QLatin1String("parts")][part][QLatin1String("thoughtSignature")]
            .toString();
    };
    for (const char* const model : {"gemini-3-pro-preview", "gemini-2.5-pro"}) {
        QCOMPARE(signatureOf(model, 0, 0), QStringLiteral("c2ln"));
        QCOMPARE(signatureOf(model, 0, 1), QString());
        QCOMPARE(signatureOf(model, 2, 1), QString());
    }
    QCOMPARE(signatureOf("gemini-3-pro-preview", 2, 0), QStringLiteral("skip_thought_signature_validator"));
    QCOMPARE(signatureOf("gemini-2.5-pro", 2, 0), QString());
}

void TestGeminiRequest::models_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("effort");
    QTest::addColumn<int>("budget"); // 0: none, and named
    const auto row = [](const char* model, const char* effort, int budget) {
        QTest::addRow("%s %s", model, effort) << QString::fromUtf8(model) << QString::fromUtf8(effort) << budget;
    };
    row("gemini-2.5-flash", "minimal", 1024);
    row("gemini-2.5-flash", "low", 1024);
    row("gemini-2.5-pro", "medium", 8192);
    row("models/gemini-3-flash-preview", "high", 24576);
    row("gemini-2.5-flash", "none", 0);
    row("gemini-2.0-flash", "low", 0);
    row("my-own-name", "low", 0);
}

void TestGeminiRequest::models()
{
    QFETCH(QString, model);
    QFETCH(QString, effort);
    QFETCH(int, budget);
    ChatRequest request = hello();
    request.extra = {{QStringLiteral("reasoning_effort"), effort}};
    QStringList left;
    const QJsonObject body = geminiBody(request, &left, model.toStdString());
    const QJsonValue config = body[QLatin1String("generationConfig")][QLatin1String("thinkingConfig")];
    QCOMPARE(config[QLatin1String("thinkingBudget")].toInt(), budget);
    QCOMPARE(left.contains(QLatin1String("reasoning_effort")), budget == 0);
}

QTEST_APPLESS_MAIN(TestGeminiRequest)
#include "tst_gemini_request.moc"
