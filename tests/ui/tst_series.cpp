// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/series_desk.h"
#include "ui/load/cost_box.h"
#include "ui/load/history/runs_desk.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>

using namespace sg;
using namespace sg::test;

namespace {

using Mode = RunSwitch::Mode;

/// The load page with series, in a real window.
struct SeriesDesk
{
    ThemeContext context;
    FakeLoadControl control;
    FakeSeriesControl series;
    FakeHistory history;
    QMainWindow window;
    LoadPage* page;

    SeriesDesk()
        : page(new LoadPage(context, control, &history))
    {
        page->offerSeries(series);
        window.setCentralWidget(page);
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
        window.resize(1360, 828);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
    }
    SeriesView* view() const { return page->series(); }
    void show(load::SeriesProgress now)
    {
        series.picture = sample::shared(std::move(now));
        view()->poll();
        page->poll();
    }
    QStringList shownColumn(int column) const
    {
        QStringList cells;
        const QAbstractItemModel* model = view()->table()->model();
        for (int i = 0; i < model->rowCount(); ++i)
            cells.append(model->index(i, column).data().toString());
        return cells;
    }
    QPushButton* button(const QString& text) const
    {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    /// Where somebody who looks at test runs finds what it looked like.
    void grab(const char* name)
    {
        if (const QString folder = qEnvironmentVariable("SWITCHGEAR_GRABS"); !folder.isEmpty())
            window.grab().save(QStringLiteral("%1/%2.png").arg(folder, QString::fromLatin1(name)));
    }
};

int columnOf(const SeriesDesk& desk, const QString& title)
{
    const QAbstractItemModel* model = desk.view()->table()->model();
    for (int i = 0; i < model->columnCount(); ++i)
        if (model->headerData(i, Qt::Horizontal).toString() == title)
            return i;
    return -1;
}

class TestSeries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theModelKeepsItsWord()
    {
        SeriesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        SeriesSorter sorter;
        sorter.setSourceModel(&model);
        const QAbstractItemModelTester sorted(&sorter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sorter.sort(2);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setTable(sample::series().table);
        QCOMPARE(model.rowCount(), 4);
        model.setTable(sample::series(load::SeriesKind::Endpoints).table);
        load::SeriesTable more = sample::series(load::SeriesKind::Endpoints).table;
        more.rows[2] = sample::seriesRow(QStringLiteral("e"), 90, 100, {});
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setTable(more);
        QCOMPARE(changes.size(), 1);
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(resets.size(), 0);
    }

    void onceIsAsItAlwaysWas()
    {
        SeriesDesk desk;
        QVERIFY(desk.page->seriesChoice()->mode() == Mode::Once);
        QVERIFY(desk.page->seriesChoice()->words().isEmpty());
        desk.page->start();
        QCOMPARE(desk.control.started.size(), std::size_t(1));
        QVERIFY(desk.series.started.empty());
    }

    void eachStrategyStartsASeriesAndShowsIt()
    {
        SeriesDesk desk;
        desk.page->seriesChoice()->setMode(Mode::Strategies);
        QVERIFY(desk.page->seriesChoice()->words().startsWith(QLatin1String("6 ")));
        desk.grab("choice");
        desk.page->start(); // 12.60 is above what it asks for
        QVERIFY(desk.series.started.empty());
        for (QPushButton* way : desk.page->findChild<Banner*>()->findChildren<QPushButton*>())
            if (way->text().contains(QLatin1String("12.60")))
                way->click();
        QCOMPARE(desk.series.started.size(), std::size_t(1));
        QVERIFY(desk.series.started[0].kind == load::SeriesKind::Strategies);
        QCOMPARE(desk.series.started[0].plan.target, std::string("prod-chat"));
        QVERIFY(desk.control.started.empty());
        QVERIFY(desk.view()->isVisible());
        desk.show(sample::series());
        QCOMPARE(desk.view()->stateWords(), QStringLiteral("run 3 of 4, equal jitter"));
        QVERIFY(!desk.page->seriesChoice()->isEnabled());
        desk.grab("running");
    }

    void eachEndpointTakesThemAll()
    {
        SeriesDesk desk;
        desk.page->seriesChoice()->setMode(Mode::Endpoints);
        QVERIFY(desk.page->seriesChoice()->words().startsWith(QLatin1String("4 ")));
        desk.page->start();
        for (QPushButton* way : desk.page->findChild<Banner*>()->findChildren<QPushButton*>())
            if (way->text().contains(QLatin1String("12.60")))
                way->click();
        QCOMPARE(desk.series.started.at(0).endpoints, desk.control.endpointNames);
    }

    void whyNotIsSaidAtTheChoice()
    {
        SeriesDesk desk;
        desk.series.problem = QStringLiteral("The chain never tries a tier twice.");
        desk.page->seriesChoice()->setMode(Mode::Strategies);
        QCOMPARE(desk.page->seriesChoice()->words(), desk.series.problem);
        desk.page->seriesChoice()->setMode(Mode::Once);
        QVERIFY(desk.page->seriesChoice()->words().isEmpty());
    }

    void sortsByNumberUnknownLast()
    {
        SeriesDesk desk;
        desk.show(sample::series());
        QTableView* table = desk.view()->table();
        const int p99 = columnOf(desk, QStringLiteral("p99"));
        QVERIFY(p99 > 0);
        table->sortByColumn(p99, Qt::DescendingOrder);
        QCOMPARE(desk.shownColumn(0).mid(0, 2),
                 QStringList({QStringLiteral("full jitter"), QStringLiteral("no retry")}));
        table->sortByColumn(p99, Qt::AscendingOrder);
        QCOMPARE(desk.shownColumn(0).mid(0, 2),
                 QStringList({QStringLiteral("no retry"), QStringLiteral("full jitter")}));
        QCOMPARE(desk.shownColumn(p99).last(), QStringLiteral("–"));
    }

    void formulasAndIntervalsOnHover()
    {
        SeriesDesk desk;
        desk.show(sample::series(load::SeriesKind::Endpoints));
        const QAbstractItemModel* model = desk.view()->table()->model();
        const int rank = columnOf(desk, QStringLiteral("Rank")), p99 = columnOf(desk, QStringLiteral("p99"));
        QVERIFY(model->headerData(rank, Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .contains(QLatin1String("mean of the places")));
        QVERIFY(model->index(0, p99).data(Qt::ToolTipRole).toString().contains(QLatin1String("95")));
        QVERIFY(model->index(0, p99).data().toString().contains(QLatin1String("ms")));
    }

    void aRowOpensItsRunAndTheNextOneIsShownAgain()
    {
        SeriesDesk desk;
        load::SeriesProgress ended = sample::series();
        ended.state = load::SeriesState::Finished;
        ended.run = nullptr;
        desk.show(ended);
        desk.page->showSeries();
        QTest::keyClick(desk.view()->table(), Qt::Key_Down);
        desk.view()->table()->setCurrentIndex(desk.view()->table()->model()->index(1, 0));
        QTest::keyClick(desk.view()->table(), Qt::Key_Return);
        QVERIFY(!desk.view()->isVisible());
        QVERIFY(desk.button(QStringLiteral("Save report…"))->isVisible());
        desk.page->showSeries();
        desk.view()->table()->setCurrentIndex(desk.view()->table()->model()->index(3, 0));
        QTest::keyClick(desk.view()->table(), Qt::Key_Return);
        QVERIFY(desk.view()->isVisible()); // it has not been run, and that is said
        QVERIFY(desk.page->findChild<Banner*>()->text().contains(QLatin1String("immediate retry")));
    }

    void endedRunsAreKeptOnce()
    {
        SeriesDesk desk;
        desk.show(sample::series());
        load::SeriesProgress more = sample::series();
        more.runs[2] = sample::seriesRun(QStringLiteral("run-c"));
        desk.show(more);
        QTRY_COMPARE(desk.history.runs.size(), std::size_t(3));
        QCOMPARE(desk.history.runs.front().summary.id, QStringLiteral("run-c"));
    }

    void cancelling()
    {
        SeriesDesk desk;
        desk.show(sample::series());
        desk.page->showSeries();
        desk.button(QStringLiteral("Cancel series"))->click();
        QCOMPARE(desk.series.stops, 1);
        load::SeriesProgress stopping = sample::series();
        stopping.state = load::SeriesState::Stopping;
        desk.show(stopping);
        QVERIFY(desk.button(QStringLiteral("Cancel its requests")));
        load::SeriesProgress cancelled = sample::series();
        cancelled.state = load::SeriesState::Cancelled;
        cancelled.table.rows[3].state = load::SeriesRunState::Skipped;
        desk.show(cancelled);
        QCOMPARE(desk.view()->stateWords(), QStringLiteral("Cancelled after 2 of 4 runs; what had finished stays."));
        QVERIFY(desk.page->seriesChoice()->isEnabled());
        desk.grab("cancelled");
    }

    void failedAndEmptyHaveWords()
    {
        SeriesDesk desk;
        desk.page->showSeries();
        QCOMPARE(desk.view()->stateWords(), QStringLiteral("No series yet"));
        desk.grab("empty");
        load::SeriesProgress failed = sample::series(load::SeriesKind::Endpoints);
        failed.state = load::SeriesState::Failed;
        failed.error = QStringLiteral("No socket is free. Close some.");
        desk.show(failed);
        QVERIFY(desk.view()->stateWords().contains(failed.error));
        desk.context.setMode(ThemeMode::Light);
        desk.context.applyTo(&desk.window);
        desk.grab("failed-light");
    }

    void copiesAsMarkdown()
    {
        SeriesDesk desk;
        desk.show(sample::series());
        desk.page->showSeries();
        desk.button(QStringLiteral("Copy as Markdown"))->click();
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(text.contains(QLatin1String("| Strategy | Success | p50 | p99 |")));
        QVERIFY(text.contains(QLatin1String("full jitter")));
    }
};

} // namespace

int main(int argc, char** argv)
{
    return runLoadTest<TestSeries>(argc, argv);
}
#include "tst_series.moc"
