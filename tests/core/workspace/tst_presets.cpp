// SPDX-License-Identifier: GPL-3.0-or-later
// The presets are the configurations of the source systems: each is read in every environment and judged.
#include "core/workspace/document.h"
#include "core/workspace/lint.h"
#include "core/workspace/presets.h"

#include <QTest>

using namespace sg;
using namespace sg::workspace;

class TestPresets : public QObject
{
    Q_OBJECT
private:
    static Workspace open(const char* id, const QString& environment = QStringLiteral("production"))
    {
        const Preset* found = preset(QString::fromLatin1(id));
        auto document = found ? Document::parse(found->json, environment) : tl::expected<Document, Findings>();
        return document ? document->workspace() : Workspace();
    }
    static void eachInEachEnvironment()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("environment");
        for (const Preset& preset : presets())
            for (const char* environment : {"development", "staging", "production"})
                QTest::addRow("%s in %s", qPrintable(preset.id), environment)
                    << preset.json << QString::fromLatin1(environment);
    }

private Q_SLOTS:
    void eachCanBeOpened_data() { eachInEachEnvironment(); }
    void eachCanBeOpened()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, environment);
        const auto document = Document::parse(json, environment);
        QVERIFY2(document.has_value(),
                 document ? "" : qPrintable(document.error().front().toText(QStringLiteral("preset"))));
        for (const Finding& warning : document->warnings())
            QFAIL(qPrintable(warning.toText(QStringLiteral("preset"))));
        const bool rehearses = environment == QLatin1String("development");
        for (const Endpoint& endpoint : document->workspace().endpoints) {
            QCOMPARE(endpoint.baseUrl.startsWith(QLatin1String("sim:")), rehearses);
            QCOMPARE(endpoint.key.source == KeySource::Environment, !rehearses);
            QVERIFY(endpoint.price);
        }
    }

    void noneHasAnError_data() { eachInEachEnvironment(); }
    void noneHasAnError()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, environment);
        const Findings findings = lint(Document::parse(json, environment)->workspace());
        for (const Finding& finding : findings)
            if (finding.level == FindingLevel::Error)
                QFAIL(qPrintable(finding.toText(QStringLiteral("preset"))));
    }

    void theFirstIsTheOptimizer()
    {
        const Workspace s0 = open("s0");
        const chain::ChainSpec& chain = s0.chain("optimizer")->spec;
        QCOMPARE(chain.tiers.front().maxAttempts, 6);
        QCOMPARE(chain.tiers.front().backoff.jitter.r, 0.3);
        QCOMPARE(chain.tiers.front().backoff.capMs, 60000.0);
        QCOMPARE(chain.limiter->burst, 100.0);
        QCOMPARE(chain.router->classes.size(), std::size_t(3));
        QCOMPARE(s0.endpoint("deepseek-v3.2")->price->input, cost::NanoDollars::fromUsd(0.42));
        QCOMPARE(s0.endpoint("gpt-4.1")->spec.breaker.consecutiveFailures, std::optional(5));
    }

    void theGatewayOpensAtItsShares()
    {
        const Workspace s1 = open("s1");
        const auto share = [&](const char* name) { return s1.endpoint(name)->spec.breaker.rateLimitedShare; };
        QCOMPARE(share("gpt-4.1"), std::optional(0.5));
        QCOMPARE(share("claude-sonnet-4.5"), std::optional(0.6));
        QCOMPARE(share("gemini-2.5-flash"), std::optional(0.4));
        QCOMPARE(share("deepseek-v3.2"), std::optional(0.3));
        QCOMPARE(s1.endpoint("claude-sonnet-4.5")->spec.breaker.open, Nanos(std::chrono::seconds(45)));
        QCOMPARE(s1.endpoint("deepseek-v3.2")->spec.requestsPerMinute, std::optional<double>(2000));
        const chain::TierSpec& tier = s1.chain("gateway")->spec.tiers.front();
        QVERIFY(tier.movesOn.rateLimited && tier.movesOn.openBreaker && !tier.movesOn.contextTooLong);
        QCOMPARE(tier.backoff.jitter.addMs, 1000.0);
    }

    void threeJittersAskOneEndpoint()
    {
        const Workspace s2 = open("s2");
        const auto backoff = [&](const char* chain) { return s2.chain(chain)->spec.tiers.front().backoff; };
        QCOMPARE(backoff("full jitter").baseMs, 500.0);
        QCOMPARE(backoff("decorrelated jitter").capMs, 10000.0);
        QCOMPARE(backoff("equal jitter").baseMs, 300.0);
        QCOMPARE(s2.chain("decorrelated jitter")->spec.tiers.front().maxAttempts, 7);
    }

    void tiersCacheAndRules()
    {
        const Workspace s3 = open("s3");
        const chain::ChainSpec& chain = s3.chain("aggregator")->spec;
        QCOMPARE(chain.tiers[1].attemptTimeout, std::optional<Nanos>(std::chrono::seconds(15)));
        QCOMPARE(chain.tiers[2].rules.size(), std::size_t(3));
        QCOMPARE(chain.cache->maxEntries, std::size_t(1000));
        QCOMPARE(chain.limiter->maxWait, Nanos(std::chrono::seconds(30)));
        QCOMPARE(s3.endpoint("gpt-4o")->timeouts.byTask->base, std::optional<Nanos>(std::chrono::seconds(60)));
    }

    void aChatServiceBehindABreaker()
    {
        const Workspace s4 = open("s4");
        const Endpoint* chat = s4.endpoint("chat");
        QCOMPARE(chat->timeouts.connect, Nanos(Millis(3050)));
        QCOMPARE(chat->spec.breaker.halfOpenSuccesses, 2);
        QCOMPARE(s4.profileOf(*chat).keyPrefixes, QStringList{QStringLiteral("hs_")});
    }

    void whatIsAskedForByItsNumberIsFound()
    {
        QCOMPARE(preset(QStringLiteral("s1")), preset(QStringLiteral("s1-multi-layer-gateway")));
        QVERIFY(!preset(QStringLiteral("s")));
        QVERIFY(!preset(QString()));
    }
};

QTEST_GUILESS_MAIN(TestPresets)
#include "tst_presets.moc"
