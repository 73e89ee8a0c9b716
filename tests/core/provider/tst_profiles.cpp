// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/request_writer.h"
#include "tests/support/word.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QtTest>

using namespace sg::provider;
using sg::test::word;

namespace {
QByteArray fileOf(const char* entries)
{
    return QByteArray("{\"format\":\"switchgear-providers/1\",\"providers\":[") + entries + "]}";
}

QByteArray shipped()
{
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../resources/providers.json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// One entry read over the built-in ones.
std::optional<ProviderProfile> readOver(const char* entry, std::vector<ProfileFinding>* findings = nullptr)
{
    std::vector<ProfileFinding> ignored;
    return Catalogue::builtIn().read(QJsonDocument::fromJson(entry).object(), findings ? *findings : ignored);
}
} // namespace

class TestProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shippedOnesAreWhole()
    {
        const Catalogue::Loaded loaded = Catalogue::load(shipped());
        QVERIFY2(loaded.findings.isEmpty(), qPrintable(loaded.findings.join(QLatin1Char('\n'))));
        QVERIFY(loaded.catalogue.all() == Catalogue::builtIn().all());
        QSet<QString> ids;
        for (const ProviderProfile& profile : loaded.catalogue.all()) {
            QVERIFY2(!ids.contains(profile.id), qPrintable(profile.id));
            ids.insert(profile.id);
            QVERIFY2(!profile.title.isEmpty(), qPrintable(profile.id));
            QVERIFY2(!profile.needsKey || !profile.keyVariable.isEmpty(), qPrintable(profile.id));
            // A key never travels in clear text to somebody else's machine.
            const QUrl base(profile.baseUrl);
            QVERIFY2(profile.baseUrl.isEmpty() || base.scheme() == QLatin1String("https") ||
                         base.host() == QLatin1String("localhost"),
                     qPrintable(profile.id));
        }
        for (const char* id :
             {"openai",    "openai-compatible", "azure",    "anthropic", "gemini", "mistral",    "deepseek", "groq",
              "cohere",    "openrouter",        "together", "fireworks", "xai",    "perplexity", "vllm",     "ollama",
              "llama.cpp", "lmstudio",          "litellm",  "holysheep"})
            QVERIFY2(ids.contains(QString::fromLatin1(id)), id);
        QVERIFY(!ids.contains(QStringLiteral("bedrock"))); // its requests must be signed
    }

    void knownFacts()
    {
        const Catalogue& all = Catalogue::builtIn();
        const ProviderProfile& anthropic = *all.find("anthropic");
        QCOMPARE(word(anthropic.dialect), word(Dialect::Anthropic));
        QCOMPARE(anthropic.keyHeader, QStringLiteral("x-api-key"));
        QCOMPARE(anthropic.keyScheme, QString());
        const auto version = std::pair(QByteArray("anthropic-version"), QByteArray("2023-06-01"));
        QVERIFY(anthropic.headers == std::vector{version});
        QCOMPARE(all.find("gemini")->keyHeader, QStringLiteral("x-goog-api-key"));
        QCOMPARE(all.find("azure")->keyHeader, QStringLiteral("api-key"));
        QCOMPARE(all.find("openai")->quirks.maxTokensField, QStringLiteral("max_completion_tokens"));
        QCOMPARE(all.find("openai")->keyScheme, QStringLiteral("Bearer "));
        QVERIFY(!all.find("mistral")->quirks.streamUsage);
        QCOMPARE(all.find("holysheep")->keyPrefixes, QStringList{QStringLiteral("hs_")});
        QVERIFY(!all.find("ollama")->needsKey);
        QVERIFY(!all.find("nobody"));
    }

    void aProviderOfOnesOwn()
    {
        const auto own = readOver(R"({"id":"house","title":"House gateway","base_url":"https:\/\/llm.house.test/v1",
            "key_header":"X-House-Key","key_scheme":"Token","key_prefixes":["hs_"],"key_variable":"HOUSE_KEY",
            "headers":{"X-Team":"blue"},"quirks":{"max_tokens_field":"max_tokens","stream_usage":false}})");
        QVERIFY(own);
        QCOMPARE(word(own->dialect), word(Dialect::OpenAi));
        QCOMPARE(own->keyScheme, QStringLiteral("Token ")); // the blank is not left to the writer's care
        QVERIFY(!own->quirks.streamUsage && own->quirks.jsonMode);
        QCOMPARE(own->headers.size(), std::size_t(1));
        QCOMPARE(operationUrl(*own, {}, QStringLiteral("m"), Operation::Chat)->toString(),
                 QStringLiteral("https://llm.house.test/v1/chat/completions"));
    }

    void theVersionIsAddedToAnOwnAddressToo()
    {
        const auto url = [](const char* entry, const char* base = "") {
            return operationUrl(*readOver(entry), QString::fromLatin1(base), {}, Operation::Chat)->toString();
        };
        QCOMPARE(url(R"({"id":"a","base_url":"https:\/\/a.test"})"),
                 QStringLiteral("https://a.test/v1/chat/completions"));
        QCOMPARE(url(R"({"id":"a","base_url":"https:\/\/a.test/api/"})"),
                 QStringLiteral("https://a.test/api/v1/chat/completions"));
        QCOMPARE(url(R"({"id":"a","base_url":"https:\/\/a.test/api/v3"})", "https://b.test"),
                 QStringLiteral("https://b.test/v3/chat/completions"));
        QCOMPARE(url(R"({"id":"a","base_url":"https:\/\/a.test","chat_path":"/generate"})"),
                 QStringLiteral("https://a.test/generate"));
    }

    void extending()
    {
        const auto own = readOver(R"({"id":"groq-eu","extends":"groq","base_url":"https:\/\/eu.groq.test/openai/v1"})");
        QVERIFY(own);
        const ProviderProfile& groq = *Catalogue::builtIn().find("groq");
        QCOMPARE(own->keyPrefixes, groq.keyPrefixes);
        QVERIFY(own->quirks == groq.quirks);
        QCOMPARE(own->title, QStringLiteral("groq-eu"));
    }

    void aDialectBringsItsFormButNobodysAddress()
    {
        const auto own = readOver(R"({"id":"proxy","dialect":"anthropic"})");
        QVERIFY(own);
        QCOMPARE(own->chatPath, QStringLiteral("messages"));
        QCOMPARE(own->keyHeader, QStringLiteral("x-api-key"));
        QCOMPARE(own->headers.size(), std::size_t(1));
        QVERIFY(own->baseUrl.isEmpty() && own->keyPrefixes.isEmpty() && own->keyVariable.isEmpty() && !own->needsKey);
    }

    void badEntries_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* entry, const char* field) {
            QTest::newRow(entry) << QByteArray(entry) << QString::fromLatin1(field);
        };
        row(R"({})", "id");
        row(R"({"id":"With Blank"})", "id");
        row(R"({"id":7})", "id");
        row(R"({"id":"a","dialect":"bedrock"})", "dialect");
        row(R"({"id":"a","extends":"nobody"})", "extends");
        row(R"({"id":"a","extends":"groq","dialect":"gemini"})", "dialect");
        row(R"({"id":"a","base_url":"ftp:\/\/x.test"})", "base_url");
        row(R"({"id":"a","base_url":"https:\/\/x.test/v1?key=abc"})", "base_url");
        row(R"({"id":"a","key_header":"X Key"})", "key_header");
        row(R"({"id":"a","key_header":"X-Key\r\nX-Evil"})", "key_header");
        row(R"({"id":"a","key_scheme":"B\r\nX"})", "key_scheme");
        row(R"({"id":"a","key_prefixes":"sk-"})", "key_prefixes");
        row(R"({"id":"a","headers":{"X":"a\r\nb"}})", "headers.X");
        row(R"({"id":"a","headers":{"X Y":"a"}})", "headers.X Y");
        row(R"({"id":"a","headers":[]})", "headers");
        row(R"({"id":"a","needs_key":"yes"})", "needs_key");
        row(R"({"id":"a","chat_path":""})", "chat_path");
        row(R"({"id":"a","quirks":{"max_tokens_field":"tokens"}})", "quirks.max_tokens_field");
        row(R"({"id":"a","quirks":{"json_mode":1}})", "quirks.json_mode");
    }
    void badEntries()
    {
        QFETCH(QByteArray, entry);
        QFETCH(QString, field);
        std::vector<ProfileFinding> findings;
        QVERIFY(!readOver(entry.constData(), &findings));
        QVERIFY(std::any_of(findings.begin(), findings.end(), [&](const ProfileFinding& finding) {
            return finding.isFatal && finding.field == field && !finding.problem.isEmpty() && !finding.remedy.isEmpty();
        }));
    }

    void unknownFieldsAreToldAndPassedOver()
    {
        std::vector<ProfileFinding> findings;
        QVERIFY(readOver(R"({"id":"a","colour":"red","quirks":{"odd":1}})", &findings));
        QCOMPARE(findings.size(), std::size_t(2));
        QVERIFY(!findings[0].isFatal && !findings[1].isFatal);
    }

    void oneBadEntryDoesNotCostTheOthers()
    {
        const auto loaded =
            Catalogue::load(fileOf(R"({"id":"a"},{"id":"b","dialect":"x"},3,{"id":"c","extends":"a"})"));
        QCOMPARE(loaded.catalogue.all().size(), std::size_t(2));
        QCOMPARE(loaded.findings.size(), 2);
        QVERIFY(loaded.findings[0].startsWith(QLatin1String("providers[1].dialect: ")));
        for (const char* bad : {"", "[]", "{", R"({"format":"other","providers":[]})"}) {
            const auto none = Catalogue::load(bad);
            QVERIFY(none.catalogue.all().empty());
            QCOMPARE(none.findings.size(), 1);
        }
    }

    void addingReplacesTheSameName()
    {
        Catalogue all = Catalogue::builtIn();
        const std::size_t before = all.all().size();
        ProviderProfile changed = *all.find("groq");
        changed.title = QStringLiteral("Mine");
        all.add(changed);
        QCOMPARE(all.all().size(), before);
        QCOMPARE(all.find("groq")->title, QStringLiteral("Mine"));
        QVERIFY(Catalogue::builtIn().find("groq")->title != QStringLiteral("Mine"));
    }
};

QTEST_APPLESS_MAIN(TestProfiles)
#include "tst_profiles.moc"
