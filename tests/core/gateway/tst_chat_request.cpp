// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_request.h"
#include "core/provider/request_writer.h"
#include "tests/support/field_cases.h"
#include "tests/support/gateway_scene.h"
#include "tests/support/json.h"

#include <QTest>

using namespace sg;
using namespace sg::test;
using gateway::readChat;

class TestChatRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatIsAsked();
    void passesOnWhatItDoesNotKnow();
    void missingStreamIsFalse();
    void halfACharacterSurvives();
    void developerIsToldAsTheProviderKnowsIt();
    void mistakesAreTheCallers_data();
    void mistakesAreTheCallers();

    void namesLeadToChains_data();
    void namesLeadToChains();
    void unknownNamesAreNotFound();
    void manyNamesAreNotAllNamed();
};

void TestChatRequest::readsWhatIsAsked()
{
    const auto ask = readChat(
        R"({"model":"chat","stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"top_p":0.9,)"
        R"("max_tokens":7,"n":1,"tools":[{"type":"function"}],"messages":[{"role":"system","content":"s"},)"
        R"({"role":"user","content":[{"type":"text","text":"u"}],"name":"me"},)"
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"1"}]},{"role":"tool","tool_call_id":"1","content":"r"}]})");
    QVERIFY(ask);
    QCOMPARE(ask->model, QStringLiteral("chat"));
    QVERIFY(ask->includeUsage && ask->request.stream);
    QCOMPARE(ask->request.sampling.temperature.value(), 0.5);
    QCOMPARE(ask->request.sampling.topP.value(), 0.9);
    QCOMPARE(ask->request.sampling.maxTokens.value(), 7);
    QCOMPARE(ask->request.tools.size(), 1);
    QVERIFY(ask->request.extra.isEmpty());
    QCOMPARE(ask->request.messages.size(), std::size_t(4));
    QCOMPARE(ask->request.messages[0].text, QStringLiteral("s"));
    QCOMPARE(test::text(ask->request.messages[1].fields),
             QByteArray(R"([{"content":[{"text":"u","type":"text"}],"name":"me"}])"));
    QVERIFY(ask->request.messages[2].fields.contains("tool_calls"_L1));
    QCOMPARE(ask->request.messages[3].role, std::string("tool"));
}

void TestChatRequest::passesOnWhatItDoesNotKnow()
{
    const QByteArray fields =
        R"("logit_bias":{"5":-100},"max_completion_tokens":9,"metadata":{"a":"b"},"response_format":{"type":"json_object"},)"
        R"("seed":12345678901,"stop":["x"],"tool_choice":"auto","user":"u","what_comes_next_year":[1])";
    const auto ask = readChat(chatBody(',' + fields));
    QVERIFY(ask);
    QCOMPARE(ask->request.extra, object('{' + fields + '}'));
    QVERIFY(provider::needsOf(ask->request).jsonMode);
    const QByteArray sent = provider::chatBody(provider::ProviderProfile(), ask->request, "m");
    QVERIFY(sent.contains(R"("seed":12345678901,)"));
}

void TestChatRequest::missingStreamIsFalse()
{
    QVERIFY(!readChat(chatBody())->request.stream);
    QVERIFY(!readChat(chatBody(R"(,"stream":null)"))->request.stream);
    QVERIFY(!readChat(chatBody())->includeUsage);
}

void TestChatRequest::halfACharacterSurvives() // FC-A34
{
    const auto ask = readChat(fieldCaseBytes(QStringLiteral("FC-A34.json")));
    QVERIFY(ask);
    const QString text = ask->request.messages.at(0).text;
    QVERIFY(std::ranges::any_of(text, [](QChar c) { return c.isHighSurrogate(); }));
    const QByteArray sent = provider::chatBody(provider::ProviderProfile(), ask->request, "m");
    QVERIFY2(sent.contains(R"(half emoji: \ud83c end)"), sent.constData());
}

void TestChatRequest::developerIsToldAsTheProviderKnowsIt()
{
    const auto ask =
        readChat(R"({"model":"m","messages":[{"role":"developer","content":"d"},{"role":"user","content":"u"}]})");
    QVERIFY(ask);
    const auto told = [&](const char* provider) {
        return provider::chatBody(*provider::Catalogue::builtIn().find(provider), ask->request, "m");
    };
    QVERIFY(told("openai").contains(R"("role":"developer")"));
    QVERIFY(told("azure").contains(R"("role":"developer")"));
    for (const char* other : {"openai-compatible", "groq", "deepseek", "mistral", "vllm", "ollama", "openrouter"}) {
        QVERIFY2(told(other).contains(R"("role":"system")"), other);
        QVERIFY2(!told(other).contains("developer"), other);
    }
    for (const char* other : {"anthropic", "gemini"})
        QVERIFY2(!told(other).contains("developer") && told(other).contains(R"("d")"), other);
}

void TestChatRequest::mistakesAreTheCallers_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* name, const QByteArray& body, const char* param) {
        QTest::newRow(name) << body << QString::fromLatin1(param);
    };
    row("nothing", "", "");
    row("blanks", " \n", "");
    row("no JSON", "model=chat", "");
    row("cut", R"({"model":"chat","messages":[)", "");
    row("a list", "[1]", "");
    row("a text", R"("x")", "");
    row("too deep", "{\"model\":" + QByteArray(100'000, '['), "");
    row("no UTF-8", "{\"model\":\"\xff\xfe\"}", "");
    row("no model", R"({"messages":[{"role":"user","content":"x"}]})", "model");
    row("empty model", chatBody({}, ""), "model");
    row("model a number", R"({"model":1,"messages":[{"role":"user","content":"x"}]})", "model");
    row("no messages", R"({"model":"chat"})", "messages");
    row("empty messages", R"({"model":"chat","messages":[]})", "messages");
    row("messages a text", R"({"model":"chat","messages":"x"})", "messages");
    row("a message a text", R"({"model":"chat","messages":["x"]})", "messages");
    row("no role", R"({"model":"chat","messages":[{"content":"x"}]})", "messages");
    row("no content", R"({"model":"chat","messages":[{"role":"user"}]})", "messages");
    row("content a number", R"({"model":"chat","messages":[{"role":"user","content":1}]})", "messages");
    row("stream a text", chatBody(R"(,"stream":"true")"), "stream");
    row("temperature a text", chatBody(R"(,"temperature":"1")"), "temperature");
    row("temperature too high", chatBody(R"(,"temperature":3)"), "temperature");
    row("top_p below", chatBody(R"(,"top_p":-0.1)"), "top_p");
    row("max_tokens none", chatBody(R"(,"max_tokens":0)"), "max_tokens");
    row("max_tokens a half", chatBody(R"(,"max_tokens":1.5)"), "max_tokens");
    row("tools an object", chatBody(R"(,"tools":{})"), "tools");
    row("two answers", chatBody(R"(,"n":2)"), "n");
    row("no answer", chatBody(R"(,"n":0)"), "n");
    row("n a text", chatBody(R"(,"n":"1")"), "n");
    row("stream options a list", chatBody(R"(,"stream_options":[])"), "stream_options");
    row("include usage a number", chatBody(R"(,"stream_options":{"include_usage":1})"), "stream_options.include_usage");
}

void TestChatRequest::mistakesAreTheCallers()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, param);
    const auto ask = readChat(body);
    QVERIFY(!ask);
    QCOMPARE(ask.error().status, 400);
    QCOMPARE(ask.error().type, QStringLiteral("invalid_request_error"));
    QCOMPARE(ask.error().param, param);
    QVERIFY2(ask.error().message.endsWith(QLatin1Char('.')), qPrintable(ask.error().message));
}

namespace {
workspace::Workspace threeChains()
{
    workspace::Workspace workspace = gatewayWorkspace();
    workspace.endpoints.push_back(gatewayEndpoint("third"));
    workspace.endpoints.push_back(gatewayEndpoint("lonely"));
    workspace::Chain other = workspace.chains[0];
    other.spec.name = "other";
    std::swap(other.spec.tiers[0], other.spec.tiers[1]); // second, first
    workspace::Chain off = workspace.chains[0];
    off.spec.name = "off";
    off.spec.tiers[0].enabled = false; // of what is on, "second" is the first here, but "other" comes before
    off.spec.tiers.push_back(off.spec.tiers[1]);
    off.spec.tiers[2].name = "tier-third";
    off.spec.tiers[2].endpoint = "third";
    workspace.chains.push_back(other);
    workspace.chains.push_back(off);
    return workspace;
}
} // namespace

void TestChatRequest::namesLeadToChains_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("leadsTo");
    QTest::newRow("a chain") << "other"
                             << "other:";
    QTest::newRow("a model that is a chain's first") << "m-first"
                                                     << "chat:tier-first";
    QTest::newRow("a model that is another chain's first") << "m-second"
                                                           << "other:tier-second";
    QTest::newRow("a model that is nobody's first") << "m-third"
                                                    << "off:tier-third";
    QTest::newRow("an endpoint") << "third"
                                 << "off:tier-third";
}

void TestChatRequest::namesLeadToChains()
{
    QFETCH(QString, model);
    EngineScene scene(threeChains());
    const auto where = gateway::destinationOf(model, scene.core.switchboard());
    QVERIFY(where);
    QVERIFY(where->target.kind == engine::TargetKind::Chain);
    QTEST(QString::fromStdString(where->target.name + ':' + where->preferredTier), "leadsTo");
}

void TestChatRequest::unknownNamesAreNotFound()
{
    EngineScene scene(threeChains());
    for (const char* name : {"oter", "m-lonely", "lonely"}) {
        const auto where = gateway::destinationOf(QString::fromLatin1(name), scene.core.switchboard());
        QVERIFY(!where);
        QCOMPARE(where.error().status, 404);
        QCOMPARE(where.error().code, QStringLiteral("model_not_found"));
        QCOMPARE(where.error().param, QStringLiteral("model"));
    }
    const QString words = gateway::destinationOf(QStringLiteral("oter"), scene.core.switchboard()).error().message;
    QVERIFY2(words.contains(QStringLiteral("There is: \"other\", \"chat\"")), qPrintable(words));
}

void TestChatRequest::manyNamesAreNotAllNamed()
{
    workspace::Workspace workspace = gatewayWorkspace();
    for (int i = 0; i < 40; ++i) {
        workspace.chains.push_back(workspace.chains[0]);
        workspace.chains.back().spec.name = "chain-" + std::to_string(i);
    }
    EngineScene scene(workspace);
    const auto where = gateway::destinationOf(QStringLiteral("nothing like it"), scene.core.switchboard());
    QVERIFY(!where);
    QCOMPARE(where.error().message.count(QLatin1Char('"')), 2 + 20 * 2);
    QVERIFY(where.error().message.contains(QStringLiteral("and 23 more")));

    EngineScene empty{workspace::Workspace()};
    QCOMPARE(gateway::destinationOf(QStringLiteral("x"), empty.core.switchboard()).error().status, 404);
}

QTEST_GUILESS_MAIN(TestChatRequest)
#include "tst_chat_request.moc"
