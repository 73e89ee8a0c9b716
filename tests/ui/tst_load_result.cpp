// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/file_size_limit.h"
#include "tests/ui/load_desk.h"
#include "ui/load/answers_view.h"
#include "ui/load/load_files.h"
#include "ui/load/run_axes.h"
#include "ui/load/run_header.h"
#include "ui/load/token_times.h"
#include "ui/overview/latency_histogram.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QJsonDocument>
#include <QToolButton>
#include <QToolTip>

#include <sys/stat.h>

using namespace sg;
using namespace sg::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestLoadResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void resultStates_data();
    void resultStates();
    void savesTheReport();
    void failedSaveOffersAnotherPlace();
    void fullDiskKeepsTheOldFile();
    void copiesTheReport();
    void modelsUpdateByDifference();
    void statusRowsNeverRoundAFailureAway();
    void words();
    void axes();
    void everyFigureSaysItsFormula();
    void tokenTimesStandBesideTheResult();
    void withoutStreamedAnswersItSaysSo();
};

void TestLoadResult::resultStates_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("head");
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("hasReport");
    QTest::newRow("running") << 0 << QString() << QStringLiteral("when it has ended") << false;
    QTest::newRow("valid") << 1 << QStringLiteral("Valid run") << QStringLiteral("Valid run") << true;
    QTest::newRow("invalid") << 2 << QStringLiteral("INVALID run: its figures say nothing about the target")
                             << QStringLiteral("use a lower concurrency") << true;
    QTest::newRow("failed") << 3 << QStringLiteral("The run did not take place") << QStringLiteral("OPENAI_API_KEY")
                            << false;
}

void TestLoadResult::resultStates()
{
    QFETCH(int, which);
    QFETCH(QString, head);
    QFETCH(QString, line);
    QFETCH(bool, hasReport);
    const load::RunProgress pictures[] = {sample::running(), sample::finished(true), sample::finished(false),
                                          sample::failed()};
    Desk desk(sample::shared(pictures[which]));
    QCOMPARE(desk.result()->content().verdict.head, head);
    QVERIFY2(desk.result()->accessibleName().contains(line), qPrintable(desk.result()->accessibleName()));
    QCOMPARE(desk.button(QStringLiteral("Save report…"))->isVisible(), hasReport);
    QCOMPARE(desk.button(QStringLiteral("Copy"))->isVisible(), hasReport);
    if (hasReport)
        QVERIFY(desk.result()->accessibleName().contains(QStringLiteral("Charged $41.10")));
}

void TestLoadResult::savesTheReport()
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

void TestLoadResult::failedSaveOffersAnotherPlace()
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

void TestLoadResult::fullDiskKeepsTheOldFile()
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

void TestLoadResult::copiesTheReport()
{
    Desk desk(sample::shared(sample::finished()));
    QTest::mouseClick(desk.button(QStringLiteral("Copy")), Qt::LeftButton);
    const QByteArray text = QGuiApplication::clipboard()->text().toUtf8();
    QCOMPARE(QJsonDocument::fromJson(text).object(), desk.control.picture->report);
}

void TestLoadResult::modelsUpdateByDifference()
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

void TestLoadResult::statusRowsNeverRoundAFailureAway()
{
    load::RunProgress run;
    run.statuses = {{QStringLiteral("200"), QStringLiteral("from a model"), 999'999, true},
                    {QStringLiteral("503"), QStringLiteral("returned to client"), 1, false}};
    QCOMPARE(statusRows(run)[0][3].text, QStringLiteral("99.99\u202F%"));
    run.statuses[0].count = run.statuses[1].count = 0;
    QCOMPARE(statusRows(run)[0][3].text, QStringLiteral("–"));
}

void TestLoadResult::words()
{
    QCOMPARE(loadwords::span(0), QStringLiteral("0:00"));
    QCOMPARE(loadwords::span(582.9), QStringLiteral("9:42"));
    QCOMPARE(loadwords::span(3725), QStringLiteral("1:02:05"));
    const std::int64_t now = QDateTime(QDate(2026, 11, 30), QTime(14, 32, 8)).toMSecsSinceEpoch();
    load::RunProgress run = sample::running();
    QCOMPARE(loadwords::progressLine(run, now).text(), QStringLiteral("9:42 of 15:00, ends 14:37:26, 5:18 left"));
    run.etaSeconds.reset();
    QCOMPARE(loadwords::progressLine(run, now).text(), QStringLiteral("9:42 of 15:00, end not known yet"));
    run.plan.stop.requests = 200;
    run.answered = 120;
    run.failed = 3;
    run.etaSeconds = 4.2;
    QCOMPARE(loadwords::progressLine(run, now).text(),
             QStringLiteral("123 of 200 requests in 9:42, ends 14:32:12, 0:05 left"));
    // A schedule ends by itself: nobody has to give it a duration.
    load::RunProgress open = sample::running();
    open.plan.stop = {};
    open.plan.model = load::OpenModel{{{std::chrono::minutes(15), 10, 10}}};
    QCOMPARE(loadwords::progressLine(open, now).text(), QStringLiteral("9:42 of 15:00, ends 14:37:26, 5:18 left"));
    QCOMPARE(loadwords::title(3, open.plan), QStringLiteral("Run 3, 15:00 min"));
    QVERIFY(!loadwords::subtitle(open.plan).contains(QStringLiteral("2\u202F000 at a time")));
    QCOMPARE(runaxes::timeEnd(open, 0), 900.0);
    QCOMPARE(loadwords::attemptsLine(load::RunProgress()), QStringLiteral("0 attempts"));
    load::LoadPlan plan;
    plan.target = "a/b: c";
    QVERIFY(loadwords::fileName(plan, now).startsWith(QStringLiteral("switchgear-load-a-b-c-20261130-143208")));
    // A report that lacks its figures shows dashes, not zeros.
    for (const auto& figure : loadwords::figures(QJsonObject()))
        QVERIFY2(figure.value.contains(QChar(0x2013)) || figure.value == QLatin1String("unknown"),
                 qPrintable(figure.name));
}

void TestLoadResult::everyFigureSaysItsFormula()
{
    const load::RunProgress run = sample::running();
    for (const auto& figures : {loadwords::figures(run), loadwords::figures(sample::finished().report)})
        for (const auto& figure : figures)
            QVERIFY2(figure.formula.contains(QStringLiteral(" = ")), qPrintable(figure.name));
    const auto header = headerContent(&run, 1, 0);
    QVERIFY(!header.chips.empty());
    for (const auto& chip : header.chips)
        QVERIFY2(chip.formula.contains(QStringLiteral(" = ")), qPrintable(chip.name));

    Desk desk(sample::shared(run));
    auto* view = desk.page->findChild<RunHeader*>();
    const QPoint chip(view->button()->x() - 24, 20); // the last one stands beside the button
    QHelpEvent hover(QEvent::ToolTip, chip, view->mapToGlobal(chip));
    QApplication::sendEvent(view, &hover);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("sum over all attempts")), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TestLoadResult::tokenTimesStandBesideTheResult()
{
    load::RunProgress run = sample::running();
    run.firstToken = {{{100, 200, 30, 0}, {200, 400, 60, 0}, {400, 800, 10, 0}}, 100, 340, 678};
    run.betweenTokens = {{{10, 15, 40, 0}, {15, 30, 60, 0}}, 100, 17, 32};
    Desk desk(sample::shared(run));
    auto* view = desk.page->findChild<TokenTimesView*>();
    QVERIFY(view->isVisible()); // nobody chose, and there is no objective to watch
    QCOMPARE(view->firstToken()->dataTable().rows.size(), std::size_t(3));
    QCOMPARE(view->betweenTokens()->dataTable().rows.size(), std::size_t(2));
    QCOMPARE(view->firstToken()->dataTable().title, QStringLiteral("Time to first token"));
    QVERIFY(view->firstToken()->accessibleDescription().contains(QStringLiteral("95 percent within 678")));
    QVERIFY(view->firstToken()->geometry().right() <= view->width());

    desk.show(sample::finished());
    QVERIFY(desk.result()->isVisible() && !view->isVisible());
    QTest::mouseClick(desk.named<QToolButton>(QStringLiteral("What stands below the timeline: Token times")),
                      Qt::LeftButton);
    QVERIFY(view->isVisible());
    desk.show(sample::running()); // what somebody chose stays
    QVERIFY(view->isVisible());
}

void TestLoadResult::withoutStreamedAnswersItSaysSo()
{
    ThemeContext theme;
    theme.setMode(ThemeMode::Dark);
    TokenTimesView view(theme);
    view.resize(620, 160);
    view.setRun(sample::running()); // its answers were whole
    QVERIFY(view.firstToken()->dataTable().rows.empty());
    QCOMPARE(view.firstToken()->subject().empty, QStringLiteral("No streamed answers"));
    const QImage empty = view.grab().toImage();
    load::RunProgress run = sample::running();
    run.firstToken = {{{100, 200, 30, 0}}, 30, 150, 190};
    view.setRun(run);
    QVERIFY(view.grab().toImage() != empty);
    view.setRun({});
    QCOMPARE(view.grab().toImage(), empty);
}

void TestLoadResult::axes()
{
    QCOMPARE(runaxes::niceCeil(0), 1.0);
    QCOMPARE(runaxes::niceCeil(100), 100.0);
    QCOMPARE(runaxes::niceCeil(101), 200.0);
    load::RunProgress run = sample::running();
    QCOMPARE(runaxes::timeEnd(run, 0), 900.0);
    run.plan.stop.duration.reset();
    run.plan.stop.requests = 1000;
    const double end = runaxes::timeEnd(run, 0);
    QVERIFY(end >= 900);
    run.etaSeconds = 300; // a guess that changes a little does not move the axis
    QCOMPARE(runaxes::timeEnd(run, end), end);
    run.state = load::RunState::Finished;
    QCOMPARE(runaxes::timeEnd(run, end), 582.0);
    QCOMPARE(runaxes::niceFloor(499), 200.0);
    QCOMPARE(runaxes::niceFloor(500), 500.0);
    QCOMPARE(runaxes::niceFloor(0.3), 0.2);
    for (double low = 1; low < 2000; low *= 1.07) // no value lies below its axis, nor on its end
        QVERIFY2(runaxes::latencyScale({low, low * 9}).low < low, qPrintable(QString::number(low)));
    const runaxes::LogScale scale{100, 10'000};
    QCOMPARE(scale.share(1000), 0.5);
    QCOMPARE(scale.share(1), 0.0);
    QCOMPARE(scale.share(1e9), 1.0);
}

int main(int argc, char** argv)
{
    return runLoadTest<TestLoadResult>(argc, argv);
}
#include "tst_load_result.moc"
