// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/litellm.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/yaml_tree.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

QByteArray sampleConfig()
{
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/litellm/config.yaml"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
LiteLlmImport imported(const QByteArray& yaml = sampleConfig())
{
    LiteLlmOptions options;
    options.name = QStringLiteral("from LiteLLM");
    options.variable = [](const QString& name) {
        return name == QLatin1String("AZURE_US_BASE") ? std::optional(QStringLiteral("https://us.example.test"))
                                                      : std::nullopt;
    };
    auto result = importLiteLlm(yaml, options);
    return result ? *std::move(result) : LiteLlmImport();
}

bool isTold(const Findings& notes, const QString& place, const QString& words = {})
{
    return std::ranges::any_of(
        notes, [&](const Finding& note) { return note.place.contains(place) && note.problem.contains(words); });
}

std::string tiersOf(const Workspace& workspace, const char* chain)
{
    std::string names;
    for (const chain::TierSpec& tier : workspace.chain(chain)->spec.tiers)
        names += (names.empty() ? "" : " | ") + tier.endpoint;
    return names;
}

} // namespace

class TestLiteLlm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void deploymentsBecomeEndpoints()
    {
        const Workspace made = imported().workspace;
        QCOMPARE(made.endpoints.size(), std::size_t(5));
        const Endpoint* eu = made.endpoint("gpt-4 (chat-eu)");
        QVERIFY(eu);
        QCOMPARE(eu->provider, QStringLiteral("azure"));
        QCOMPARE(eu->model, QStringLiteral("chat-eu"));
        QCOMPARE(eu->baseUrl, QStringLiteral("https://eu.example.test?api-version=2024-10-21"));
        QCOMPARE(eu->key, (KeyRef{KeySource::Environment, QStringLiteral("AZURE_EU_KEY")}));
        QCOMPARE(eu->spec.requestsPerMinute, std::optional<double>(6));
        QCOMPARE(eu->spec.tokensPerMinute, std::optional<double>(10000));
        QCOMPARE(eu->timeouts.total, Nanos(std::chrono::seconds(30)));
        QCOMPARE(eu->spec.breaker.consecutiveFailures, std::optional(3));
        QCOMPARE(eu->spec.breaker.open, Nanos(std::chrono::seconds(60)));

        const Endpoint* claude = made.endpoint("claude");
        QCOMPARE(claude->timeouts.total, Nanos(std::chrono::seconds(45)));
        QCOMPARE(claude->timeouts.tokens.firstToken, std::optional<Nanos>(std::chrono::seconds(8)));
        QCOMPARE(claude->spec.maxInFlight, std::optional(12));
        QCOMPARE(claude->spec.capabilities.contextWindow, std::optional<std::int64_t>(200000));
        QVERIFY(!claude->spec.capabilities.images);
        QCOMPARE(claude->price->input, cost::NanoDollars::fromUsd(3));
        QCOMPARE(claude->price->output, cost::NanoDollars::fromUsd(15));
        QCOMPARE(claude->key, (KeyRef{KeySource::Keychain, QStringLiteral("claude")}));

        QCOMPARE(made.endpoint("long")->key.name, QStringLiteral("GEMINI_API_KEY"));
        QCOMPARE(made.endpoint("local")->provider, QStringLiteral("ollama"));
        QVERIFY(made.endpoint("local")->key.saysNone);
    }

    void groupsBecomeChains()
    {
        const Workspace made = imported().workspace;
        QCOMPARE(made.chains.size(), std::size_t(5)); // four names and an alias
        QCOMPARE(tiersOf(made, "gpt-4"), std::string("gpt-4 (chat-eu) | gpt-4 (chat-us) | claude | local"));
        const chain::ChainSpec& chain = made.chain("gpt-4")->spec;
        const auto groups = splitGroups(chain);
        QCOMPARE(groups.size(), std::size_t(3));
        QCOMPARE(splitShares(chain, groups[0]), (std::vector<double>{0.75, 0.25}));
        QCOMPARE(chain.tiers[0].maxAttempts, 2); // 4 in all over two deployments
        QCOMPARE(chain.tiers[2].maxAttempts, 4);
        QCOMPARE(chain.tiers[0].backoff.baseMs, 2000.0);
        QVERIFY(chain.tiers[0].movesOn.contentPolicy);
        QCOMPARE(chain.cache->ttl, Nanos(std::chrono::seconds(600)));
        QCOMPARE(chain.attemptBudget, 12);
        QCOMPARE(tiersOf(made, "gpt-4-turbo"), tiersOf(made, "gpt-4"));
    }

    void aFallbackForLongPromptsAloneTakesNothingElse()
    {
        const Workspace made = imported().workspace;
        QCOMPARE(tiersOf(made, "claude"), std::string("claude | long"));
        const chain::MovesOn& on = made.chain("claude")->spec.tiers[0].movesOn;
        QVERIFY(on.contextTooLong);
        QVERIFY(!on.rateLimited && !on.serverError && !on.timeout && !on.openBreaker && !on.contentPolicy);
    }

    void whatCannotBeCarriedOverIsTold_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* place, const char* words) {
            QTest::newRow(place) << QString::fromLatin1(place) << QString::fromLatin1(words);
        };
        row("model_list[1].litellm_params.api_base", "AZURE_US_BASE");
        row("model_list[2].litellm_params.api_key", "never holds one");
        row("model_list[2].litellm_params.temperature", "no counterpart");
        row("model_list[5].model_info.mode", "embedding");
        row("model_list[6].litellm_params.model", "bedrock");
        row("model_list[7].litellm_params.model", "pattern");
        row("router_settings.routing_strategy", "usage-based-routing-v2");
        row("router_settings.allowed_fails", "3 in a row");
        row("router_settings.redis_host", "no counterpart");
        row("model_name \"gpt-4\"", "gone");
        row("litellm_settings.cache_params.type", "redis");
        row("litellm_settings.success_callback", "no counterpart");
        row("general_settings", "no counterpart");
    }
    void whatCannotBeCarriedOverIsTold()
    {
        QFETCH(QString, place);
        QFETCH(QString, words);
        QVERIFY(isTold(imported().notes, place, words));
    }

    void noKeyIsRepeated()
    {
        const LiteLlmImport made = imported();
        QByteArray all = toJson(made.workspace);
        for (const Finding& note : made.notes)
            all += note.toText(QStringLiteral("config.yaml")).toUtf8();
        QVERIFY(!all.contains("sk-test"));
    }

    void theResultCanBeLoaded()
    {
        const Workspace made = imported().workspace;
        const auto loaded = parseWorkspace(toJson(made));
        QVERIFY2(loaded.has_value(), loaded ? "" : qPrintable(loaded.error().front().toText(QStringLiteral("x"))));
        QVERIFY(loaded->workspace == made);
    }

    void ordersComeBeforeWeights()
    {
        const LiteLlmImport made = imported("model_list:\n"
                                            "- {model_name: m, litellm_params: {model: gpt-4o, order: 2}}\n"
                                            "- {model_name: m, litellm_params: {model: gpt-4o-mini, order: 1}}\n");
        QCOMPARE(tiersOf(made.workspace, "m"), std::string("m (gpt-4o-mini) | m (gpt-4o)"));
        QCOMPARE(splitGroups(made.workspace.chain("m")->spec).size(), std::size_t(2));
    }

    void whatIsNoConfigurationIsRefused_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("list") << QByteArray("- a\n- b\n");
        QTest::newRow("other mapping") << QByteArray("a: 1\n");
        QTest::newRow("model_list is no list") << QByteArray("model_list: 3\n");
        QTest::newRow("broken") << QByteArray("model_list: [a, b\n");
        QTest::newRow("a tab") << QByteArray("model_list:\n\t- a\n");
        QTest::newRow("NUL") << QByteArray("model_list:\0- a\n", 17);
        QTest::newRow("deep") << QByteArray(100000, '[');
        // Nine aliases of nine aliases of …: 9^10 nodes when they are written out.
        QByteArray bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
        for (int i = 1; i < 10; ++i) {
            const QByteArray before = "*a" + QByteArray::number(i - 1);
            const QByteArray now = "a" + QByteArray::number(i);
            bomb += now + ": &" + now + " [" + QByteArray(before + ",").repeated(8) + before + "]\n";
        }
        QTest::newRow("aliases of aliases") << bomb + "model_list: *a9\n";
    }
    void whatIsNoConfigurationIsRefused()
    {
        QFETCH(QByteArray, yaml);
        const auto result = importLiteLlm(yaml);
        QVERIFY(!result);
        QVERIFY(!result.error().problem.isEmpty());
    }

    void oddEntriesCostTheOthersNothing()
    {
        const LiteLlmImport made =
            imported("model_list: [3, null, {}, {model_name: a}, {model_name: b, litellm_params: 7},\n"
                     "  {model_name: [x], litellm_params: {model: gpt-4o, rpm: -1, tpm: many, weight: .nan}}]\n"
                     "router_settings: {fallbacks: [7, {a: {b: c}}, {a: [{model: x}]}], num_retries: -2}\n");
        QCOMPARE(made.workspace.endpoints.size(), std::size_t(1));
        QVERIFY(!made.workspace.endpoints.front().spec.requestsPerMinute);
        QVERIFY(made.notes.size() >= 8);
    }

    void scalarsAreTypedAsYamlSays_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("number") << QByteArray("1.5e-05") << QJsonValue(1.5e-05);
        QTest::newRow("integer") << QByteArray("+10") << QJsonValue(10);
        QTest::newRow("quoted") << QByteArray("\"10\"") << QJsonValue(QStringLiteral("10"));
        QTest::newRow("single quoted") << QByteArray("'true'") << QJsonValue(QStringLiteral("true"));
        QTest::newRow("true") << QByteArray("True") << QJsonValue(true);
        QTest::newRow("yes is a text since 1.2") << QByteArray("yes") << QJsonValue(QStringLiteral("yes"));
        QTest::newRow("null") << QByteArray("~") << QJsonValue(QJsonValue::Null);
        QTest::newRow("text") << QByteArray("gpt-4") << QJsonValue(QStringLiteral("gpt-4"));
        QTest::newRow("date-like version") << QByteArray("2024-10-21") << QJsonValue(QStringLiteral("2024-10-21"));
    }
    void scalarsAreTypedAsYamlSays()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QJsonValue, value);
        const auto read = readYaml("v: " + yaml + "\n");
        QVERIFY(read.has_value());
        QCOMPARE(read->toObject().value(QStringLiteral("v")), value);
    }

    void retriesAreTheSameAgain_data()
    {
        QTest::addColumn<int>("retries");
        QTest::addColumn<int>("deployments");
        for (int deployments = 1; deployments <= 3; ++deployments)
            for (int retries = deployments - 1; retries <= 5; ++retries)
                QTest::addRow("%d retries, %d deployments", retries, deployments) << retries << deployments;
    }
    void retriesAreTheSameAgain()
    {
        QFETCH(int, retries);
        QFETCH(int, deployments);
        QByteArray yaml = "model_list:\n";
        for (int i = 0; i < deployments; ++i)
            yaml += "- {model_name: m, litellm_params: {model: gpt-" + QByteArray::number(i) + "}}\n";
        yaml += "router_settings: {num_retries: " + QByteArray::number(retries) + "}\n";
        const auto out = exportLiteLlm(imported(yaml).workspace, "m");
        QVERIFY(out.has_value());
        QVERIFY2(out->yaml.contains("num_retries: " + QByteArray::number(retries) + "\n"), out->yaml.constData());
    }

    void stepsKeepTheNamesThatProgramsAskFor()
    {
        const auto out = exportLiteLlm(imported().workspace, "claude");
        QVERIFY(out->yaml.contains("model_name: \"claude\"") && out->yaml.contains("model_name: \"long\""));
    }

    void mergesAreFollowed()
    {
        const auto read = readYaml("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\n"
                                   "one: {<<: *a, y: 9}\nfirst wins: {<<: [*a, *b]}\nquoted: {\"<<\": 5}\n");
        QVERIFY(read.has_value());
        const QJsonObject tree = read->toObject();
        QCOMPARE(tree[QStringLiteral("one")], (QJsonObject{{QStringLiteral("x"), 1}, {QStringLiteral("y"), 9}}));
        QCOMPARE(tree[QStringLiteral("first wins")],
                 (QJsonObject{{QStringLiteral("x"), 1}, {QStringLiteral("y"), 2}, {QStringLiteral("z"), 4}}));
        QCOMPARE(tree[QStringLiteral("quoted")], (QJsonObject{{QStringLiteral("<<"), 5}}));
        const Workspace made =
            imported("defaults: &d {api_key: os.environ/MINE, rpm: 50, api_base: http:\x2f/localhost:1}\n"
                     "model_list: [{model_name: a, litellm_params: {<<: *d, model: openai/m}}]\n")
                .workspace;
        QCOMPARE(made.endpoint("a")->key.name, QStringLiteral("MINE"));
        QCOMPARE(made.endpoint("a")->spec.requestsPerMinute, std::optional<double>(50));
        QVERIFY(!made.endpoint("a")->baseUrl.isEmpty());
    }

    void keysInOddPlacesAreRefusedAndNotRepeated_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        const QByteArray key = "sk-proj-Zq8TnW3vLk2Rb7Yx9Hc4Md6Pf1Gs5Ja0";
        QTest::newRow("model") << "model_list: [{model_name: a, litellm_params: {model: openai/" + key + "}}]\n";
        QTest::newRow("model_name") << "model_list: [{model_name: " + key + ", litellm_params: {model: gpt-4o}}]\n";
        QTest::newRow("variable")
            << "model_list: [{model_name: a, litellm_params: {model: gpt-4o, api_key: os.environ/" + key + "}}]\n";
        QTest::newRow("fallback") << "model_list: [{model_name: a, litellm_params: {model: gpt-4o}}]\n"
                                     "router_settings: {fallbacks: [{a: [" +
                                         key + "]}]}\n";
        QTest::newRow("field") << "model_list: [{model_name: a, litellm_params: {model: gpt-4o, " + key + ": 1}}]\n";
    }
    void keysInOddPlacesAreRefusedAndNotRepeated()
    {
        QFETCH(QByteArray, yaml);
        const auto result = importLiteLlm(yaml);
        QByteArray said;
        if (!result) {
            said = result.error().toText(QStringLiteral("c")).toUtf8();
        } else {
            said = toJson(result->workspace);
            for (const Finding& note : result->notes)
                said += note.toText(QStringLiteral("c")).toUtf8();
        }
        QVERIFY2(!said.contains("Zq8TnW3v"), said.constData());
    }

    void aChainGoesOutAndComesBack()
    {
        const Workspace before = imported().workspace;
        const auto out = exportLiteLlm(before, "gpt-4");
        QVERIFY(out.has_value());
        const Workspace after = imported(out->yaml).workspace;
        const chain::ChainSpec& was = before.chain("gpt-4")->spec;
        QVERIFY2(after.chain("gpt-4"), out->yaml.constData());
        const chain::ChainSpec& is = after.chain("gpt-4")->spec;
        QCOMPARE(is.tiers.size(), was.tiers.size());
        for (std::size_t i = 0; i < is.tiers.size(); ++i) {
            const Endpoint& a = *before.endpoint(was.tiers[i].endpoint);
            const Endpoint& b = *after.endpoint(is.tiers[i].endpoint);
            QCOMPARE(b.model, a.model);
            QCOMPARE(b.provider, a.provider);
            QCOMPARE(b.baseUrl, a.baseUrl);
            QCOMPARE(b.spec.requestsPerMinute, a.spec.requestsPerMinute);
            QCOMPARE(b.spec.tokensPerMinute, a.spec.tokensPerMinute);
            QCOMPARE(b.spec.maxInFlight, a.spec.maxInFlight);
            QCOMPARE(b.timeouts.total, a.timeouts.total);
            QCOMPARE(b.spec.capabilities, a.spec.capabilities);
            QVERIFY(b.price == a.price);
            QCOMPARE(is.tiers[i].weight, was.tiers[i].weight);
            QCOMPARE(is.tiers[i].split.empty(), was.tiers[i].split.empty());
        }
        QCOMPARE(is.cache->ttl, was.cache->ttl);
    }

    void azureHasItsVersionInAFieldOfItsOwn()
    {
        Workspace made = imported().workspace;
        made.endpoint("gpt-4 (chat-eu)")->baseUrl = QStringLiteral("https://eu.example.test/x?team=a&api-version=v1");
        const auto out = exportLiteLlm(made, "gpt-4");
        QVERIFY2(out->yaml.contains("api_base: \"https://eu.example.test/x?team=a\"") &&
                     out->yaml.contains("api_version: \"v1\"") && !out->yaml.contains("api-version"),
                 out->yaml.constData());
        const Workspace back = imported(out->yaml).workspace;
        QCOMPARE(back.endpoint("gpt-4 (chat-eu)")->baseUrl, made.endpoint("gpt-4 (chat-eu)")->baseUrl);
    }

    void whatMeansNothingHereIsToldToo()
    {
        const Findings notes = imported("model_list: [{model_name: m, litellm_params: {model: gpt-4o},"
                                        " model_info: {id: dep-7}}]\nlitellm_settings: {drop_params: true}\n")
                                   .notes;
        QVERIFY(isTold(notes, QStringLiteral("model_list[0].model_info.id")));
        QVERIFY(isTold(notes, QStringLiteral("litellm_settings.drop_params")));
    }

    void anExportTellsWhatItLeavesOut()
    {
        Workspace made = imported().workspace;
        chain::ChainSpec& chain = made.chains.front().spec;
        chain.limiter = chain::LimiterSpec{10, 20, {}, {}, Millis(60000)};
        chain.router = chain::RouterSpec{standardClasses()};
        insertTier(chain, chain.tiers.size(), cannedTier());
        chain.tiers[1].enabled = false;
        made.name = QStringLiteral("two\nlines");
        const auto out = exportLiteLlm(made, "gpt-4");
        for (const char* what : {"limiter", "router", "canned reply", "deadline_ms", "gpt-4 (chat-us)", "claude"})
            QVERIFY2(isTold(out->notes, QString::fromLatin1(what)), what);
        QVERIFY(out->yaml.contains("CLAUDE_API_KEY"));
        QVERIFY(!out->yaml.contains("lines\"\n") || out->yaml.startsWith("#"));
        QVERIFY(importLiteLlm(out->yaml).has_value());
        QVERIFY(!exportLiteLlm(made, "nobody"));
    }
};

QTEST_GUILESS_MAIN(TestLiteLlm)
#include "tst_litellm.moc"
