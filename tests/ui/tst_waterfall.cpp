// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_watch_control.h"
#include "ui/playground/waterfall_view.h"
#include "ui/widgets/tip_frame.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QMainWindow>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sg;
using namespace sg::ui;
using waterfall::BarKind;
using waterfall::Row;

namespace {

waterfall::Surroundings around()
{
    const FakeWatchControl control;
    waterfall::Surroundings surroundings;
    surroundings.targets = control.known;
    for (const engine::WatchEstimate& estimate : control.estimates)
        surroundings.reach.push_back(estimate.endpoint);
    return surroundings;
}

waterfall::Scene sceneOf(const engine::WatchView& view)
{
    return waterfall::sceneOf(view, around());
}

double numberIn(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("[0-9.]+"));
    return number.match(text).captured().toDouble();
}

/// The view in a real window.
struct Window
{
    ThemeContext context;
    QMainWindow window;
    WaterfallView* view = new WaterfallView(context);

    Window()
    {
        window.setCentralWidget(view);
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
        window.resize(1300, 300);
        window.show();
        if (!QTest::qWaitForWindowExposed(&window))
            qFatal("no window");
    }
    ~Window() { delete window.takeCentralWidget(); }
};

} // namespace

class TestWaterfall : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAreTheRecord();
    void passedOverTiersSayWhy();
    void partsAddUp_data();
    void partsAddUp();
    void runningAttemptGrows();
    void waitUnderWay();
    void failedTimeIsLost();
    void cancelledTimeIsNot();
    void limiterCacheAndCannedReply();
    void reasonsAreWords();
    void axisHoldsTheWhole_data();
    void axisHoldsTheWhole();
    void modelChangesByDifference();
    void keysChooseAttempts();
    void selectionStaysWhileRunning();
    void axisStandsWhileRunning();
    void pointerReadsARow();
};

void TestWaterfall::rowsAreTheRecord()
{
    const waterfall::Scene scene = sceneOf(scene::answered());
    QCOMPARE(scene.rows.size(), std::size_t(7)); // five tries, two tiers that were not needed
    const Row& first = scene.rows[0];
    QCOMPARE(first.number, 1);
    QCOMPARE(first.step, QStringLiteral("gpt-4.1"));
    QCOMPARE(first.provider, QStringLiteral("openai"));
    QCOMPARE(first.outcome, QStringLiteral("503 overloaded"));
    QCOMPARE(first.took, QStringLiteral("212\u202Fms"));
    QCOMPARE(first.bars.size(), std::size_t(1));
    QVERIFY(first.bars[0].kind == BarKind::Failed);
    QVERIFY(first.wait);
    QCOMPARE(first.wait->words, QStringLiteral("backoff 310\u202Fms"));
    QCOMPARE(first.wait->detail, QStringLiteral("drawn from 0 – 500\u202Fms"));
    QCOMPARE(first.wait->kind, QStringLiteral("exponential backoff, full jitter"));
    // A wait that was not drawn says what it is instead.
    const Row failed = sceneOf(scene::failed()).rows[0];
    QVERIFY(failed.wait && failed.wait->kind.isEmpty());
    QCOMPARE(failed.wait->detail, QStringLiteral("exponential backoff, full jitter"));
    QVERIFY(!first.wait->isAsked);
    QCOMPARE(scene.rows[2].move, QStringLiteral("Tier 1 → 2: breaker open"));
    QVERIFY(scene.rows[2].movesOn);
    QVERIFY(scene.rows[3].bars[0].kind == BarKind::RateLimited);
    QCOMPARE(scene.rows[3].wait->words, QStringLiteral("told to wait 2\u202Fs: retry-after"));
    QVERIFY(scene.rows[3].wait->isAsked && scene.rows[3].isOfAnsweringTier);
    const Row& last = scene.rows[4];
    QCOMPARE(last.outcome, QStringLiteral("200, 148 tokens"));
    QCOMPARE(last.bars.back().words, QStringLiteral("streaming 1.91\u202Fs, 77 tokens/s"));
    QCOMPARE(last.sentence, QStringLiteral("Try 5, claude-sonnet-4.5, anthropic, 200, 148 tokens, took 2.55\u202Fs"));
    QCOMPARE(scene.rows[5].outcome, QStringLiteral("not needed"));
    QCOMPARE(scene.commit.value_or(0), 4560.0);
    QCOMPARE(scene.summary, QStringLiteral("5 tries over 2 tiers"));
}

void TestWaterfall::passedOverTiersSayWhy()
{
    const waterfall::Scene scene = sceneOf(scene::failed());
    QCOMPARE(scene.rows[1].move, QStringLiteral("Tier 1 → 2: its tries are used up"));
    QCOMPARE(scene.rows[2].number, 0);
    QCOMPARE(scene.rows[2].outcome, QStringLiteral("passed over: its key cannot be used"));
    QCOMPARE(scene.rows[2].move, QStringLiteral("Tier 2 → 3: its key cannot be used"));
    QCOMPARE(scene.rows[3].outcome, QStringLiteral("no connection"));
    QCOMPARE(scene.rows[3].move, QStringLiteral("Tier 3 left: another try would not help"));
    QVERIFY(!scene.rows[3].movesOn);
    QCOMPARE(scene.rows[4].outcome, QStringLiteral("not tried"));
}

void TestWaterfall::partsAddUp_data()
{
    QTest::addColumn<engine::WatchViewPtr>("view");
    QTest::newRow("answered") << scene::shared(scene::answered());
    QTest::newRow("failed") << scene::shared(scene::failed());
    QTest::newRow("broken off") << scene::shared(scene::brokenOff());
    QTest::newRow("running") << scene::shared(scene::running());
    QTest::newRow("waiting") << scene::shared(scene::waiting());
    QTest::newRow("quick") << scene::shared(scene::quick());
    QTest::newRow("extreme") << scene::shared(scene::extreme());
}

void TestWaterfall::partsAddUp()
{
    QFETCH(engine::WatchViewPtr, view);
    const waterfall::Scene scene = sceneOf(*view);
    double exact = 0, shown = 0;
    for (const waterfall::Part& part : scene.parts) {
        exact += part.ms;
        shown += numberIn(part.text);
        QCOMPARE(part.text.endsWith(QLatin1String("ms")), scene.totalText.endsWith(QLatin1String("ms")));
    }
    // What is shorter than the last digit shown is left out.
    QVERIFY2(std::abs(exact - scene.total) <= std::max(1.5, scene.total * 0.005), qPrintable(QString::number(exact)));
    QVERIFY2(std::abs(shown - numberIn(scene.totalText)) < 1e-6, qPrintable(QString::number(shown)));
}

void TestWaterfall::runningAttemptGrows()
{
    engine::WatchView view = scene::running();
    const waterfall::Scene before = sceneOf(view);
    QCOMPARE(before.rows[1].outcome, QStringLiteral("streaming…"));
    QVERIFY(before.rows[1].bars.back().kind == BarKind::Streaming);
    view.taken = scene::at(2600);
    const waterfall::Scene after = sceneOf(view);
    QCOMPARE(after.rows[1].bars.back().to - before.rows[1].bars.back().to, 500.0);
    QCOMPARE(after.rows[2].outcome, QStringLiteral("in reserve"));
    view.current->timing.firstToken.reset();
    QCOMPARE(sceneOf(view).rows[1].outcome, QStringLiteral("waiting for the first token"));
    QVERIFY(sceneOf(view).rows[1].bars.back().kind == BarKind::FirstToken);
}

void TestWaterfall::waitUnderWay()
{
    const waterfall::Scene scene = sceneOf(scene::waiting());
    QVERIFY(scene.rows[0].wait && scene.rows[0].wait->isOn);
    QCOMPARE(scene.rows[0].wait->to, 8232.0); // its end is known before it is there
    QCOMPARE(scene.total, 1200.0);
}

void TestWaterfall::failedTimeIsLost()
{
    const waterfall::Scene scene = sceneOf(scene::brokenOff());
    QCOMPARE(scene.rows[0].outcome, QStringLiteral("broken stream, after first words"));
    QVERIFY(scene.rows[0].bars.back().kind == BarKind::Failed);
    QCOMPARE(scene.rows[0].bars.back().from, 1900.0);
    QVERIFY(scene.parts[0].kind == waterfall::Part::Kind::Failed);
    QCOMPARE(scene.parts[0].text, QStringLiteral("3.08\u202Fs"));
    QCOMPARE(scene.commit.value_or(0), 640.0);
}

void TestWaterfall::cancelledTimeIsNot()
{
    const waterfall::Scene scene = sceneOf(scene::cancelled());
    const auto row = std::ranges::find_if(
        scene.rows, [](const Row& each) { return each.outcome.startsWith(QStringLiteral("cancelled")); });
    QVERIFY(row != scene.rows.end());
    QVERIFY(row->bars.back().kind == BarKind::FirstToken || row->bars.back().kind == BarKind::Streaming);
    double failed = 0; // of the tries before
    for (const Row& each : scene.rows)
        for (const auto& bar : each.bars)
            failed += bar.kind == BarKind::Failed ? bar.to - bar.from : 0;
    for (const waterfall::Part& part : scene.parts)
        failed -= part.kind == waterfall::Part::Kind::Failed ? part.ms : 0;
    QCOMPARE(failed, 0.0);
}

void TestWaterfall::limiterCacheAndCannedReply()
{
    engine::WatchView view = scene::begun();
    scene::wait(view, 0, 400, chain::WaitReason::Limiter, "chain limiter", "");
    scene::add(view, {0, "gpt-4.1", 400, 900, {}, 600});
    scene::end(view, 900, chain::Ending::Answered);
    waterfall::Scene scene = sceneOf(view);
    QCOMPARE(scene.rows[0].step, QStringLiteral("Limiter"));
    QVERIFY(scene.rows[0].bars[0].kind == BarKind::Queue);
    QCOMPARE(scene.rows[0].took, QStringLiteral("400\u202Fms"));

    view = scene::begun();
    scene::end(view, 2, chain::Ending::Answered);
    view.record.source = chain::Source::Cache;
    scene = sceneOf(view);
    QCOMPARE(scene.rows[0].step, QStringLiteral("Cache"));
    QCOMPARE(scene.summary, QStringLiteral("no endpoint was asked"));

    view = scene::begun();
    scene::move(view, 1, 0, "gpt-4.1", chain::MoveReason::BreakerOpen);
    scene::end(view, 2, chain::Ending::Answered);
    view.record.source = chain::Source::CannedReply;
    view.record.tier = 1;
    scene = sceneOf(view);
    QCOMPARE(scene.rows[0].move, QStringLiteral("Tier 1 → canned reply: breaker open"));
    QCOMPARE(scene.rows[1].step, QStringLiteral("Canned reply"));
}

void TestWaterfall::reasonsAreWords()
{
    QSet<QString> words;
    for (int reason = 0; reason <= static_cast<int>(chain::MoveReason::NoRuleMatched); ++reason)
        words << waterfall::moveWords(static_cast<chain::MoveReason>(reason), {});
    QCOMPARE(words.size(), static_cast<int>(chain::MoveReason::NoRuleMatched) + 1);
    QVERIFY(!words.contains(QString()));
    QCOMPARE(waterfall::moveWords(chain::MoveReason::WaitTooLong, Millis(900'000)),
             QStringLiteral("a wait of 15 min is too long"));
}

void TestWaterfall::axisHoldsTheWhole_data()
{
    QTest::addColumn<double>("total");
    for (const double ms : {0.0, 0.4, 7.0, 98.4, 999.0, 6470.0, 61'000.0, 600'000.0, 86'400'000.0, 3e9})
        QTest::addRow("%g ms", ms) << ms;
}

void TestWaterfall::axisHoldsTheWhole()
{
    QFETCH(double, total);
    for (const int ticks : {2, 5, 12}) {
        const waterfall::Axis axis = waterfall::axisFor(total, ticks);
        QVERIFY(axis.end >= total && axis.end > 0 && axis.step > 0);
        QVERIFY(axis.end / axis.step <= ticks);
        QSet<QString> marks;
        int count = 0;
        for (double ms = 0; ms <= axis.end; ms += axis.step, ++count)
            marks << waterfall::tickText(ms, axis.step);
        QCOMPARE(marks.size(), count); // no two marks read the same
    }
}

void TestWaterfall::modelChangesByDifference()
{
    WaterfallModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    for (const auto& make : {scene::running, scene::answered, scene::failed, scene::extreme, scene::quick})
        model.setScene(sceneOf(make()));
    model.setScene({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(resets.count(), 0);
    engine::WatchView view = scene::running();
    model.setScene(sceneOf(view));
    const auto before = changes.count();
    view.taken = scene::at(2200);
    model.setScene(sceneOf(view));
    QCOMPARE(changes.count(), before + 1); // the row that grows
    QCOMPARE(model.index(0, 1).data(Qt::AccessibleTextRole).toString(), model.scene().rows[0].sentence);
    QCOMPARE(model.rowOfAttempt(2), 1);
    QCOMPARE(model.rowOfAttempt(9), -1);
}

void TestWaterfall::keysChooseAttempts()
{
    Window desk;
    desk.view->setScene(sceneOf(scene::answered()));
    desk.view->selectAttempt(5);
    QSignalSpy chosen(desk.view, &WaterfallView::attemptSelected);
    desk.view->setFocus();
    QTest::keyClick(desk.view, Qt::Key_Up);
    QCOMPARE(chosen.takeFirst().at(0).toInt(), 4);
    QTest::keyClick(desk.view, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(chosen.takeFirst().at(0).toInt(), 1);
    QTest::keyClick(desk.view, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(desk.view->currentIndex().row(), 6); // a row that is no attempt says nothing
    QVERIFY(chosen.isEmpty());
    const DataTable table = desk.view->dataTable();
    QCOMPARE(table.rows.size(), std::size_t(7));
    QCOMPARE(table.rows.front().size(), table.columns.size());
}

void TestWaterfall::selectionStaysWhileRunning()
{
    Window desk;
    engine::WatchView view = scene::running();
    desk.view->setScene(sceneOf(view));
    desk.view->selectAttempt(1);
    const QSignalSpy chosen(desk.view, &WaterfallView::attemptSelected);
    view.taken = scene::at(2500);
    desk.view->setScene(sceneOf(view));
    QCOMPARE(desk.view->currentIndex().row(), 0);
    QVERIFY(chosen.isEmpty());
    view.id = 2; // another request
    desk.view->setScene(sceneOf(view));
    QVERIFY(!desk.view->currentIndex().isValid());
}

void TestWaterfall::axisStandsWhileRunning()
{
    Window desk;
    engine::WatchView view = scene::running();
    desk.view->setScene(sceneOf(view));
    const waterfall::Axis before = desk.view->axis();
    for (int ms = 2100; ms < 3500; ms += 66) {
        view.taken = scene::at(ms);
        desk.view->setScene(sceneOf(view));
        QVERIFY(desk.view->axis() == before);
    }
    view.taken = scene::at(9000);
    desk.view->setScene(sceneOf(view));
    QVERIFY(desk.view->axis().end > 9000);
}

void TestWaterfall::pointerReadsARow()
{
    Window desk;
    desk.view->setScene(sceneOf(scene::answered()));
    QVERIFY(!desk.window.findChild<TipFrame*>());
    QTest::mouseMove(desk.view->viewport(), QPoint(700, 16));
    QTRY_VERIFY(desk.window.findChild<TipFrame*>());
    const auto* tip = desk.window.findChild<TipFrame*>();
    QVERIFY(tip->isVisible());
    QCOMPARE(tip->content().title.front().text, QStringLiteral("Try 1: gpt-4.1"));
    QTest::mouseMove(desk.view->viewport(), QPoint(700, desk.view->viewport()->height() - 4));
    QTRY_VERIFY(!tip->isVisible());
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestWaterfall test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_waterfall.moc"
