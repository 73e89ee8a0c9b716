// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series.h"
#include "tests/support/load_bench.h"

using namespace sg;
using namespace test;
using load::SeriesKind;
using load::Strategy;

namespace {

workspace::Workspace patient()
{
    workspace::Workspace workspace = oneEndpoint(2);
    chain::ChainSpec& spec = workspace.chains.front().spec;
    spec.attemptBudget = 6;
    for (chain::TierSpec& tier : spec.tiers) {
        tier.maxAttempts = 3;
        tier.backoff = {policy::BackoffKind::Exponential, 200, 3, 4000, {policy::JitterType::Additive, 0, 50}};
        tier.backoffPolicy = "patient";
    }
    return workspace;
}

load::SeriesPlan strategies()
{
    load::SeriesPlan series;
    series.plan = closedPlan(10, 1);
    return series;
}

class TestStrategies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheStrategyDiffers()
    {
        const workspace::Workspace own = patient();
        const auto variants = load::variantsOf(strategies(), own);
        QCOMPARE(variants.size(), load::kStrategies.size());
        for (const load::SeriesVariant& variant : variants) {
            workspace::Workspace same = variant.workspace;
            chain::ChainSpec& spec = same.chains.front().spec;
            QCOMPARE(spec.attemptBudget, 6);
            for (std::size_t i = 0; i < spec.tiers.size(); ++i) {
                const chain::TierSpec& before = own.chains.front().spec.tiers[i];
                QCOMPARE(spec.tiers[i].maxAttempts, variant.key == QLatin1String("none") ? 1 : 3);
                spec.tiers[i].maxAttempts = before.maxAttempts;
                spec.tiers[i].backoff = before.backoff;
                spec.tiers[i].backoffPolicy = before.backoffPolicy;
            }
            QVERIFY(same == own);
        }
    }

    void theFormulas_data()
    {
        QTest::addColumn<int>("strategy");
        QTest::addColumn<QList<double>>("least"); // of the first three waits, and the most; base 200, cap 700
        QTest::addColumn<QList<double>>("most");
        const auto row = [](const char* name, Strategy strategy, QList<double> least, QList<double> most) {
            QTest::newRow(name) << int(strategy) << least << most;
        };
        row("immediate", Strategy::Immediate, {0, 0, 0}, {0, 0, 0});
        row("exponential", Strategy::Exponential, {200, 400, 700}, {200, 400, 700});
        row("equal", Strategy::EqualJitter, {100, 200, 350}, {200, 400, 700});
        row("full", Strategy::FullJitter, {0, 0, 0}, {200, 400, 700});
    }
    void theFormulas()
    {
        QFETCH(int, strategy);
        QFETCH(QList<double>, least);
        QFETCH(QList<double>, most);
        const chain::ChainSpec spec = load::withStrategy(patient().chains.front().spec, static_cast<Strategy>(strategy),
                                                         {std::nullopt, std::nullopt, 700});
        policy::Backoff low(spec.tiers[0].backoff), high(spec.tiers[0].backoff);
        for (int n = 0; n < 3; ++n) {
            QCOMPARE(low.delayMs(n, 0), least[n]);
            QVERIFY(qAbs(high.delayMs(n, 1 - 1e-12) - most[n]) < 1e-6);
        }
    }

    void decorrelatedFollowsTheWaitBefore()
    {
        const chain::ChainSpec spec = load::withStrategy(patient().chains.front().spec, Strategy::DecorrelatedJitter);
        policy::Backoff backoff(spec.tiers[0].backoff);
        QCOMPARE(backoff.delayMs(0, 0.5), 400.0); // U(200, 600)
        QCOMPARE(backoff.delayMs(1, 0), 200.0);   // U(200, 1200)
        QCOMPARE(backoff.delayMs(2, 0.5), 400.0); // U(200, 600)
    }

    void givenRetriesGetTheirBudget()
    {
        const chain::ChainSpec spec =
            load::withStrategy(patient().chains.front().spec, Strategy::FullJitter, {5, 100, std::nullopt});
        QCOMPARE(spec.tiers[1].maxAttempts, 6);
        QCOMPARE(spec.attemptBudget, 12);
        QCOMPARE(spec.tiers[1].backoff.baseMs, 100.0);
        QCOMPARE(spec.tiers[1].backoff.capMs, 4000.0);
    }

    void namesAreTheirOwnInverse()
    {
        for (const Strategy strategy : load::kStrategies)
            QVERIFY(load::strategyNamed(load::toString(strategy)) == strategy);
        QVERIFY(!load::strategyNamed("jitter"));
    }

    void endpointsInTurn()
    {
        load::SeriesPlan series = strategies();
        series.kind = SeriesKind::Endpoints;
        series.endpoints = {"e1", "e0"};
        const auto variants = load::variantsOf(series, patient());
        QCOMPARE(variants.size(), std::size_t(2));
        QCOMPARE(variants[0].plan.target, std::string("e1"));
        QVERIFY(variants[0].plan.targetKind == load::TargetKind::Endpoint);
        QCOMPARE(variants[0].plan.seed, variants[1].plan.seed);
        QVERIFY(variants[0].workspace == patient());
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("problem");
        for (const char* words : {"never tries a tier twice", "two strategies", "There is no chain", "Choose a chain",
                                  "two endpoints", "There is no endpoint", "retries", "No end"})
            QTest::newRow(words) << QString::fromLatin1(words);
    }
    void refusals()
    {
        QFETCH(QString, problem);
        load::SeriesPlan series = strategies();
        workspace::Workspace workspace = patient();
        const QByteArray tag = QTest::currentDataTag();
        if (tag == "never tries a tier twice")
            workspace = oneEndpoint(2);
        else if (tag == "two strategies")
            series.strategies = {Strategy::FullJitter, Strategy::FullJitter};
        else if (tag == "There is no chain")
            series.plan.target = "other";
        else if (tag == "Choose a chain")
            series.plan.targetKind = load::TargetKind::Endpoint;
        else if (tag == "retries")
            series.settings.retries = 51;
        else if (tag == "No end")
            series.plan.stop = {};
        else
            series.kind = SeriesKind::Endpoints;
        series.endpoints = {"e0"};
        if (tag == "There is no endpoint")
            series.endpoints = {"e0", "e7"};
        const QString found = load::checkSeries(series, workspace);
        if (tag == "No end") // the plan's own check, whatever its words
            QVERIFY(!found.isEmpty());
        else
            QVERIFY2(found.contains(problem), qPrintable(found));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestStrategies)
#include "tst_strategies.moc"
