// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_archive.h"
#include "core/load/series_documents.h"
#include "core/load/series_session.h"
#include "core/load/session.h"
#include "core/simulator/simulator.h"
#include "tests/support/literals.h"
#include "tests/support/load_bench.h"

#include <QTemporaryDir>

#include <atomic>

using namespace sg;
using namespace test;
using C = load::SeriesColumn;
using load::SeriesRunState;
using load::SeriesState;
using load::Strategy;

namespace {

/// Benches on simulators of their own; counts how many there are at once.
class Benches
{
public:
    explicit Benches(QByteArray script)
        : script_(std::move(script))
    {
    }

    load::MakeBench maker()
    {
        return [this](const load::SeriesVariant& variant) -> tl::expected<load::SeriesBench, QString> {
            ++made_;
            if (failsAt == made_)
                return tl::unexpected(QStringLiteral("No socket is free. Close some."));
            auto simulator = std::make_shared<simulator::Simulator>(*simulator::parseScript(script_));
            if (const auto port = simulator->start(); !port)
                return tl::unexpected(port.error());
            most_ = std::max<int>(most_, ++alive_);
            load::SeriesBench bench;
            bench.beside = std::shared_ptr<void>(nullptr, [this, simulator](void*) mutable {
                simulator->stop();
                simulator.reset();
                --alive_;
            });
            bench.engine = std::make_unique<engine::Engine>(load::engineFor(variant.plan, {}));
            const QUrl base(QStringLiteral("http://127.0.0.1:%1").arg(simulator->port()));
            bench.engine->run([&](engine::EngineCore& core) {
                core.apply(variant.workspace, {}, base, [](const auto&) { return QByteArray(); });
            });
            return bench;
        };
    }
    int made() const { return made_; }
    int mostAtOnce() const { return most_; }
    int alive() const { return alive_; }

    int failsAt = 0;

private:
    QByteArray script_;
    std::atomic<int> made_{0}, alive_{0}, most_{0};
};

/// 20 requests pass at once, and 5 in any 700 ms from then on.
const QByteArray kThrottled = R"({"version":1,"endpoints":[{"name":"e0","latency":{"kind":"constant","ms":5},
    "quota":{"requests":5,"window_ms":700,"first":15,"says_when":false}},
    {"name":"e1","latency":{"kind":"constant","ms":5},"faults":[{"kind":"status","status":500}]}]})";
const QByteArray kSlow = R"({"version":1,"endpoints":[{"name":"e0","latency":{"kind":"constant","ms":60000}}]})";

workspace::Workspace patient(int endpoints = 1)
{
    workspace::Workspace workspace = oneEndpoint(endpoints);
    chain::ChainSpec& spec = workspace.chains.front().spec;
    spec.tiers.resize(1);
    workspace.endpoints[0].spec.breaker.consecutiveFailures = 1000; // it would say how often is tried
    spec.attemptBudget = spec.tiers[0].maxAttempts = 6;
    spec.tiers[0].backoff = {policy::BackoffKind::Exponential, 400, 2, 1500, {}};
    return workspace;
}

load::SeriesPlan strategies(std::vector<Strategy> which)
{
    load::SeriesPlan series;
    series.plan = closedPlan(40, 40);
    series.plan.model = load::ClosedModel{40, Millis(1)};
    series.strategies = std::move(which);
    return series;
}

load::SeriesProgressPtr toEnd(const load::SeriesSession& series)
{
    return QTest::qWaitFor([&] { return !load::isActive(series.progress()->state); }, 30000) ? series.progress()
                                                                                             : nullptr;
}

double figure(const load::SeriesProgressPtr& series, std::size_t row, C column)
{
    return series->table.rows[row].cell(column).value.value_or(-1);
}

class TestSeriesSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachStrategyInItsTurnOnAFreshBench()
    {
        Benches benches(kThrottled);
        load::SeriesSession session(benches.maker(), patient(), {});
        QCOMPARE(session.start(strategies({Strategy::NoRetry, Strategy::FullJitter, Strategy::NoRetry})),
                 QStringLiteral("Choose at least two strategies, each once."));
        QCOMPARE(session.start(strategies({Strategy::NoRetry, Strategy::FullJitter})), QString());
        const auto ended = toEnd(session);
        QVERIFY(ended);
        QVERIFY(ended->state == SeriesState::Finished);
        QCOMPARE(benches.made(), 2);
        QCOMPARE(benches.mostAtOnce(), 1);
        QCOMPARE(benches.alive(), 0);
        QCOMPARE(ended->share, 1.0);
        QCOMPARE(figure(ended, 0, C::Success), 50.0); // 20 of 40, by the quota
        QCOMPARE(figure(ended, 0, C::BlockedAgain), 0.0);
        QCOMPARE(figure(ended, 0, C::Attempts), 1.0);
        const QJsonObject report = ended->runs[1]->record.report;
        const int refused = report["attempts_by_error_class"_L1]["rate_limited"_L1].toInt();
        const int blocked = refused - report["attempts_blocked_again"_L1].toInt(); // requests, each once
        QVERIFY(blocked >= 20 && blocked < 40);
        QVERIFY(figure(ended, 1, C::Success) > 50);
        QVERIFY(figure(ended, 1, C::BlockedAgain) > 0);
    }

    void reportsSayTheirSeries()
    {
        QTemporaryDir folder;
        Benches benches(kThrottled);
        load::SeriesSession session(benches.maker(), patient(), {});
        session.keepRequestsIn(folder.path());
        session.start(strategies({Strategy::NoRetry, Strategy::Immediate}));
        const auto ended = toEnd(session);
        QVERIFY(ended);
        for (std::size_t i = 0; i < 2; ++i) {
            const history::RunRecord& record = ended->runs[i]->record;
            QCOMPARE(record.report["series"_L1]["id"_L1].toString(), ended->id);
            QCOMPARE(record.report["series"_L1]["variant"_L1].toString(), ended->table.rows[i].key);
            QCOMPARE(record.summary.id, ended->table.rows[i].runId);
            QVERIFY(history::isRunId(record.summary.id));
            QVERIFY(record.summary.name.endsWith(ended->table.rows[i].words));
            QCOMPARE(record.report["rows"_L1]["written"_L1].toInt(), 40);
            QVERIFY(QFile::exists(history::RunFiles(folder.path()).requestsPathOf(record.summary.id)));
        }
        // Nobody takes one for a run that was cut off before it is saved.
        history::RunArchive archive(folder.path());
        QCOMPARE(archive.list(0, 10)->total, 0);
        QVERIFY(archive.save(ended->runs[0]->record));
        ended->runs[0]->lock->release();
        const auto page = archive.list(0, 10);
        QCOMPARE(page->total, 1);
        QVERIFY(page->runs[0].verdict != QStringLiteral("cut off"));
        ended->runs[1]->lock->release();
        QCOMPARE(archive.list(0, 10)->total, 2);
        QCOMPARE(load::reportOf(*ended)["reports"_L1].toArray().size(), 2);
    }

    void endpointsAreRanked()
    {
        Benches benches(kThrottled);
        load::SeriesSession session(benches.maker(), patient(2), {});
        load::SeriesPlan series = strategies({});
        series.kind = load::SeriesKind::Endpoints;
        series.endpoints = {"e1", "e0"};
        series.plan.model = load::ClosedModel{2}; // so that the generator keeps up
        QCOMPARE(session.start(series), QString());
        const auto ended = toEnd(session);
        QVERIFY(ended);
        QCOMPARE(figure(ended, 0, C::Success), 0.0);
        QVERIFY(figure(ended, 1, C::Success) >= 50);
        if (!ended->table.rows[0].counts() || !ended->table.rows[1].counts())
            QSKIP("The machine is too busy for a valid run");
        QCOMPARE(figure(ended, 1, C::Rank), 1.0);
        QCOMPARE(figure(ended, 0, C::Rank), 2.0);
    }

    void stoppingSkipsTheRest()
    {
        Benches benches(kSlow);
        load::SeriesSession session(benches.maker(), patient(), {});
        session.start(strategies({Strategy::NoRetry, Strategy::FullJitter}));
        QTRY_VERIFY_WITH_TIMEOUT(session.progress()->run && session.progress()->run->inFlight > 0, 20000);
        QVERIFY(!session.start(strategies({Strategy::NoRetry, Strategy::FullJitter})).isEmpty());
        session.stop();
        QVERIFY(session.progress()->state == SeriesState::Stopping);
        session.stop(); // nobody waits for a minute
        const auto ended = toEnd(session);
        QVERIFY(ended);
        QVERIFY(ended->state == SeriesState::Cancelled);
        QVERIFY(ended->table.rows[0].state == SeriesRunState::Stopped);
        QVERIFY(ended->table.rows[1].state == SeriesRunState::Skipped);
        QVERIFY(!ended->runs[1]);
        QCOMPARE(benches.made(), 1);
        session.stop();
        QVERIFY(session.progress()->state == SeriesState::Cancelled);
    }

    void itsEndCancelsWhatRuns()
    {
        Benches benches(kSlow);
        {
            load::SeriesSession session(benches.maker(), patient(), {});
            session.start(strategies({Strategy::NoRetry, Strategy::FullJitter}));
            QTRY_COMPARE_WITH_TIMEOUT(benches.alive(), 1, 20000);
        }
        QCOMPARE(benches.alive(), 0);
    }

    void aBenchThatCannotBeMadeEndsTheSeries()
    {
        Benches benches(kThrottled);
        benches.failsAt = 2;
        load::SeriesSession session(benches.maker(), patient(), {});
        session.start(strategies({Strategy::NoRetry, Strategy::Immediate, Strategy::FullJitter}));
        const auto ended = toEnd(session);
        QVERIFY(ended);
        QVERIFY(ended->state == SeriesState::Failed);
        QCOMPARE(ended->error, QStringLiteral("No socket is free. Close some."));
        QVERIFY(ended->table.rows[0].state == SeriesRunState::Finished);
        QVERIFY(ended->table.rows[1].state == SeriesRunState::Failed);
        QVERIFY(ended->table.rows[2].state == SeriesRunState::Skipped);
    }

    void costsOfAllRunsTogether()
    {
        workspace::Workspace workspace = patient();
        cost::Price price;
        price.input = price.output = cost::NanoDollars(1'000'000'000);
        workspace.endpoints[0].price = price;
        Benches benches(kThrottled);
        const load::SeriesSession session(benches.maker(), workspace, {});
        const load::SeriesPlan both = strategies({Strategy::NoRetry, Strategy::Immediate});
        const load::CostEstimate estimate = session.estimate(both);
        double worst = 0;
        for (const load::SeriesVariant& variant : load::variantsOf(both, workspace))
            worst += *load::estimateCost(variant.plan, variant.workspace, {}).worstUsd;
        QVERIFY(worst > 0);
        QCOMPARE(estimate.worstUsd, std::optional(worst));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestSeriesSession)
#include "tst_series_session.moc"
