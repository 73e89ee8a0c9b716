// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/request_writer.h"
#include "tests/support/field_cases.h"
#include "tests/support/json.h"

#include <QFile>
#include <QJsonDocument>
#include <QtTest>

using namespace sg::provider;

namespace {
const ProviderProfile& profile(const char* id)
{
    return *Catalogue::builtIn().find(id);
}

QString text(const tl::expected<QUrl, QString>& url)
{
    return url ? url->toString(QUrl::FullyEncoded) : url.error();
}

ChatRequest oneMessage()
{
    ChatRequest request;
    request.messages = {{"user", QStringLiteral("x")}};
    return request;
}

QJsonObject bodyOf(const char* id, const ChatRequest& request, QStringList* leftOut = nullptr)
{
    return sg::test::object(chatBody(profile(id), request, "m", leftOut));
}
} // namespace

class TestRequestWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urls_data()
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
        row("https://api.example.test/v1?team=a%20b", "https://api.example.test/v1/chat/completions?team=a%20b");
    }
    void urls()
    {
        QFETCH(QString, base);
        QFETCH(QString, url);
        for (const Operation operation : {Operation::Chat, Operation::ChatStream})
            QCOMPARE(text(operationUrl(profile("openai-compatible"), base, {}, operation)), url);
        // What came out can be put in again.
        QCOMPARE(text(operationUrl(profile("openai-compatible"), url, {}, Operation::Chat)), url);
    }

    void fieldCaseBaseUrls() // FC-E02
    {
        const QJsonArray rows = sg::test::fieldCase(QStringLiteral("FC-E02.json"))[QLatin1String("rows")].toArray();
        QVERIFY(!rows.isEmpty());
        for (const QJsonValue& row : rows) {
            const QString base = row[QLatin1String("base")].toString();
            for (const char* id : {"openai", "openai-compatible", "mistral", "litellm"})
                QCOMPARE(text(operationUrl(profile(id), base, QStringLiteral("m"), Operation::Chat)),
                         row[QLatin1String("url")].toString());
        }
    }

    void usualAddresses_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("url");
        const auto row = [](const char* id, const char* base, const char* url) {
            QTest::addRow("%s %s", id, base) << QByteArray(id) << QString::fromUtf8(base) << QString::fromUtf8(url);
        };
        row("openai", "", "https://api.openai.com/v1/chat/completions");
        row("groq", "", "https://api.groq.com/openai/v1/chat/completions");
        row("groq", "https://api.groq.com", "https://api.groq.com/openai/v1/chat/completions");
        row("groq", "https://relay.test", "https://relay.test/v1/chat/completions");
        row("cohere", "https://api.cohere.ai/", "https://api.cohere.ai/compatibility/v1/chat/completions");
        row("perplexity", "", "https://api.perplexity.ai/chat/completions");
        row("perplexity", "https://api.perplexity.ai/", "https://api.perplexity.ai/chat/completions");
        row("perplexity", "https://relay.test/pplx", "https://relay.test/pplx/chat/completions");
        row("perplexity", "https://api.perplexity.ai/chat/completions", "https://api.perplexity.ai/chat/completions");
        row("ollama", "", "http://localhost:11434/v1/chat/completions");
        row("anthropic", "", "https://api.anthropic.com/v1/messages");
        row("anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1/messages");
        row("anthropic", "https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages");
        row("anthropic", "https://relay.test/anthropic", "https://relay.test/anthropic/v1/messages");
        row("anthropic", "https://relay.test/anthropic/v1/", "https://relay.test/anthropic/v1/messages");
    }
    void usualAddresses()
    {
        QFETCH(QByteArray, id);
        QFETCH(QString, base);
        QFETCH(QString, url);
        const auto made = operationUrl(profile(id.constData()), base, QStringLiteral("m"), Operation::Chat);
        QCOMPARE(text(made), url);
    }

    void gemini_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("root");
        const auto row = [](const char* base, const char* root) {
            QTest::newRow(base) << QString::fromUtf8(base) << QString::fromUtf8(root);
        };
        const char* own = "https://generativelanguage.googleapis.com/v1beta";
        row("", own);
        row("https://generativelanguage.googleapis.com", own);
        row("https://generativelanguage.googleapis.com/v1beta/", own);
        row("https://generativelanguage.googleapis.com/v1beta/models", own);
        row("https://generativelanguage.googleapis.com/v1beta/models/other:generateContent", own);
        row("https://generativelanguage.googleapis.com/v1beta/models/other:streamGenerateContent?alt=sse", own);
        row("https://generativelanguage.googleapis.com/v1", "https://generativelanguage.googleapis.com/v1");
        row("http://127.0.0.1:9/sim", "http://127.0.0.1:9/sim/v1beta");
    }
    void gemini()
    {
        QFETCH(QString, base);
        QFETCH(QString, root);
        const auto url = [&](const char* model, Operation operation) {
            return text(operationUrl(profile("gemini"), base, QString::fromUtf8(model), operation));
        };
        QCOMPARE(url("gemini-2.5-flash", Operation::Chat),
                 root + QStringLiteral("/models/gemini-2.5-flash:generateContent"));
        QCOMPARE(url("models/gemini-2.5-flash", Operation::ChatStream),
                 root + QStringLiteral("/models/gemini-2.5-flash:streamGenerateContent?alt=sse"));
        QCOMPARE(url("", Operation::ListModels), root + QStringLiteral("/models?pageSize=1000"));
    }

    void azure_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("chat");
        QTest::addColumn<QString>("models");
        const auto row = [](const char* base, const char* chat, const char* models) {
            QTest::newRow(base) << QString::fromUtf8(base) << QString::fromUtf8(chat) << QString::fromUtf8(models);
        };
        const char* chat =
            "https://r.openai.azure.com/openai/deployments/my%20d/chat/completions?api-version=2024-10-21";
        const char* models = "https://r.openai.azure.com/openai/models?api-version=2024-10-21";
        row("https://r.openai.azure.com", chat, models);
        row("https://r.openai.azure.com/", chat, models);
        row("https://r.openai.azure.com/openai", chat, models);
        row("https://r.openai.azure.com/openai/deployments/", chat, models);
        row("https://r.openai.azure.com/openai/models?api-version=2024-10-21", chat, models);
        // An address that names a deployment means it; its version is the operator's too.
        const char* named =
            "https://r.openai.azure.com/openai/deployments/d2/chat/completions?api-version=2025-01-01-preview";
        const char* listed = "https://r.openai.azure.com/openai/models?api-version=2025-01-01-preview";
        row("https://r.openai.azure.com/openai/deployments/d2?api-version=2025-01-01-preview", named, listed);
        row(named, named, listed);
        row("https://r.openai.azure.com/openai/v1/", "https://r.openai.azure.com/openai/v1/chat/completions",
            "https://r.openai.azure.com/openai/v1/models");
        row("https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview",
            "https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview",
            "https://r.openai.azure.com/openai/v1/models?api-version=preview");
        row("https://f.services.ai.azure.com/models",
            "https://f.services.ai.azure.com/models/chat/completions?api-version=2024-10-21",
            "https://f.services.ai.azure.com/models?api-version=2024-10-21");
        row("https://apim.test/llm/openai",
            "https://apim.test/llm/openai/deployments/my%20d/chat/completions?api-version=2024-10-21",
            "https://apim.test/llm/openai/models?api-version=2024-10-21");
    }
    void azure()
    {
        QFETCH(QString, base);
        QFETCH(QString, chat);
        QFETCH(QString, models);
        const QString deployment = QStringLiteral("my d");
        QCOMPARE(text(operationUrl(profile("azure"), base, deployment, Operation::Chat)), chat);
        QCOMPARE(text(operationUrl(profile("azure"), base, deployment, Operation::ChatStream)), chat);
        QCOMPARE(text(operationUrl(profile("azure"), base, deployment, Operation::ListModels)), models);
    }

    void modelLists()
    {
        const auto url = [](const char* id, const char* base) {
            return text(operationUrl(profile(id), QString::fromLatin1(base), {}, Operation::ListModels));
        };
        QCOMPARE(url("openai-compatible", "https://h.test/v1/chat/completions"),
                 QStringLiteral("https://h.test/v1/models"));
        QCOMPARE(url("anthropic", ""), QStringLiteral("https://api.anthropic.com/v1/models?limit=1000"));
        QCOMPARE(url("anthropic", "https://api.anthropic.com/v1/models?limit=20"),
                 QStringLiteral("https://api.anthropic.com/v1/models?limit=20"));
        QCOMPARE(url("perplexity", ""), QStringLiteral("Perplexity has no list of models to ask for."));
    }

    void modelNames_data() // FC-E08
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("encoded");
        const auto row = [](const char* model, const char* encoded) {
            QTest::newRow(model) << QString::fromUtf8(model) << QString::fromUtf8(encoded);
        };
        row("深度求索/deepseek-chat", "%E6%B7%B1%E5%BA%A6%E6%B1%82%E7%B4%A2%2Fdeepseek-chat");
        row("modèle 100% été", "mod%C3%A8le%20100%25%20%C3%A9t%C3%A9");
        row("🚀", "%F0%9F%9A%80");
        row("a?b#c&d", "a%3Fb%23c%26d");
        row("../../admin", "..%2F..%2Fadmin");
        row("%2e%2e", "%252e%252e");
    }
    void modelNames()
    {
        QFETCH(QString, model);
        QFETCH(QString, encoded);
        QCOMPARE(
            text(operationUrl(profile("gemini"), {}, model, Operation::Chat)),
            QStringLiteral("https://generativelanguage.googleapis.com/v1beta/models/%1:generateContent").arg(encoded));
        const QString azure = QStringLiteral("https://r.test");
        QCOMPARE(text(operationUrl(profile("azure"), azure, model, Operation::Chat)),
                 QStringLiteral("https://r.test/openai/deployments/%1/chat/completions?api-version=2024-10-21")
                     .arg(encoded));
        const QJsonObject body = sg::test::object(chatBody(profile("openai"), oneMessage(), model.toStdString()));
        QCOMPARE(body[QLatin1String("model")].toString(), model);
    }

    void badUrls_data()
    {
        QTest::addColumn<QString>("base");
        for (const auto* base : {"", "   ", "api.openai.com/v1", "api.openai.com:443", "ftp://host/v1", "https://",
                                 "https:///v1", "https://host:99999/v1", "https://ho st/v1",
                                 "https://user:sk-1@host/v1", "https://sk-1@host/v1", "https://host/v1?key=abc",
                                 "https://host/v1?api-key=abc", "https://host/v1?access_token=abc", "not an address"})
            QTest::newRow(base) << QString::fromUtf8(base);
    }
    void badUrls()
    {
        QFETCH(QString, base);
        for (const char* id : {"openai-compatible", "azure"}) { // those without an address of their own
            const auto made = operationUrl(profile(id), base, QStringLiteral("m"), Operation::Chat);
            QVERIFY(!made);
            QVERIFY(made.error().endsWith(QLatin1Char('.')));
            QVERIFY(!made.error().contains(QLatin1String("sk-1")) && !made.error().contains(QLatin1String("abc")));
        }
    }

    void aModelInTheAddressMustBeNamed()
    {
        QVERIFY(!operationUrl(profile("gemini"), {}, {}, Operation::Chat));
        QVERIFY(!operationUrl(profile("azure"), QStringLiteral("https://r.test"), {}, Operation::Chat));
        QVERIFY(operationUrl(profile("openai"), {}, {}, Operation::Chat));
    }

    void keysAsHeaders()
    {
        using Headers = std::vector<std::pair<QByteArray, QByteArray>>;
        QVERIFY(keyHeaders(profile("openai"), "sk-test-0001") == (Headers{{"Authorization", "Bearer sk-test-0001"}}));
        QVERIFY(keyHeaders(profile("azure"), "k1") == (Headers{{"api-key", "k1"}}));
        QVERIFY(keyHeaders(profile("anthropic"), "k2") == (Headers{{"x-api-key", "k2"}}));
        QVERIFY(keyHeaders(profile("gemini"), "k3") == (Headers{{"x-goog-api-key", "k3"}}));
        for (const ProviderProfile& each : Catalogue::builtIn().all()) // FC-E06
            QVERIFY2(keyHeaders(each, {}).empty(), qPrintable(each.id));
    }

    void maxTokensByProvider()
    {
        ChatRequest request = oneMessage();
        request.sampling.maxTokens = 64;
        const auto fields = [&](const char* id) {
            const QJsonObject body = bodyOf(id, request);
            return std::pair(body[QLatin1String("max_tokens")].toInt(),
                             body[QLatin1String("max_completion_tokens")].toInt());
        };
        QCOMPARE(fields("openai"), std::pair(0, 64));
        QCOMPARE(fields("azure"), std::pair(0, 64));
        QCOMPARE(fields("mistral"), std::pair(64, 0));
        QCOMPARE(fields("openai-compatible"), std::pair(64, 0));
        // The caller's newer word goes to every provider under the name that it knows.
        request.extra = sg::test::object(R"({"max_completion_tokens":99,"max_tokens":7})");
        QCOMPARE(fields("openai"), std::pair(0, 99));
        QCOMPARE(fields("mistral"), std::pair(99, 0));
        QCOMPARE(fields("openai-compatible"), std::pair(0, 99));
        request.extra = sg::test::object(R"({"max_tokens":7})");
        QCOMPARE(fields("openai"), std::pair(0, 64)); // Sampling wins over the same field in `extra`
        request.sampling.maxTokens.reset();
        QCOMPARE(fields("openai"), std::pair(0, 7));
        request.extra = {};
        QCOMPARE(fields("openai"), std::pair(0, 0));
    }

    void streamUsageByProvider()
    {
        ChatRequest request = oneMessage();
        request.stream = true;
        QStringList leftOut;
        QVERIFY(bodyOf("openai", request)[QLatin1String("stream_options")][QLatin1String("include_usage")].toBool());
        QVERIFY(!bodyOf("mistral", request, &leftOut).contains(QLatin1String("stream_options")));
        QVERIFY(leftOut.isEmpty()); // nobody asked for them
        request.extra = sg::test::object(R"({"stream_options":{"include_usage":true}})");
        QVERIFY(!bodyOf("mistral", request, &leftOut).contains(QLatin1String("stream_options")));
        QCOMPARE(leftOut, QStringList{QStringLiteral("stream_options")});
        QVERIFY(bodyOf("mistral", request)[QLatin1String("stream")].toBool());
    }

    void jsonModeByProvider()
    {
        ChatRequest request = oneMessage();
        request.sampling.jsonMode = true;
        QStringList leftOut;
        QVERIFY(bodyOf("openai", request, &leftOut).contains(QLatin1String("response_format")));
        QVERIFY(leftOut.isEmpty());
        QVERIFY(!bodyOf("perplexity", request, &leftOut).contains(QLatin1String("response_format")));
        QCOMPARE(leftOut, QStringList{QStringLiteral("response_format")});
        request.sampling.jsonMode = false;
        request.extra = sg::test::object(R"({"response_format":{"type":"json_schema","json_schema":{}}})");
        QVERIFY(bodyOf("perplexity", request).contains(QLatin1String("response_format")));
    }

    void theDialectDecidesTheBody()
    {
        ChatRequest request = oneMessage();
        request.messages.insert(request.messages.begin(), {"system", QStringLiteral("Be brief.")});
        request.stream = true;
        const QJsonObject azure = bodyOf("azure", request);
        QCOMPARE(azure[QLatin1String("messages")].toArray().size(), 2);
        const QJsonObject anthropic = bodyOf("anthropic", request);
        QCOMPARE(anthropic[QLatin1String("messages")].toArray().size(), 1);
        QVERIFY(anthropic.contains(QLatin1String("system")) && anthropic.contains(QLatin1String("max_tokens")));
        QVERIFY(anthropic[QLatin1String("stream")].toBool());
        const QJsonObject gemini = bodyOf("gemini", request);
        QCOMPARE(gemini[QLatin1String("contents")].toArray().size(), 1);
        QVERIFY(!gemini.contains(QLatin1String("model")) && !gemini.contains(QLatin1String("stream")));
    }

    void readingModelLists_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, Dialect dialect, const char* body, const char* expected) {
            QTest::newRow(name) << int(dialect) << QByteArray(body) << QString::fromUtf8(expected);
        };
        const Dialect openai = Dialect::OpenAi;
        row("openai", openai,
            R"({"object":"list","data":[{"id":"gpt-4.1","object":"model","owned_by":"system"},{"id":"o3"}]})",
            "gpt-4.1|gpt-4.1|?|? o3|o3|?|?");
        row("azure", Dialect::Azure,
            R"({"data":[{"id":"gpt-4o","capabilities":{"chat_completion":true}},{"id":"ada","capabilities":{"chat_completion":false}}]})",
            "gpt-4o|gpt-4o|?|?");
        row("anthropic", Dialect::Anthropic,
            R"({"data":[{"type":"model","id":"claude-sonnet-4-5","display_name":"Claude","max_input_tokens":200000,"max_tokens":64000}],"has_more":false,"last_id":"x"})",
            "claude-sonnet-4-5|Claude|200000|64000");
        row("gemini", Dialect::Gemini,
            R"({"models":[{"name":"models/gemini-2.5-flash","displayName":"Flash","inputTokenLimit":1048576,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","countTokens"]},
                {"name":"models/embedding-001","supportedGenerationMethods":["embedContent"]}]})",
            "gemini-2.5-flash|Flash|1048576|65536");
        row("openrouter", openai,
            R"({"data":[{"id":"x/y","name":"X: Y","context_length":131072,"top_provider":{"context_length":131072,"max_completion_tokens":16384}}]})",
            "x/y|X: Y|131072|16384");
        row("groq", openai, R"({"data":[{"id":"llama","context_window":8192,"max_completion_tokens":4096}]})",
            "llama|llama|8192|4096");
        row("mistral", openai,
            R"({"data":[{"id":"m","max_context_length":32768,"capabilities":{"completion_chat":true}},{"id":"embed","capabilities":{"completion_chat":false}}]})",
            "m|m|32768|?");
        row("vllm", openai, R"({"data":[{"id":"q","max_model_len":4096}]})", "q|q|4096|?");
        row("llama.cpp", openai,
            R"({"models":[{"name":"a.gguf"}],"data":[{"id":"a.gguf","meta":{"n_ctx_train":4096}}]})",
            "a.gguf|a.gguf|4096|?");
        row("ollama", openai, R"({"object":"list","data":[{"id":"llama3.2:latest","object":"model"}]})",
            "llama3.2:latest|llama3.2:latest|?|?");
        row("ollama's own", openai, R"({"models":[{"name":"llama3.2:latest","model":"llama3.2:latest"}]})",
            "llama3.2:latest|llama3.2:latest|?|?");
        row("together, a bare list", openai, R"([{"id":"t","display_name":"T","context_length":2048}])", "t|T|2048|?");
        row("none", openai, R"({"data":[]})", "");
        row("odd entries", openai, R"({"data":[3,null,{},{"id":""},{"id":"ok","context_length":-1}]})", "ok|ok|?|?");
    }
    void readingModelLists()
    {
        QFETCH(int, dialect);
        QFETCH(QByteArray, body);
        QFETCH(QString, expected);
        const auto models = readModels(Dialect(dialect), body);
        QVERIFY2(models, models ? "" : qPrintable(models.error()));
        const auto number = [](const std::optional<std::int64_t>& value) {
            return value ? QString::number(*value) : QStringLiteral("?");
        };
        QStringList lines;
        for (const ListedModel& model : *models)
            lines << QStringList{model.id, model.title, number(model.contextWindow), number(model.maxOutput)}.join(
                QLatin1Char('|'));
        QCOMPARE(lines.join(QLatin1Char(' ')), expected);
    }

    void noModelList()
    {
        for (const char* body : {"", "<html>", "{}", R"({"data":{}})", "null", "3"}) {
            const auto models = readModels(Dialect::OpenAi, body);
            QVERIFY2(!models, body);
            QCOMPARE(models.error(), QStringLiteral("The answer holds no list of models."));
        }
        const auto error = readModels(Dialect::Anthropic,
                                      R"({"type":"error","error":{"type":"x","message":"bad key sk-ant-test-0001"}})");
        QVERIFY(!error);
        QVERIFY(error.error().contains(QLatin1String("bad key")) &&
                !error.error().contains(QLatin1String("sk-ant-test-0001")));
    }
};

QTEST_APPLESS_MAIN(TestRequestWriter)
#include "tst_request_writer.moc"
