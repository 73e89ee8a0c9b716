// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "tests/ui/strip_sample.h"
#include "ui/load/strip/live_strip.h"

#include <set>

using namespace sg;
using namespace sg::test;
using ui::StripMoment;
using ui::StripPicture;

namespace {

struct Scene
{
    explicit Scene(StripPicture picture, QSize size = {660, 540})
        : strip(new ui::LiveStrip(desk.theme))
    {
        strip->setPicture(strips::shared(std::move(picture)));
        desk.fill(strip, size);
        strip->setFocus();
    }
    FormDesk desk;
    ui::LiveStrip* strip;
};

} // namespace

class TestLiveStrip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void neighboursArePutTogether()
    {
        StripPicture picture;
        for (int i = 0; i < 900; ++i) {
            StripMoment m;
            m.second = i;
            m.sent = static_cast<float>(i % 3);
            m.p99Ms = static_cast<float>(i);
            m.inFlight = static_cast<float>(i % 3);
            m.statuses = {1, i % 3};
            m.heat = {0, 2};
            picture.moments.push_back(m);
        }
        picture.moments[4].p99Ms.reset();
        const StripPicture few = ui::reduced(picture, 400);
        QCOMPARE(few.moments.size(), 300u);
        const StripMoment& second = few.moments[1];
        QCOMPARE(second.second, 3.0);
        QCOMPARE(second.width, 3.0);
        QCOMPARE(second.sent, 1.0F);                 // the mean
        QCOMPARE(second.p99Ms, std::optional(5.0F)); // the highest, never a mean
        QCOMPARE(second.inFlight, 2.0F);
        QCOMPARE(second.statuses, (std::vector<std::int64_t>{3, 3}));
        QCOMPARE(second.heat, (std::vector<std::uint32_t>{0, 6}));
        QCOMPARE(ui::reduced(picture, 900).moments.size(), 900u);
    }

    void noSeriesIsLongerThan400()
    {
        StripPicture picture = strips::running(3000);
        Scene scene(std::move(picture));
        QVERIFY(scene.strip->picture()->moments.size() <= ui::kMostMoments);
        QVERIFY(scene.strip->dataTable().rows.size() <= ui::kMostMoments);
    }

    void oneCursorForAllCharts()
    {
        Scene scene(strips::running());
        const auto [from, to] = scene.strip->view();
        QCOMPARE(from, 0.0);
        QCOMPARE(to, 900.0);
        // Over each chart, at one x: always the same moment.
        std::set<double> seconds;
        for (int y = 30; y < 500; y += 60) {
            QTest::mouseMove(scene.strip, QPoint(350, y));
            QVERIFY(scene.strip->cursorSecond());
            seconds.insert(*scene.strip->cursorSecond());
        }
        QCOMPARE(seconds.size(), 1u);
        const QString words = scene.strip->cursorWords();
        for (const char* part : {"requested", "due", "achieved", "answered", "p50", "p95", "p99", "in flight", "200",
                                 "503", "503 ", "429 ", "gpt-4.1 open", "deepseek locked open", "most in"})
            QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
        QVERIFY2(!words.contains(QStringLiteral("claude")), qPrintable(words)); // closed is what one expects
        QCOMPARE(scene.strip->accessibleDescription(), words);
        QTest::mouseMove(scene.strip, QPoint(640, 200)); // yet to come
        QVERIFY(!scene.strip->cursorSecond());
    }

    void arrowsWalkTheMoments()
    {
        Scene scene(strips::running());
        QTest::keyClick(scene.strip, Qt::Key_Right);
        QCOMPARE(scene.strip->cursorSecond(), std::optional(1.5));
        QTest::keyClick(scene.strip, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(scene.strip->cursorSecond(), std::optional(31.5));
        QTest::keyClick(scene.strip, Qt::Key_Left);
        QCOMPARE(scene.strip->cursorSecond(), std::optional(28.5));
        QTest::keyClick(scene.strip, Qt::Key_End);
        QCOMPARE(scene.strip->cursorSecond(), std::optional(580.5));
        QTest::keyClick(scene.strip, Qt::Key_Right);
        QCOMPARE(scene.strip->cursorSecond(), std::optional(580.5));
        QTest::keyClick(scene.strip, Qt::Key_Escape);
        QVERIFY(!scene.strip->cursorSecond());
    }

    void dragsZoomAndADoubleClickShowsAll()
    {
        Scene scene(strips::running());
        QTest::mousePress(scene.strip, Qt::LeftButton, {}, QPoint(200, 200));
        QTest::mouseMove(scene.strip, QPoint(300, 200));
        QTest::mouseRelease(scene.strip, Qt::LeftButton, {}, QPoint(300, 200));
        const auto [from, to] = scene.strip->view();
        QVERIFY2(from > 150 && to < 450 && to > from, qPrintable(QStringLiteral("%1 %2").arg(from).arg(to)));
        QTest::keyClick(scene.strip, Qt::Key_End); // the cursor is never out of sight
        QVERIFY(scene.strip->view().second > 580);
        QTest::mouseDClick(scene.strip, Qt::LeftButton, {}, QPoint(300, 200));
        QCOMPARE(scene.strip->view(), std::pair(0.0, 900.0));
        QTest::keyClick(scene.strip, Qt::Key_Plus);
        QVERIFY(scene.strip->view() != std::pair(0.0, 900.0));
        QTest::keyClick(scene.strip, Qt::Key_0);
        QCOMPARE(scene.strip->view(), std::pair(0.0, 900.0));
        QTest::mouseClick(scene.strip, Qt::LeftButton, {}, QPoint(300, 200)); // a click is no drag
        QCOMPARE(scene.strip->view(), std::pair(0.0, 900.0));
    }

    void anotherRunForgetsCursorAndZoom()
    {
        Scene scene(strips::running());
        scene.strip->setView(100, 200);
        scene.strip->setCursorSecond(150);
        scene.strip->setPicture(strips::shared(strips::running(195)));
        QCOMPARE(scene.strip->cursorSecond(), std::optional(150.0));
        QCOMPARE(scene.strip->view(), std::pair(100.0, 200.0));
        scene.strip->setPicture(strips::shared(strips::running(2)));
        QVERIFY(!scene.strip->cursorSecond());
        QCOMPARE(scene.strip->view().first, 0.0);
    }

    void everyChartNamesItsUnitAndWhatHasNoDataIsLeftOut()
    {
        Scene scene(strips::running());
        const QStringList all{QStringLiteral("Requests\u202F/s"),
                              QStringLiteral("Latency"),
                              QStringLiteral("Answers by latency"),
                              QStringLiteral("Attempts that failed, by cause"),
                              QStringLiteral("Status codes"),
                              QStringLiteral("In flight"),
                              QStringLiteral("Breakers")};
        QCOMPARE(scene.strip->laneTitles(), all);
        StripPicture bare = strips::running();
        bare.breakers.clear();
        bare.heatEdgesMs.clear();
        scene.strip->setPicture(strips::shared(bare));
        QVERIFY(!scene.strip->laneTitles().contains(QStringLiteral("Breakers")));
        QVERIFY(!scene.strip->laneTitles().contains(QStringLiteral("Answers by latency")));
        scene.strip->setPicture(strips::shared(strips::running()));
        scene.strip->resize(660, 330); // little room: the charts that say most stay
        QVERIFY(!scene.strip->laneTitles().contains(QStringLiteral("In flight")));
        QVERIFY(scene.strip->laneTitles().contains(QStringLiteral("Latency")));
    }

    void failedAttemptsAreToldByTheirCause()
    {
        StripPicture picture = strips::running(3);
        picture.causes = {{QStringLiteral("503"), ui::StripCause::Look::Server},
                          {QStringLiteral("429"), ui::StripCause::Look::Refused}};
        picture.moments[1].tries = 200;
        picture.moments[1].triesFailed = 34;
        picture.moments[1].causes = {30, 4};
        picture.moments[2].tries = 200;
        picture.moments[2].triesFailed = 0;
        picture.moments[2].causes = {0, 0};
        Scene scene(picture);
        scene.strip->setCursorSecond(4);
        QVERIFY2(scene.strip->cursorWords().contains(QStringLiteral("503 15\u202F%")),
                 qPrintable(scene.strip->cursorWords()));
        QVERIFY2(scene.strip->cursorWords().contains(QStringLiteral("429 2.0\u202F%")),
                 qPrintable(scene.strip->cursorWords()));
        scene.strip->setCursorSecond(7);
        QVERIFY(scene.strip->cursorWords().contains(QStringLiteral("attempts failed 0\u202F%")));
        QVERIFY(scene.strip->dataTable().rows[1].back().text.contains(QStringLiteral("503 × 30, 429 × 4")));
    }

    void whatWasAskedForIsApartFromWhatWasDue()
    {
        StripPicture picture;
        picture.planned = {{0, 20}, {10, 20}, {10, 40}, {20, 60}};
        QCOMPARE(ui::askedAt(picture, 4), std::optional(20.0));
        QCOMPARE(ui::askedAt(picture, 10), std::optional(40.0));
        QCOMPARE(ui::askedAt(picture, 15), std::optional(50.0));
        QVERIFY(!ui::askedAt(picture, 20));
    }

    void nothingYetIsSaid()
    {
        FormDesk desk;
        auto* strip = new ui::LiveStrip(desk.theme);
        desk.fill(strip, {500, 300});
        QCOMPARE(strip->accessibleDescription(), QStringLiteral("Nothing ran yet"));
        QVERIFY(strip->dataTable().rows.empty());
        QTest::keyClick(strip, Qt::Key_Right);
        QVERIFY(!strip->cursorSecond());
    }

    void extremesAreDrawn()
    {
        StripPicture picture = strips::running(1);
        picture.end = 0;
        picture.moments[0] = {};
        Scene scene(picture);
        scene.strip->grab();
        StripPicture huge = strips::running();
        for (StripMoment& m : huge.moments) {
            m.sent = 1e9F;
            m.p99Ms = 8.64e7F;
            m.p50Ms.reset();
            m.statuses = {2'000'000'000'000, 1};
            m.heat.assign(3, 4'000'000'000U);
        }
        for (int i = 0; i < 30; ++i)
            huge.breakers.push_back({QStringLiteral("an-endpoint-with-a-name-that-goes-on-and-on-%1").arg(i), {}});
        scene.strip->setPicture(strips::shared(huge));
        scene.strip->setCursorSecond(200);
        QVERIFY(!scene.strip->grab().isNull());
        QVERIFY(scene.strip->laneTitles().contains(QStringLiteral("Breakers (first 8, 26 more)")));
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            const auto draw = [&](const char* name, StripPicture picture, std::optional<double> cursor) {
                FormDesk desk(mode);
                auto* strip = new ui::LiveStrip(desk.theme);
                strip->setPicture(strips::shared(std::move(picture)));
                desk.fill(strip, {660, 520});
                strip->setCursorSecond(cursor);
                desk.shoot(name);
                QVERIFY(desk.window.isVisible());
            };
            draw("strip", strips::running(), 375);
            StripPicture early = strips::running(1);
            early.moments.clear();
            early.elapsed = 0.4;
            early.end = 10;
            draw("strip-early", early, {});
            StripPicture ended = strips::running(300);
            ended.isOn = false;
            draw("strip-ended", ended, 500);
        }
    }
};

QTEST_MAIN(TestLiveStrip)
#include "tst_live_strip.moc"
