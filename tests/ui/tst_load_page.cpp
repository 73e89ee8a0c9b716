// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_load_control.h"
#include "ui/load/answers_view.h"
#include "ui/load/load_files.h"
#include "ui/load/load_page.h"
#include "ui/load/result_view.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/segments.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace sg;
using namespace sg::ui;

namespace {

/// The page in a real window, as the program shows it.
struct Desk
{
    ThemeContext context;
    FakeLoadControl control;
    QMainWindow window;
    LoadPage* page = nullptr;

    explicit Desk(load::RunProgressPtr picture = {})
    {
        control.picture = std::move(picture);
        open();
    }
    explicit Desk(FakeLoadControl prepared)
        : control(std::move(prepared))
    {
        open();
    }
    void open()
    {
        page = new LoadPage(context, control);
        window.setCentralWidget(page);
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
        window.resize(1360, 828);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
    }
    void show(load::RunProgress picture)
    {
        control.picture = sample::shared(std::move(picture));
        page->poll();
    }
    template <typename Widget>
    Widget* named(const QString& accessibleName) const
    {
        for (Widget* widget : page->findChildren<Widget*>())
            if (widget->accessibleName() == accessibleName)
                return widget;
        return nullptr;
    }
    QPushButton* button(const QString& text) const
    {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    RunButton* run() const { return page->findChild<RunButton*>(); }
    TimelineView* timeline() const { return page->findChild<TimelineView*>(); }
    ResultView* result() const { return page->findChild<ResultView*>(); }
    Banner* banner() const { return page->findChild<Banner*>(); }
    CostBox* cost() const { return page->findChild<CostBox*>(); }
    void press(Qt::Key key) { QTest::keyClick(page, key, Qt::ControlModifier); }
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString written(const QTemporaryDir& dir, const QString& name, const QByteArray& content)
{
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return {};
    return file.fileName();
}

/// Files of this process may not grow beyond `bytes` while it lives.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
        : handler_(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limited = before_;
        limited.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int);
};

} // namespace

class TestLoadPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsWithDefaultsByMouse();
    void startsAndStopsByKeyboard();
    void secondStopCancels();
    void enterInAFieldDoesNotStart();
    void refusalIsABanner();
    void wrongFieldIsMarked_data();
    void wrongFieldIsMarked();
    void wrongPlanDoesNotStart();
    void workspaceWithoutTargets();
    void endpointsCanBeChosen();
    void unknownCostIsNotZero();
    void costIsEstimatedOnceAPlan();
    void promptFiles();
    void planIsLockedAndShownWhileRunning();
    void shortRunThatWasNeverSeenActive();
    void emptyState();
    void resultStates_data();
    void resultStates();
    void failedRunSaysSoOnce();
    void savesTheReport();
    void failedSaveOffersAnotherPlace();
    void fullDiskKeepsTheOldFile();
    void copiesTheReport();
    void modelsUpdateByDifference();
    void statusRowsNeverRoundAFailureAway();
    void paintsOnlyWhatChanged();
    void hiddenPageRests();
    void cursorByKeyboardAndPointer();
    void newRunForgetsTheCursor();
    void extremesFitTheWindow();
    void everyControlHasANameAndIsReached();
    void arrowsChooseASegment();
    void words();
    void axes();
};

void TestLoadPage::startsWithDefaultsByMouse()
{
    Desk desk;
    QTest::mouseClick(desk.run(), Qt::LeftButton);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    const load::LoadPlan& plan = desk.control.started[0];
    QCOMPARE(plan.target, std::string("prod-chat"));
    QVERIFY(plan.targetKind == load::TargetKind::Chain);
    QCOMPARE(plan.requests.value_or(0), std::int64_t(200));
    QVERIFY(!plan.duration);
    QCOMPARE(plan.concurrency, 10);
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

void TestLoadPage::enterInAFieldDoesNotStart()
{
    Desk desk;
    auto* seed = desk.named<QLineEdit>(QStringLiteral("Seed"));
    QVERIFY(seed);
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
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

void TestLoadPage::wrongFieldIsMarked_data()
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

void TestLoadPage::wrongFieldIsMarked()
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

void TestLoadPage::wrongPlanDoesNotStart()
{
    Desk desk;
    auto* users = desk.named<QSpinBox>(QStringLiteral("Concurrency"));
    users->setValue(0);
    desk.press(Qt::Key_Return);
    QVERIFY(desk.control.started.empty());
    QCOMPARE(QApplication::focusWidget(), users);
}

void TestLoadPage::workspaceWithoutTargets()
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

void TestLoadPage::endpointsCanBeChosen()
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
    QVERIFY(!plan.requests);
    QCOMPARE(toMs(plan.duration.value_or(Nanos(0))), 90'000.0);
    QVERIFY(!plan.stream);
}

void TestLoadPage::unknownCostIsNotZero()
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
    run.costUsd = 0;
    run.costIsLowerBound = false;
    desk.show(run);
    QCOMPARE(desk.cost()->content().value, QStringLiteral("$0.00"));
}

void TestLoadPage::costIsEstimatedOnceAPlan()
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

void TestLoadPage::promptFiles()
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

void TestLoadPage::planIsLockedAndShownWhileRunning()
{
    Desk desk(sample::shared(sample::running()));
    QVERIFY(!desk.page->form()->isEnabled());
    QCOMPARE(desk.page->form()->plan().concurrency, 96);
    QCOMPARE(toMs(desk.page->form()->plan().duration.value_or(Nanos(0))), 900'000.0);
    QCOMPARE(desk.page->form()->plan().seed, std::uint64_t(1184));
    desk.show(sample::finished());
    QVERIFY(desk.page->form()->isEnabled());
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
    QVERIFY(!desk.timeline()->isVisible());
    QVERIFY(!desk.button(QStringLiteral("Save report…"))->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QCOMPARE(desk.control.started.size(), std::size_t(1));
    desk.show(sample::withoutAnswers());
    QVERIFY(desk.timeline()->isVisible());
    QCOMPARE(headerContent(desk.control.picture.get(), 1, 0).chips[0].value, QStringLiteral("–"));
}

void TestLoadPage::resultStates_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("head");
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("hasReport");
    QTest::newRow("running") << 0 << QStringLiteral("The run is on.") << QStringLiteral("when it has ended") << false;
    QTest::newRow("valid") << 1 << QStringLiteral("Valid run") << QStringLiteral("those of the target") << true;
    QTest::newRow("invalid") << 2 << QStringLiteral("INVALID run") << QStringLiteral("use a lower concurrency") << true;
    QTest::newRow("failed") << 3 << QStringLiteral("The run did not take place") << QStringLiteral("OPENAI_API_KEY")
                            << false;
}

void TestLoadPage::resultStates()
{
    QFETCH(int, which);
    QFETCH(QString, head);
    QFETCH(QString, line);
    QFETCH(bool, hasReport);
    const load::RunProgress pictures[] = {sample::running(), sample::finished(true), sample::finished(false),
                                          sample::failed()};
    Desk desk(sample::shared(pictures[which]));
    QCOMPARE(desk.result()->content().head, head);
    QVERIFY2(desk.result()->accessibleName().contains(line), qPrintable(desk.result()->accessibleName()));
    QCOMPARE(desk.button(QStringLiteral("Save report…"))->isVisible(), hasReport);
    QCOMPARE(desk.button(QStringLiteral("Copy"))->isVisible(), hasReport);
    if (hasReport)
        QVERIFY(desk.result()->accessibleName().contains(QStringLiteral("Charged $41.10")));
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
    QVERIFY(desk.timeline()->isVisible());
    QVERIFY(desk.banner()->isVisible());
    QTest::mouseClick(desk.button(QStringLiteral("Dismiss")), Qt::LeftButton);
    QVERIFY(!desk.banner()->isVisible());
    desk.page->poll();
    QVERIFY(!desk.banner()->isVisible());
}

void TestLoadPage::savesTheReport()
{
    QTemporaryDir dir;
    Desk desk(sample::shared(sample::finished()));
    QString offered;
    desk.page->askReportPath = [&](QWidget*, const QString& name) {
        offered = name;
        return dir.filePath(QStringLiteral("report.json"));
    };
    QTest::mouseClick(desk.button(QStringLiteral("Save report…")), Qt::LeftButton);
    QVERIFY(offered.startsWith(QStringLiteral("switchgear-load-prod-chat-")));
    QVERIFY(offered.endsWith(QStringLiteral(".json")));
    const QJsonObject saved = QJsonDocument::fromJson(contentOf(dir.filePath(QStringLiteral("report.json")))).object();
    QCOMPARE(saved, desk.control.picture->report);
    QVERIFY(!desk.banner()->isVisible());
}

void TestLoadPage::failedSaveOffersAnotherPlace()
{
    QTemporaryDir dir;
    Desk desk(sample::shared(sample::finished()));
    QStringList paths{dir.filePath(QStringLiteral("no/such/folder/report.json")), dir.path(),
                      dir.filePath(QStringLiteral("fine.json"))};
    desk.page->askReportPath = [&](QWidget*, const QString&) { return paths.takeFirst(); };
    QTest::mouseClick(desk.button(QStringLiteral("Save report…")), Qt::LeftButton);
    QVERIFY(desk.banner()->isVisible());
    QVERIFY(desk.banner()->text().contains(QStringLiteral("choose another folder")));
    QTest::mouseClick(desk.button(QStringLiteral("Save elsewhere…")), Qt::LeftButton);
    QVERIFY(desk.banner()->isVisible());
    QTest::mouseClick(desk.button(QStringLiteral("Save elsewhere…")), Qt::LeftButton);
    QVERIFY(!desk.banner()->isVisible());
    QVERIFY(QFile::exists(dir.filePath(QStringLiteral("fine.json"))));
}

void TestLoadPage::fullDiskKeepsTheOldFile()
{
    QTemporaryDir dir;
    const QString path = written(dir, QStringLiteral("report.json"), "old");
    const QJsonObject report = sample::finished().report;
    {
        // Writing past the limit fails like writing to a full disk.
        const FileSizeLimit limit(16);
        const QString problem = loadfiles::saveReport(report, path);
        QVERIFY2(problem.contains(QStringLiteral("The file that was there is unchanged")), qPrintable(problem));
    }
    QCOMPARE(contentOf(path), QByteArray("old"));
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{QStringLiteral("report.json")});

    const QString pipe = dir.filePath(QStringLiteral("pipe"));
    QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(loadfiles::saveReport(report, pipe).contains(QStringLiteral("not an ordinary file")));
    QVERIFY(QFileInfo::exists(pipe) && !QFileInfo(pipe).isFile());
}

void TestLoadPage::copiesTheReport()
{
    Desk desk(sample::shared(sample::finished()));
    QTest::mouseClick(desk.button(QStringLiteral("Copy")), Qt::LeftButton);
    const QByteArray text = QGuiApplication::clipboard()->text().toUtf8();
    QCOMPARE(QJsonDocument::fromJson(text).object(), desk.control.picture->report);
}

void TestLoadPage::modelsUpdateByDifference()
{
    RowsModel statuses({{QStringLiteral("a"), false},
                        {QStringLiteral("b"), false},
                        {QStringLiteral("c"), true},
                        {QStringLiteral("d"), true}});
    RowsModel slowest({{QStringLiteral("a"), false},
                       {QStringLiteral("b"), false},
                       {QStringLiteral("c"), true},
                       {QStringLiteral("d"), true}});
    const QAbstractItemModelTester first(&statuses, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester second(&slowest, QAbstractItemModelTester::FailureReportingMode::QtTest);
    int resets = 0, changes = 0;
    for (const RowsModel* model : {&statuses, &slowest}) {
        connect(model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
        connect(model, &QAbstractItemModel::dataChanged, this, [&] { ++changes; });
    }
    for (const load::RunProgress& run : {sample::withoutAnswers(), sample::running(), sample::running(), sample::huge(),
                                         load::RunProgress(), sample::finished()}) {
        statuses.setRows(statusRows(run));
        slowest.setRows(slowestRows(run));
        QCOMPARE(statuses.rowCount(), static_cast<int>(run.statuses.size()));
        QCOMPARE(slowest.rowCount(), static_cast<int>(run.slowest.size()));
    }
    QCOMPARE(resets, 0);
    changes = 0;
    load::RunProgress one = sample::finished();
    one.statuses[0].status = QStringLiteral("201");
    statuses.setRows(statusRows(one));
    QCOMPARE(changes, 1);
    QCOMPARE(statuses.index(0, 0).data().toString(), QStringLiteral("201"));
    QCOMPARE(slowest.index(0, 3).data().toString(), QStringLiteral("19.4\u202Fs"));
}

void TestLoadPage::statusRowsNeverRoundAFailureAway()
{
    load::RunProgress run;
    run.statuses = {{QStringLiteral("200"), QStringLiteral("from a model"), 999'999, true},
                    {QStringLiteral("503"), QStringLiteral("returned to client"), 1, false}};
    QCOMPARE(statusRows(run)[0][3].text, QStringLiteral("99.99\u202F%"));
    run.statuses[0].count = run.statuses[1].count = 0;
    QCOMPARE(statusRows(run)[0][3].text, QStringLiteral("–"));
}

void TestLoadPage::paintsOnlyWhatChanged()
{
    Desk desk(sample::shared(sample::running()));
    QCoreApplication::processEvents();
    const std::int64_t before = desk.timeline()->paints();
    QVERIFY(before > 0);
    // Another picture in which nothing that the timeline shows has moved.
    load::RunProgress same = sample::running();
    same.elapsedSeconds += 0.05;
    same.inFlight = 95;
    desk.show(same);
    QCoreApplication::processEvents();
    QCOMPARE(desk.timeline()->paints(), before);
    QCOMPARE(desk.run()->effect(), QStringLiteral("lets 95 requests finish"));
    same.seconds.back().answered += 20;
    desk.show(same);
    QCoreApplication::processEvents();
    QVERIFY(desk.timeline()->paints() > before);
}

void TestLoadPage::hiddenPageRests()
{
    Desk desk(sample::shared(sample::running()));
    const int polls = desk.control.polls;
    QTRY_VERIFY(desk.control.polls > polls);
    desk.page->hide();
    QCoreApplication::processEvents();
    const std::int64_t paints = desk.timeline()->paints();
    const auto* timer = desk.page->findChild<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(timer && !timer->isActive());
    QVERIFY(timer->interval() >= 100);
    load::RunProgress later = sample::running();
    later.elapsedSeconds = 700;
    desk.show(later);
    QCoreApplication::processEvents();
    QCOMPARE(desk.timeline()->paints(), paints);
    desk.page->show();
    QTRY_VERIFY(desk.timeline()->paints() > paints);
    QVERIFY(timer->isActive());
}

void TestLoadPage::cursorByKeyboardAndPointer()
{
    Desk desk(sample::shared(sample::running()));
    TimelineView* timeline = desk.timeline();
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Home);
    QCOMPARE(timeline->cursorSecond().value_or(-1), 0.5);
    QTest::keyClick(timeline, Qt::Key_Right);
    QCOMPARE(timeline->cursorSecond().value_or(-1), 1.5);
    QTest::keyClick(timeline, Qt::Key_End);
    QCOMPARE(timeline->cursorSecond().value_or(-1), 581.5);
    QTest::keyClick(timeline, Qt::Key_Right);
    QCOMPARE(timeline->cursorSecond().value_or(-1), 581.5);
    QTest::keyClick(timeline, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(timeline->cursorSecond().value_or(-1), 571.5);
    QVERIFY(timeline->accessibleDescription().startsWith(QStringLiteral("9:31: ")));
    QTest::keyClick(timeline, Qt::Key_Escape);
    QVERIFY(!timeline->cursorSecond());
    QTest::mouseMove(timeline, QPoint(timeline->width() / 3, timeline->height() / 2));
    QTRY_VERIFY(timeline->cursorSecond());
    // Nothing has happened yet on the right of now.
    QTest::mouseMove(timeline, QPoint(timeline->width() - 30, timeline->height() / 2));
    QTRY_VERIFY(!timeline->cursorSecond());
}

void TestLoadPage::newRunForgetsTheCursor()
{
    Desk desk(sample::shared(sample::finished()));
    desk.timeline()->setFocus();
    QTest::keyClick(desk.timeline(), Qt::Key_End);
    QVERIFY(desk.timeline()->cursorSecond());
    desk.show(sample::withoutAnswers());
    QVERIFY(!desk.timeline()->cursorSecond());
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
        for (const QWidget* part : {static_cast<QWidget*>(desk.run()), static_cast<QWidget*>(desk.timeline()),
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
    for (int i = 0; i < 60; ++i) {
        reached << QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        if (QApplication::focusWidget() == first)
            break;
    }
    for (const QWidget* widget : std::as_const(wanted))
        QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName() + QLatin1Char(' ') +
                                                      QLatin1String(widget->metaObject()->className())));
}

void TestLoadPage::arrowsChooseASegment()
{
    Desk desk;
    auto* chain = desk.named<QToolButton>(QStringLiteral("Target: Chain"));
    chain->setFocus();
    QTest::keyClick(chain, Qt::Key_Right);
    QVERIFY(desk.page->form()->plan().targetKind == load::TargetKind::Endpoint);
}

void TestLoadPage::words()
{
    QCOMPARE(loadwords::span(0), QStringLiteral("0:00"));
    QCOMPARE(loadwords::span(582.9), QStringLiteral("9:42"));
    QCOMPARE(loadwords::span(3725), QStringLiteral("1:02:05"));
    const std::int64_t now = QDateTime(QDate(2026, 11, 30), QTime(14, 32, 8)).toMSecsSinceEpoch();
    load::RunProgress run = sample::running();
    QCOMPARE(loadwords::progressLine(run, now).text(), QStringLiteral("9:42 of 15:00, ends 14:37:26, 5:18 left"));
    run.etaSeconds.reset();
    QCOMPARE(loadwords::progressLine(run, now).text(), QStringLiteral("9:42 of 15:00, end not known yet"));
    run.plan.requests = 200;
    run.answered = 120;
    run.failed = 3;
    run.etaSeconds = 4.2;
    QCOMPARE(loadwords::progressLine(run, now).text(),
             QStringLiteral("123 of 200 requests in 9:42, ends 14:32:12, 0:05 left"));
    QCOMPARE(loadwords::attemptsLine(load::RunProgress()), QStringLiteral("0 attempts"));
    load::LoadPlan plan;
    plan.target = "a/b: c";
    QVERIFY(loadwords::fileName(plan, now).startsWith(QStringLiteral("switchgear-load-a-b-c-20261130-143208")));
    // A report that lacks its figures shows dashes, not zeros.
    for (const auto& figure : loadwords::figures(QJsonObject()))
        QVERIFY2(figure.value.contains(QChar(0x2013)) || figure.value == QLatin1String("unknown"),
                 qPrintable(figure.name));
}

void TestLoadPage::axes()
{
    QCOMPARE(runaxes::niceCeil(0), 1.0);
    QCOMPARE(runaxes::niceCeil(100), 100.0);
    QCOMPARE(runaxes::niceCeil(101), 200.0);
    load::RunProgress run = sample::running();
    QCOMPARE(runaxes::timeEnd(run, 0), 900.0);
    run.plan.duration.reset();
    run.plan.requests = 1000;
    const double end = runaxes::timeEnd(run, 0);
    QVERIFY(end >= 900);
    run.etaSeconds = 300; // a guess that changes a little does not move the axis
    QCOMPARE(runaxes::timeEnd(run, end), end);
    run.state = load::RunState::Finished;
    QCOMPARE(runaxes::timeEnd(run, end), 582.0);
    const runaxes::LogScale scale{100, 10'000};
    QCOMPARE(scale.share(1000), 0.5);
    QCOMPARE(scale.share(1), 0.0);
    QCOMPARE(scale.share(1e9), 1.0);
    load::RunProgress failures;
    for (int i = 0; i < 4; ++i)
        failures.seconds.push_back({double(i), 1, 0, 0, 10, i < 2 ? 5 : 0, {}, {}, {}});
    const auto bars = runaxes::failedBars(failures, 2);
    QCOMPARE(bars.size(), std::size_t(1));
    QCOMPARE(bars[0].share, 0.5);
    QCOMPARE(bars[0].to, 2.0);
    QCOMPARE(runaxes::failedShareEnd({}), 0.05);
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestLoadPage test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_load_page.moc"
