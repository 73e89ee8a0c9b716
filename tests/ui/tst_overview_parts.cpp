// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the overview that need no window.
#include "tests/support/sample_snapshots.h"
#include "ui/overview/command_question.h"
#include "ui/overview/events_model.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/overview/lock_timers.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace sg;
using observe::BreakerCommand;

class TestOverviewParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsAskedForHarmless()
    {
        const auto snapshot = test::normalSnapshot();
        QVERIFY(!ui::questionBefore(BreakerCommand::ProbeNow, snapshot.endpoints[0], "production"));
        QVERIFY(!ui::questionBefore(BreakerCommand::Release, snapshot.endpoints[4], "development"));
        QVERIFY(ui::questionBefore(BreakerCommand::Release, snapshot.endpoints[4], "production"));
        const auto question = ui::questionBefore(BreakerCommand::ForceOpen, snapshot.endpoints[1], "development");
        QVERIFY(question && !question->needsReason);
    }

    void lockTimerReleasesAndIsEndedByHand()
    {
        QStringList released;
        ui::LockTimers timers([&](const QString& endpoint, std::chrono::minutes) { released << endpoint; });
        timers.start(QStringLiteral("now"), std::chrono::minutes(0));
        timers.start(QStringLiteral("never"), std::chrono::minutes(0));
        timers.cancel(QStringLiteral("never"));
        QTRY_COMPARE(released, QStringList{QStringLiteral("now")});
        QCoreApplication::processEvents();
        QCOMPARE(released.size(), 1);
        QVERIFY(!timers.isRunning(QStringLiteral("now")));
    }

    void eventsModelChangesByDifference()
    {
        ui::EventsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ui::EventsFilter filter;
        filter.setSourceModel(&model);
        QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        const auto now = test::sampleNowMs();
        auto events = test::normalSnapshot().events;
        model.update(events, now);
        QCOMPARE(model.rowCount(), 12);
        changes.clear();
        model.update(events, now);
        QCOMPARE(changes.count(), 0);

        events.front().repeats = 3;
        auto newest = events.front();
        newest.sequence = 500;
        events.insert(events.begin(), newest);
        events.erase(events.begin() + 5);
        events.pop_back();
        model.update(events, now);
        QCOMPARE(model.rowCount(), 11);
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(model.index(row).data().toString(), QString::fromStdString(events[std::size_t(row)].text));
        QCOMPARE(model.index(1).data(ui::EventsModel::RepeatsRole).toInt(), 3);

        filter.setFilter(ui::EventFilter::Breakers);
        const int breakers = filter.rowCount();
        filter.setFilter(ui::EventFilter::Errors);
        QCOMPARE(filter.rowCount(), 2);
        QCOMPARE(breakers, 9);
        model.update({}, now);
        QCOMPARE(filter.rowCount(), 0);
        QCOMPARE(resets.count(), 0);
    }

    void heatStepsGoWithTheRoot()
    {
        QCOMPARE(ui::LatencyHeatmap::heatStep(1, 64), 0);
        QCOMPARE(ui::LatencyHeatmap::heatStep(64, 64), 7);
        QCOMPARE(ui::LatencyHeatmap::heatStep(16, 64), 3);
        QCOMPARE(ui::LatencyHeatmap::heatStep(1, 1), 7);
    }
};

QTEST_MAIN(TestOverviewParts)
#include "tst_overview_parts.moc"
