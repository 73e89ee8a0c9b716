// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_load_control.h"
#include "ui/load/run_view.h"

#include <QtTest>

using namespace sg;
using namespace sg::ui;
using State = ObjectiveChip::State;

namespace {

load::RunProgress openRun()
{
    load::RunProgress run = sample::running();
    run.plan.stop.duration.reset();
    run.plan.model = load::OpenModel{{{std::chrono::seconds(60), 0, 20}, {std::chrono::seconds(5), 80, 80}},
                                     load::Arrivals::Poisson};
    run.plan.warmUp = std::chrono::seconds(10);
    run.plan.coolDown = std::chrono::seconds(5);
    run.elapsedSeconds = 30;
    run.secondStatuses = {200, 429, 0};
    run.heatEdgesMs = {1, 10, 100};
    run.seconds.clear();
    load::RunSecond second;
    second.second = 4;
    second.width = 2;
    second.requested = 30;
    second.dispatched = 20;
    second.answered = 10;
    second.mostInFlight = 12;
    second.statuses = {7, 2, 1};
    second.heat = {4, 3};
    second.attempts = 11;
    second.attemptsFailed = 3;
    run.seconds.push_back(second);
    run.plan.objectives = measure::parseObjectives("p95<=4s, success>=99.5%, ttft.p99<800ms, goodput>5/s").value();
    run.objectives = {{run.plan.objectives[0], 2200},
                      {run.plan.objectives[1], 99.2},
                      {run.plan.objectives[2], {}},
                      {run.plan.objectives[3], 9.0}};
    return run;
}

} // namespace

class TestRunView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void secondsBecomeRates()
    {
        const StripPicture picture = runview::stripOf(openRun(), 0);
        const StripMoment& moment = picture.moments.at(0);
        QCOMPARE(moment.due, std::optional(15.0F));
        QCOMPARE(moment.sent, 10.0F);
        QCOMPARE(moment.answered, 5.0F);
        QCOMPARE(moment.inFlight, 12.0F);
        QCOMPARE(moment.statuses, (std::vector<std::int64_t>{7, 2, 1}));
        QCOMPARE(moment.triesFailed, 3);
        QCOMPARE(picture.statuses.at(2).name, QStringLiteral("none"));
        QVERIFY(picture.statuses.at(1).look == StripStatus::Look::Refused);
        QCOMPARE(picture.planned, (std::vector<std::pair<double, double>>{{0, 0}, {60, 20}, {60, 80}, {65, 80}}));
        QCOMPARE(picture.phases.size(), std::size_t(2));
        QVERIFY(picture.phases[1].isCutOut);
        QCOMPARE(picture.phases[1].from, 60.0);
        QCOMPARE(picture.limits.size(), std::size_t(1));
        QCOMPARE(picture.limits[0].words, QStringLiteral("p95 ≤\u202F4.00\u202Fs"));
        QVERIFY(picture.isOn);
    }

    void closedLoadsAskForNoRate()
    {
        const StripPicture picture = runview::stripOf(sample::running(), 0);
        QVERIFY(!picture.moments.front().due);
        QVERIFY(picture.planned.empty());
        QCOMPARE(picture.breakers.size(), std::size_t(4));
        QCOMPARE(picture.breakers[0].spans.size(), std::size_t(6));
    }

    void objectivesBecomeChips()
    {
        const auto chips = runview::chipsOf(openRun());
        QCOMPARE(chips.size(), std::size_t(4));
        QVERIFY(chips[0].state == State::Met && chips[1].state == State::Missed && chips[2].state == State::NoData &&
                chips[3].state == State::Met);
        QCOMPARE(chips[0].measured, QStringLiteral("2.20\u202Fs"));
        QCOMPARE(chips[1].limit, QStringLiteral("≥\u202F99.50\u202F%"));
        QCOMPARE(chips[2].measured, QStringLiteral("–"));
        for (const ObjectiveChip& chip : chips)
            QVERIFY(!chip.formula.isEmpty());
    }

    void theVerdictOfAnEndedRun()
    {
        load::RunProgress run = openRun();
        QVERIFY(runview::verdictOf(run).kind == VerdictBanner::Kind::None);
        run.state = load::RunState::Finished;
        run.report = sample::report(true, {});
        run.stopReason = load::StopReason::Budget;
        const auto missed = runview::verdictOf(run);
        QVERIFY(missed.kind == VerdictBanner::Kind::Missed);
        QVERIFY2(missed.reasons.join(QLatin1Char(' ')).contains(QStringLiteral("ended early")),
                 qPrintable(missed.reasons.join(QLatin1Char(' '))));
        run.report = sample::report(false, {QStringLiteral("late")});
        QVERIFY(runview::verdictOf(run).kind == VerdictBanner::Kind::Invalid);
    }
};

QTEST_GUILESS_MAIN(TestRunView)
#include "tst_run_view.moc"
