// SPDX-License-Identifier: GPL-3.0-or-later
// Older files, unfinished ones, and policies by name.
#include "core/workspace/migrate.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"
#include "tests/support/json.h"
#include "tests/support/small_workspace.h"

#include <QFile>
#include <QTest>

using namespace sg;
using namespace sg::workspace;
using sg::test::asText;
using sg::test::file;

namespace {

const QByteArray kVersion1 = R"({"version":1,"name":"w","endpoints":[{"name":"a","base_url":"sim:a","model":"m"}],
    "chains":[{"name":"c","content_policy_fallback":true,"note":1,"tiers":[{"endpoint":"a","moves_on":{"timeout":false}},
        {"name":"b","endpoint":"a"}]},
      {"name":"d","content_policy_fallback":false,"tiers":[{"endpoint":"a"}]}]})";

QByteArray withTier(const QByteArray& fields, const QByteArray& more = {})
{
    return R"({"version":2,"name":"w","endpoints":[{"name":"a","base_url":"sim:a","model":"m"}],
        "chains":[{"name":"c","tiers":[{"endpoint":"a",)" +
           fields + "}]}]" + more + '}';
}

} // namespace

class TestWorkspaceVersions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void version1MeansWhatItMeant()
    {
        const LoadResult result = parseWorkspace(kVersion1);
        QVERIFY2(result, qPrintable(asText(result ? Findings() : result.error())));
        QCOMPARE(result->warnings.size(), std::size_t(1)); // the note
        const auto& tiers = result->workspace.chains[0].spec.tiers;
        QVERIFY(tiers[0].movesOn.contentPolicy && tiers[1].movesOn.contentPolicy);
        QVERIFY(!tiers[0].movesOn.timeout);
        QVERIFY(!result->workspace.chains[1].spec.tiers[0].movesOn.contentPolicy);
        const QJsonObject saved = test::object(toJson(result->workspace));
        QCOMPARE(saved[QLatin1String("version")].toInt(), 2);
        QVERIFY(parseWorkspace(toJson(result->workspace))->workspace == result->workspace);
    }

    void aStepKeepsWhatItDoesNotKnow()
    {
        const QJsonObject old = test::object(kVersion1);
        const QJsonObject now = fromVersion1(old);
        QCOMPARE(versionOf(old), 1);
        QCOMPARE(versionOf(now), 2);
        const QJsonObject chain = now[QLatin1String("chains")][0].toObject();
        QVERIFY(!chain.contains(QLatin1String("content_policy_fallback")));
        QCOMPARE(chain[QLatin1String("note")].toInt(), 1);
        QCOMPARE(migrated(now), now);
        // What is not as it should be is for the reader to say.
        const QJsonObject odd = test::object(R"({"version":1,"chains":[3,{"tiers":{}},{"content_policy_fallback":true,
            "tiers":["x"]}]})");
        QCOMPARE(fromVersion1(odd)[QLatin1String("chains")][2].toObject(), test::object(R"({"tiers":["x"]})"));
    }

    void otherVersionsAreRefused()
    {
        for (const char* version : {"0", "3", "-1", "1.5", "\"2\"", "true"}) {
            const ReadResult result =
                readWorkspace(QByteArray(R"({"name":"w","endpoints":[],"chains":[],"version":)") + version + '}');
            QVERIFY2(!result.isWorkspace && hasErrors(result.findings), version);
            QCOMPARE(result.findings.size(), std::size_t(1)); // nothing else is judged
            QCOMPARE(result.findings[0].place, QStringLiteral("version"));
            QVERIFY(result.workspace == Workspace());
        }
    }

    void anUnfinishedDraftIsRead()
    {
        const QByteArray draft = R"({"version":2,"name":"w","endpoints":[{"name":"a","base_url":"","model":""}],
            "chains":[{"name":"c","tiers":[]},{"name":"","tiers":[{"endpoint":"nobody"},{"kind":"canned_reply","rules":[]}],
            "router":{"classes":[{"name":"x","words":["w"],"tier":""}]}}]})";
        const ReadResult result = readWorkspace(draft);
        QVERIFY(result.isWorkspace && hasErrors(result.findings));
        QVERIFY(!parseWorkspace(draft));
        QCOMPARE(result.workspace.chains.size(), std::size_t(2));
        QVERIFY(result.workspace.chains[0].spec.tiers.empty());
        QCOMPARE(result.workspace.chains[1].spec.router->classes[0].name, std::string("x"));
        const ReadResult again = readWorkspace(toJson(result.workspace));
        QVERIFY(again.workspace == result.workspace);
    }

    void noPasswordIsWritten()
    {
        Workspace workspace = readWorkspace(withTier("\"max_attempts\":1")).workspace;
        workspace.endpoints[0].proxy = QStringLiteral("http://me:s3cret@proxy.example:3128");
        workspace.endpoints[0].baseUrl = QStringLiteral("https://me:s3cret@a.example/v1");
        const QByteArray json = toJson(workspace);
        QVERIFY2(!json.contains("s3cret"), json.constData());
        QVERIFY(json.contains("http://proxy.example:3128"));
    }

    void theBuiltInLibraryIsSound()
    {
        const PolicyLibrary& library = PolicyLibrary::builtIn();
        QVERIFY(library.backoffs.size() >= 8 && library.breakers.size() >= 8 && library.limiters.size() >= 6);
        for (const auto& [name, policy] : library.backoffs)
            QVERIFY2(!policy::checkBackoffPolicy(policy), name.c_str());
        for (const auto& [name, policy] : library.breakers)
            QVERIFY2(!policy::checkBreakerConfig(policy), name.c_str());
        for (const auto& [name, policy] : library.limiters)
            QVERIFY2(policy.windowLimit || (policy.ratePerSecond > 0 && policy.burst >= 1), name.c_str());
        // Read as a workspace's own the file has nothing to complain about either.
        PolicyLibrary::builtIn();
        QFile file(QStringLiteral(":/workspace/policies.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject policies = test::object(file.readAll());
        QCOMPARE(policies.take(QLatin1String("format")).toString(), QStringLiteral("switchgear-policies/1"));
        Findings findings;
        ObjectReader reader(QJsonObject{{QStringLiteral("policies"), policies}}, {}, findings, FindingLevel::Error);
        QJsonObject unknown;
        QVERIFY(readPolicies(reader, unknown) == library);
        QVERIFY2(findings.empty(), qPrintable(asText(findings)));
    }

    void theSeedsPolicies()
    {
        const PolicyLibrary& library = PolicyLibrary::builtIn();
        const policy::BackoffPolicy& full = library.backoffs.at("s2-full-jitter");
        QVERIFY(full.jitter.type == policy::JitterType::Full && full.baseMs == 500 && full.capMs == 8000);
        const policy::BackoffPolicy& proportional = library.backoffs.at("s0-proportional");
        QVERIFY(proportional.jitter.r == 0.3 && proportional.baseMs == 1000 && proportional.capMs == 60000);
        QCOMPARE(library.backoffs.at("s1-additive").jitter.addMs, 1000.0);
        QVERIFY(library.backoffs.at("s2-decorrelated-jitter").jitter.type == policy::JitterType::Decorrelated);
        QCOMPARE(library.breakers.at("s1-claude").rateLimitedShare, std::optional(0.6));
        QVERIFY(library.breakers.at("s1-claude").open == Millis(45000));
        QCOMPARE(library.breakers.at("s3-in-use").halfOpenMaxProbes, 3);
        QCOMPARE(library.breakers.at("s0").halfOpenSuccesses, 3);
        QVERIFY(library.limiters.at("s3-10-a-second").maxWait == Millis(30000));
        QCOMPARE(library.limiters.at("s0-50-a-second").burst, 100.0);
        QCOMPARE(library.limiters.at("s1-500-a-minute").windowLimit, std::optional<std::int64_t>(500));
    }

    void aPolicyIsWrittenByNameWhileItIsThatOne()
    {
        LoadResult result = parseWorkspace(withTier(R"("backoff":"s2-full-jitter")"));
        QVERIFY(result);
        chain::TierSpec& tier = result->workspace.chains[0].spec.tiers[0];
        QCOMPARE(tier.backoffPolicy, std::string("s2-full-jitter"));
        QVERIFY(tier.backoff == PolicyLibrary::builtIn().backoffs.at("s2-full-jitter"));
        const auto written = [&] {
            return test::object(toJson(
                result->workspace))[QLatin1String("chains")][0][QLatin1String("tiers")][0][QLatin1String("backoff")];
        };
        QCOMPARE(written().toString(), QStringLiteral("s2-full-jitter"));
        tier.backoff.baseMs = 501;
        QCOMPARE(written()[QLatin1String("base_ms")].toInt(), 501);
    }

    void ownPoliciesStandBeforeTheBuiltIn()
    {
        const LoadResult result =
            parseWorkspace(withTier(R"("backoff":"s2-full-jitter")",
                                    R"(,"policies":{"backoffs":{"s2-full-jitter":{"kind":"fixed","base_ms":7}}})"));
        QVERIFY(result);
        QCOMPARE(result->workspace.chains[0].spec.tiers[0].backoff.baseMs, 7.0);
        QCOMPARE(result->workspace.findBackoff("s2-full-jitter")->baseMs, 7.0);
        QVERIFY(result->workspace.findBreaker("s4") && !result->workspace.findLimiter("s4"));
    }

    void unknownFieldsOfPartsStay()
    {
        const QByteArray strange = R"({"version":2,"name":"w","endpoints":[{"name":"a","base_url":"sim:a","model":"m",
              "proxy_key":{"source":"none","p":1}}],
            "chains":[{"name":"c","tiers":[{"endpoint":"a","moves_on":{"m":1}}],"caller":{"retries":1,"c":2},
              "router":{"r":3,"classes":[{"name":"x","tier":"a","k":4}]}}],
            "policies":{"q":5,"backoffs":{"own":{"b":6}}}})";
        const ReadResult first = readWorkspace(strange);
        QCOMPARE(first.findings.size(), std::size_t(7));
        const QJsonObject saved = test::object(toJson(readWorkspace(toJson(first.workspace)).workspace));
        const QJsonValue chain = saved[QLatin1String("chains")][0];
        QCOMPARE(saved[QLatin1String("endpoints")][0][QLatin1String("proxy_key")][QLatin1String("p")].toInt(), 1);
        QCOMPARE(chain[QLatin1String("tiers")][0][QLatin1String("moves_on")][QLatin1String("m")].toInt(), 1);
        QCOMPARE(chain[QLatin1String("caller")][QLatin1String("c")].toInt(), 2);
        QCOMPARE(chain[QLatin1String("router")][QLatin1String("r")].toInt(), 3);
        QCOMPARE(chain[QLatin1String("router")][QLatin1String("classes")][0][QLatin1String("k")].toInt(), 4);
        QCOMPARE(saved[QLatin1String("policies")][QLatin1String("q")].toInt(), 5);
        QCOMPARE(saved[QLatin1String("policies")][QLatin1String("backoffs")][QLatin1String("own")][QLatin1String("b")]
                     .toInt(),
                 6);
    }
};

QTEST_APPLESS_MAIN(TestWorkspaceVersions)
#include "tst_workspace_versions.moc"
