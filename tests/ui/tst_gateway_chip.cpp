// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/gateway_desk.h"
#include "ui/gateway/gateway_notice.h"
#include "ui/gateway/gateway_words.h"

#include <QPainter>

using namespace sg;
using gateway::Phase;
using test::clipboard;
using test::GatewayDesk;
using test::kGatewayUrl;
using test::kPhases;

namespace {

QImage markOf(Phase phase)
{
    QImage image(24, 24, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter p(&image);
    ui::gatewaywords::phaseMark(p, QPointF(12, 12), 20, phase, ui::darkTokens());
    p.end();
    return image.convertToFormat(QImage::Format_Alpha8); // its shape, without colour
}

} // namespace

class tst_gateway_chip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->clear(); }

    void withoutAGatewayThereIsNoChip()
    {
        test::Desk desk(test::normalSnapshot());
        QVERIFY(desk.window.topBar().gatewayChip().isHidden());
        desk.window.openGateway();
        QVERIFY(!desk.window.gatewayPanel().isVisible());
    }

    void everyPhaseHasAWordAndAShapeOfItsOwn()
    {
        GatewayDesk desk;
        QSet<QString> words;
        QList<QImage> marks;
        for (const Phase phase : kPhases) {
            desk.fake.set(phase, QStringLiteral("Port 8787 is in use."));
            const QString word = desk.chip().words();
            QVERIFY(!word.isEmpty());
            words.insert(word);
            QVERIFY2(desk.chip().accessibleName().contains(word), qPrintable(desk.chip().accessibleName()));
            const QImage mark = markOf(phase);
            for (const QImage& other : marks)
                QVERIFY2(mark != other, qPrintable(word));
            marks.append(mark);
        }
        QCOMPARE(words.size(), 5);
    }

    void chipSaysTheAddressOnlyWhileSomebodyAnswersThere()
    {
        GatewayDesk desk(Phase::Serving);
        QCOMPARE(desk.chip().url(), kGatewayUrl);
        const auto& copy = *desk.window.topBar().gatewayChip().findChild<QWidget*>(QStringLiteral("iconButton"));
        QVERIFY(copy.isVisible());
        for (const Phase phase : {Phase::Off, Phase::Starting, Phase::Failed}) {
            desk.fake.set(phase);
            QCOMPARE(desk.chip().url(), QString());
            QVERIFY(!copy.isVisible());
        }
        desk.fake.set(Phase::Draining);
        QVERIFY(copy.isVisible());
    }

    void chipSaysHowManyAreLeft()
    {
        GatewayDesk desk(Phase::Serving);
        desk.fake.now.figures.inFlight = 2;
        desk.fake.now.figures.queued = 1;
        desk.fake.set(Phase::Draining);
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 3 left"));
        QVERIFY(desk.chip().accessibleName().contains(QStringLiteral("3 requests are under way")));
        desk.fake.now.figures = {};
        desk.fake.now.figures.inFlight = 1; // figures change silently: the next beats show it
        desk.beat();
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 1 left"));
    }

    void narrowWindowsAndLongAddressesKeepTheWord()
    {
        GatewayDesk desk(Phase::Serving);
        const int wide = desk.chip().width();
        desk.window.resize(1100, 700);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), QString());
        QVERIFY(desk.chip().width() < wide);
        QCOMPARE(desk.chip().words(), QStringLiteral("serving"));

        desk.window.resize(1440, 900);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), kGatewayUrl);
        desk.fake.now.url = QStringLiteral("http://%1.example:8787/v1").arg(QString(200, QLatin1Char('a')));
        desk.fake.set(Phase::Serving);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), QString());
        QVERIFY(desk.window.width() <= 1440);
        test::Mouse().click(desk.window.topBar().gatewayChip(), "iconButton");
        QCOMPARE(clipboard(), desk.fake.now.url);
    }

    void paletteKnowsTheGateway()
    {
        GatewayDesk desk;
        const test::Keys keys(desk.window);
        desk.window.openPalette();
        keys.pick(QStringLiteral("Start the gateway"));
        QCOMPARE(desk.fake.starts, 1);
        desk.fake.set(Phase::Serving);
        desk.window.openPalette();
        keys.pick(QStringLiteral("Copy the gateway"));
        QCOMPARE(clipboard(), kGatewayUrl);
        desk.fake.now.figures.inFlight = 1;
        desk.window.openPalette();
        keys.pick(QStringLiteral("Stop the gateway"));
        QVERIFY(desk.fake.now.phase == Phase::Draining);
        desk.window.openPalette();
        keys.pick(QStringLiteral("cut off"));
        QVERIFY(desk.fake.now.phase == Phase::Off);
    }

    void pausedWindowStillSeesTheGateway()
    {
        GatewayDesk desk(Phase::Serving);
        desk.window.setPaused(true);
        desk.fake.now.figures.inFlight = 3;
        desk.fake.set(Phase::Draining);
        desk.fake.now.figures.inFlight = 2;
        desk.beat();
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 2 left"));
    }

    void quietOverviewOffersTheGateway()
    {
        observe::Snapshot quiet = test::normalSnapshot();
        quiet.requestsTotal = 0;
        test::Desk desk(quiet);
        test::FakeGateway fake;
        desk.page->offerGateway(desk.window.gateway());
        desk.window.setGateway(&fake);
        desk.now = quiet.startedUnixMs + 1000;
        desk.window.tick();
        auto* notice = desk.page->findChild<ui::GatewayNotice*>();
        QVERIFY(!notice->isVisible()); // traffic may be about to come
        desk.now = quiet.startedUnixMs + 5000;
        desk.window.tick();
        QVERIFY(notice->isVisible() && notice->text().contains(QStringLiteral("No traffic yet")));
        const test::Mouse mouse;
        mouse.click(*notice, QStringLiteral("Start the gateway"));
        QCOMPARE(fake.starts, 1);
        fake.set(Phase::Serving);
        QVERIFY(notice->text().contains(kGatewayUrl));
        mouse.click(*notice, QStringLiteral("Copy the address"));
        QCOMPARE(clipboard(), kGatewayUrl);
        mouse.click(*notice, QStringLiteral("Dismiss"));
        desk.now += 1000;
        desk.window.tick();
        QVERIFY(!notice->isVisible());
        observe::Snapshot busy = quiet;
        busy.requestsTotal = 1;
        desk.show(busy);
        desk.window.tick();
        fake.set(Phase::Off);
        QVERIFY(!notice->isVisible());
        desk.window.setGateway(nullptr);
    }
};

QTEST_MAIN(tst_gateway_chip)
#include "tst_gateway_chip.moc"
