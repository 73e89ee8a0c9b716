// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "ui/chains/delay_words.h"
#include "ui/chains/envelope_plot.h"
#include "ui/widgets/tip_frame.h"

using namespace sg;
using namespace sg::test;
using policy::BackoffKind;
using policy::BackoffPolicy;
using policy::JitterType;

namespace {

const BackoffPolicy kFull{BackoffKind::Exponential, 500, 2, 8000, {JitterType::Full, 0, 0}};

struct Scene
{
    explicit Scene(const BackoffPolicy& policy = kFull, int retries = 5, ui::ThemeMode mode = ui::ThemeMode::Dark)
        : desk(mode)
        , plot(new ui::EnvelopePlot(desk.theme))
    {
        plot->setPolicy(policy, retries);
        desk.put(plot, {272, 260});
        plot->setFocus();
    }
    const ui::TipFrame* tip()
    {
        for (auto* found : desk.window.findChildren<ui::TipFrame*>())
            if (found->isVisible())
                return found;
        return nullptr;
    }
    FormDesk desk;
    ui::EnvelopePlot* plot;
};

} // namespace

class TestEnvelopePlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void oneSentenceSaysItAll()
    {
        Scene scene;
        QCOMPARE(scene.plot->accessibleDescription(),
                 QStringLiteral("5 retries wait at most 0.50\u202Fs, 1.0\u202Fs, 2.0\u202Fs, 4.0\u202Fs, 8.0\u202Fs; "
                                "worst total 15.5\u202Fs, 7.8\u202Fs on average"));
        scene.plot->setPolicy(kFull, 0);
        QCOMPARE(scene.plot->accessibleDescription(), QStringLiteral("No retries: traffic moves on at once"));
    }

    void arrowsReadTheRetries()
    {
        Scene scene;
        const QString whole = scene.plot->accessibleDescription();
        QTest::keyClick(scene.plot, Qt::Key_Right);
        QCOMPARE(scene.plot->cursor(), std::optional(0));
        QTest::keyClick(scene.plot, Qt::Key_Right);
        QTest::keyClick(scene.plot, Qt::Key_Right);
        QCOMPARE(scene.plot->accessibleDescription(),
                 QStringLiteral(
                     "Retry 3: waits 0\u202Fs to 2.0\u202Fs, 1.0\u202Fs on average, up to 3.5\u202Fs waited by then"));
        QVERIFY(scene.tip());
        QCOMPARE(scene.tip()->content().title.front().text, QStringLiteral("Retry 3"));
        QTest::keyClick(scene.plot, Qt::Key_End);
        QTest::keyClick(scene.plot, Qt::Key_Right); // nothing further
        QCOMPARE(scene.plot->cursor(), std::optional(4));
        QTest::keyClick(scene.plot, Qt::Key_Home);
        QTest::keyClick(scene.plot, Qt::Key_Left);
        QCOMPARE(scene.plot->cursor(), std::optional(0));
        QTest::keyClick(scene.plot, Qt::Key_Escape);
        QVERIFY(!scene.plot->cursor() && !scene.tip());
        QCOMPARE(scene.plot->accessibleDescription(), whole);
    }

    void thePointerReadsThem()
    {
        Scene scene;
        QTest::mouseMove(scene.plot, QPoint(scene.plot->width() - 10, 60));
        QCOMPARE(scene.plot->cursor(), std::optional(4));
        QTest::mouseMove(scene.plot, QPoint(5, 60)); // the scale
        QVERIFY(!scene.plot->cursor());
    }

    void oneRetryIsABarAndNotAWall()
    {
        Scene scene(kFull, 1);
        QTest::mouseMove(scene.plot, QPoint(60, 60));
        QCOMPARE(scene.plot->cursor(), std::optional(0));
        QTest::mouseMove(scene.plot, QPoint(scene.plot->width() - 10, 60)); // beside it
        QVERIFY(!scene.plot->cursor());
    }

    void fewerRetriesForgetTheCursor()
    {
        Scene scene;
        QTest::keyClick(scene.plot, Qt::Key_End);
        scene.plot->setPolicy(kFull, 2);
        QVERIFY(!scene.plot->cursor());
        QVERIFY(!scene.tip());
    }

    void theDataAreATable()
    {
        Scene scene;
        const auto table = scene.plot->dataTable();
        QCOMPARE(table.rows.size(), 5u);
        QCOMPARE(table.rows[4][3].text, QStringLiteral("8.0\u202Fs"));
    }

    void unitsSuitTheLongestDelay()
    {
        using namespace ui::delaywords;
        QCOMPARE(text(0), QStringLiteral("0\u202Fs"));
        QCOMPARE(text(40), QStringLiteral("40\u202Fms"));
        QCOMPARE(text(500), QStringLiteral("0.50\u202Fs"));
        QCOMPARE(text(15500), QStringLiteral("15.5\u202Fs"));
        QCOMPARE(text(180e3), QStringLiteral("3.0\u202Fmin"));
        QCOMPARE(text(86400e3), QStringLiteral("24\u202Fh"));
        QCOMPARE(roundTop(8000, unitFor(8000)), 8000.0);
        QCOMPARE(roundTop(0, unitFor(0)), unitFor(0).ms);
    }

    void barsStandWhereTheDelaysAre()
    {
        // The longest delay reaches the top of the axis, half of it the middle.
        BackoffPolicy fixed{BackoffKind::Exponential, 4000, 2, 8000, {}};
        Scene scene(fixed, 2);
        const QImage picture = scene.plot->grab().toImage();
        const QColor accent = scene.desk.theme.c().accent;
        const auto firstRow = [&](int x) {
            for (int y = 0; y < picture.height(); ++y)
                if (picture.pixelColor(x, y) == accent)
                    return y;
            return -1;
        };
        const int half = firstRow(60), whole = firstRow(120);
        QVERIFY(half > 0 && whole > 0);
        const int bottom = picture.height() - 36, top = 15;
        QVERIFY2(std::abs(whole - top) <= 2, qPrintable(QString::number(whole)));
        QVERIFY2(std::abs(half - (top + bottom) / 2) <= 2, qPrintable(QString::number(half)));
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            FormDesk desk(mode);
            const auto add = [&](const BackoffPolicy& policy, int retries) {
                auto* plot = new ui::EnvelopePlot(desk.theme);
                plot->setPolicy(policy, retries);
                desk.column->addWidget(plot);
            };
            add(kFull, 5);
            add({BackoffKind::Exponential, 500, 2, 8000, {JitterType::Equal, 0, 0}}, 5);
            add({BackoffKind::Exponential, 500, 2, 8000, {}}, 4);
            add({BackoffKind::Exponential, 500, 2, 8000, {JitterType::Decorrelated, 0, 0}}, 8);
            add({BackoffKind::Exponential, 1000, 2, 86400e3, {JitterType::Proportional, 0.3, 0}}, 20);
            add({BackoffKind::Fixed, 40, 2, 8000, {JitterType::Additive, 0, 20}}, 99);
            add({BackoffKind::None, 500, 2, 8000, {}}, 3);
            add(kFull, 0);
            desk.show({272, 1100});
            desk.shoot("envelope");
            QVERIFY(desk.window.isVisible());
        }
    }
};

QTEST_MAIN(TestEnvelopePlot)
#include "tst_envelope_plot.moc"
