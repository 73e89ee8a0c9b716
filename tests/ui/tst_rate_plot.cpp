// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "tests/ui/load_desk.h"
#include "ui/load/curve/rate_plot.h"
#include "ui/load/curve/run_charts.h"
#include "ui/load/curve/step_sign.h"
#include "ui/widgets/tip_frame.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg;
using namespace sg::test;
using load::RateStep;

namespace {

RateStep step(double rate, double p50, double p99, double achieved, double success = 1)
{
    RateStep one;
    one.fromRate = one.toRate = one.requestedRate = one.dueRate = rate;
    one.sentRate = rate;
    one.achievedRate = achieved;
    one.answeredRate = rate * success;
    one.p50Ms = p50;
    one.p95Ms = p50 + (p99 - p50) * 0.7;
    one.p99Ms = p99;
    one.successShare = success;
    one.requests = static_cast<std::int64_t>(rate * 10);
    return one;
}

/// A target that can do about 60 a second.
std::vector<RateStep> sweepSteps()
{
    std::vector<RateStep> steps;
    double rate = 10;
    for (int i = 0; i < 9; ++i) {
        const double load = rate / 62;
        const double slow = load < 0.97 ? 1 / (1 - load) : 33 + (load - 0.97) * 400;
        steps.push_back(step(rate, 220 + 20 * slow, 480 + 60 * slow, std::min(rate, 62.0), load < 1.2 ? 1 : 0.93));
        steps.back().from = std::chrono::seconds(i * 10);
        steps.back().to = std::chrono::seconds(i * 10 + 10);
        rate += 10;
    }
    return steps;
}

load::RateCurve extreme()
{
    auto steps = sweepSteps();
    steps.push_back(step(20, 900, 4000, 18));
    steps.push_back(step(40, 300, 640, 40));
    RateStep late = step(1000, 20'000, 61'000, 60, 0.4);
    late.invalidBecause = QStringList{QStringLiteral("the schedule was not kept: 1 % of the requests left 900.0 ms or "
                                                     "more after their time; use a lower rate")};
    late.dropped = 8231;
    steps.push_back(late);
    RateStep nothing = step(2000, 1, 1, 0, 0);
    nothing.p50Ms = nothing.p95Ms = nothing.p99Ms = nothing.successShare = std::nullopt;
    steps.push_back(nothing);
    return load::rateCurveOf(steps);
}

template <typename Widget>
Widget* put(FormDesk& desk, Widget* widget, QSize size)
{
    desk.fill(widget, size);
    return widget;
}

} // namespace

class TestRatePlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void theKeysGoFromStepToStepByRate()
    {
        FormDesk desk;
        auto* plot = put(desk, new ui::RatePlot(desk.theme), {700, 360});
        plot->setCurve(extreme());
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(plot->stepUnderCursor(), std::optional<std::size_t>(0));
        QVERIFY2(
            plot->accessibleDescription().startsWith(QStringLiteral("at 10.0\u202F/s requested, due 10.0\u202F/s")),
            qPrintable(plot->accessibleDescription()));
        QTest::keyClick(plot, Qt::Key_Right);
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(plot->stepUnderCursor(), std::optional<std::size_t>(9)); // the other one of 20 a second
        QVERIFY(plot->accessibleDescription().contains(QStringLiteral("after a higher rate")));
        QTest::keyClick(plot, Qt::Key_End);
        QVERIFY(plot->accessibleDescription().contains(QStringLiteral("p99 –"))); // unknown is no 0
        QTest::keyClick(plot, Qt::Key_Left);
        QVERIFY(plot->accessibleDescription().contains(QStringLiteral("INVALID: the schedule was not kept")));
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->stepUnderCursor(), std::optional<std::size_t>(0));
        QTest::keyClick(plot, Qt::Key_Escape);
        QVERIFY(!plot->cursor());
        QVERIFY(plot->accessibleDescription().startsWith(QStringLiteral("Knee, the last step that held: ")));
    }

    void thePointerShowsWhatAStepCameTo()
    {
        FormDesk desk;
        auto* plot = put(desk, new ui::RatePlot(desk.theme), {700, 360});
        plot->setCurve(load::rateCurveOf(sweepSteps()));
        QTest::mouseMove(plot, {690 - 46, 150});
        QCOMPARE(plot->stepUnderCursor(), std::optional<std::size_t>(8));
        auto* tip = desk.window.findChild<ui::TipFrame*>();
        QVERIFY(tip && tip->isVisible());
        QCOMPARE(tip->content().title.front().text, QStringLiteral("at 90.0\u202F/s requested"));
        // Long lines are broken.
        QVERIFY(std::ranges::any_of(tip->content().lines, [](const auto& line) {
            return line.front().text.startsWith(QStringLiteral("did not hold: "));
        }));
        QTest::mouseMove(plot, {10, 150});
        QVERIFY(!plot->cursor());
        QVERIFY(!tip->isVisible());
    }

    void everyStepIsInTheTable()
    {
        FormDesk desk;
        ui::RatePlot plot(desk.theme);
        QVERIFY(plot.dataTable().rows.empty());
        plot.setCurve(extreme());
        const auto table = plot.dataTable();
        QCOMPARE(table.rows.size(), std::size_t(13));
        for (const auto& row : table.rows)
            QCOMPARE(row.size(), table.columns.size());
        QCOMPARE(table.rows[11][8].text, QStringLiteral("40.00\u202F%"));
        QCOMPARE(table.rows[12][5].text, QStringLiteral("–"));
        QCOMPARE(table.rows[11][10].text, QStringLiteral("8\u202F231"));
    }

    void ratesThatDifferTenfoldAreShownByFactor()
    {
        FormDesk desk;
        ui::RatePlot plot(desk.theme);
        plot.setCurve(load::rateCurveOf(sweepSteps())); // 10 to 90
        QVERIFY(!plot.isLogRate());
        plot.setCurve(extreme());
        QVERIFY(plot.isLogRate());
    }

    void bothKneesHaveTheirWords()
    {
        const QString words = ui::ratewords::knees(load::rateCurveOf(sweepSteps()));
        QVERIFY2(
            words.contains(QStringLiteral("the last step that held: 50.0\u202F/s. At 60.0\u202F/s p99 is above twice")),
            qPrintable(words));
        QVERIFY(words.contains(QStringLiteral("Where p99 bends: ")));
        QVERIFY(ui::ratewords::knees({}).isEmpty());
        auto one = sweepSteps();
        one.resize(2);
        QVERIFY(ui::ratewords::knees(load::rateCurveOf(one)).contains(QStringLiteral("Every step held")));
    }

    void everyKindOfStepHasItsSign()
    {
        const auto curve = extreme();
        using ui::stepsign::Look;
        QVERIFY(ui::stepsign::lookOf(curve.steps[0]) == Look::Held);
        QVERIFY(ui::stepsign::lookOf(curve.steps[8]) == Look::NotHeld);
        QVERIFY(ui::stepsign::lookOf(curve.steps[10]) == Look::After);
        QVERIFY(ui::stepsign::lookOf(curve.steps[11]) == Look::Invalid); // outranks that it did not hold
    }

    void withoutACurveItSaysHowToGetOne()
    {
        Desk desk;
        auto* charts = desk.page->findChild<ui::RunCharts*>();
        QVERIFY(charts && !charts->isVisible());
        charts->showRates(true);
        QVERIFY(charts->isVisible()); // also before the first run
        auto* plan = desk.button(QStringLiteral("Plan a sweep"));
        QVERIFY(plan && plan->isVisible());
        QTest::mouseClick(plan, Qt::LeftButton);
        const load::LoadPlan planned = desk.page->form()->plan();
        QVERIFY(std::holds_alternative<load::SweepModel>(planned.model));
        QVERIFY(!planned.stop.requests && !planned.stop.duration);
        QVERIFY2(desk.page->form()->problem().isEmpty(), qPrintable(desk.page->form()->problem()));
        QVERIFY(desk.control.started.empty()); // nothing is sent by it
        charts->showRates(false);
        QVERIFY(!charts->isVisible());
    }

    void stepsAppearWhileTheRunIsOn()
    {
        Desk desk;
        auto* charts = desk.page->findChild<ui::RunCharts*>();
        charts->showRates(true);
        load::RunProgress run = sample::running();
        run.plan.model = load::SweepModel{10, 90, 1.3, std::chrono::seconds(10), load::Arrivals::Poisson, 100};
        desk.show(run);
        QVERIFY(!charts->rates()->isVisible());
        QVERIFY(!desk.button(QStringLiteral("Plan a sweep"))->isVisible()); // the form is locked
        auto steps = sweepSteps();
        steps.resize(3);
        run.rates = load::rateCurveOf(steps);
        desk.show(run);
        QVERIFY(charts->rates()->isVisible());
        QCOMPARE(charts->rates()->curve().steps.size(), std::size_t(3));
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            FormDesk desk(mode);
            auto* overTime = new QLabel;
            auto* charts = new ui::RunCharts(desk.theme, overTime);
            charts->showRates(true);
            desk.column->addWidget(charts);
            desk.show({760, 470});
            desk.shoot("rates-empty");
            auto run = std::make_shared<load::RunProgress>();
            run->state = load::RunState::Finished;
            run->rates = load::rateCurveOf(sweepSteps());
            charts->setRun(run);
            charts->rates()->setFocus();
            QTest::keyClick(charts->rates(), Qt::Key_End);
            QTest::keyClick(charts->rates(), Qt::Key_Left);
            desk.shoot("rates");
            run = std::make_shared<load::RunProgress>(*run);
            run->rates = extreme();
            charts->setRun(run);
            QTest::keyClick(charts->rates(), Qt::Key_Escape);
            desk.shoot("rates-extreme");
            QVERIFY(charts->rates()->isVisible());
        }
    }
};

QTEST_MAIN(TestRatePlot)
#include "tst_rate_plot.moc"
