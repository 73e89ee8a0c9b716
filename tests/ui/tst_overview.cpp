// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/overview_desk.h"
#include "ui/main_window/command_palette.h"
#include "ui/overview/breaker_card.h"
#include "ui/overview/empty_state.h"
#include "ui/overview/events_panel.h"
#include "ui/overview/kpi_row.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/overview/latency_histogram.h"
#include "ui/overview/state_lanes.h"
#include "ui/shots.h"
#include "ui/widgets/segments.h"

#include <QFontMetricsF>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace sg;
using observe::BreakerCommand;
using policy::BreakerState;

using test::Desk;

namespace {

QPushButton* button(QWidget* in, const char* name)
{
    return in->findChild<QPushButton*>(QString::fromLatin1(name));
}

QString plain(QString text)
{
    return text.replace(QChar(0x202F), QLatin1Char(' ')).replace(QChar(0x00A0), QLatin1Char(' '));
}

double inkShare(const QImage& image, const QRect& area, const QColor& colour)
{
    int hits = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            hits += image.pixelColor(x, y) == colour ? 1 : 0;
    }
    return double(hits) / (area.width() * area.height());
}

} // namespace

class TestOverview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void tilesSayTheFigures()
    {
        Desk desk(test::normalSnapshot());
        auto& tiles = desk.page->tiles();
        QCOMPARE(tiles.tile(0)->facts().figures.front().number, QStringLiteral("12.4"));
        QCOMPARE(tiles.tile(1)->facts().figures.front().number, QStringLiteral("99.96"));
        QCOMPARE(tiles.tile(2)->facts().figures.at(0).number, QStringLiteral("712"));
        QCOMPARE(tiles.tile(2)->facts().figures.at(1).number, QStringLiteral("2.28"));
        QCOMPARE(tiles.tile(2)->facts().figures.at(2).unit, QStringLiteral("s"));
        QCOMPARE(tiles.tile(3)->facts().figures.front().number, QStringLiteral("$82.60"));
        QCOMPARE(tiles.tile(3)->facts().accent, QStringLiteral("▲ $23.40"));
        QCOMPARE(tiles.tile(4)->facts().figures.front().number, QStringLiteral("23.0"));
        QVERIFY(!tiles.tile(0)->accessibleName().isEmpty());
    }

    void unknownIsADashNeverZero()
    {
        Desk desk(test::quietSnapshot());
        const QString dash = QStringLiteral("–");
        auto& tiles = desk.page->tiles();
        for (int i = 0; i < 5; ++i) {
            for (const auto& figure : tiles.tile(i)->facts().figures)
                QCOMPARE(figure.number, dash);
        }
        QCOMPARE(desk.card("gpt-4.1")->facts().gaugeText, dash);
        QVERIFY(!desk.card("gpt-4.1")->facts().gaugeShare);
    }

    void p99SaysWhatItWaitsFor()
    {
        Desk desk(test::earlySnapshot());
        const auto& latency = desk.page->tiles().tile(2)->facts();
        QCOMPARE(latency.figures.at(2).number, QStringLiteral("–"));
        QCOMPARE(latency.context, QStringLiteral("p99 needs 100 requests, has 38"));
        const auto& cost = desk.page->tiles().tile(3)->facts();
        QVERIFY(cost.figures.front().number.startsWith(QStringLiteral("≥ $")));
    }

    void cardsSayStateAndReason()
    {
        Desk desk(test::normalSnapshot());
        const auto& open = desk.card("gpt-4.1")->facts();
        QCOMPARE(open.line1, QStringLiteral("Tripped 14:24:12"));
        QCOMPARE(open.line2, QStringLiteral("traffic moved to claude"));
        QCOMPARE(plain(open.gaugeText), QStringLiteral("52 %"));
        QCOMPARE(open.gaugeFoot, QStringLiteral("failures at the trip"));
        QCOMPARE(plain(open.ringMain), QStringLiteral("10 s"));
        QCOMPARE(open.errorTitle, QStringLiteral("503 Overloaded"));
        QCOMPARE(plain(desk.card("gpt-4.1")->accessibleName()), QStringLiteral("gpt-4.1, open, next probe in 10 s"));

        const auto& half = desk.card("gemini-2.5-flash")->facts();
        QCOMPARE(half.line1Bold, QStringLiteral("2 of 3"));
        QCOMPARE(half.ringMain, QStringLiteral("2 / 3"));
        const auto& closed = desk.card("claude-sonnet-4.5")->facts();
        QCOMPARE(plain(closed.line2), QStringLiteral("closed for 3 d 04 h"));
        QCOMPARE(plain(closed.gaugeFoot), QStringLiteral("failures, 60 s window"));
        QVERIFY(plain(closed.errorWords).startsWith(QStringLiteral("41 s ago")));
        QCOMPARE(desk.card("gpt-4.1 (eu)")->facts().line2, QStringLiteral("“Key rotation, 4821”"));
    }

    void countdownRunsWithoutNewSnapshot()
    {
        Desk desk(test::normalSnapshot());
        desk.now += 3'000;
        desk.window.tick();
        QCOMPARE(plain(desk.card("gpt-4.1")->facts().ringMain), QStringLiteral("7 s"));
    }

    void everyButtonSendsItsCommand_data()
    {
        QTest::addColumn<QString>("endpoint");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("command");
        QTest::addColumn<bool>("asks");
        const auto row = [](const char* name, const char* endpoint, int index, BreakerCommand command, bool asks) {
            QTest::newRow(name) << QString::fromLatin1(endpoint) << index << int(command) << asks;
        };
        row("force open", "claude-sonnet-4.5", 0, BreakerCommand::ForceOpen, true);
        row("force close", "gpt-4.1", 1, BreakerCommand::ForceClosed, true);
        row("probe now", "gpt-4.1", 2, BreakerCommand::ProbeNow, false);
        row("reset", "gemini-2.5-flash", 2, BreakerCommand::Reset, true);
        row("remove lock", "gpt-4.1 (eu)", 0, BreakerCommand::Release, true);
    }
    void everyButtonSendsItsCommand()
    {
        QFETCH(QString, endpoint);
        QFETCH(int, index);
        QFETCH(int, command);
        QFETCH(bool, asks);
        Desk desk(test::normalSnapshot());
        QTest::mouseClick(desk.page->cards().card(endpoint)->button(index), Qt::LeftButton);
        auto* dialog = desk.dialog();
        QCOMPARE(dialog != nullptr, asks);
        QString reason;
        if (dialog) {
            QVERIFY(desk.commands.calls.empty());
            reason = QStringLiteral("drill 12");
            QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("reason")), reason);
            QTest::mouseClick(button(dialog, "confirmAction"), Qt::LeftButton);
        }
        QCOMPARE(desk.commands.calls.size(), std::size_t{1});
        QCOMPARE(desk.commands.calls.front().endpoint, endpoint.toStdString());
        QCOMPARE(int(desk.commands.calls.front().command), command);
        QCOMPARE(desk.commands.calls.front().reason, reason.toStdString());
    }

    void confirmationProtects()
    {
        Desk desk(test::normalSnapshot());
        QTest::mouseClick(desk.card("claude-sonnet-4.5")->button(0), Qt::LeftButton);
        auto* dialog = desk.dialog();
        QVERIFY(dialog);
        auto* act = button(dialog, "confirmAction");
        QVERIFY(!act->isDefault());
        QVERIFY(!act->autoDefault());
        QVERIFY(button(dialog, "cancel")->isDefault());
        QVERIFY2(!act->isEnabled(), "production needs a reason");
        auto* reason = dialog->findChild<QLineEdit*>(QStringLiteral("reason"));
        QTest::keyClicks(reason, QStringLiteral("why"));
        QVERIFY(act->isEnabled());
        QTest::keyClick(reason, Qt::Key_Return);
        QVERIFY(desk.commands.calls.empty());
        QVERIFY(dialog->isVisible());
        bool saysTraffic = false;
        for (auto* label : dialog->findChildren<QLabel*>())
            saysTraffic = saysTraffic || label->text().contains(QStringLiteral("468 requests a minute"));
        QVERIFY(saysTraffic);
        QTest::mouseClick(button(dialog, "cancel"), Qt::LeftButton);
        QVERIFY(desk.commands.calls.empty());
    }

    void cardKeysAskLikeButtons()
    {
        Desk desk(test::normalSnapshot());
        auto* card = desk.card("claude-sonnet-4.5");
        card->setFocus();
        QTest::keyClick(card, Qt::Key_C); // disabled while closed
        QVERIFY(!desk.dialog());
        QTest::keyClick(card, Qt::Key_O);
        QVERIFY(desk.dialog());
    }

    void pausingFreezesAndCounts()
    {
        Desk desk(test::normalSnapshot());
        desk.window.centralWidget()->setFocus();
        QTest::keyClick(desk.window.centralWidget(), Qt::Key_Space);
        QVERIFY(desk.window.isPaused());
        auto next = test::normalSnapshot();
        next.eventsTotal += 412;
        next.tiles.requestsPerSecond = 99;
        next.endpoints[0].state = BreakerState::Closed;
        desk.show(next);
        desk.now += 60'000;
        desk.window.tick();
        QCOMPARE(desk.page->tiles().tile(0)->facts().figures.front().number, QStringLiteral("12.4"));
        QVERIFY(desk.card("gpt-4.1")->facts().state == BreakerState::Open);
        QCOMPARE(desk.window.topBar().liveButton().text(), QStringLiteral("paused 14:32:08, +412 events"));
        QTest::mouseClick(&desk.window.topBar().liveButton(), Qt::LeftButton);
        QVERIFY(!desk.window.isPaused());
        QVERIFY(desk.card("gpt-4.1")->facts().state == BreakerState::Closed);
        QVERIFY(desk.window.topBar().liveButton().text().startsWith(QStringLiteral("Live ")));
    }

    void rangesAndPagesByKey()
    {
        Desk desk(test::normalSnapshot());
        QCOMPARE(desk.source.windows.back(), Nanos(std::chrono::minutes(15)));
        QTest::keyClick(desk.window.centralWidget(), Qt::Key_BracketRight);
        QCOMPARE(desk.source.windows.back(), Nanos(std::chrono::hours(1)));
        QTest::keyClick(desk.window.centralWidget(), Qt::Key_BracketLeft);
        QTest::keyClick(desk.window.centralWidget(), Qt::Key_BracketLeft);
        QCOMPARE(desk.source.windows.back(), Nanos(std::chrono::minutes(5)));
        QTest::keyClick(&desk.window, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(desk.window.currentPage(), QStringLiteral("settings"));
        QTest::keyClick(&desk.window, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(desk.window.currentPage(), QStringLiteral("overview"));
    }

    void hiddenPageGetsNothingAndCatchesUp()
    {
        Desk desk(test::normalSnapshot());
        desk.window.showPage(QStringLiteral("settings"));
        auto next = test::normalSnapshot();
        next.endpoints[1].inFlight = 77;
        desk.show(next);
        desk.now += 1000;
        desk.window.tick();
        QCOMPARE(desk.card("claude-sonnet-4.5")->facts().inFlight, QStringLiteral("24"));
        desk.window.showPage(QStringLiteral("overview"));
        QCOMPARE(desk.card("claude-sonnet-4.5")->facts().inFlight, QStringLiteral("77"));
    }

    void staleDataSaysSo()
    {
        Desk desk(test::normalSnapshot());
        QVERIFY(desk.page->tiles().tile(0)->facts().stale.isEmpty());
        desk.now += 12'000;
        desk.window.tick();
        QCOMPARE(plain(desk.page->tiles().tile(0)->facts().stale), QStringLiteral("no data for 12 s"));
    }

    void emptyDeskOffersTwoWays()
    {
        Desk desk(test::emptySnapshot());
        QVERIFY(desk.page->isEmpty());
        QSignalSpy add(desk.page, &ui::OverviewPage::addEndpointRequested);
        QSignalSpy simulator(desk.page, &ui::OverviewPage::simulatorRequested);
        QTest::mouseClick(button(&desk.page->emptyState(), "addEndpoint"), Qt::LeftButton);
        QTest::mouseClick(button(&desk.page->emptyState(), "startSimulator"), Qt::LeftButton);
        QCOMPARE(add.count(), 1);
        QCOMPARE(simulator.count(), 1);
        desk.show(test::normalSnapshot());
        desk.window.tick();
        QVERIFY(!desk.page->isEmpty());
        QCOMPARE(desk.page->cards().cards().size(), std::size_t{5});
    }

    void themeSwitchesLive()
    {
        Desk desk(test::normalSnapshot());
        desk.window.theme().setMode(ui::ThemeMode::Dark);
        const QImage dark = desk.window.grab().toImage();
        desk.window.theme().setMode(ui::ThemeMode::Light);
        const QImage light = desk.window.grab().toImage();
        // 4 px inside the lanes' panel there is nothing but the card's own colour.
        const QRect card(desk.page->lanes().mapTo(&desk.window, QPoint(4, 2)), QSize(6, 1));
        QVERIFY(inkShare(dark, card, ui::darkTokens().card) > 0.99);
        QVERIFY(inkShare(light, card, ui::lightTokens().card) > 0.99);
        QCOMPARE(desk.window.palette().color(QPalette::Window), ui::lightTokens().window);
    }

    /// The first minutes fill the width: half of it empty would say nothing.
    void lanesBeginWithTheRecording()
    {
        auto snapshot = test::quietSnapshot();
        snapshot.startedUnixMs = snapshot.takenUnixMs - 120'000;
        for (auto& lane : snapshot.lanes)
            for (auto& segment : lane.segments)
                segment.fromUnixMs = snapshot.startedUnixMs;
        Desk desk(snapshot);
        auto& lanes = desk.page->lanes();
        QVERIFY(!lanes.textAt(QPoint(150, 4 + 12)).isEmpty());
        QVERIFY(!lanes.textAt(QPoint(lanes.width() - 20, 4 + 12)).isEmpty());
        snapshot.startedUnixMs = snapshot.takenUnixMs - 2 * snapshot.windowMs;
        desk.show(snapshot);
        desk.now += 1000;
        desk.window.tick();
        QVERIFY(lanes.textAt(QPoint(150, 4 + 12)).isEmpty()); // the window is longer than the endpoint is there
    }

    void lanesTellWhatHappened()
    {
        Desk desk(test::normalSnapshot());
        auto& lanes = desk.page->lanes();
        const QString words = plain(lanes.textAt(QPoint(lanes.width() - 20, 4 + 2 * 25 + 12)));
        QVERIFY2(words.contains(QStringLiteral("half-open. 2 of 3 probes passed")), qPrintable(words));
        QVERIFY(lanes.textAt(QPoint(20, 20)).isEmpty());
        QTest::mouseMove(&lanes, QPoint(lanes.width() - 20, 62));
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_Home);
        QVERIFY(!lanes.accessibleName().isEmpty());
    }

    void paletteFindsEndpoints()
    {
        Desk desk(test::normalSnapshot());
        desk.window.showPage(QStringLiteral("settings"));
        desk.window.openPalette();
        auto* palette = desk.window.findChild<ui::CommandPalette*>();
        QVERIFY(palette);
        auto* field = palette->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("show deepseek"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(desk.window.currentPage(), QStringLiteral("overview"));
        QCOMPARE(desk.window.focusWidget(), static_cast<QWidget*>(desk.card("deepseek-v3.2")));
    }

    /// Cards repaint what changed: what is on the screen must be what a whole paint would show.
    void partsRepaintedLookAsTheWhole()
    {
        Desk desk(test::movingSnapshot(12, 0));
        desk.window.theme().setReducedMotion(true); // no swing, which would differ by its time
        for (int beat = 1; beat <= 6; ++beat) {
            desk.show(test::movingSnapshot(12, beat));
            desk.now = desk.source.snapshot->takenUnixMs;
            desk.window.tick();
            QCoreApplication::processEvents();
            const QRect cards(desk.page->cards().mapTo(&desk.window, QPoint()), desk.page->cards().size());
            const QImage shown = desk.window.screen()->grabWindow(desk.window.winId()).toImage().copy(cards);
            const QImage whole = desk.window.grab().toImage().copy(cards);
            QVERIFY(!shown.isNull());
            QCOMPARE(shown.convertToFormat(QImage::Format_RGB32), whole.convertToFormat(QImage::Format_RGB32));
        }
    }

    void eventFilterButtons()
    {
        Desk desk(test::normalSnapshot());
        QCOMPARE(desk.page->events().shown().rowCount(), 12);
        desk.page->events().filterButtons().setCurrent(2);
        QCOMPARE(desk.page->events().shown().rowCount(), 3);
    }

    void hundredEndpoints()
    {
        Desk desk(test::extremeSnapshot(100));
        QCOMPARE(desk.page->cards().cards().size(), std::size_t{100});
        for (auto* card : desk.page->cards().cards()) {
            QVERIFY(card->width() >= 240);
            QCOMPARE(card->height(), int(ui::BreakerCard::kHeight));
        }
        desk.page->cards().reveal(QStringLiteral("eu-central-1/very-long-deployment-name-of-a-model-99"));
        QVERIFY(!desk.page->cards().cards().back()->visibleRegion().isEmpty());
        QVERIFY(!desk.window.grab().isNull());
        desk.show(test::normalSnapshot());
        desk.now += 1000;
        desk.window.tick();
        QCOMPARE(desk.page->cards().cards().size(), std::size_t{5});
    }

    void narrowWindowFlowsToThreeColumns()
    {
        Desk desk(test::normalSnapshot(), {1100, 900});
        const auto& cards = desk.page->cards().cards();
        QCOMPARE(cards[0]->y(), cards[2]->y());
        QVERIFY(cards[3]->y() > cards[2]->y());
        auto* events = &desk.page->events();
        QVERIFY(events->y() > desk.page->lanes().mapTo(events->parentWidget(), QPoint(0, 0)).y());
        QVERIFY(events->width() > 900);
    }

    void keyTextsFitTheirPlaces()
    {
        Desk desk(test::normalSnapshot());
        const auto& theme = desk.window.theme().theme();
        const QFontMetricsF button(theme.font(11, true)), tag(theme.font(10, true)), small(theme.font(9.5));
        for (auto* card : desk.page->cards().cards()) {
            for (int i = 0; i < 3; ++i)
                QVERIFY2(button.horizontalAdvance(card->button(i)->text()) <= card->button(i)->width() - 8,
                         qPrintable(card->button(i)->text()));
            const auto& facts = card->facts();
            QVERIFY2(small.horizontalAdvance(facts.gaugeFoot) <= 108, qPrintable(facts.gaugeFoot));
            QVERIFY2(QFontMetricsF(theme.font(16, true)).horizontalAdvance(facts.gaugeText) <= 62,
                     qPrintable(facts.gaugeText));
            QVERIFY2(QFontMetricsF(theme.font(11)).horizontalAdvance(facts.line1) <= card->width() - 129,
                     qPrintable(facts.line1));
            QVERIFY2(QFontMetricsF(theme.font(9)).horizontalAdvance(facts.ringSub) <= 60, qPrintable(facts.ringSub));
        }
        for (auto* label : desk.window.statusBar()->findChildren<QLabel*>())
            QVERIFY2(label->sizeHint().width() <= label->width(), qPrintable(label->text()));
        for (int i = 0; i < 5; ++i) {
            const auto* tile = desk.page->tiles().tile(i);
            const auto& facts = tile->facts();
            QVERIFY2(QFontMetricsF(theme.font(10.5)).horizontalAdvance(facts.accent + facts.context) <=
                         tile->width() - 24,
                     qPrintable(facts.context));
        }
    }

    void statusLineTellsTheMachine()
    {
        Desk desk(test::normalSnapshot());
        QString all;
        for (auto* label : desk.window.statusBar()->findChildren<QLabel*>())
            all += label->text() + QLatin1Char('|');
        all = plain(all);
        for (const char* part : {"12.4 req/s in", "31 in flight", "Recorder 0 dropped · lag 4 ms", "Switchgear 9.8.7",
                                 "Times are local (UTC"})
            QVERIFY2(all.contains(QString::fromUtf8(part)), qPrintable(all));
    }

    void customWidgetsSpeak()
    {
        Desk desk(test::normalSnapshot());
        const std::initializer_list<QWidget*> widgets{&desk.page->lanes(),   &desk.page->histogram(),
                                                      &desk.page->heatmap(), desk.page->tiles().tile(2),
                                                      desk.card("gpt-4.1"),  &desk.window.topBar().liveButton()};
        for (auto* widget : widgets) {
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
            QVERIFY2(widget->focusPolicy() & Qt::TabFocus, widget->metaObject()->className());
        }
        for (auto* widget :
             {static_cast<QWidget*>(&desk.page->histogram()), static_cast<QWidget*>(&desk.page->heatmap())})
            QVERIFY(!widget->accessibleDescription().isEmpty());
    }

    void shotsOfEveryPageInBothThemes()
    {
        QTemporaryDir directory;
        Desk desk(test::normalSnapshot());
        const QStringList files = ui::grabPages(desk.window, directory.path());
        QCOMPARE(files.size(), 4);
        QCOMPARE(QImage(directory.filePath(QStringLiteral("overview-dark.png"))).size(), QSize(1440, 900));
        QVERIFY(QFile::exists(directory.filePath(QStringLiteral("settings-light.png"))));
        QCOMPARE(desk.window.currentPage(), QStringLiteral("overview"));
    }
};

QTEST_MAIN(TestOverview)
#include "tst_overview.moc"
