// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/compare_sample.h"
#include "tests/ui/form_desk.h"
#include "ui/load/compare/breaker_lanes.h"
#include "ui/load/compare/change_table.h"
#include "ui/load/compare/compare_view.h"
#include "ui/load/compare/compare_words.h"
#include "ui/load/compare/curves_plot.h"
#include "ui/load/compare/run_card.h"
#include "ui/load/history/run_list.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/segments.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>

using namespace sg;
using namespace sg::test;
using ui::ChangeWord;
using ui::MetricChange;
using ui::RunRow;

namespace {

std::vector<RunRow> rows(int count)
{
    std::vector<RunRow> all;
    for (int i = 0; i < count; ++i) {
        RunRow run;
        run.id = QString::number(100 - i);
        run.name = QStringLiteral("Run %1, outage-2min").arg(40 - i);
        run.target = QStringLiteral("chain prod-chat");
        run.startedUnixMs = 1'795'000'000'000 - i * 3'600'000LL;
        run.verdict = static_cast<ui::RunVerdict>(i % 5);
        run.requests = 46'800;
        run.success = 0.9995;
        run.p50Ms = 648;
        run.p95Ms = 2200;
        if (i != 2)
            run.p99Ms = 5080;
        run.cost = i == 2 ? QStringLiteral("unknown") : QStringLiteral("$41.10");
        run.isBaseline = i == 3;
        run.note = i == 1 ? QStringLiteral("before the new retry policy") : QString();
        all.push_back(run);
    }
    return all;
}

QPushButton* button(const QWidget& in, const QString& text)
{
    for (auto* each : in.findChildren<QPushButton*>())
        if (each->text() == text)
            return each;
    return nullptr;
}

} // namespace

class TestRunCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void onlyAClearChangeIsBetterOrWorse()
    {
        QVERIFY(ui::wordOf({}, true) == ChangeWord::NoData);
        QVERIFY(ui::wordOf({-0.04, -0.09, 0.01, false}, false) == ChangeWord::NoClearChange);
        QVERIFY(ui::wordOf({-0.04, {}, {}, false}, false) == ChangeWord::NoClearChange); // not known how sure
        QVERIFY(ui::wordOf({-0.04, -0.09, 0.0, false}, false) == ChangeWord::NoClearChange);
        QVERIFY(ui::wordOf({-0.42, -0.5, -0.3, false}, false) == ChangeWord::Better);
        QVERIFY(ui::wordOf({-0.42, -0.5, -0.3, false}, true) == ChangeWord::Worse);
        QVERIFY(ui::wordOf({0.42, 0.3, 0.5, false}, true) == ChangeWord::Better);
        QVERIFY(ui::wordOf({0.42, 0.3, 0.5, false}, std::nullopt) == ChangeWord::Different);
    }

    void changesHaveSignAndUnit()
    {
        QCOMPARE(ui::changeText({-0.42, {}, {}, false}), QStringLiteral("\u221242\u202F%"));
        QCOMPARE(ui::changeText({0.0083, {}, {}, true}), QStringLiteral("+0.83\u202Fpt"));
        QCOMPARE(ui::changeText({0.0, {}, {}, false}), QStringLiteral("0.0\u202F%"));
        QCOMPARE(ui::changeText({0.0001, {}, {}, false}), QStringLiteral("0.0\u202F%"));
        QCOMPARE(ui::changeText({}), QStringLiteral("–"));
        const auto two = compared::two();
        QCOMPARE(
            ui::sentenceOf(two.metrics[2], 1),
            QStringLiteral("p95: A 3.62 s, B 2.09 s, \u221242\u202F% (\u221250\u202F% to \u221233\u202F%), better"));
        QCOMPARE(ui::sentenceOf(two.metrics[8], 1), QStringLiteral("Cost / 1 000: A –, B $1.91"));
    }

    void whatIsDifferentAndWhatIsNot()
    {
        auto two = compared::two();
        two.runs[1].settings.push_back({QStringLiteral("prompts"), QStringLiteral("support-2k")});
        const auto all = ui::differencesOf(two.runs);
        QCOMPARE(all.size(), 3u);
        QCOMPARE(all[0].name, QStringLiteral("retry"));
        QCOMPARE(all[2].values, (std::vector<QString>{QStringLiteral("–"), QStringLiteral("support-2k")}));
        QCOMPARE(ui::sameIn(two.runs), (QStringList{QStringLiteral("stages"), QStringLiteral("seed")}));
        QVERIFY(ui::differencesOf({}).empty());
    }

    void curvesAreReadBetweenTheirPoints()
    {
        ui::CurvesPlot::Curve curve{{}, {{0, 10}, {10, 20}, {20, qQNaN()}, {30, 40}}};
        QCOMPARE(ui::CurvesPlot::valueAt(curve, 5), std::optional(15.0));
        QCOMPARE(ui::CurvesPlot::valueAt(curve, 0), std::optional(10.0));
        QCOMPARE(ui::CurvesPlot::valueAt(curve, 30), std::optional(40.0));
        QVERIFY(!ui::CurvesPlot::valueAt(curve, 15)); // a gap is no line
        QVERIFY(!ui::CurvesPlot::valueAt(curve, 20));
        QVERIFY(!ui::CurvesPlot::valueAt(curve, -1));
        QVERIFY(!ui::CurvesPlot::valueAt(curve, 31));
    }

    void theTableIsAModel()
    {
        ui::ChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setComparison(compared::five(), 2);
        QCOMPARE(model.columnCount(), 1 + 5 + 3);
        QCOMPARE(model.headerData(6, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("C against A"));
        QCOMPARE(model.index(2, 6).data().toString(), QStringLiteral("\u221242\u202F%"));
        QCOMPARE(model.index(2, 8).data().toString(), QStringLiteral("better"));
        QVERIFY(model.index(2, 0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("better")));
        QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("nearest rank")));
        model.setComparison(compared::two(), 0); // the reference has no change
        QCOMPARE(model.index(2, 5).data().toString(), QStringLiteral("no data"));
    }

    void aCardChoosesWhoseChangeIsShown()
    {
        FormDesk desk;
        auto* view = new ui::CompareView(desk.theme);
        view->setComparison(compared::five());
        desk.fill(view, {1360, 780});
        QCOMPARE(view->shownRun(), 4u);
        const auto cards = view->findChildren<ui::RunCard*>();
        QCOMPARE(cards.size(), 5);
        QTest::mouseClick(cards[1], Qt::LeftButton);
        QCOMPARE(view->changes()->model().run(), 1u);
        QVERIFY(cards[0]->accessibleName().contains(QStringLiteral("compared with it")));
        // Of five runs the values that the change is about, so that the change itself is in sight.
        QVERIFY(!view->changes()->isColumnHidden(1) && !view->changes()->isColumnHidden(2));
        QVERIFY(view->changes()->isColumnHidden(3) && view->changes()->isColumnHidden(5));
        QSignalSpy baseline(view, &ui::CompareView::baselineWanted);
        QTest::mouseClick(button(*view, QStringLiteral("Set B as baseline")), Qt::LeftButton);
        QCOMPARE(baseline.value(0).value(0).toString(), QStringLiteral("36"));
        QTest::mouseClick(cards[0], Qt::LeftButton);
        QTest::mouseClick(button(*view, QStringLiteral("Clear the baseline")), Qt::LeftButton);
        QCOMPARE(baseline.value(1).value(1).toBool(), false);
        view->setComparison(compared::two()); // fewer cards, the newest against the baseline
        QCOMPARE(view->findChildren<ui::RunCard*>().size(), 2);
        QCOMPARE(view->shownRun(), 1u);
    }

    void percentilesGiveTheTailItsRoom()
    {
        FormDesk desk;
        auto* view = new ui::CompareView(desk.theme);
        view->setComparison(compared::two());
        desk.fill(view, {1360, 780});
        QStringList marks;
        for (const auto& [at, words] : view->percentiles()->content().marks)
            marks << words;
        QCOMPARE(marks.join(QLatin1Char(' ')),
                 QStringLiteral("0 50\u202F% 90\u202F% 95\u202F% 99\u202F% 99.9\u202F% 99.99\u202F%"));
        view->percentiles()->setFocus();
        QTest::keyClick(view->percentiles(), Qt::Key_Home);
        QVERIFY(view->percentiles()->accessibleDescription().startsWith(QStringLiteral("at 0\u202F%, A  Run 35")));
        QTest::keyClick(view->percentiles(), Qt::Key_Escape);
        QVERIFY(!view->percentiles()->cursor());
        QVERIFY(view->percentiles()->dataTable().rows.size() > 100);
    }

    void overTimeShowsWhatIsAskedFor()
    {
        FormDesk desk;
        auto* view = new ui::CompareView(desk.theme);
        view->setComparison(compared::two());
        desk.fill(view, {1360, 780});
        QCOMPARE(view->overTime()->content().title, QStringLiteral("p95 over time"));
        QVERIFY(!ui::CurvesPlot::valueAt(view->overTime()->content().curves[0], 200)); // where it had no answers
        auto* what = view->findChild<ui::Segments*>();
        what->setCurrent(3);
        QCOMPARE(view->overTime()->content().title, QStringLiteral("Throughput over time"));
        QVERIFY(!view->overTime()->content().isLog);
        what->setCurrent(4);
        QCOMPARE(view->overTime()->content().yWords(0.0004), QStringLiteral("<\u202F0.1\u202F%"));
    }

    void breakersStandBelowEachOther()
    {
        FormDesk desk;
        auto* view = new ui::CompareView(desk.theme);
        auto two = compared::two();
        view->setComparison(two);
        desk.fill(view, {1360, 780});
        auto* lanes = view->breakers();
        QCOMPARE(lanes->rows().size(), std::size_t(2)); // of gpt-4.1: claude stayed closed in both
        QCOMPARE(lanes->quiet(), QStringList{QStringLiteral("claude")});
        QCOMPARE(lanes->summary(), QStringLiteral("gpt-4.1: A opened at 7:24, B opened at 6:20"));
        lanes->setFocus();
        QTest::keyClick(lanes, Qt::Key_End);
        QCOMPARE(lanes->cursor(), std::optional(900.0));
        QVERIFY2(lanes->accessibleDescription().startsWith(QStringLiteral("at 15:00, A gpt-4.1 closed")),
                 qPrintable(lanes->accessibleDescription()));
        QTest::keyClick(lanes, Qt::Key_Escape);
        QVERIFY(lanes->accessibleDescription().contains(QStringLiteral("A gpt-4.1 from 7:24")));
        QCOMPARE(lanes->dataTable().rows.size(), std::size_t(2));
        two.runs[1].breakers.clear(); // a run over another target
        view->setComparison(two);
        QVERIFY(lanes->dataTable().rows[1][5].text == QStringLiteral("not in this run"));
        QCOMPARE(lanes->dataTable().rows[1][3].text, QStringLiteral("–")); // unknown is no 0
        for (auto& run : two.runs)
            run.breakers.clear();
        view->setComparison(two);
        QVERIFY(lanes->rows().empty() && lanes->summary().isEmpty());
        QVERIFY(lanes->accessibleDescription().contains(QStringLiteral("No breaker left closed")));
    }

    void ofTwoRunsDifferencesAreMinusAndPlus()
    {
        FormDesk desk;
        auto two = compared::two();
        two.runs[1].settings.push_back({QStringLiteral("<b>"), QStringLiteral("<i>x")});
        const QString html = ui::differenceHtml(two, desk.theme.theme());
        QVERIFY(html.contains(QStringLiteral("\u2212 fixed 1.00 s × 5")));
        QVERIFY(html.contains(QStringLiteral("+ exponential, full jitter, cap 8.0 s × 5")));
        QVERIFY(html.contains(QStringLiteral("&lt;i&gt;x")) && !html.contains(QStringLiteral("<i>")));
        QVERIFY(html.contains(QStringLiteral("The same: stages, seed")));
        two.reference = 1;
        QVERIFY(ui::differenceHtml(two, desk.theme.theme()).contains(QStringLiteral("+ fixed 1.00 s × 5")));
        auto five = compared::five();
        five.settingsNote = QStringLiteral("not kept");
        const QString lines = ui::differenceHtml(five, desk.theme.theme());
        QVERIFY(lines.contains(QStringLiteral(">E</b>")) && lines.contains(QStringLiteral("not kept")));
    }

    void theCursorSaysTheChange()
    {
        FormDesk desk;
        auto* view = new ui::CompareView(desk.theme);
        view->setComparison(compared::two());
        desk.fill(view, {1360, 780});
        view->percentiles()->setFocus();
        QTest::keyClick(view->percentiles(), Qt::Key_End);
        const QString said = view->percentiles()->accessibleDescription();
        QVERIFY2(said.contains(QRegularExpression(QStringLiteral("B  Run 36 [^,]*\\(\u2212\\d+"))), qPrintable(said));
        QCOMPARE(view->percentiles()->content().limits.size(), std::size_t(1));
        auto two = compared::two();
        two.runs[1].limits.clear(); // a limit of one run is none of the comparison
        QVERIFY(ui::limitsIn(two.runs).empty());
    }

    void theListComparesTwoToFive()
    {
        FormDesk desk;
        auto* list = new ui::RunList(desk.theme);
        list->setRuns(rows(8), true);
        desk.fill(list, {1200, 400});
        QSignalSpy compare(list, &ui::RunList::compareWanted);
        auto* start = button(*list, QStringLiteral("Compare runs"));
        QVERIFY(start && !start->isEnabled());
        list->select({QStringLiteral("100")});
        QVERIFY(!start->isEnabled());
        list->select({QStringLiteral("100"), QStringLiteral("98"), QStringLiteral("97")});
        QCOMPARE(start->text(), QStringLiteral("Compare 3 runs"));
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(compare.value(0).value(0).value<std::vector<QString>>(),
                 (std::vector<QString>{QStringLiteral("97"), QStringLiteral("98"), QStringLiteral("100")}));
        list->select({QStringLiteral("100"), QStringLiteral("99"), QStringLiteral("98"), QStringLiteral("97"),
                      QStringLiteral("96"), QStringLiteral("95")});
        QVERIFY(!start->isEnabled());
        QSignalSpy more(list, &ui::RunList::moreWanted);
        QTest::mouseClick(button(*list, QStringLiteral("Older runs")), Qt::LeftButton);
        QCOMPARE(more.count(), 1);
    }

    void newRunsKeepTheSelection()
    {
        FormDesk desk;
        auto* list = new ui::RunList(desk.theme);
        auto all = rows(4);
        list->setRuns(all, false);
        desk.fill(list, {1200, 400});
        list->select({QStringLiteral("99"), QStringLiteral("98")});
        RunRow newest = all.front();
        newest.id = QStringLiteral("101");
        all.insert(all.begin(), newest);
        list->setRuns(all, false);
        QCOMPARE(list->selected(), (std::vector<QString>{QStringLiteral("98"), QStringLiteral("99")}));
    }

    void notesAreSavedForTheRunTheyWereWrittenFor()
    {
        FormDesk desk;
        auto* list = new ui::RunList(desk.theme);
        list->setRuns(rows(4), false);
        desk.fill(list, {1200, 400});
        QSignalSpy notes(list, &ui::RunList::noteWanted);
        auto* note = list->findChild<QLineEdit*>();
        QVERIFY(!note->isEnabled());
        list->select({QStringLiteral("99")});
        QCOMPARE(note->text(), QStringLiteral("before the new retry policy"));
        note->selectAll();
        QTest::keyClicks(note, QStringLiteral("after it"));
        list->select({QStringLiteral("100")}); // without leaving the field first
        QCOMPARE(notes.count(), 1);
        QCOMPARE(notes.value(0).value(0).toString(), QStringLiteral("99"));
        QCOMPARE(notes.value(0).value(1).toString(), QStringLiteral("after it"));
        QCOMPARE(note->text(), QString());
        QTest::keyClick(note, Qt::Key_Return); // nothing was written
        QCOMPARE(notes.count(), 1);
    }

    void deletingAsks()
    {
        FormDesk desk;
        auto* list = new ui::RunList(desk.theme);
        list->setRuns(rows(4), false);
        desk.fill(list, {1200, 400});
        QSignalSpy removed(list, &ui::RunList::deleteWanted);
        bool answer = false;
        QString question;
        list->askDelete = [&](QWidget*, const QString& words) {
            question = words;
            return answer;
        };
        list->select({QStringLiteral("98")});
        list->table()->setFocus();
        QTest::keyClick(list->table(), Qt::Key_Delete);
        QVERIFY(question.contains(QStringLiteral("Run 38")));
        QCOMPARE(removed.count(), 0);
        answer = true;
        QTest::keyClick(list->table(), Qt::Key_Delete);
        QCOMPARE(removed.value(0).value(0).toString(), QStringLiteral("98"));
    }

    void anEmptyListAndABrokenStoreSayWhatToDo()
    {
        FormDesk desk;
        auto* list = new ui::RunList(desk.theme);
        desk.fill(list, {1200, 400});
        QVERIFY(!list->table()->isVisible());
        bool wentOn = false;
        list->setTrouble(QStringLiteral("The list of runs is locked by another program."), QStringLiteral("Try again"),
                         [&] { wentOn = true; });
        QTest::mouseClick(button(*list, QStringLiteral("Try again")), Qt::LeftButton);
        QVERIFY(wentOn);
        list->setTrouble({});
        QVERIFY(!list->findChild<ui::Banner*>()->isVisible());
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            {
                FormDesk desk(mode);
                auto palette = desk.window.palette();
                palette.setColor(QPalette::Window, desk.theme.c().window);
                desk.window.setPalette(palette);
                auto* view = new ui::CompareView(desk.theme);
                view->setComparison(compared::two());
                desk.column->addWidget(view);
                desk.show({1360, 800});
                desk.shoot("compare");
                view->setComparison(compared::five());
                desk.shoot("compare-five");
                QVERIFY(desk.window.isVisible());
            }
            FormDesk desk(mode);
            auto* list = new ui::RunList(desk.theme);
            list->setRuns(rows(12), true);
            list->select({QStringLiteral("99"), QStringLiteral("97")});
            desk.column->addWidget(list);
            desk.show({1360, 500});
            desk.shoot("runs");
        }
    }
};

QTEST_MAIN(TestRunCompare)
#include "tst_run_compare.moc"
