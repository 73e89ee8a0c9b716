// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg::provider;

namespace {
QJsonObject bodyOf(const ChatRequest& request)
{
    return QJsonDocument::fromJson(openai::chatBody(request, "m")).object();
}

QJsonObject parse(const char* json)
{
    return QJsonDocument::fromJson(json).object();
}
} // namespace

class TestOpenAiRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urls_data();
    void urls();
    void modelsUrl();
    void badUrls_data();
    void badUrls();
    void plainBody();
    void fullBody();
    void streamAsksForUsage();
    void fieldsAndExtraPassThrough();
    void needs();
};

void TestOpenAiRequest::urls_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("url");
    const auto row = [](const char* base, const char* url) {
        QTest::newRow(base) << QString::fromUtf8(base) << QString::fromUtf8(url);
    };
    row("https://api.example.test", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/v1", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/v1/", "https://api.example.test/v1/chat/completions");
    row("  https://api.example.test/v1 \n", "https://api.example.test/v1/chat/completions");
    row("HTTPS://Api.Example.Test/v1", "https://api.example.test/v1/chat/completions");
    row("https://router.example.test/api/v1//", "https://router.example.test/api/v1/chat/completions");
    row("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions");
    row("http://[::1]:8080", "http://[::1]:8080/v1/chat/completions");
    row("http://host/gpt-4.1/v1", "http://host/gpt-4.1/v1/chat/completions");
    row("http://host/gpt-4.1", "http://host/gpt-4.1/v1/chat/completions");
    row("https://api.example.test/openai/v1/", "https://api.example.test/openai/v1/chat/completions");
    row("https://gen.example.test/v1beta/openai/", "https://gen.example.test/v1beta/openai/chat/completions");
    row("https://open.example.test/api/paas/v4", "https://open.example.test/api/paas/v4/chat/completions");
    row("https://api.example.test/v1/chat/completions", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/v1/chat/completions/", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/v1/models", "https://api.example.test/v1/chat/completions");
    row("https://api.example.test/chat/completions", "https://api.example.test/chat/completions");
    row("https://r.example.test/openai/deployments/d?api-version=2024-06-01",
        "https://r.example.test/openai/deployments/d/chat/completions?api-version=2024-06-01");
    row("https://api.example.test/a%2Fb/v1", "https://api.example.test/a%2Fb/v1/chat/completions");
    row("https://api.example.test/v1#top", "https://api.example.test/v1/chat/completions");
}

void TestOpenAiRequest::urls()
{
    QFETCH(QString, base);
    QFETCH(QString, url);
    const auto joined = openai::operationUrl(base, QStringLiteral("chat/completions"));
    QVERIFY2(joined, qPrintable(joined ? QString() : joined.error()));
    QCOMPARE(joined->toString(QUrl::FullyEncoded), url);
    // What came out can be put in again.
    QCOMPARE(openai::operationUrl(url, QStringLiteral("chat/completions"))->toString(QUrl::FullyEncoded), url);
}

void TestOpenAiRequest::modelsUrl()
{
    const auto models =
        openai::operationUrl(QStringLiteral("https://h.test/v1/chat/completions"), QStringLiteral("models"));
    QCOMPARE(models->toString(), QStringLiteral("https://h.test/v1/models"));
}

void TestOpenAiRequest::badUrls_data()
{
    QTest::addColumn<QString>("base");
    for (const auto* base : {"", "   ", "api.openai.com/v1", "api.openai.com:443", "ftp://host/v1", "https://",
                             "https:///v1", "https://host:99999/v1", "https://ho st/v1", "https://user:sk-1@host/v1",
                             "https://sk-1@host/v1", "https://host/v1?key=abc", "https://host/v1?api-key=abc",
                             "https://host/v1?access_token=abc", "not an address"})
        QTest::newRow(base) << QString::fromUtf8(base);
}

void TestOpenAiRequest::badUrls()
{
    QFETCH(QString, base);
    const auto joined = openai::operationUrl(base, QStringLiteral("chat/completions"));
    QVERIFY(!joined);
    QVERIFY(joined.error().endsWith(QLatin1Char('.')));
    QVERIFY(!joined.error().contains(QLatin1String("sk-1")) && !joined.error().contains(QLatin1String("abc")));
}

void TestOpenAiRequest::plainBody()
{
    ChatRequest request;
    request.messages = {{"system", QStringLiteral("Be brief.")}, {"user", QStringLiteral("Grüß Gott 🌍")}};
    QCOMPARE(bodyOf(request), parse(R"({"model":"m","messages":[{"role":"system","content":"Be brief."},
                                         {"role":"user","content":"Grüß Gott 🌍"}]})"));
}

void TestOpenAiRequest::fullBody()
{
    ChatRequest request;
    request.messages = {{"user", QStringLiteral("x")}};
    request.sampling = {0.2, 0.9, 64, true};
    request.tools = {parse(R"({"type":"function","function":{"name":"f"}})")};
    QCOMPARE(bodyOf(request),
             parse(R"({"model":"m","messages":[{"role":"user","content":"x"}],"temperature":0.2,"top_p":0.9,
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
    request.extra = parse(R"({"stream":true,"stream_options":{"include_usage":false}})");
    QVERIFY(!bodyOf(request).contains(QLatin1String("stream")));
    QVERIFY(!bodyOf(request).contains(QLatin1String("stream_options")));
}

void TestOpenAiRequest::fieldsAndExtraPassThrough()
{
    ChatRequest request;
    Message called{"assistant", {}};
    called.fields = parse(R"({"content":null,"tool_calls":[{"id":"c1"}]})");
    Message result{"tool", QStringLiteral("42")};
    result.fields = parse(R"({"tool_call_id":"c1"})");
    request.messages = {called, result};
    request.sampling.maxTokens = 64;
    request.extra = parse(R"({"seed":7,"stop":["x"],"max_completion_tokens":99,"model":"other","messages":[]})");
    QCOMPARE(bodyOf(request), parse(R"({"model":"m","seed":7,"stop":["x"],"max_completion_tokens":99,
        "messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1"}]},
                    {"role":"tool","content":"42","tool_call_id":"c1"}]})"));
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
        parse(R"({"content":[{"type":"text","text":"abc"},{"type":"image_url","image_url":{"url":"x"}}]})");
    request.tools = {QJsonObject{}};
    request.sampling = {{}, {}, 500, true};
    needs = needsOf(request);
    QVERIFY(needs.tools && needs.images && needs.jsonMode);
    QCOMPARE(needs.maxOutputTokens, 500);

    request.sampling.jsonMode = false;
    request.extra = parse(R"({"response_format":{"type":"text"}})");
    QVERIFY(!needsOf(request).jsonMode);
    request.extra = parse(R"({"response_format":{"type":"json_schema"}})");
    QVERIFY(needsOf(request).jsonMode);
}

QTEST_GUILESS_MAIN(TestOpenAiRequest)
#include "tst_openai_request.moc"
