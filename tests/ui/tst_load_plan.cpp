// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/load_desk.h"

#include "ui/load/form/model_part.h"
#include "ui/load/form/prompt_part.h"
#include "ui/load/rate_bar.h"
#include "ui/load/stages/stages_editor.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

using namespace sg;
using namespace sg::test;

Q_DECLARE_METATYPE(sg::load::LoadModel)

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
    void everyModelGoesThroughTheForm_data();
    void everyModelGoesThroughTheForm();
    void wrongTextsShowTheirPlace_data();
    void wrongTextsShowTheirPlace();
    void dearRunsAskFirst();
    void unknownCostAsksUnlessThereIsABudget();
    void theLoadIsChangedWhileItRuns();
    void thePreviewFollowsTheStages();
    void pictures();
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
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Prompts: File")), Qt::LeftButton);
    QVERIFY(form->problem().contains(QStringLiteral("Choose a file with prompts")));
    form->prompts()->askPromptFile = [&](QWidget*) {
        return written(dir, QStringLiteral("good.txt"), "Hello\r\n\n  Wie geht’s?  \nlast");
    };
    QTest::mouseClick(desk.button(QStringLiteral("Choose file…")), Qt::LeftButton);
    QVERIFY2(form->problem().contains(QStringLiteral("Reading good.txt")), qPrintable(form->problem()));
    QTRY_VERIFY2(form->problem().isEmpty(), qPrintable(form->problem()));
    const std::vector<QString> expected{QStringLiteral("Hello"), QStringLiteral("Wie geht’s?"), QStringLiteral("last")};
    QCOMPARE(form->plan().prompts.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(form->plan().prompts[i].text, expected[i]);

    form->usePromptFile(written(dir, QStringLiteral("empty.txt"), "\n \n"));
    QTRY_VERIFY(form->problem().contains(QStringLiteral("holds no prompt")));
    form->usePromptFile(written(dir, QStringLiteral("latin1.txt"), "fine\ncaf\xe9\n"));
    QTRY_VERIFY2(form->problem().contains(QStringLiteral("line 2")), qPrintable(form->problem()));
    form->usePromptFile(dir.filePath(QStringLiteral("none.txt")));
    QTRY_VERIFY(form->problem().contains(QStringLiteral("is not a file")));
    form->usePromptFile(written(dir, QStringLiteral("first.txt"), "first"));
    form->usePromptFile(written(dir, QStringLiteral("second.txt"), "second")); // instead of it
    QTRY_VERIFY(form->problem().isEmpty());
    QCOMPARE(form->plan().prompts.size(), std::size_t(1));
    QCOMPARE(form->plan().prompts[0].text, QStringLiteral("second"));
    const load::LoadPlan once = form->plan();
    QVERIFY(form->plan().prompts.isSharedWith(once.prompts)); // not copied for each glance at the plan
    form->usePromptFile(dir.filePath(QStringLiteral("none.txt")));
    QTRY_VERIFY(form->problem().contains(QStringLiteral("is not a file")));
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

void TestLoadPlan::everyModelGoesThroughTheForm_data()
{
    using namespace load;
    using std::chrono::seconds;
    QTest::addColumn<LoadModel>("model");
    ClosedModel users{7, seconds(30)};
    users.think.kind = stats::Distribution::Kind::Uniform;
    users.think.low = 200;
    users.think.high = 800;
    QTest::newRow("users") << LoadModel(users);
    QTest::newRow("constant") << LoadModel(OpenModel{{{seconds(60), 10, 10}}, Arrivals::Constant, 50});
    QTest::newRow("spike") << LoadModel(
        OpenModel{{{seconds(60), 0, 10}, {seconds(5), 80, 80}, {seconds(60), 10, 10}}, Arrivals::Poisson, 500});
    QTest::newRow("sweep") << LoadModel(SweepModel{2, 300, 2, seconds(5), Arrivals::Constant, 99});
    QTest::newRow("replay") << LoadModel(
        ReplayModel{std::make_shared<const std::vector<Nanos>>(std::vector<Nanos>{Nanos(0), seconds(1)}), 2, 10});
}

void TestLoadPlan::everyModelGoesThroughTheForm()
{
    QFETCH(load::LoadModel, model);
    Desk desk;
    load::LoadPlan plan;
    plan.target = "prod-chat";
    plan.model = model;
    if (std::holds_alternative<load::ClosedModel>(model))
        plan.stop.duration = std::chrono::seconds(90);
    plan.stop.errorShare = 0.25;
    plan.stop.budgetUsd = 2.5;
    plan.stop.objectivesBrokenFor = std::chrono::seconds(7);
    plan.stop.whenSaturated = true;
    plan.warmUp = std::chrono::milliseconds(0);
    plan.objectives = measure::parseObjectives("p95<2s, success>99.5%, ttft.p99<800ms").value();
    plan.synthetic = load::SyntheticPrompts{stats::Distribution::constant(300), stats::Distribution::constant(50), 20};
    plan.seed = 99;
    desk.page->form()->setPlan(plan);
    QVERIFY2(desk.page->form()->problem().isEmpty(), qPrintable(desk.page->form()->problem()));
    const load::LoadPlan shown = desk.page->form()->plan();
    QVERIFY(shown.model == plan.model);
    QVERIFY(shown.stop == plan.stop);
    QVERIFY(shown.objectives == plan.objectives);
    QVERIFY(shown.synthetic == plan.synthetic);
    QCOMPARE(shown.seed, plan.seed);
    // And back to the defaults: nothing of it stays.
    load::LoadPlan plain;
    plain.target = "batch";
    plain.stop.requests = 5;
    desk.page->form()->setPlan(plain);
    const load::LoadPlan after = desk.page->form()->plan();
    QVERIFY(after.model == plain.model);
    QVERIFY(after.stop == plain.stop);
    QVERIFY(after.objectives.empty() && !after.synthetic);
}

void TestLoadPlan::wrongTextsShowTheirPlace_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::newRow("objective") << QString() << QStringLiteral("Objectives") << QStringLiteral("p95<2s, speed>1")
                               << QStringLiteral("(character 9)");
    QTest::newRow("think time") << QString() << QStringLiteral("Think time") << QStringLiteral("5")
                                << QStringLiteral("(character");
    QTest::newRow("stages") << QStringLiteral("Load model: Rate") << QStringLiteral("Stages as text")
                            << QStringLiteral("60s at 10/s, slope") << QStringLiteral("(character 14)");
    QTest::newRow("sweep") << QStringLiteral("Load model: Sweep") << QStringLiteral("Rates of the sweep")
                           << QStringLiteral("1/s up 5/s") << QStringLiteral("(character 5)");
    QTest::newRow("input tokens") << QStringLiteral("Prompts: Made up") << QStringLiteral("Input tokens")
                                  << QStringLiteral("8-2") << QStringLiteral("(character");
}

void TestLoadPlan::wrongTextsShowTheirPlace()
{
    QFETCH(QString, model);
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(QString, place);
    Desk desk;
    if (!model.isEmpty())
        QTest::mouseClick(desk.named<QToolButton>(model), Qt::LeftButton);
    auto* line = desk.named<QLineEdit>(field);
    QVERIFY(line);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QVERIFY2(desk.page->form()->problem().contains(place), qPrintable(desk.page->form()->problem()));
    QVERIFY(line->property("wrong").toBool());
    QVERIFY(!desk.run()->isEnabled());
}

void TestLoadPlan::dearRunsAskFirst()
{
    FakeLoadControl control;
    control.cost.worstUsd = 62;
    Desk desk(control);
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    QVERIFY2(desk.banner()->text().contains(QStringLiteral("$62.00")), qPrintable(desk.banner()->text()));
    QVERIFY(desk.banner()->text().contains(QStringLiteral("$10.00")));
    QTest::mouseClick(desk.button(QStringLiteral("Start, up to $62.00")), Qt::LeftButton);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    QVERIFY(!desk.banner()->isVisible());
}

void TestLoadPlan::unknownCostAsksUnlessThereIsABudget()
{
    FakeLoadControl control;
    control.cost = {{}, {}, 0, 0, {"my-model"}};
    Desk desk(control);
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    QVERIFY2(desk.banner()->text().contains(QStringLiteral("no price for my-model")),
             qPrintable(desk.banner()->text()));
    load::LoadPlan plan = desk.page->form()->plan();
    plan.stop.budgetUsd = 5;
    desk.page->form()->setPlan(plan);
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
}

void TestLoadPlan::theLoadIsChangedWhileItRuns()
{
    Desk desk;
    auto* bar = desk.page->findChild<RateBar*>();
    QVERIFY(!bar->isVisible());
    load::RunProgress run = sample::running();
    run.plan.model = load::OpenModel{{{std::chrono::minutes(15), 10, 10}}};
    run.rateNow = 10;
    desk.show(run);
    QVERIFY(bar->isVisible());
    auto* value = bar->findChild<QLineEdit*>();
    value->setFocus();
    QTest::keyClicks(value, QStringLiteral("x"));
    QTest::keyClick(value, Qt::Key_Return);
    QVERIFY(desk.control.rates.empty());
    value->clear();
    QTest::keyClicks(value, QStringLiteral("42.5"));
    QTest::keyClick(value, Qt::Key_Return);
    QCOMPARE(desk.control.rates, std::vector<double>{42.5});
    run.plan.model = load::ClosedModel{10};
    run.rateNow.reset();
    desk.show(run);
    QTest::keyClicks(value, QStringLiteral("20"));
    QTest::keyClick(value, Qt::Key_Return);
    QCOMPARE(desk.control.userCounts, std::vector<int>{20});
    desk.show(sample::finished());
    QVERIFY(!bar->isVisible());
}

void TestLoadPlan::thePreviewFollowsTheStages()
{
    Desk desk;
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Load model: Rate")), Qt::LeftButton);
    auto* preview = desk.page->findChild<QLabel*>(QStringLiteral("planPreview"));
    QVERIFY2(preview->text().startsWith(QStringLiteral("600 requests · ")), qPrintable(preview->text()));
    QTest::mouseClick(desk.button(QStringLiteral("Spike")), Qt::LeftButton);
    QVERIFY2(preview->text().startsWith(QStringLiteral("2\u202F000 requests · ")), qPrintable(preview->text()));
    QVERIFY(preview->text().contains(QStringLiteral("worst-case cost $2.10")));
    desk.page->form()->model()->stages()->plot()->undoStack().undo();
    QVERIFY(preview->text().startsWith(QStringLiteral("600 requests · ")));
    desk.press(Qt::Key_Return);
    QVERIFY(std::holds_alternative<load::OpenModel>(desk.control.started.at(0).model));
    QVERIFY(!desk.control.started.at(0).stop.requests);
}

void TestLoadPlan::pictures()
{
    const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
    for (const auto mode : {ThemeMode::Dark, ThemeMode::Light}) {
        Desk desk;
        desk.context.setMode(mode);
        desk.context.applyTo(&desk.window);
        QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("Load model: Rate")), Qt::LeftButton);
        desk.page->form()->model()->stages()->setStages({{0, 0}, {120, 40}, {420, 40}, {480, 80}, {780, 80}, {900, 0}});
        desk.page->form()->model()->stages()->plot()->select(3);
        const auto shoot = [&](const char* name) {
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            const QPixmap picture = desk.window.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                picture.save(QStringLiteral("%1/%2-%3.png")
                                 .arg(folder, QLatin1String(name),
                                      mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light")));
        };
        shoot("load-plan");
        load::RunProgress run = sample::finished();
        run.plan.objectives = measure::parseObjectives("p95<=4s, p99<=4.5s, success>=99%, ttft.p99<800ms").value();
        run.objectives = {{run.plan.objectives[0], 2200},
                          {run.plan.objectives[1], 5080},
                          {run.plan.objectives[2], 99.95},
                          {run.plan.objectives[3], {}}};
        desk.show(run);
        shoot("load-missed");
        run.report = sample::report(false, {QStringLiteral("1 % of the requests were sent more than 84 ms late; use a "
                                                           "lower rate")});
        desk.show(run);
        shoot("load-invalid");
    }
}

int main(int argc, char** argv)
{
    return runLoadTest<TestLoadPlan>(argc, argv);
}
#include "tst_load_plan.moc"
