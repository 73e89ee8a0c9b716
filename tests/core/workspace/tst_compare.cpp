// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/compare.h"

#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

Workspace sample()
{
    Workspace workspace;
    workspace.name = QStringLiteral("desk");
    Chain chain;
    chain.spec.name = "support";
    for (const char* name : {"a", "b", "c", "d"}) {
        Endpoint endpoint;
        endpoint.spec.name = name;
        endpoint.model = QString::fromLatin1(name);
        workspace.endpoints.push_back(endpoint);
        chain::TierSpec tier;
        tier.name = tier.endpoint = name;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains.push_back(chain);
    return workspace;
}

using Change = std::function<void(Workspace&)>;

QStringList differences(const Change& change)
{
    Workspace now = sample();
    change(now);
    QStringList lines;
    for (const Difference& difference : compare(sample(), now))
        lines.append(inWords(difference));
    return lines;
}

} // namespace

class TestCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalIsEmpty()
    {
        QVERIFY(differences([](Workspace&) {}).isEmpty());
    }

    void oneChangeIsOneSentence_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* said, const Change& change) {
            QTest::newRow(said) << change << QString::fromUtf8(said);
        };
        row("Workspace: name desk → other", [](Workspace& w) { w.name = QStringLiteral("other"); });
        row("Workspace: order or other fields changed",
            [](Workspace& w) { std::swap(w.endpoints[0], w.endpoints[1]); });
        row("Gateway: port 8787 → 9000", [](Workspace& w) { w.gateway.port = 9000; });
        row("Gateway: token none → environment variable SWITCHGEAR_TOKEN", [](Workspace& w) {
            w.gateway.token = {KeySource::Environment, QStringLiteral("SWITCHGEAR_TOKEN")};
        });
        row("Gateway: pages that may call none → https://a.example, https://b.example", [](Workspace& w) {
            w.gateway.origins = QStringList{QStringLiteral("https://a.example"), QStringLiteral("https://b.example")};
        });
        row("Gateway: begins a stream after 10 s → never", [](Workspace& w) { w.gateway.beginAfter.reset(); });
        row("Gateway: drains for 30 s → 5 s", [](Workspace& w) { w.gateway.drain = std::chrono::seconds(5); });
        row("Endpoint e added", [](Workspace& w) {
            w.endpoints.push_back({});
            w.endpoints.back().spec.name = "e";
        });
        row("Endpoint d removed", [](Workspace& w) { w.endpoints.pop_back(); });
        row("Endpoint a: whole reply within 60 s → 45 s",
            [](Workspace& w) { w.endpoints[0].timeouts.total = std::chrono::seconds(45); });
        row("Endpoint a: first token within no limit → 1.5 s",
            [](Workspace& w) { w.endpoints[0].timeouts.tokens.firstToken = Millis(1500); });
        row("Endpoint a: key none → environment variable OPENAI_API_KEY", [](Workspace& w) {
            w.endpoints[0].key = {KeySource::Environment, QStringLiteral("OPENAI_API_KEY")};
        });
        row("Endpoint a: price as in the price book → $2.00 in, $8.00 out per million tokens", [](Workspace& w) {
            w.endpoints[0].price =
                cost::Price{cost::NanoDollars(2'000'000'000), cost::NanoDollars(8'000'000'000), {}, {}, {}};
        });
        row("Endpoint b: breaker: trips at a share of failures not set → 50 %",
            [](Workspace& w) { w.endpoints[1].spec.breaker.failureRate = 0.5; });
        row("Endpoint b: breaker: window 60 s → last 20 calls",
            [](Workspace& w) { w.endpoints[1].spec.breaker.window = policy::CountWindow{20}; });
        row("Endpoint b: context window unknown → 131072 tokens",
            [](Workspace& w) { w.endpoints[1].spec.capabilities.contextWindow = 131072; });
        row("Endpoint b: other fields changed", [](Workspace& w) { w.endpoints[1].unknown[QStringLiteral("x")] = 1; });
        row("Chain second added", [](Workspace& w) {
            w.chains.push_back({});
            w.chains.back().spec.name = "second";
        });
        row("Chain support, limiter added", [](Workspace& w) { w.chains[0].spec.limiter.emplace(); });
        row("Chain support: deadline 60 s → 15 min",
            [](Workspace& w) { w.chains[0].spec.deadline = std::chrono::minutes(15); });
        row("Chain support, tier 3 c: in use on → off",
            [](Workspace& w) { w.chains[0].spec.tiers[2].enabled = false; });
        row("Chain support, tier 3 c: waits before a retry 500 ms × 2, at most 8 s, no jitter → fixed 1 s, full jitter",
            [](Workspace& w) {
                w.chains[0].spec.tiers[2].backoff = {
                    policy::BackoffKind::Fixed, 1000, 2, 8000, {policy::JitterType::Full, 0, 0}};
            });
        row("Chain support, tier 4 d removed", [](Workspace& w) { w.chains[0].spec.tiers.pop_back(); });
        row("Chain support, tier 1 d: place 4 → 1", [](Workspace& w) {
            auto& tiers = w.chains[0].spec.tiers;
            std::rotate(tiers.begin(), tiers.end() - 1, tiers.end());
        });
        row("Chain support, tier 1 a: moves on at a content filter off → on",
            [](Workspace& w) { w.chains[0].spec.tiers[0].movesOn.contentPolicy = true; });
        row("Chain support: the caller waits unknown → 30 s",
            [](Workspace& w) { w.chains[0].caller.waits = std::chrono::seconds(30); });
        row("Chain support: other fields changed", [](Workspace& w) { w.chains[0].unknown[QStringLiteral("x")] = 1; });
    }
    void oneChangeIsOneSentence()
    {
        QFETCH(Change, change);
        QFETCH(QString, said);
        QCOMPARE(differences(change), QStringList{said});
    }

    void partsAreComparedFieldByField()
    {
        Workspace before = sample(), now = sample();
        before.chains[0].spec.cache.emplace();
        now.chains[0].spec.cache = chain::CacheSpec{5000, 64u << 20, std::chrono::hours(2)};
        before.chains[0].spec.router = chain::RouterSpec{{{"hard", {"design"}, 1, false, "a"}}};
        now.chains[0].spec.router =
            chain::RouterSpec{{{"hard", {"design", "plan"}, 2, false, "b"}, {"rest", {}, 1, false, "d"}}};
        QStringList lines;
        for (const Difference& difference : compare(before, now))
            lines.append(inWords(difference));
        QCOMPARE(lines, QStringList({QStringLiteral("Chain support, cache: most entries 1000 → 5000"),
                                     QStringLiteral("Chain support, cache: keeps answers for 1 h → 2 h"),
                                     QStringLiteral("Chain support, router: class hard at least 1 of design → a → at "
                                                    "least 2 of design, plan → b"),
                                     QStringLiteral("Chain support, router: class rest none → every request → d")}));
    }

    void aNewNameIsOneThatWentAndOneThatCame()
    {
        QCOMPARE(differences([](Workspace& w) { w.chains[0].spec.name = "sales"; }),
                 QStringList({QStringLiteral("Chain support removed"), QStringLiteral("Chain sales added")}));
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
