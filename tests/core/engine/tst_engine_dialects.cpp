// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "core/simulator/simulator.h"
#include "tests/support/chat_server.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QTest>

using namespace sg;
using test::ChatServer;
using test::word;

namespace {

const char* const kProviders[] = {"openai", "azure", "anthropic", "gemini"};

/// Every endpoint works until its share of faults is asked for.
simulator::Script scriptOf(const QByteArray& faultsOfTheFirstThree)
{
    QByteArray endpoints;
    for (const char* name : kProviders) {
        endpoints += endpoints.isEmpty() ? "" : ",";
        endpoints += R"({"name":")" + QByteArray(name) +
                     R"(","latency":{"kind":"constant","ms":20},"output_tokens":{"kind":"constant","tokens":12})";
        if (qstrcmp(name, "gemini") != 0 && !faultsOfTheFirstThree.isEmpty())
            endpoints += R"(,"faults":[)" + faultsOfTheFirstThree + ']';
        endpoints += '}';
    }
    auto script = simulator::parseScript(R"({"version":1,"endpoints":[)" + endpoints + "]}");
    if (!script)
        qFatal("the script is not right");
    return *std::move(script);
}

/// One chain over endpoints of all four dialects, each named as its provider.
workspace::Workspace fourDialects()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("dialects");
    workspace::Chain chain;
    chain.spec.name = "chain";
    for (const char* name : kProviders) {
        workspace::Endpoint endpoint;
        endpoint.spec.name = name;
        endpoint.provider = QString::fromLatin1(name);
        endpoint.baseUrl = QStringLiteral("sim:") + endpoint.provider;
        endpoint.model = QStringLiteral("modell/ü ") + endpoint.provider;
        endpoint.key = {workspace::KeySource::Session, QStringLiteral("k"), false};
        workspace.endpoints.push_back(endpoint);
        chain::TierSpec tier;
        tier.name = tier.endpoint = name;
        tier.backoff.baseMs = 1;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

struct Seen
{
    bool done = false;
    chain::RunRecord record;
    provider::Answer answer;
    provider::Usage usage;
    QString streamed;
};

class Bench
{
public:
    explicit Bench(const QByteArray& faultsOfTheFirstThree = {})
        : simulator_(scriptOf(faultsOfTheFirstThree))
        , core({})
    {
        if (!simulator_.start())
            qFatal("no free port on loopback");
        QUrl base(QStringLiteral("http://127.0.0.1"));
        base.setPort(simulator_.port());
        core.apply(fourDialects(), {}, base, [](const workspace::KeyRef&) { return QByteArray("secret"); });
    }

    Seen run(const engine::CallTarget& target, bool stream)
    {
        Seen seen;
        engine::Call call;
        call.target = target;
        call.request.messages = {{"system", QStringLiteral("Be brief.")}, {"user", QStringLiteral("hello")}};
        call.request.sampling.maxTokens = 10;
        call.request.stream = stream;
        call.intended = http::steadyNow();
        call.onDelta = [&seen](const provider::Delta& delta, Instant) { seen.streamed += delta.text; };
        call.onFinished = [&seen](const engine::CallResult& result) {
            seen.record = result.record;
            seen.usage = result.usage;
            if (result.answer)
                seen.answer = *result.answer;
            seen.done = true;
        };
        core.start(std::move(call));
        if (!QTest::qWaitFor([&] { return seen.done; }))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return seen;
    }

    simulator::Simulator simulator_;
    engine::EngineCore core;
};

engine::ModelsResult modelsOf(engine::EngineCore& core, const std::string& endpoint)
{
    std::optional<engine::ModelsResult> result;
    core.listModels(endpoint, [&](const engine::ModelsResult& models) { result = models; });
    if (!QTest::qWaitFor([&] { return result.has_value(); }))
        QTest::qFail("the list did not come", __FILE__, __LINE__);
    return *result;
}

class TestEngineDialects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachDialectAnswers_data()
    {
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<bool>("stream");
        for (const char* name : kProviders) {
            QTest::addRow("%s whole", name) << QByteArray(name) << false;
            QTest::addRow("%s streamed", name) << QByteArray(name) << true;
        }
    }
    void eachDialectAnswers()
    {
        QFETCH(QByteArray, provider);
        QFETCH(bool, stream);
        Bench bench;
        const Seen seen = bench.run({engine::TargetKind::Endpoint, provider.toStdString()}, stream);
        QVERIFY2(seen.record.ending == chain::Ending::Answered, seen.record.error.message.c_str());
        QVERIFY(!seen.answer.text.isEmpty());
        QCOMPARE(seen.streamed, stream ? seen.answer.text : QString());
        // The request arrived whole: its limit cut the answer, its model came back, its prompt was counted.
        QCOMPARE(seen.answer.finishReason, std::string("length"));
        QCOMPARE(QString::fromStdString(seen.answer.model), QStringLiteral("modell/ü ") + QLatin1String(provider));
        QCOMPARE(seen.usage.outputTokens, std::optional<std::int64_t>(10));
        QVERIFY(seen.usage.inputTokens.value_or(0) > 0);
        QVERIFY(seen.answer.warnings.isEmpty());
    }

    void failsOverThroughAllDialects_data()
    {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<bool>("stream");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* fault, const char* error) {
            QTest::addRow("%s whole", name) << QByteArray(fault) << false << QString::fromLatin1(error);
            QTest::addRow("%s streamed", name) << QByteArray(fault) << true << QString::fromLatin1(error);
        };
        row("503", R"({"kind":"status","status":503})", "overloaded");
        row("429", R"({"kind":"status","status":429})", "rate_limited");
        row("error event", R"({"kind":"error_event"})", "server_error");
    }
    void failsOverThroughAllDialects()
    {
        QFETCH(QByteArray, fault);
        QFETCH(bool, stream);
        QFETCH(QString, error);
        Bench bench(fault);
        const Seen seen = bench.run({engine::TargetKind::Chain, "chain"}, stream);
        QVERIFY2(seen.record.ending == chain::Ending::Answered, seen.record.error.message.c_str());
        QCOMPARE(seen.record.endpoint, std::string("gemini"));
        QCOMPARE(seen.record.attempts, 4);
        QStringList errors;
        for (const chain::Step& step : seen.record.steps)
            if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
                errors << word(attempt->error.disposition.error);
        QCOMPARE(errors, (QStringList{error, error, error, QStringLiteral("none")}));
        QVERIFY(!seen.answer.text.isEmpty());
        QCOMPARE(seen.streamed, stream ? seen.answer.text : QString());
    }

    void aBrokenStreamIsNoAnswer()
    {
        Bench bench(R"({"kind":"drop_mid_stream","after_tokens":4})");
        for (const char* name : {"openai", "azure", "anthropic"}) {
            const Seen seen = bench.run({engine::TargetKind::Endpoint, name}, true);
            QVERIFY(seen.record.ending != chain::Ending::Answered);
            QCOMPARE(word(seen.record.error.disposition.error), word(provider::ErrorClass::StreamBroken));
            QVERIFY(!seen.streamed.isEmpty());
        }
    }

    void whatIsSent_data()
    {
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<bool>("stream");
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* provider, bool stream, const char* target, const char* header,
                            const char* value) {
            QTest::addRow("%s %d", provider, stream)
                << QByteArray(provider) << stream << QByteArray(target) << QByteArray(header) << QByteArray(value);
        };
        for (const bool stream : {false, true}) {
            row("openai", stream, "/x/v1/chat/completions", "Authorization", "Bearer secret");
            row("azure", stream, "/x/openai/deployments/m%C3%BC/chat/completions?api-version=2024-10-21", "api-key",
                "secret");
            row("anthropic", stream, "/x/v1/messages", "x-api-key", "secret");
        }
        row("gemini", false, "/x/v1beta/models/m%C3%BC:generateContent", "x-goog-api-key", "secret");
        row("gemini", true, "/x/v1beta/models/m%C3%BC:streamGenerateContent?alt=sse", "x-goog-api-key", "secret");
    }
    void whatIsSent()
    {
        QFETCH(QByteArray, provider);
        QFETCH(bool, stream);
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, value);
        ChatServer server;
        http::ServerRequest seen;
        server.on("x", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            seen = request;
            responder->send(400, {{"Content-Type", "application/json"}}, "{}");
        });
        engine::EngineCore core({});
        workspace::Workspace workspace = fourDialects();
        workspace.endpoints.resize(1);
        workspace.endpoints[0].provider = QString::fromLatin1(provider);
        workspace.endpoints[0].baseUrl = QStringLiteral("sim:x");
        workspace.endpoints[0].model = QStringLiteral("mü");
        core.apply(workspace, {}, server.base(), [](const workspace::KeyRef&) { return QByteArray("secret"); });
        engine::Call call;
        call.target = {engine::TargetKind::Endpoint, "openai"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.request.stream = stream;
        bool done = false;
        call.onFinished = [&](const engine::CallResult&) { done = true; };
        core.start(std::move(call));
        QVERIFY(QTest::qWaitFor([&] { return done; }));
        QCOMPARE(seen.target, target);
        QCOMPARE(http::headerValue(seen.headers, header), value);
        for (const char* other : {"Authorization", "api-key", "x-api-key", "x-goog-api-key"})
            if (header.compare(other, Qt::CaseInsensitive) != 0)
                QVERIFY2(http::headerValue(seen.headers, other).isEmpty(), other);
        QCOMPARE(http::headerValue(seen.headers, "anthropic-version"),
                 provider == "anthropic" ? QByteArray("2023-06-01") : QByteArray());
        for (const auto& [name, text] : seen.headers) // FC-E08
            QVERIFY(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }));
        QVERIFY(QJsonDocument::fromJson(seen.body).isObject());
    }

    void anEmptyKeyIsNoHeader() // FC-E06
    {
        ChatServer server;
        http::ServerRequest seen;
        server.on("openai", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            seen = request;
            ChatServer::answers("one")(request, std::move(responder));
        });
        for (const bool withEmptyKey : {true, false}) {
            engine::EngineCore core({});
            workspace::Workspace workspace = fourDialects();
            workspace.endpoints.resize(1);
            if (!withEmptyKey)
                workspace.endpoints[0].key = {};
            core.apply(workspace, {}, server.base(), [](const workspace::KeyRef&) { return QByteArray(); });
            engine::Call call;
            call.target = {engine::TargetKind::Endpoint, "openai"};
            call.request.messages = {{"user", QStringLiteral("hello")}};
            bool answered = false;
            call.onFinished = [&](const engine::CallResult& result) { answered = bool(result.answer); };
            core.start(std::move(call));
            QVERIFY(QTest::qWaitFor([&] { return answered; }));
            QVERIFY(std::none_of(seen.headers.begin(), seen.headers.end(), [](const auto& header) {
                return header.first.compare("Authorization", Qt::CaseInsensitive) == 0;
            }));
        }
    }

    void aKeyThatWouldBreakTheHeaderIsNeverSent()
    {
        ChatServer server;
        server.on("openai", ChatServer::answers("one"));
        engine::EngineCore core({});
        core.apply(fourDialects(), {}, server.base(),
                   [](const workspace::KeyRef&) { return QByteArray("sk-test-0001\r\nX-Evil: 1"); });
        const engine::ModelsResult models = modelsOf(core, "openai");
        QVERIFY(!models);
        QVERIFY(!models.error().contains(QLatin1String("0001")));
        QCOMPARE(server.requests("openai"), 0);
    }

    void modelLists()
    {
        Bench bench;
        for (const char* name : kProviders) {
            const engine::ModelsResult models = modelsOf(bench.core, name);
            QVERIFY2(models, models ? "" : qPrintable(models.error()));
            QCOMPARE(models->size(), std::size_t(1));
            QCOMPARE(models->front().id, QString::fromLatin1(name));
        }
        QVERIFY(!modelsOf(bench.core, "nobody"));
    }

    void modelListsThatDoNotCome()
    {
        ChatServer server;
        http::ServerRequest seen;
        server.on("openai", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            seen = request;
            responder->send(
                401, {{"Content-Type", "application/json"}},
                R"({"error":{"message":"Incorrect API key provided: sk-test-0001","code":"invalid_api_key"}})");
        });
        engine::EngineCore core({});
        core.apply(fourDialects(), {}, server.base(), [](const workspace::KeyRef&) { return QByteArray("secret"); });
        const engine::ModelsResult refused = modelsOf(core, "openai");
        QVERIFY(!refused);
        QVERIFY2(refused.error().contains(QLatin1String("HTTP 401")), qPrintable(refused.error()));
        QVERIFY(!refused.error().contains(QLatin1String("0001")));
        QCOMPARE(seen.method, QByteArray("GET"));
        QCOMPARE(seen.target, QByteArray("/openai/v1/models"));
        QCOMPARE(http::headerValue(seen.headers, "Authorization"), QByteArray("Bearer secret"));
        QVERIFY(seen.body.isEmpty() && http::headerValue(seen.headers, "Content-Type").isEmpty());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestEngineDialects)
#include "tst_engine_dialects.moc"
