// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/overview_desk.h"
#include "ui/overview/breaker_card.h"
#include "ui/overview/histogram_bars.h"
#include "ui/overview/kpi_row.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/overview/latency_histogram.h"
#include "ui/overview/state_lanes.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/chart_data.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/tip_frame.h"

#include <QClipboard>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWhatsThis>

using namespace sg;
using namespace sg::test;

namespace {

QWidget* explanation()
{
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->isVisible() && widget->inherits("QWhatsThat"))
            return widget;
    return nullptr;
}

bool hasVisibleTip(const Desk& desk)
{
    const auto tips = desk.window.findChildren<ui::TipFrame*>();
    return std::ranges::any_of(tips, [](const ui::TipFrame* tip) { return tip->isVisible(); });
}

} // namespace

/// What the keyboard does with charts and figures, and what the program remembers of its looks.
class TestChartKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void arrowsReadTheHistogram()
    {
        Desk desk(normalSnapshot());
        auto& histogram = desk.page->histogram();
        const QString whole = histogram.accessibleDescription();
        histogram.setFocus();
        QVERIFY(!histogram.cursor());
        QTest::keyClick(&histogram, Qt::Key_Home);
        const auto first = histogram.cursor();
        QVERIFY(first && hasVisibleTip(desk));
        QVERIFY2(histogram.accessibleDescription().contains(QStringLiteral("answered")),
                 qPrintable(histogram.accessibleDescription()));
        QVERIFY(histogram.accessibleDescription() != whole);
        QTest::keyClick(&histogram, Qt::Key_Right);
        QVERIFY(histogram.cursor() > first);
        QTest::keyClick(&histogram, Qt::Key_Left);
        QCOMPARE(histogram.cursor(), first);
        QTest::keyClick(&histogram, Qt::Key_Left); // nothing further left
        QCOMPARE(histogram.cursor(), first);
        QTest::keyClick(&histogram, Qt::Key_End);
        QVERIFY(histogram.cursor() > first);
        QTest::keyClick(&histogram, Qt::Key_Escape);
        QVERIFY(!histogram.cursor() && !hasVisibleTip(desk));
        QCOMPARE(histogram.accessibleDescription(), whole);
    }

    void cursorsOutliveNewPicturesButNotTheFocus()
    {
        Desk desk(normalSnapshot());
        auto& histogram = desk.page->histogram();
        histogram.setFocus();
        QTest::keyClick(&histogram, Qt::Key_Home);
        desk.show(normalSnapshot());
        desk.now += 2000;
        desk.window.tick();
        QVERIFY(histogram.cursor());
        desk.page->heatmap().setFocus();
        QVERIFY(!histogram.cursor());
        QTest::keyClick(&desk.page->heatmap(), Qt::Key_Left);
        QVERIFY(desk.page->heatmap().cursor());
        auto empty = normalSnapshot();
        empty.latency.clear();
        empty.heatmap.counts.assign(empty.heatmap.counts.size(), 0);
        empty.heatmap.maxCount = 0;
        desk.show(empty);
        desk.now += 2000;
        desk.window.tick();
        QVERIFY(!desk.page->heatmap().cursor());
        QVERIFY(!hasVisibleTip(desk));
        QTest::keyClick(&desk.page->heatmap(), Qt::Key_Right);
        QVERIFY(!desk.page->heatmap().cursor());
    }

    void arrowsReadTheHeatmap()
    {
        Desk desk(normalSnapshot());
        auto& map = desk.page->heatmap();
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_Left);
        const auto at = map.cursor();
        QVERIFY(at);
        QCOMPARE(at->column, desk.source.snapshot->heatmap.columns - 1);
        QVERIFY(map.accessibleDescription().contains(QStringLiteral("requests")));
        QTest::keyClick(&map, Qt::Key_Up);
        QCOMPARE(map.cursor()->row, at->row + 1);
        QTest::keyClick(&map, Qt::Key_Home);
        QCOMPARE(map.cursor()->column, 0);
        for (int i = 0; i < 200; ++i)
            QTest::keyClick(&map, Qt::Key_Down);
        QVERIFY(map.cursor()->row >= 0);
        QVERIFY(!desk.window.grab().isNull());
        desk.window.showPage(QStringLiteral("settings"));
        QVERIFY(!hasVisibleTip(desk));
    }

    void tOpensTheDataOfEachChart()
    {
        Desk desk(normalSnapshot());
        const std::pair<QWidget*, int> charts[] = {
            {&desk.page->histogram(), 5}, {&desk.page->heatmap(), 4}, {&desk.page->lanes(), 6}};
        for (const auto& [chart, columns] : charts) {
            chart->setFocus();
            QTest::keyClick(chart, Qt::Key_T);
            auto* dialog = desk.window.findChild<ui::DataTableDialog*>();
            QVERIFY2(dialog && dialog->isVisible(), chart->metaObject()->className());
            auto* table = dialog->findChild<QTableView*>();
            QVERIFY(table->model()->rowCount() > 0);
            QCOMPARE(table->model()->columnCount(), columns);
            dialog->copy();
            const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
            QCOMPARE(lines.size(), table->model()->rowCount() + 1);
            QCOMPARE(lines.first().split(QLatin1Char('\t')).size(), columns);
            QTest::keyClick(dialog, Qt::Key_Escape);
            QVERIFY(!dialog->isVisible());
            QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
        }
        desk.page->tiles().tile(0)->setFocus();
        QTest::keyClick(desk.page->tiles().tile(0), Qt::Key_T);
        QVERIFY(!desk.window.findChild<ui::DataTableDialog*>());
    }

    void tableCountsEveryAnswerOnce()
    {
        Desk desk(normalSnapshot());
        std::int64_t wanted = 0, shown = 0;
        for (const auto& bin : desk.source.snapshot->latency)
            wanted += bin.answered + bin.cached;
        for (const auto& bar : ui::histogram::bars(desk.source.snapshot->latency))
            shown += bar.answered + bar.cached;
        QVERIFY(wanted > 0);
        QCOMPARE(shown, wanted);
    }

    void whatIsBelowAMillisecondIsOneBar()
    {
        std::vector<observe::LatencyBin> bins;
        for (double low = 0.01; low < 2000; low *= 1.25)
            bins.push_back({low, low * 1.25, 3, 2, 1});
        const auto bars = ui::histogram::bars(bins);
        QCOMPARE(bars.front().lowMs, 0.0);
        QVERIFY(bars.front().highMs > 0.75 && bars.front().highMs <= 1.3);
        QVERIFY(bars.front().answered > 30);
        QVERIFY(ui::histogram::spanWords(bars.front()).startsWith(QStringLiteral("below ")));
        QCOMPARE(bars[1].lowMs, bars[0].highMs);
        // All of it fast: then the differences are what one wants to see.
        bins.erase(std::ranges::find_if(bins, [](const auto& bin) { return bin.highMs > 5; }), bins.end());
        QCOMPARE(ui::histogram::bars(bins).size(), bins.size());
        QVERIFY(ui::histogram::bars({}).empty());
    }

    void f1ExplainsWhatHasTheFocus()
    {
        Desk desk(normalSnapshot());
        const std::initializer_list<QWidget*> all{
            desk.page->tiles().tile(0), desk.page->tiles().tile(1), desk.page->tiles().tile(2),
            desk.page->tiles().tile(3), desk.page->tiles().tile(4), desk.card("gpt-4.1"),
            &desk.page->lanes(),        &desk.page->histogram(),    &desk.page->heatmap()};
        for (QWidget* widget : all)
            QVERIFY2(!widget->whatsThis().isEmpty(), widget->metaObject()->className());
        desk.page->tiles().tile(2)->setFocus();
        QTest::keyClick(&desk.window, Qt::Key_F1);
        QVERIFY(explanation());
        QWhatsThis::hideText();
        // A card's button is explained by its card.
        desk.card("gpt-4.1")->button(0)->setFocus();
        QTest::keyClick(&desk.window, Qt::Key_F1);
        QVERIFY(explanation());
        QWhatsThis::hideText();
    }

    void looksAreRemembered()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("s/switchgear.ini"));
        {
            ui::Preferences preferences(file);
            Desk desk(normalSnapshot(), {1440, 900}, &preferences);
            QVERIFY(desk.window.theme().mode() == ui::ThemeMode::System);
            desk.window.theme().setMode(ui::ThemeMode::Light);
            desk.window.theme().setReducedMotion(true);
            desk.window.topBar().ranges().setCurrent(3);
            desk.window.close();
        }
        ui::Preferences preferences(file);
        QVERIFY(!preferences.windowPlace().isEmpty());
        Desk desk(normalSnapshot(), {1440, 900}, &preferences);
        QVERIFY(desk.window.theme().mode() == ui::ThemeMode::Light);
        QVERIFY(!desk.window.theme().theme().dark);
        QVERIFY(desk.window.theme().theme().reducedMotion);
        QCOMPARE(desk.window.topBar().ranges().current(), 3);
        QCOMPARE(desk.source.windows.back(), Nanos(std::chrono::hours(6)));
    }

    void brokenSettingsAreDefaults()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("broken.ini")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[appearance]\ntheme=purple\nreduced_motion=@Invalid()\n[view]\ntime_range=77\n[window]\nplace=x\n");
        file.close();
        ui::Preferences preferences(file.fileName());
        QVERIFY(preferences.theme() == ui::ThemeMode::System);
        QVERIFY(!preferences.reducedMotion());
        QCOMPARE(preferences.timeRange(), 1);
        Desk desk(normalSnapshot(), {1440, 900}, &preferences);
        QVERIFY(desk.window.isVisible());
    }

    void badgesSaySomethingAndTipsStay()
    {
        Desk desk(normalSnapshot(), {1100, 900});
        const auto badge = desk.page->badge(*desk.source.snapshot);
        QCOMPARE(badge.text, QStringLiteral("1"));
        QCOMPARE(badge.words, QStringLiteral("1 endpoint needs attention"));
        desk.window.resize(1440, 900);
        QCoreApplication::processEvents();
        bool isFound = false;
        for (const auto* button : desk.window.findChildren<QToolButton*>())
            isFound = isFound || button->toolTip().startsWith(QStringLiteral("Overview (Ctrl 1)\n1 endpoint"));
        QVERIFY(isFound);
    }
};

QTEST_MAIN(TestChartKeys)
#include "tst_chart_keys.moc"
