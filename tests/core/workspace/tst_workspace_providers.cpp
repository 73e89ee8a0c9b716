// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_file.h"
#include "tests/support/field_cases.h"
#include "tests/support/json.h"
#include "tests/support/small_workspace.h"

#include <QFile>
#include <QJsonDocument>
#include <QTest>

using namespace sg::workspace;
using sg::test::allFindings;
using sg::test::asText;

namespace {

QByteArray file(const QByteArray& endpoint, const QByteArray& providers = {})
{
    return R"({"version":2,"name":"w","chains":[],"endpoints":[)" + endpoint + ']' +
           (providers.isEmpty() ? QByteArray() : R"(,"providers":[)" + providers + ']') + '}';
}

/// An endpoint of this provider with a key, so that only what a test is about is found.
QByteArray endpointOf(const QByteArray& provider, const QByteArray& more = {})
{
    return R"({"name":"e","model":"m","provider":")" + provider + R"(","key":{"source":"environment","name":"K"})" +
           (more.isEmpty() ? QByteArray() : ',' + more) + '}';
}

const QByteArray kHouse =
    R"({"id":"house","extends":"groq","base_url":"https:\/\/llm.house.test/v1","key_prefixes":["hs_"],"colour":"red"})";

} // namespace

class TestWorkspaceProviders : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyKnownProviderIsAccepted()
    {
        for (const sg::provider::ProviderProfile& profile : sg::provider::Catalogue::builtIn().all()) {
            const QByteArray base = profile.baseUrl.isEmpty() ? R"("base_url":"https:\/\/x.test")" : QByteArray();
            const LoadResult result = parseWorkspace(file(endpointOf(profile.id.toUtf8(), base)));
            QVERIFY2(result && result->warnings.empty(), qPrintable(asText(allFindings(result))));
            QCOMPARE(result->workspace.endpoints[0].provider, profile.id);
            QVERIFY(result->workspace.profileOf(result->workspace.endpoints[0]) == profile);
        }
    }

    void theAddressIsOptionalWhereOneIsUsual()
    {
        const QByteArray json = file(endpointOf("anthropic"));
        const LoadResult result = parseWorkspace(json);
        QVERIFY2(result, qPrintable(asText(allFindings(result))));
        QVERIFY(result->workspace.endpoints[0].baseUrl.isEmpty());
        // Saving does not write an address down that the operator left to the catalogue.
        QVERIFY(!sg::test::object(toJson(result->workspace))[QLatin1String("endpoints")][0].toObject().contains(
            QLatin1String("base_url")));
        for (const char* provider : {"azure", "litellm", "openai-compatible"}) {
            const LoadResult missing = parseWorkspace(file(endpointOf(provider)));
            QVERIFY(!missing);
            QCOMPARE(missing.error().at(0).place, QStringLiteral("endpoints[0].base_url"));
        }
    }

    void typos_data()
    {
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<QString>("meant");
        QTest::newRow("openia") << QByteArray("openia") << QStringLiteral("\"openai\"");
        QTest::newRow("antropic") << QByteArray("antropic") << QStringLiteral("\"anthropic\"");
        QTest::newRow("Gemini") << QByteArray("Gemini") << QStringLiteral("\"gemini\"");
        QTest::newRow("own") << QByteArray("hause") << QStringLiteral("\"house\"");
        QTest::newRow("bedrock") << QByteArray("bedrock") << QStringLiteral("openrouter"); // the list of those known
    }
    void typos()
    {
        QFETCH(QByteArray, provider);
        QFETCH(QString, meant);
        const LoadResult result =
            parseWorkspace(file(endpointOf(provider, R"("base_url":"https:\/\/x.test")"), kHouse));
        QVERIFY(!result);
        QVERIFY2(asText(result.error()).contains(meant), qPrintable(asText(result.error())));
        QCOMPARE(result.error().at(1).place, QStringLiteral("endpoints[0].provider"));
    }

    void aProviderOfTheWorkspace()
    {
        const QByteArray json = file(endpointOf("house"), kHouse);
        const LoadResult result = parseWorkspace(json);
        QVERIFY2(result, qPrintable(asText(allFindings(result))));
        QCOMPARE(result->warnings.size(), std::size_t(1)); // "colour", which is kept
        QCOMPARE(result->warnings[0].place, QStringLiteral("providers[0].colour"));
        const auto profile = result->workspace.profileOf(result->workspace.endpoints[0]);
        QCOMPARE(profile.baseUrl, QStringLiteral("https://llm.house.test/v1"));
        QCOMPARE(profile.keyPrefixes, QStringList{QStringLiteral("hs_")});
        QCOMPARE(sg::test::object(toJson(result->workspace))[QLatin1String("providers")],
                 sg::test::object(json)[QLatin1String("providers")]);
        const LoadResult again = parseWorkspace(toJson(result->workspace));
        QVERIFY(again);
        QCOMPARE(toJson(again->workspace), toJson(result->workspace));
    }

    void badProviders_data()
    {
        QTest::addColumn<QByteArray>("providers");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* providers, const char* place) {
            QTest::newRow(providers) << QByteArray(providers) << QString::fromLatin1(place);
        };
        row(R"({"id":"a"},{"id":"a"})", "providers[1].id");
        row(R"({"title":"x"})", "providers[0].id");
        row(R"(3)", "providers[0].id");
        row(R"({"id":"a","dialect":"esperanto"})", "providers[0].dialect");
        row(R"({"id":"a","headers":{"Authorization":"Bearer abcdefgh"}})", "providers[0].headers.Authorization");
        row(R"({"id":"a","headers":{"x-api-key":"k"}})", "providers[0].headers.x-api-key");
    }
    void badProviders()
    {
        QFETCH(QByteArray, providers);
        QFETCH(QString, place);
        const LoadResult result = parseWorkspace(file(endpointOf("openai"), providers));
        QVERIFY(!result);
        QVERIFY2(std::any_of(result.error().begin(), result.error().end(),
                             [&](const Finding& finding) {
                                 return finding.place == place && finding.level == FindingLevel::Error;
                             }),
                 qPrintable(asText(result.error())));
        QVERIFY(!asText(result.error()).contains(QLatin1String("abcdefgh")));
    }

    void capabilitiesComeFromTheProfile()
    {
        const auto jsonMode = [](const QByteArray& endpoint) {
            const LoadResult result = parseWorkspace(file(endpoint));
            return result && result->workspace.endpoints[0].spec.capabilities.jsonMode;
        };
        QVERIFY(jsonMode(endpointOf("openai")));
        QVERIFY(!jsonMode(endpointOf("perplexity")));
        QVERIFY(jsonMode(endpointOf("perplexity", R"("capabilities":{"json_mode":true})")));
    }

    void aMissingKeyIsToldBeforeTheFirstRequest_data() // FC-E06
    {
        QTest::addColumn<QByteArray>("endpoint");
        QTest::addColumn<bool>("told");
        const auto row = [](const char* name, const char* fields, bool told) {
            QTest::newRow(name) << R"({"name":"e","model":"m",)" + QByteArray(fields) + '}' << told;
        };
        row("provider", R"("provider":"openai")", true);
        row("elsewhere", R"("base_url":"https:\/\/x.test/v1")", true);
        row("this machine", R"("base_url":"http:\/\/127.0.0.1:1234/v1")", false);
        row("local provider", R"("provider":"ollama")", false);
        row("simulator", R"("provider":"anthropic","base_url":"sim:a")", false);
        row("on purpose", R"("base_url":"https:\/\/x.test/v1","key":{"source":"none"})", false);
    }
    void aMissingKeyIsToldBeforeTheFirstRequest()
    {
        QFETCH(QByteArray, endpoint);
        QFETCH(bool, told);
        LoadResult result = parseWorkspace(file(endpoint));
        for (int round = 0; round < 2; ++round) { // the same after saving
            QVERIFY(result);
            QCOMPARE(result->warnings.size(), std::size_t(told ? 1 : 0));
            if (told)
                QCOMPARE(result->warnings[0].place, QStringLiteral("endpoints[0].key"));
            result = parseWorkspace(toJson(result->workspace));
        }
        if (told && endpoint.contains("openai")) // the remedy can be copied
            QVERIFY(asText(result->warnings).contains(QLatin1String("OPENAI_API_KEY")));
    }

    void placeholdersInsteadOfKeys_data() // FC-E01
    {
        QTest::addColumn<QString>("key");
        const QJsonArray providers =
            sg::test::fieldCase(QStringLiteral("FC-E01.json"))[QLatin1String("providers")].toArray();
        QCOMPARE(providers.size(), 6);
        for (const QJsonValue& provider : providers)
            QTest::newRow(qPrintable(provider[QLatin1String("name")].toString()))
                << provider[QLatin1String("api_key")].toString();
        QTest::newRow("template") << QStringLiteral("{{ GOOD_KEY }}");
        QTest::newRow("env:") << QStringLiteral("env:GOOD_KEY");
    }
    void placeholdersInsteadOfKeys()
    {
        QFETCH(QString, key);
        const QByteArray text = QJsonDocument(QJsonArray{key}).toJson(QJsonDocument::Compact).mid(1).chopped(1);
        const LoadResult result =
            parseWorkspace(file(R"({"name":"e","model":"m","provider":"openai","key":)" + text + '}'));
        if (key.startsWith(QLatin1String("sk-"))) {
            // The case keeps a literal key with a "$" in it. Ours is refused for another reason: a file holds no key.
            QVERIFY(!result);
            QCOMPARE(result.error().at(0).place, QStringLiteral("endpoints[0].key"));
            QVERIFY(!asText(result.error()).contains(key));
            return;
        }
        QVERIFY2(result && result->warnings.empty(), qPrintable(asText(allFindings(result))));
        const KeyRef& read = result->workspace.endpoints[0].key;
        QVERIFY(read.source == KeySource::Environment);
        QCOMPARE(read.name,
                 key.contains(QLatin1String("MISSING")) ? QStringLiteral("MISSING_KEY") : QStringLiteral("GOOD_KEY"));
        QVERIFY(!toJson(result->workspace).contains(key.toUtf8()) || key == read.name);
    }

    void unknownPlaceholdersAreErrors()
    {
        for (const char* key : {"${A B}", "$", "${}", "os.environ[X]", "%KEY%", "{{a}}{{b}}", "$(cat key)"}) {
            const LoadResult result = parseWorkspace(
                file(R"({"name":"e","model":"m","provider":"openai","key":")" + QByteArray(key) + R"("})"));
            QVERIFY2(!result, key);
        }
        const LoadResult named = parseWorkspace(file(
            R"({"name":"e","model":"m","provider":"openai","key":{"source":"environment","name":"${OPENAI_API_KEY}"}})"));
        QVERIFY(!named);
        QVERIFY(asText(named.error()).contains(QLatin1String("only its name: OPENAI_API_KEY")));
    }

    void modelNamesInAnyScript() // FC-E08
    {
        const QJsonArray groups =
            sg::test::fieldCase(QStringLiteral("FC-E08.json"))[QLatin1String("model_groups")].toArray();
        QVERIFY(!groups.isEmpty());
        for (const QJsonValue& group : groups) {
            const QString model = group[QLatin1String("model_name")].toString();
            QJsonObject endpoint = sg::test::object(endpointOf("openai"));
            endpoint[QLatin1String("model")] = model;
            endpoint[QLatin1String("name")] = model;
            const LoadResult result = parseWorkspace(file(QJsonDocument(endpoint).toJson()));
            QVERIFY(result);
            const LoadResult again = parseWorkspace(toJson(result->workspace));
            QCOMPARE(again->workspace.endpoints[0].model, model);
            QCOMPARE(QString::fromStdString(again->workspace.endpoints[0].spec.name), model);
        }
    }
};

QTEST_APPLESS_MAIN(TestWorkspaceProviders)
#include "tst_workspace_providers.moc"
