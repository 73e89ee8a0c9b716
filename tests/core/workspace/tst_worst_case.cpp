// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/worst_case.h"

#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

using std::chrono::seconds;

cost::NanoDollars usd(double amount)
{
    return *cost::NanoDollars::fromUsd(amount);
}

Endpoint endpoint(const char* name, seconds total, std::optional<double> usdPerMillion = {})
{
    Endpoint made;
    made.spec.name = name;
    made.model = QString::fromLatin1(name);
    made.timeouts.total = total;
    if (usdPerMillion)
        made.price = cost::Price{{usd(*usdPerMillion), usd(*usdPerMillion), {}, {}, {}}, {}};
    return made;
}

/// Doubles from 1 s, without jitter.
chain::TierSpec tier(const char* endpoint, int attempts)
{
    chain::TierSpec made;
    made.name = made.endpoint = endpoint;
    made.maxAttempts = attempts;
    made.backoff = {policy::BackoffKind::Exponential, 1000, 2, 60000, {}};
    return made;
}

chain::TierSpec canned(std::vector<std::string> words = {})
{
    chain::TierSpec made;
    made.name = "canned";
    made.kind = chain::TierKind::CannedReply;
    made.rules = {{std::move(words), "Later."}};
    return made;
}

Workspace workspaceOf(std::vector<Endpoint> endpoints)
{
    Workspace made;
    made.endpoints = std::move(endpoints);
    return made;
}

chain::ChainSpec chainOf(std::vector<chain::TierSpec> tiers)
{
    chain::ChainSpec made;
    made.name = "c";
    made.tiers = std::move(tiers);
    made.deadline = seconds(600);
    made.attemptBudget = 100;
    return made;
}

QString told(const WorstCase& worst)
{
    QString text = QStringLiteral("%1 attempts, wall %2 ms:").arg(worst.attempts).arg(toMs(worst.wall));
    for (const TierWorst& one : worst.tiers)
        text += QStringLiteral(" [%1: %2, calling %3, waiting %4]")
                    .arg(one.tier)
                    .arg(one.attempts)
                    .arg(toMs(one.calling))
                    .arg(toMs(one.waiting));
    return text;
}

#define COMPARE_TIER(worst, index, ofTier, tries, callingSeconds, waitingMs)                                           \
    QVERIFY2(worst.tiers.size() > index && worst.tiers[index].tier == ofTier &&                                        \
                 worst.tiers[index].attempts == tries && worst.tiers[index].calling == seconds(callingSeconds) &&      \
                 worst.tiers[index].waiting == Millis(waitingMs),                                                      \
             qPrintable(told(worst)))

} // namespace

class TestWorstCase : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyTierAddsItsTriesAndWaits()
    {
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10)), endpoint("b", seconds(20))});
        const WorstCase worst = worstCaseOf(chainOf({tier("a", 3), tier("b", 2)}), workspace, nullptr);
        COMPARE_TIER(worst, 0, 0, 3, 30, 3000); // 1 + 2 s between three tries
        COMPARE_TIER(worst, 1, 1, 2, 40, 1000);
        QCOMPARE(worst.attempts, 5);
        QVERIFY2(worst.wall == seconds(74) && worst.bounded == seconds(74), qPrintable(told(worst)));
        QVERIFY(!worst.cost && worst.costIsLowerBound);
    }

    void waitsAreTheLongestDrawn()
    {
        // As the mock-up's slowest path: 6 tries of 10 s, full jitter from 0.5 s to 8 s.
        chain::TierSpec full = tier("a", 6);
        full.backoff = {policy::BackoffKind::Exponential, 500, 2, 8000, {policy::JitterType::Full, 0, 0}};
        const WorstCase worst = worstCaseOf(chainOf({full}), workspaceOf({endpoint("a", seconds(10))}), nullptr);
        COMPARE_TIER(worst, 0, 0, 6, 60, 15500);
    }

    void theBudgetEndsIt()
    {
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10)), endpoint("b", seconds(20))});
        chain::ChainSpec chain = chainOf({tier("a", 3), tier("b", 4), tier("a", 1)});
        chain.attemptBudget = 5;
        const WorstCase worst = worstCaseOf(chain, workspace, nullptr);
        COMPARE_TIER(worst, 0, 0, 3, 30, 3000);
        COMPARE_TIER(worst, 1, 1, 2, 40, 1000);
        COMPARE_TIER(worst, 2, 2, 0, 0, 0);
        QCOMPARE(worst.attempts, 5);
    }

    void theShortestLimitCounts_data()
    {
        QTest::addColumn<int>("total");
        QTest::addColumn<int>("byTaskBase"); // 0: none
        QTest::addColumn<int>("attempt");    // 0: none
        QTest::addColumn<int>("deadline");
        QTest::addColumn<int>("longest");
        QTest::newRow("the endpoint's") << 15 << 0 << 0 << 600 << 15;
        QTest::newRow("by task") << 60 << 20 << 0 << 600 << 20;
        QTest::newRow("by task, but longer") << 15 << 20 << 0 << 600 << 15;
        QTest::newRow("the tier's") << 60 << 20 << 7 << 600 << 7;
        QTest::newRow("the tier's, but longer") << 15 << 0 << 30 << 600 << 15;
        QTest::newRow("the chain's") << 60 << 0 << 30 << 5 << 5;
    }
    void theShortestLimitCounts()
    {
        QFETCH(int, total);
        QFETCH(int, byTaskBase);
        QFETCH(int, attempt);
        QFETCH(int, deadline);
        QFETCH(int, longest);
        Endpoint one = endpoint("a", seconds(total));
        if (byTaskBase > 0)
            one.timeouts.byTask = policy::TaskTimeout{seconds(byTaskBase)};
        chain::TierSpec only = tier("a", 1);
        if (attempt > 0)
            only.attemptTimeout = seconds(attempt);
        chain::ChainSpec chain = chainOf({only});
        chain.deadline = seconds(deadline);
        const WorstCase worst = worstCaseOf(chain, workspaceOf({one}), nullptr);
        COMPARE_TIER(worst, 0, 0, 1, longest, 0);
    }

    void aLimitByTaskKnowsItsModels()
    {
        Endpoint mini = endpoint("gpt-4o-mini", seconds(60));
        mini.timeouts.byTask = policy::TaskTimeout{};
        const WorstCase worst = worstCaseOf(chainOf({tier("gpt-4o-mini", 2)}), workspaceOf({mini}), nullptr);
        COMPARE_TIER(worst, 0, 0, 2, 60, 1000);
    }

    void theDeadlineCuts()
    {
        chain::ChainSpec chain = chainOf({tier("a", 4)});
        chain.deadline = seconds(25);
        chain.limiter = chain::LimiterSpec{5, 10, seconds(2), {}};
        const WorstCase worst = worstCaseOf(chain, workspaceOf({endpoint("a", seconds(10))}), nullptr);
        QVERIFY(worst.limiterWait == seconds(2));
        QVERIFY2(worst.wall == seconds(2 + 40 + 7) && worst.bounded == seconds(25), qPrintable(told(worst)));
    }

    void aLimiterThatLimitsNothingHoldsNothingBack()
    {
        chain::ChainSpec chain = chainOf({tier("a", 1)});
        chain.limiter = chain::LimiterSpec{0, 0, seconds(2), {}};
        QVERIFY(worstCaseOf(chain, workspaceOf({endpoint("a", seconds(10))}), nullptr).wall == seconds(10));
        chain.limiter->windowLimit = 5;
        QVERIFY(worstCaseOf(chain, workspaceOf({endpoint("a", seconds(10))}), nullptr).wall == seconds(12));
    }

    void aBackoffBeyondTheLongestWaitIsNotWaitedFor()
    {
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10))});
        chain::ChainSpec chain = chainOf({tier("a", 6)});
        chain.maxServerWait = seconds(4); // 1, 2 and 4 s are waited; 8 s are not
        COMPARE_TIER(worstCaseOf(chain, workspace, nullptr), 0, 0, 4, 40, 7000);
        // With full jitter a wait beyond the limit may be drawn, or a shorter one: the longest that is waited counts.
        chain.tiers[0].backoff.jitter.type = policy::JitterType::Full;
        COMPARE_TIER(worstCaseOf(chain, workspace, nullptr), 0, 0, 6, 60, 15000);
    }

    void whatIsOffIsOut()
    {
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10), 2.0), endpoint("b", seconds(20), 8.0)});
        chain::ChainSpec chain = chainOf({tier("a", 2), tier("b", 2), canned({"bug"})});
        chain.tiers[1].enabled = false;
        const WorstCase worst = worstCaseOf(chain, workspace, nullptr);
        QCOMPARE(worst.tiers.size(), std::size_t(2));
        COMPARE_TIER(worst, 0, 0, 2, 20, 1000);
        COMPARE_TIER(worst, 1, 2, 0, 0, 0);
        QVERIFY(worst.tiers[1].cost == cost::NanoDollars());
        QVERIFY(worst.cost == usd(2 * 700 * 2.0 / 1e6));
    }

    void whatIsNeverReachedAddsNothing()
    {
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10)), endpoint("b", seconds(20))});
        const WorstCase worst = worstCaseOf(chainOf({tier("a", 1), canned(), tier("b", 5)}), workspace, nullptr);
        COMPARE_TIER(worst, 2, 2, 0, 0, 0);
        QCOMPARE(worst.attempts, 1);
        QVERIFY(worst.wall == seconds(10));

        chain::ChainSpec stays = chainOf({tier("a", 1), tier("b", 5)});
        stays.tiers[0].movesOn = {false, false, false, false, false, false};
        QCOMPARE(worstCaseOf(stays, workspace, nullptr).attempts, 1);
        stays.tiers[0].movesOn.timeout = true;
        QCOMPARE(worstCaseOf(stays, workspace, nullptr).attempts, 6);
    }

    void aSplitEndsBehindAllOfItsMembers()
    {
        const Workspace workspace =
            workspaceOf({endpoint("a", seconds(10)), endpoint("b", seconds(20)), endpoint("c", seconds(5))});
        const auto reached = [](const chain::ChainSpec& chain) {
            std::vector<bool> all;
            for (const Reach& reach : reachOf(chain))
                all.push_back(reach.isReached);
            return all;
        };
        // Half of the traffic begins at b, whatever a does; c comes behind both.
        chain::ChainSpec chain = chainOf({tier("a", 1), tier("b", 1), tier("c", 1)});
        chain.tiers[0].split = chain.tiers[1].split = "half";
        chain.tiers[0].movesOn = {false, false, false, false, false, false};
        QCOMPARE(reached(chain), (std::vector<bool>{true, true, false}));
        QCOMPARE(worstCaseOf(chain, workspace, nullptr).attempts, 2);
        // Without a weight it comes after a, which keeps everything.
        chain.tiers[1].weight = 0;
        QCOMPARE(reached(chain), (std::vector<bool>{true, false, false}));
        // One that is only asked after the others may keep what is left.
        std::swap(chain.tiers[0].weight, chain.tiers[1].weight);
        QCOMPARE(reached(chain), (std::vector<bool>{true, true, false}));

        chain::ChainSpec replies = chainOf({canned(), tier("a", 1), tier("b", 1)});
        replies.tiers[0].split = replies.tiers[1].split = "canary";
        replies.tiers[1].weight = 9;
        QCOMPARE(reached(replies), (std::vector<bool>{true, true, false}));
        QVERIFY(reachOf(replies)[2].endedBy == std::size_t(0));
        replies.tiers[0].enabled = false;
        QCOMPARE(reached(replies), (std::vector<bool>{false, true, true}));
    }

    void everyAttemptIsBilled()
    {
        // 500 tokens in and 200 out.
        const Workspace workspace = workspaceOf({endpoint("a", seconds(10), 8.0), endpoint("b", seconds(10), 15.0)});
        const chain::ChainSpec chain = chainOf({tier("a", 2), tier("b", 3)});
        WorstCase worst = worstCaseOf(chain, workspace, nullptr);
        QVERIFY(worst.tiers[0].cost == usd(0.0112) && worst.tiers[1].cost == usd(0.0315));
        QVERIFY(worst.cost == usd(0.0427) && !worst.costIsLowerBound);
        worst = worstCaseOf(chain, workspace, nullptr, {1000, 0});
        QVERIFY(worst.cost == usd(2 * 0.008 + 3 * 0.015));

        Workspace partly = workspace;
        partly.endpoints[1].price.reset();
        worst = worstCaseOf(chain, partly, nullptr);
        QVERIFY(worst.cost == usd(0.0112) && worst.costIsLowerBound && !worst.tiers[1].cost);
        cost::PriceBook prices;
        prices.add(
            {QStringLiteral("b"), cost::Price{{usd(1), usd(1), {}, {}, {}}, {}}, QStringLiteral("test"), {}, {}});
        worst = worstCaseOf(chain, partly, &prices);
        QVERIFY(worst.cost == usd(0.0112 + 3 * 0.0007) && !worst.costIsLowerBound);
        QVERIFY(!worstCaseOf(chainOf({canned()}), workspace, nullptr).cost);
    }

    void splitAndRouterDoNotChangeTheSum()
    {
        const Workspace workspace = workspaceOf(
            {endpoint("a", seconds(10), 8.0), endpoint("b", seconds(20), 15.0), endpoint("c", seconds(5), 1.0)});
        chain::ChainSpec chain = chainOf({tier("a", 2), tier("b", 3), tier("c", 1)});
        const WorstCase plain = worstCaseOf(chain, workspace, nullptr);
        chain.tiers[0].split = chain.tiers[1].split = "half";
        chain.tiers[0].weight = 0;
        chain.router = chain::RouterSpec{{{"complex", {"design"}, 1, false, "c"}}};
        const WorstCase routed = worstCaseOf(chain, workspace, nullptr);
        QVERIFY(plain.wall == routed.wall && plain.attempts == routed.attempts && plain.cost == routed.cost);
        QVERIFY(plain.tiers == routed.tiers);
    }

    void oddNumbersAreNoTrap()
    {
        chain::ChainSpec chain = chainOf({tier("a", 2000000000), tier("b", -5), tier("nobody", 3)});
        chain.deadline = Nanos::max();
        chain.attemptBudget = 1000;
        chain.maxServerWait = Nanos::max();
        chain.tiers[0].backoff.capMs = 1e300;
        Workspace workspace = workspaceOf({endpoint("a", seconds(10), 1e6), endpoint("b", seconds(10))});
        workspace.endpoints[0].timeouts.total = Nanos::max();
        const WorstCase worst = worstCaseOf(chain, workspace, nullptr, {1000000000000, 1000000000000});
        QVERIFY(worst.wall == Nanos::max() && worst.attempts == 1000);
        QCOMPARE(worst.tiers[1].attempts, 0);
        chain.attemptBudget = -1;
        QCOMPARE(worstCaseOf(chain, workspace, nullptr).attempts, 0);
        QVERIFY(worstCaseOf({}, {}, nullptr).tiers.empty());
    }
};

QTEST_APPLESS_MAIN(TestWorstCase)
#include "tst_worst_case.moc"
