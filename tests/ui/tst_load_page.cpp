// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/load_desk.h"
#include "ui/load/past_runs.h"
#include "ui/main_window/rail.h"

#include <QButtonGroup>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

using namespace sg;
using namespace sg::test;

class TestLoadPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsWithDefaultsByMouse();
    void startsAndStopsByKeyboard();
    void secondStopCancels();
    void refusalIsABanner();
    void shortRunThatWasNeverSeenActive();
    void emptyState();
    void failedRunSaysSoOnce();
    void paintsOnlyWhatChanged();
    void hiddenPageRests();
    void cursorByKeyboardAndPointer();
    void newRunForgetsTheCursor();
    void timelineIsATableToo();
    void badgeTellsHowFarTheRunIs();
    void badgeLeavesTheIconLegible();
    void endedRunsStayToCompare();
    void extremesFitTheWindow();
    void everyControlHasANameAndIsReached();
};

void TestLoadPage::startsWithDefaultsByMouse()
{
    Desk desk;
    QTest::mouseClick(desk.run(), Qt::LeftButton);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    const load::LoadPlan& plan = desk.control.started[0];
    QCOMPARE(plan.target, std::string("prod-chat"));
    QVERIFY(plan.targetKind == load::TargetKind::Chain);
    QCOMPARE(plan.stop.requests.value_or(0), std::int64_t(200));
    QVERIFY(!plan.stop.duration);
    QCOMPARE(load::concurrencyOf(plan), 10);
    QVERIFY(plan.prompts.empty());
    QCOMPARE(desk.run()->mode(), RunButton::Mode::Stop);
    // Accepted, but no picture yet: a second press must not start another.
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    desk.show(sample::running());
    QCOMPARE(desk.run()->effect(), QStringLiteral("lets 96 requests finish"));
    QTest::mouseClick(desk.run(), Qt::LeftButton);
    QCOMPARE(desk.control.stops, 1);
}

void TestLoadPage::startsAndStopsByKeyboard()
{
    Desk desk;
    desk.named<QSpinBox>(QStringLiteral("Concurrency"))->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.run()));
    desk.show(sample::running());
    desk.press(Qt::Key_Period);
    QCOMPARE(desk.control.stops, 1);
    desk.show(sample::finished());
    desk.press(Qt::Key_Period);
    QCOMPARE(desk.control.stops, 1);
    desk.press(Qt::Key_Enter);
    QCOMPARE(desk.control.started.size(), std::size_t(2));
}

void TestLoadPage::secondStopCancels()
{
    Desk desk(sample::shared(sample::running()));
    load::RunProgress stopping = sample::running();
    stopping.state = load::RunState::Stopping;
    stopping.inFlight = 1;
    desk.show(stopping);
    QCOMPARE(desk.run()->mode(), RunButton::Mode::StopNow);
    QCOMPARE(desk.run()->effect(), QStringLiteral("cancels 1 request"));
    QTest::mouseClick(desk.run(), Qt::LeftButton);
    QCOMPARE(desk.control.stops, 1);
}

void TestLoadPage::refusalIsABanner()
{
    Desk desk;
    desk.control.refusal = QStringLiteral("Another run is on. Stop it first.");
    desk.press(Qt::Key_Return);
    QVERIFY(desk.banner()->isVisible());
    QVERIFY(desk.banner()->text().contains(desk.control.refusal));
    QCOMPARE(desk.run()->mode(), RunButton::Mode::Start);
    desk.control.refusal.clear();
    desk.press(Qt::Key_Return);
    QVERIFY(!desk.banner()->isVisible());
}

void TestLoadPage::shortRunThatWasNeverSeenActive()
{
    Desk desk(sample::shared(sample::finished()));
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.run()->mode(), RunButton::Mode::Stop);
    desk.show(sample::finished(false));
    QCOMPARE(desk.run()->mode(), RunButton::Mode::Start);
    QVERIFY(desk.page->form()->isEnabled());
}

void TestLoadPage::emptyState()
{
    Desk desk;
    auto* start = desk.button(QStringLiteral("Start run (Ctrl+Enter)"));
    QVERIFY(start && start->isVisible() && start->isEnabled());
    QVERIFY(!desk.strip()->isVisible());
    QVERIFY(!desk.button(QStringLiteral("Save report…"))->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    desk.show(sample::withoutAnswers());
    QVERIFY(desk.strip()->isVisible());
    QCOMPARE(headerContent(desk.control.picture.get(), 1, 0).chips[0].value, QStringLiteral("–"));
}

void TestLoadPage::failedRunSaysSoOnce()
{
    Desk desk(sample::shared(sample::failed()));
    // It never began: the place of the timeline says so, with a way on.
    QVERIFY(!desk.banner()->isVisible());
    QVERIFY(desk.button(QStringLiteral("Try again (Ctrl+Enter)"))->isVisible());
    load::RunProgress broken = sample::running();
    broken.state = load::RunState::Failed;
    broken.error = QStringLiteral("The engine stopped.");
    desk.show(broken);
    QVERIFY(desk.strip()->isVisible());
    QVERIFY(desk.banner()->isVisible());
    QTest::mouseClick(desk.button(QStringLiteral("Dismiss")), Qt::LeftButton);
    QVERIFY(!desk.banner()->isVisible());
    desk.page->poll();
    QVERIFY(!desk.banner()->isVisible());
}

namespace {

/// Counts how often a widget is painted.
class Paints : public QObject
{
public:
    explicit Paints(QWidget* widget) { widget->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

} // namespace

void TestLoadPage::paintsOnlyWhatChanged()
{
    Desk desk(sample::shared(sample::running()));
    QCoreApplication::processEvents();
    Paints paints(desk.strip());
    desk.page->poll(); // the same picture
    QCoreApplication::processEvents();
    QCOMPARE(paints.count, 0);
    load::RunProgress other = sample::running();
    other.seconds.back().answered += 20;
    other.inFlight = 95;
    desk.show(other);
    QCoreApplication::processEvents();
    QVERIFY(paints.count > 0);
    QCOMPARE(desk.run()->effect(), QStringLiteral("lets 95 requests finish"));
}

void TestLoadPage::hiddenPageRests()
{
    Desk desk(sample::shared(sample::running()));
    const int polls = desk.control.polls;
    QTRY_VERIFY(desk.control.polls > polls);
    desk.page->hide();
    QCoreApplication::processEvents();
    Paints paints(desk.strip());
    const auto* timer = desk.page->findChild<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(timer && !timer->isActive());
    QVERIFY(timer->interval() >= 100);
    load::RunProgress later = sample::running();
    later.elapsedSeconds = 700;
    desk.show(later);
    QCoreApplication::processEvents();
    QCOMPARE(paints.count, 0);
    desk.page->show();
    QTRY_VERIFY(paints.count > 0);
    QVERIFY(timer->isActive());
}

void TestLoadPage::cursorByKeyboardAndPointer()
{
    // 582 seconds are more than 400 points: two are one moment.
    Desk desk(sample::shared(sample::running()));
    LiveStrip* strip = desk.strip();
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Home);
    QCOMPARE(strip->cursorSecond().value_or(-1), 1.0);
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(strip->cursorSecond().value_or(-1), 3.0);
    QTest::keyClick(strip, Qt::Key_End);
    QCOMPARE(strip->cursorSecond().value_or(-1), 581.0);
    QTest::keyClick(strip, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(strip->cursorSecond().value_or(-1), 561.0);
    QVERIFY(strip->accessibleDescription().startsWith(QStringLiteral("At 9:21, ")));
    QTest::keyClick(strip, Qt::Key_Escape);
    QVERIFY(!strip->cursorSecond());
    QTest::mouseMove(strip, QPoint(strip->width() / 3, strip->height() / 2));
    QTRY_VERIFY(strip->cursorSecond());
    // Nothing has happened yet on the right of now.
    QTest::mouseMove(strip, QPoint(strip->width() - 30, strip->height() / 2));
    QTRY_VERIFY(!strip->cursorSecond());
}

void TestLoadPage::newRunForgetsTheCursor()
{
    Desk desk(sample::shared(sample::finished()));
    desk.strip()->setFocus();
    QTest::keyClick(desk.strip(), Qt::Key_End);
    QVERIFY(desk.strip()->cursorSecond());
    desk.show(sample::withoutAnswers());
    QVERIFY(!desk.strip()->cursorSecond());
}

void TestLoadPage::timelineIsATableToo()
{
    Desk desk(sample::shared(sample::running()));
    const DataTable table = desk.strip()->dataTable();
    QCOMPARE(table.rows.size(), sample::running().seconds.size() / 2);
    QCOMPARE(table.rows.front().size(), table.columns.size());
    QVERIFY(LiveStrip(desk.context).dataTable().rows.empty());
}

void TestLoadPage::badgeTellsHowFarTheRunIs()
{
    Desk desk;
    const observe::Snapshot any;
    QCOMPARE(desk.page->badge(any), PageBadge());
    desk.page->hide(); // the page no longer looks, the badge does
    desk.control.picture = sample::shared(sample::running());
    QCOMPARE(desk.page->badge(any).text, QStringLiteral("64\u202F%"));
    QVERIFY(!desk.page->badge(any).isAlarm);
    desk.control.picture = sample::shared(sample::finished());
    QCOMPARE(desk.page->badge(any), PageBadge());
}

void TestLoadPage::badgeLeavesTheIconLegible()
{
    for (const bool isNarrow : {false, true}) {
        const int width = isNarrow ? 44 : 68;
        for (const double badge : {14.0, 20.0, 31.0, 36.0}) { // "1" to "100 %"
            const RailButton::Places places = RailButton::placesOf(width, isNarrow, badge);
            QVERIFY(QRectF(0, 0, width, width).contains(places.badge) && places.icon.left() >= 0);
            const QRectF covered = QRectF(places.icon).intersected(places.badge);
            QVERIFY2(covered.width() * covered.height() <= 50, qPrintable(QString::number(badge)));
        }
    }
    QCOMPARE(RailButton::placesOf(68, false, 0).icon.center().x(), 33);
}

void TestLoadPage::endedRunsStayToCompare()
{
    Desk desk;
    const auto* past = desk.page->findChild<PastRuns*>();
    for (int run = 1; run <= 3; ++run) {
        desk.press(Qt::Key_Return);
        desk.show(sample::running());
        QCOMPARE(past->model().rowCount(), run - 1);
        load::RunProgress ended = run == 2 ? sample::finished(false) : run == 3 ? sample::failed() : sample::finished();
        ended.plan.model = load::ClosedModel{10 + run};
        desk.show(ended);
        desk.page->poll(); // seen twice, kept once
        QCOMPARE(past->model().rowCount(), run);
    }
    const auto cell = [&](int row, int column) { return past->model().index(row, column).data().toString(); };
    QCOMPARE(cell(0, 1), QStringLiteral("failed"));
    QCOMPARE(cell(0, 2), QStringLiteral("–"));
    QCOMPARE(cell(1, 1), QStringLiteral("INVALID"));
    QCOMPARE(cell(2, 1), QStringLiteral("valid"));
    auto* table = desk.named<QTableView>(QStringLiteral("Runs of this session"));
    table->setFocus();
    table->setCurrentIndex(past->model().index(1, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(load::concurrencyOf(desk.page->form()->plan()), 12);
    QCOMPARE(desk.control.started.size(), std::size_t(3)); // taken, not started
}

void TestLoadPage::extremesFitTheWindow()
{
    Desk desk(sample::shared(sample::huge()));
    for (const QSize size : {QSize(1360, 828), QSize(1040, 640)}) {
        desk.window.resize(size);
        QCoreApplication::processEvents();
        QVERIFY(!desk.window.grab().isNull());
        QVERIFY2(desk.window.minimumSizeHint().width() <= 1040,
                 qPrintable(QString::number(desk.window.minimumSizeHint().width())));
        for (const QWidget* part : {static_cast<QWidget*>(desk.run()), static_cast<QWidget*>(desk.strip()),
                                    static_cast<QWidget*>(desk.result())}) {
            const QRect place(part->mapTo(desk.page, QPoint()), part->size());
            QVERIFY(desk.page->rect().contains(place));
        }
    }
}

void TestLoadPage::everyControlHasANameAndIsReached()
{
    Desk desk(sample::shared(sample::finished()));
    QSet<const QWidget*> wanted, reached;
    for (QWidget* widget : desk.page->findChildren<QWidget*>()) {
        const bool isControl = widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus);
        const bool isInner = widget->focusProxy() || qobject_cast<QAbstractSpinBox*>(widget->parentWidget());
        if (!isControl || isInner)
            continue;
        // In a row of segments Tab goes to the chosen one, the arrows to the others.
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (!button || !button->group() || button->isChecked())
            wanted << widget;
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                 widget->metaObject()->className());
    }
    QVERIFY(wanted.size() >= 14);
    desk.named<QToolButton>(QStringLiteral("Target: Chain"))->setFocus();
    const QWidget* first = QApplication::focusWidget();
    for (int i = 0; i < 90; ++i) {
        reached << QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        if (QApplication::focusWidget() == first)
            break;
    }
    for (const QWidget* widget : std::as_const(wanted))
        QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName() + QLatin1Char(' ') +
                                                      QLatin1String(widget->metaObject()->className())));
}

int main(int argc, char** argv)
{
    return runLoadTest<TestLoadPage>(argc, argv);
}
#include "tst_load_page.moc"
