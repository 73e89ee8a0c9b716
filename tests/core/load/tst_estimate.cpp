// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/session.h"

#include <QTest>

using namespace sg;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;

workspace::Endpoint endpointNamed(const std::string& name, std::optional<std::int64_t> usdPerMillion)
{
    workspace::Endpoint endpoint;
    endpoint.spec.name = name;
    endpoint.model = QString::fromStdString(name);
    if (usdPerMillion) {
        const cost::NanoDollars price(*usdPerMillion * kUsd);
        endpoint.price = cost::Price{price, price, {}, {}, {}};
    }
    return endpoint;
}

/// "cheap", then "dear", then "cheap" once more.
workspace::Workspace threeTiers(std::optional<std::int64_t> dearUsd = 10)
{
    workspace::Workspace workspace;
    workspace.endpoints = {endpointNamed("cheap", 1), endpointNamed("dear", dearUsd)};
    workspace::Chain chain;
    chain.spec.name = "chain";
    chain.spec.attemptBudget = 3;
    for (const char* name : {"cheap", "dear", "cheap"}) {
        chain::TierSpec tier;
        tier.name = tier.endpoint = name;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

load::LoadPlan plan(load::TargetKind kind = load::TargetKind::Chain, const char* target = "chain")
{
    load::LoadPlan plan;
    plan.targetKind = kind;
    plan.target = target;
    plan.stop.requests = 1000;
    plan.maxTokens = 2000;
    plan.prompts = load::promptsOf({QStringLiteral("12345678")});
    return plan;
}

class TestEstimate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstTierIsLikelyAndTheDearestIsTheWorst()
    {
        const auto estimate = load::estimateCost(plan(), threeTiers(), {});
        QVERIFY(estimate.unpriced.empty());
        const double input = static_cast<double>(estimate.inputTokens) / 1000;
        QCOMPARE(*estimate.likelyUsd, (input + 1000) * 1 / 1e6 * 1000);
        QCOMPARE(*estimate.worstUsd, (input + 2000) * 10 / 1e6 * 1000 * 3);
    }

    void anEndpointIsAskedOnce()
    {
        const auto estimate = load::estimateCost(plan(load::TargetKind::Endpoint, "dear"), threeTiers(), {});
        const double input = static_cast<double>(estimate.inputTokens) / 1000;
        QCOMPARE(*estimate.worstUsd, (input + 2000) * 10 / 1e6 * 1000);
    }

    void repeatsAreFreeOnlyWhereACacheIs()
    {
        workspace::Workspace workspace = threeTiers();
        load::LoadPlan repeating = plan();
        const double whole = *load::estimateCost(repeating, workspace, {}).likelyUsd;
        repeating.repeatShare = 0.75;
        QCOMPARE(*load::estimateCost(repeating, workspace, {}).likelyUsd, whole);
        workspace.chains.front().spec.cache = chain::CacheSpec{};
        QCOMPARE(*load::estimateCost(repeating, workspace, {}).likelyUsd, whole / 4);
        repeating.targetKind = load::TargetKind::Endpoint; // straight there, past the cache
        repeating.target = "cheap";
        QCOMPARE(*load::estimateCost(repeating, workspace, {}).likelyUsd, whole);
    }

    void withoutAPriceThereIsNoWorstCase()
    {
        const auto estimate = load::estimateCost(plan(), threeTiers(std::nullopt), {});
        QVERIFY(estimate.likelyUsd);
        QVERIFY(!estimate.worstUsd);
        QCOMPARE(estimate.unpriced, std::vector<std::string>{"dear"});
    }

    void theBookIsAskedWhereTheEndpointSaysNothing()
    {
        workspace::Workspace workspace = threeTiers(std::nullopt);
        cost::PriceBook prices;
        prices.add({QStringLiteral("dear"), cost::Price{cost::NanoDollars(kUsd), cost::NanoDollars(kUsd), {}, {}, {}},
                    QStringLiteral("test"), {}, {}});
        QVERIFY(load::estimateCost(plan(), workspace, prices).worstUsd);
        QCOMPARE(workspace::priceOf(workspace.endpoints[0], prices)->input->count(), kUsd);
    }

    void withoutANumberOfRequestsNothingBoundsIt()
    {
        load::LoadPlan endless = plan();
        endless.stop.requests.reset();
        endless.stop.duration = std::chrono::seconds(10);
        const auto estimate = load::estimateCost(endless, threeTiers(), {});
        QVERIFY(!estimate.likelyUsd && !estimate.worstUsd);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestEstimate)
#include "tst_estimate.moc"
