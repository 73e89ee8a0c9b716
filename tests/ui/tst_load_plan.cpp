// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/load_desk.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

using namespace sg;
using namespace sg::test;

class TestLoadPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void enterInAFieldDoesNotStart();
    void wrongFieldIsMarked_data();
    void wrongFieldIsMarked();
    void wrongPlanDoesNotStart();
    void workspaceWithoutTargets();
    void endpointsCanBeChosen();
    void unknownCostIsNotZero();
    void costIsEstimatedOnceAPlan();
    void promptFiles();
    void planIsLockedAndShownWhileRunning();
    void arrowsChooseASegment();
};

void TestLoadPlan::enterInAFieldDoesNotStart()
{
    Desk desk;
    auto* seed = desk.named<QLineEdit>(QStringLiteral("Seed"));
    QVERIFY(seed);
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
}

void TestLoadPlan::wrongFieldIsMarked_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::newRow("no requests") << QStringLiteral("Requests") << QStringLiteral("0");
    QTest::newRow("too many requests") << QStringLiteral("Requests") << QStringLiteral("2000000000");
    QTest::newRow("no users") << QStringLiteral("Concurrency") << QStringLiteral("0");
    QTest::newRow("too many users") << QStringLiteral("Concurrency") << QStringLiteral("10001");
    QTest::newRow("no tokens") << QStringLiteral("Most tokens in an answer") << QStringLiteral("0");
    QTest::newRow("repeats over 100 %") << QStringLiteral("Repeated prompts in percent") << QStringLiteral("101");
    QTest::newRow("seed is a word") << QStringLiteral("Seed") << QStringLiteral("abc");
    QTest::newRow("seed below 0") << QStringLiteral("Seed") << QStringLiteral("-1");
    QTest::newRow("seed beyond 64 bits") << QStringLiteral("Seed") << QStringLiteral("18446744073709551616");
}

void TestLoadPlan::wrongFieldIsMarked()
{
    QFETCH(QString, field);
    QFETCH(QString, typed);
    Desk desk;
    auto* widget = desk.named<QWidget>(field);
    QVERIFY(widget);
    QVERIFY(desk.page->form()->problem().isEmpty());
    widget->setFocus();
    auto* spin = qobject_cast<QSpinBox*>(widget);
    spin ? spin->selectAll() : qobject_cast<QLineEdit*>(widget)->selectAll();
    QTest::keyClicks(widget, typed);
    QVERIFY(!desk.page->form()->problem().isEmpty());
    QVERIFY2(widget->property("wrong").toBool(), qPrintable(desk.page->form()->problem()));
    QCOMPARE(widget->accessibleDescription(), desk.page->form()->problem());
    auto* error = desk.page->findChild<QLabel*>(QStringLiteral("planError"));
    QVERIFY(error->isVisible());
    QCOMPARE(error->text(), desk.page->form()->problem());
    QVERIFY(!desk.run()->isEnabled());
    int marked = 0;
    for (QWidget* other : desk.page->findChildren<QWidget*>())
        marked += other->property("wrong").toBool() ? 1 : 0;
    QCOMPARE(marked, 1);

    spin ? spin->selectAll() : qobject_cast<QLineEdit*>(widget)->selectAll();
    QTest::keyClicks(widget, QStringLiteral("7"));
    QVERIFY(desk.page->form()->problem().isEmpty());
    QVERIFY(!widget->property("wrong").toBool());
    QVERIFY(!error->isVisible());
    QVERIFY(desk.run()->isEnabled());
}

void TestLoadPlan::wrongPlanDoesNotStart()
{
    Desk desk;
    auto* users = desk.named<QSpinBox>(QStringLiteral("Concurrency"));
    users->setValue(0);
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    QCOMPARE(QApplication::focusWidget(), users);
}

void TestLoadPlan::workspaceWithoutTargets()
{
    FakeLoadControl control;
    control.chainNames.clear();
    control.endpointNames.clear();
    Desk desk(control);
    QVERIFY(desk.page->form()->problem().contains(QStringLiteral("no chain")));
    QVERIFY(!desk.run()->isEnabled());
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    desk.control.chainNames = {"new"};
    desk.page->reloadTargets();
    QVERIFY(desk.page->form()->problem().isEmpty());
    QCOMPARE(desk.page->form()->plan().target, std::string("new"));
}

void TestLoadPlan::endpointsCanBeChosen()
{
    Desk desk;
    auto* endpoint = desk.named<QToolButton>(QStringLiteral("Target: Endpoint"));
    QVERIFY(endpoint);
    QTest::mouseClick(endpoint, Qt::LeftButton);
    auto* names = desk.named<QComboBox>(QStringLiteral("Endpoint"));
    QVERIFY(names);
    QCOMPARE(names->count(), 4);
    names->setCurrentIndex(2);
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Ends after: Duration")), Qt::LeftButton);
    desk.named<QSpinBox>(QStringLiteral("Duration in seconds"))->setValue(90);
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Answers: Whole")), Qt::LeftButton);
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    const load::LoadPlan& plan = desk.control.started[0];
    QVERIFY(plan.targetKind == load::TargetKind::Endpoint);
    QCOMPARE(plan.target, std::string("gemini"));
    QVERIFY(!plan.stop.requests);
    QCOMPARE(toMs(plan.stop.duration.value_or(Nanos(0))), 90'000.0);
    QVERIFY(!plan.stream);
}

void TestLoadPlan::unknownCostIsNotZero()
{
    FakeLoadControl control;
    control.cost = {{}, {}, 0, 0, {"my-model"}};
    Desk desk(control);
    QCOMPARE(desk.cost()->content().value, QStringLiteral("unknown"));
    QCOMPARE(desk.cost()->content().secondValue, QStringLiteral("unknown"));
    QCOMPARE(desk.cost()->content().note, QStringLiteral("unknown: no price for my-model"));
    load::RunProgress run = sample::running();
    run.costUsd.reset();
    desk.show(run);
    QCOMPARE(desk.cost()->content().value, QStringLiteral("unknown"));
    run.costUsd = 41.1;
    run.costIsLowerBound = true;
    desk.show(run);
    QVERIFY(desk.cost()->content().value.startsWith(QStringLiteral("≥")));
    run.costIsEstimated = true; // an estimate bounds nothing
    desk.show(run);
    QVERIFY(desk.cost()->content().value.startsWith(QStringLiteral("≈")));
    QVERIFY(desk.cost()->content().note.contains(QStringLiteral("estimated")));
    run.costUsd = 0;
    run.costIsLowerBound = run.costIsEstimated = false;
    desk.show(run);
    QCOMPARE(desk.cost()->content().value, QStringLiteral("$0.00"));
}

void TestLoadPlan::costIsEstimatedOnceAPlan()
{
    Desk desk;
    const int before = desk.control.estimates;
    for (int i = 0; i < 5; ++i)
        desk.page->poll();
    QCOMPARE(desk.control.estimates, before);
    desk.named<QSpinBox>(QStringLiteral("Requests"))->setValue(300);
    QVERIFY(desk.control.estimates > before);
    desk.control.cost = {};
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Ends after: Duration")), Qt::LeftButton);
    QCOMPARE(desk.cost()->content().value, QStringLiteral("unknown"));
    QVERIFY(desk.cost()->content().note.contains(QStringLiteral("ends by the clock")));
    load::RunProgress run = sample::withoutAnswers();
    desk.show(run);
    QCOMPARE(desk.cost()->content().note, QStringLiteral("Unknown until the first answer."));
}

void TestLoadPlan::promptFiles()
{
    QTemporaryDir dir;
    Desk desk;
    PlanForm* form = desk.page->form();
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Prompts: Text file")), Qt::LeftButton);
    QVERIFY(form->problem().contains(QStringLiteral("Choose a text file")));
    form->askPromptFile = [&](QWidget*) {
        return written(dir, QStringLiteral("good.txt"), "Hello\r\n\n  Wie geht’s?  \nlast");
    };
    QTest::mouseClick(desk.button(QStringLiteral("Choose file…")), Qt::LeftButton);
    QVERIFY2(form->problem().isEmpty(), qPrintable(form->problem()));
    const std::vector<QString> expected{QStringLiteral("Hello"), QStringLiteral("Wie geht’s?"), QStringLiteral("last")};
    QCOMPARE(form->plan().prompts, expected);

    form->usePromptFile(written(dir, QStringLiteral("empty.txt"), "\n \n"));
    QVERIFY(form->problem().contains(QStringLiteral("has no prompts")));
    form->usePromptFile(written(dir, QStringLiteral("latin1.txt"), "fine\ncaf\xe9\n"));
    QVERIFY2(form->problem().contains(QStringLiteral("line 2")), qPrintable(form->problem()));
    form->usePromptFile(dir.filePath(QStringLiteral("none.txt")));
    QVERIFY(form->problem().contains(QStringLiteral("is not a file")));
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Prompts: Built-in")), Qt::LeftButton);
    QVERIFY(form->problem().isEmpty());
    QVERIFY(form->plan().prompts.empty());
}

void TestLoadPlan::planIsLockedAndShownWhileRunning()
{
    Desk desk(sample::shared(sample::running()));
    QVERIFY(!desk.page->form()->isEnabled());
    QCOMPARE(load::concurrencyOf(desk.page->form()->plan()), 96);
    QCOMPARE(toMs(desk.page->form()->plan().stop.duration.value_or(Nanos(0))), 900'000.0);
    QCOMPARE(desk.page->form()->plan().seed, std::uint64_t(1184));
    desk.show(sample::finished());
    QVERIFY(desk.page->form()->isEnabled());
}

void TestLoadPlan::arrowsChooseASegment()
{
    Desk desk;
    auto* chain = desk.named<QToolButton>(QStringLiteral("Target: Chain"));
    chain->setFocus();
    QTest::keyClick(chain, Qt::Key_Right);
    QVERIFY(desk.page->form()->plan().targetKind == load::TargetKind::Endpoint);
}

int main(int argc, char** argv)
{
    return runLoadTest<TestLoadPlan>(argc, argv);
}
#include "tst_load_plan.moc"
