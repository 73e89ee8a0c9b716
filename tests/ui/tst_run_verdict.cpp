// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "ui/load/verdict/objective_chips.h"
#include "ui/load/verdict/verdict_banner.h"

using namespace sg;
using namespace sg::test;
using ui::ObjectiveChip;
using ui::VerdictBanner;
using State = ui::ObjectiveChip::State;
using Kind = ui::VerdictBanner::Kind;

namespace {

const std::vector<ObjectiveChip> kChips{
    {QStringLiteral("Success"), QStringLiteral("99.95\u202F%"), QStringLiteral("≥ 99\u202F%"), State::Met, {}},
    {QStringLiteral("p95"), QStringLiteral("2.20\u202Fs"), QStringLiteral("≤ 4.00\u202Fs"), State::Met,
     QStringLiteral("end − intended, nearest rank over successes")},
    {QStringLiteral("p99"), QStringLiteral("5.08\u202Fs"), QStringLiteral("≤ 4.50\u202Fs"), State::Missed, {}},
    {QStringLiteral("First token p99"), QStringLiteral("–"), QStringLiteral("≤ 800\u202Fms"), State::NoData, {}}};

} // namespace

class TestRunVerdict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void chipsSayTheirState()
    {
        FormDesk desk;
        auto* chips = new ui::ObjectiveChips(desk.theme);
        chips->setChips(kChips);
        QVERIFY(chips->accessibleDescription().contains(QStringLiteral("p99 5.08\u202Fs, ≤ 4.50\u202Fs: missed")));
        QVERIFY(chips->accessibleDescription().contains(QStringLiteral("First token p99 –, ≤ 800\u202Fms: no data")));
        desk.put(chips, {900, 60});
        chips->setFocus();
        QTest::keyClick(chips, Qt::Key_Right);
        QCOMPARE(chips->cursor(), std::optional<std::size_t>(1));
        QCOMPARE(chips->accessibleDescription(),
                 QStringLiteral("p95 2.20\u202Fs, ≤ 4.00\u202Fs: met. end − intended, nearest rank over successes"));
        QTest::keyClick(chips, Qt::Key_End);
        QTest::keyClick(chips, Qt::Key_Right);
        QCOMPARE(chips->cursor(), std::optional<std::size_t>(3));
        chips->setChips({kChips.front()});
        QVERIFY(!chips->cursor());
    }

    void chipsWrapAndNeverOverlap()
    {
        FormDesk desk;
        ui::ObjectiveChips chips(desk.theme);
        QCOMPARE(chips.heightForWidth(300), 0);
        chips.setChips(kChips);
        const int one = chips.heightForWidth(2000), four = chips.heightForWidth(200);
        QCOMPARE(one, 26);
        QCOMPARE(four, 4 * 26 + 3 * 5);
    }

    void statesDifferInShape()
    {
        // The same picture in greys must tell them apart: the sign, not the colour.
        FormDesk desk;
        const auto greysOf = [&](State state) {
            ui::ObjectiveChips chips(desk.theme);
            chips.setChips({{QStringLiteral("p"), QStringLiteral("1"), QStringLiteral("2"), state, {}}});
            chips.resize(200, 26);
            const QImage sign = chips.grab(QRect(7, 5, 12, 16)).toImage().convertToFormat(QImage::Format_Grayscale8);
            std::vector<bool> inked;
            for (int y = 0; y < sign.height(); ++y)
                for (int x = 0; x < sign.width(); ++x)
                    inked.push_back(std::abs(qGray(sign.pixel(x, y)) - qGray(sign.pixel(0, 0))) > 40);
            return inked;
        };
        const auto met = greysOf(State::Met), missed = greysOf(State::Missed), none = greysOf(State::NoData);
        QVERIFY(met != missed && missed != none && met != none);
    }

    void invalidOutranksMissed()
    {
        const auto invalid = ui::verdictOf(false, {QStringLiteral("the generator ran late")}, 3, 2, 0);
        QVERIFY(invalid.kind == Kind::Invalid);
        QVERIFY(invalid.head.startsWith(QStringLiteral("INVALID")));
        QCOMPARE(invalid.reasons, QStringList{QStringLiteral("The generator ran late.")});
        QVERIFY(!invalid.head.contains(QStringLiteral("objective")));
    }

    void verdictsCountObjectives()
    {
        QCOMPARE(ui::verdictOf(true, {}, 4, 1, 1).head, QStringLiteral("Valid run, 1 of 4 objectives missed"));
        QVERIFY(ui::verdictOf(true, {}, 4, 1, 1).kind == Kind::Missed);
        QCOMPARE(ui::verdictOf(true, {}, 4, 0, 0).head, QStringLiteral("Valid run, all 4 objectives met"));
        QCOMPARE(ui::verdictOf(true, {}, 4, 0, 1).head, QStringLiteral("Valid run, 3 of 4 objectives met"));
        QCOMPARE(ui::verdictOf(true, {}, 1, 1, 0).head, QStringLiteral("Valid run, objective missed"));
        QVERIFY(ui::verdictOf(true, {}, 0, 0, 0).kind == Kind::Valid);
        // No data is no pass.
        QVERIFY(ui::verdictOf(true, {}, 2, 0, 2).kind == Kind::Valid);
        QCOMPARE(ui::verdictOf(true, {}, 2, 0, 2).reasons.size(), 1);
    }

    void theBannerGrowsWithItsReasons()
    {
        FormDesk desk;
        VerdictBanner banner(desk.theme);
        banner.setContent(ui::verdictOf(true, {}, 0, 0, 0));
        const int plain = banner.heightForWidth(400);
        const QString reason = QStringLiteral("the load generator ran late: 95 % of its timer ticks came within 84 ms "
                                              "of their time only; use a lower concurrency or rate");
        banner.setContent(ui::verdictOf(false, {reason}, 0, 0, 0));
        QVERIFY(banner.heightForWidth(400) > plain);
        QVERIFY(banner.heightForWidth(200) > banner.heightForWidth(400));
        QVERIFY(banner.accessibleName().contains(QStringLiteral("use a lower concurrency")));
        banner.setContent({});
        QVERIFY(banner.isHidden());
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            FormDesk desk(mode);
            auto* chips = new ui::ObjectiveChips(desk.theme);
            chips->setChips(kChips);
            desk.column->addWidget(chips);
            for (const auto& content :
                 {ui::verdictOf(true, {}, 4, 0, 0), ui::verdictOf(true, {}, 4, 1, 1), ui::verdictOf(true, {}, 0, 0, 0),
                  ui::verdictOf(false,
                                {QStringLiteral("the load generator ran late: 1 % of the requests were sent more than "
                                                "84 ms after their time; use a lower rate"),
                                 QStringLiteral("312 arrivals were dropped")},
                                4, 1, 0),
                  VerdictBanner::Content{Kind::Running, QStringLiteral("The run is on."), {}},
                  VerdictBanner::Content{Kind::Failed,
                                         QStringLiteral("The run did not take place"),
                                         {QStringLiteral("No key for gpt-4.1: set OPENAI_API_KEY.")}}}) {
                auto* banner = new VerdictBanner(desk.theme);
                banner->setContent(content);
                desk.column->addWidget(banner);
            }
            desk.column->addStretch(1);
            desk.show({620, 420});
            desk.shoot("verdict");
            QVERIFY(desk.window.isVisible());
        }
    }
};

QTEST_MAIN(TestRunVerdict)
#include "tst_run_verdict.moc"
