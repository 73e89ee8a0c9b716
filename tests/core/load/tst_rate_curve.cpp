// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/rate_curve.h"
#include "core/load/step_track.h"
#include "tests/support/json.h"

#include <QTest>

using namespace sg;
using namespace sg::load;
using measure::KneeSign;
using measure::Outcome;

namespace {

constexpr Nanos seconds(double count)
{
    return Nanos(static_cast<std::int64_t>(count * 1e9));
}

OpenModel openLoad(std::vector<Stage> stages)
{
    return {std::move(stages), Arrivals::Constant, 100};
}

/// `perSecond` requests a second within [from, to), each answered after `tookMs`.
void play(StepTrack& track, double from, double to, double perSecond, double tookMs, Outcome outcome = Outcome::Success)
{
    const int count = static_cast<int>((to - from) * perSecond + 0.5);
    for (int i = 0; i < count; ++i) {
        const Nanos due = seconds(from + i / perSecond);
        track.onDue(due);
        track.onFinished(due, due, due + fromMs(tookMs), outcome);
    }
}

RateStep step(double rate, double p99, bool isValid = true)
{
    RateStep one;
    one.requestedRate = one.dueRate = one.achievedRate = one.fromRate = one.toRate = rate;
    one.p50Ms = p99 / 2;
    one.p95Ms = p99 * 0.9;
    one.p99Ms = p99;
    one.successShare = 1;
    if (!isValid)
        one.invalidBecause = QStringList{QStringLiteral("the schedule was not kept")};
    return one;
}

} // namespace

class TestRateCurve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loadsWithoutRatesHaveNoSteps()
    {
        QVERIFY(StepTrack(ClosedModel{}).empty());
        ReplayModel replay;
        replay.offsets = std::make_shared<const std::vector<Nanos>>(std::vector<Nanos>{Nanos(0)});
        StepTrack track(replay);
        track.onDue(Nanos(0));
        track.onFinished(Nanos(0), Nanos(0), Nanos(5), Outcome::Success);
        QVERIFY(track.stepsAt(seconds(60)).empty());
        QVERIFY(rateStepsJson(rateCurveOf({})).isNull());
        QVERIFY(!rateCurveOf({}).isCurve());
        QVERIFY(!rateCurveOf({step(10, 100), step(10, 100)}).isCurve());
        QVERIFY(kneeWords(rateCurveOf({})).isEmpty());
    }

    void aStepWithoutAnArrivalDoesNotEndASweep()
    {
        RateStep unlucky = step(20, 100);
        unlucky.dueRate = unlucky.achievedRate = 0;
        unlucky.p50Ms = unlucky.p95Ms = unlucky.p99Ms = unlucky.successShare = std::nullopt;
        const RateCurve curve = rateCurveOf({step(10, 100), unlucky, step(40, 100)});
        QVERIFY(curve.steps[1].held());
        QCOMPARE(curve.lastHeld, std::optional<std::size_t>(2));
        QVERIFY(sweepJson(curve)[QLatin1String("steps")][1][QLatin1String("success_share")].isNull());

        RateStep frozen = unlucky;
        frozen.dueRate = 20;
        const RateCurve ended = rateCurveOf({step(10, 100), frozen, step(40, 100)});
        QVERIFY(ended.steps[1].sign == measure::KneeSign::RateNotReached);
        QCOMPARE(ended.lastHeld, std::optional<std::size_t>(0));
    }

    void stagesAreStepsAndPausesNone()
    {
        StepTrack track(openLoad({{seconds(10), 10, 10}, {seconds(5), 0, 0}, {seconds(10), 20, 20}}));
        play(track, 0, 10, 10, 100);
        play(track, 15, 25, 20, 200);
        QCOMPARE(track.stepsAt(seconds(10)).size(), std::size_t(0)); // answers may still come in time
        QCOMPARE(track.stepsAt(seconds(10.2)).size(), std::size_t(1));
        const auto steps = track.stepsAt(seconds(30));
        QCOMPARE(steps.size(), std::size_t(2));
        QCOMPARE(steps[1].from, seconds(15));
        QCOMPARE(steps[1].requestedRate, 20.0);
        QCOMPARE(steps[1].dueRate, 20.0);
        QCOMPARE(steps[1].answeredRate, std::optional(20.0));
        QCOMPARE(steps[1].requests, 200);
        QVERIFY(std::abs(*steps[1].p95Ms - 200) < 1);
        QVERIFY(steps[1].invalidBecause.isEmpty());
    }

    void aRampIsCutIntoPiecesOfEnoughRequests()
    {
        StepTrack track(openLoad({{seconds(40), 0, 40}})); // 800 requests: eight pieces
        for (double at = 0; at < 40; at += 0.5)
            play(track, at, at + 0.5, 20, 50);
        const auto steps = track.stepsAt(seconds(60));
        QCOMPARE(steps.size(), StepTrack::kMostPieces);
        QCOMPARE(steps[0].fromRate, 0.0);
        QCOMPARE(steps[0].requestedRate, 2.5);
        QCOMPARE(steps[7].toRate, 40.0);
        StepTrack brief(openLoad({{seconds(10), 1, 3}}));
        play(brief, 0, 10, 2, 50);
        QCOMPARE(brief.stepsAt(seconds(20)).size(), std::size_t(1));
    }

    void warmUpAndCoolDownBelongToNoStep()
    {
        StepTrack track(openLoad({{seconds(10), 10, 10}, {seconds(10), 20, 20}}), seconds(4), seconds(17));
        play(track, 0, 10, 10, 100);
        play(track, 10, 20, 20, 100);
        const auto steps = track.stepsAt(seconds(30), seconds(20));
        QCOMPARE(steps.size(), std::size_t(2));
        QCOMPARE(steps[0].from, seconds(4));
        QCOMPARE(steps[0].requests, 60);
        QCOMPARE(steps[1].to, seconds(17));
        QCOMPARE(steps[1].requests, 140);
        QCOMPARE(steps[1].dueRate, 20.0);
    }

    void whatDidNotComeInTimeIsAnsweredButNotAchieved()
    {
        StepTrack track(openLoad({{seconds(10), 10, 10}, {seconds(10), 20, 20}}));
        play(track, 0, 10, 10, 100);
        play(track, 10, 20, 20, 5100); // the later half ends after the step and the first step's p99
        track.onDue(seconds(15));
        track.onDropped(seconds(15));
        const auto steps = track.stepsAt(seconds(40));
        QVERIFY(std::abs(steps[1].achievedRate - 10) < 0.3);
        QCOMPARE(steps[1].answeredRate, std::optional(20.0));
        QCOMPARE(steps[1].dueRate, 20.1);
        QCOMPARE(steps[1].sentRate, std::optional(20.0));
        QCOMPARE(steps[1].dropped, 1);
        QVERIFY(!steps[1].invalidBecause.isEmpty());
        QVERIFY(rateCurveOf(steps).steps[1].sign == KneeSign::RateNotReached);
    }

    void aLateGeneratorMakesOnlyItsStepInvalid()
    {
        StepTrack track(openLoad({{seconds(10), 10, 10}, {seconds(10), 20, 20}}));
        play(track, 0, 10, 10, 100);
        for (int i = 0; i < 200; ++i) {
            const Nanos due = seconds(10 + i / 20.0);
            track.onDue(due);
            track.onFinished(due, due + fromMs(90), due + fromMs(190), Outcome::Success);
        }
        const auto steps = track.stepsAt(seconds(40));
        QVERIFY(steps[0].invalidBecause.isEmpty());
        QVERIFY(steps[1].invalidBecause.join(QLatin1Char(' ')).contains(QStringLiteral("schedule was not kept")));
    }

    void aStepCutShortCountsFromHalfOfIt()
    {
        StepTrack track(openLoad({{seconds(10), 10, 10}, {seconds(10), 20, 20}}));
        play(track, 0, 10, 10, 100);
        play(track, 10, 14, 20, 100);
        QCOMPARE(track.stepsAt(seconds(15), seconds(14)).size(), std::size_t(1));
        play(track, 14, 16, 20, 100);
        const auto steps = track.stepsAt(seconds(17), seconds(16));
        QCOMPARE(steps.size(), std::size_t(2));
        QCOMPARE(steps[1].to, seconds(16));
        QCOMPARE(steps[1].dueRate, 20.0); // of the six seconds that it had
    }

    void aRateSetByHandIsAStep()
    {
        StepTrack track(openLoad({{seconds(60), 10, 10}, {seconds(60), 20, 20}}));
        play(track, 0, 30, 10, 100);
        track.onRateSet(seconds(30), 40);
        track.onRateSet(seconds(30.2), 50); // the slider on its way
        play(track, 30.2, 50.2, 50, 150);
        const auto steps = track.stepsAt(seconds(51), seconds(50.2));
        QCOMPARE(steps.size(), std::size_t(2));
        QCOMPARE(steps[0].to, seconds(30));
        QCOMPARE(steps[0].dueRate, 10.0);
        QCOMPARE(steps[1].requestedRate, 50.0);
        QCOMPARE(steps[1].requests, 1000);
        QVERIFY(std::abs(steps[1].dueRate - 50) < 1e-6);
    }

    void stepsAreBounded()
    {
        std::vector<Stage> stages(1000, Stage{seconds(1), 5, 5});
        StepTrack track(openLoad(stages));
        for (int i = 0; i < 1000; ++i)
            track.onRateSet(seconds(i * 2 + 0.5), 10);
        QVERIFY(track.stepsAt(seconds(5000), seconds(5000)).size() <= StepTrack::kMostSteps);
    }

    /// A spike leaves a backlog: the step after it is slow at a low rate, which is no knee.
    void onlyTheWayUpHasAKnee()
    {
        RateCurve curve = rateCurveOf({step(10, 100), step(40, 120), step(200, 900), step(10, 700), step(60, 150)});
        QVERIFY(curve.steps[2].isRise && !curve.steps[3].isRise && !curve.steps[4].isRise);
        QCOMPARE(curve.lastHeld, std::optional<std::size_t>(1));
        QCOMPARE(curve.beyond, std::optional<std::size_t>(2));
        QVERIFY(curve.steps[3].sign == KneeSign::LatencyDoubled && !curve.steps[3].held());
        QVERIFY(curve.steps[4].held());
        curve = rateCurveOf({step(10, 100), step(20, 110)});
        QVERIFY(!curve.beyond);
        QCOMPARE(curve.lastHeld, std::optional<std::size_t>(1));
        QVERIFY(kneeWords(curve).contains(QStringLiteral("Every step held")));
    }

    /// Two questions, two answers: p99 doubles long before the curve bends.
    void bothKneesAreNamedApart()
    {
        std::vector<RateStep> steps;
        for (int i = 1; i <= 10; ++i)
            steps.push_back(step(i * 10, i < 8 ? 100 * (1 + 0.25 * (i - 1)) : 100.0 * std::pow(3, i - 5)));
        const RateCurve curve = rateCurveOf(steps);
        QVERIFY(curve.lastHeld && curve.bend && *curve.lastHeld < *curve.bend);
        const QString words = kneeWords(curve);
        QVERIFY2(words.startsWith(QStringLiteral("Knee, the last step that held: 50/s. At 60/s p99 is above twice")),
                 qPrintable(words));
        QVERIFY(words.contains(QStringLiteral("Where p99 bends (Kneedle): ")));
        steps[5].invalidBecause = QStringList{QStringLiteral("late")};
        QVERIFY(
            kneeWords(rateCurveOf(steps)).contains(QStringLiteral("That step is INVALID: it may be the generator")));
        std::swap(steps[4].invalidBecause, steps[5].invalidBecause);
        QVERIFY(kneeWords(rateCurveOf(steps)).contains(QStringLiteral("generator was late itself")));
    }

    void reportsReadBackAsTheyWere()
    {
        RateCurve curve = rateCurveOf({step(10, 100), step(20, 120, false), step(30, 900)});
        curve.steps[1].p99Ms.reset();
        curve.steps[2].from = seconds(20);
        curve.steps[2].to = seconds(30);
        curve.steps[2].dropped = 7;
        const RateCurve back = rateCurveIn({{QStringLiteral("rate_steps"), rateStepsJson(curve)}});
        QVERIFY(rateStepsJson(back) == rateStepsJson(curve));
        QVERIFY(!back.steps[1].p99Ms);
        QCOMPARE(back.steps[1].invalidBecause.size(), 1);
        QVERIFY(rateCurveIn({}).steps.empty());
        QVERIFY(rateCurveIn({{QStringLiteral("rate_steps"), QJsonObject{{QStringLiteral("steps"), 4}}}}).steps.empty());
    }

    void anOlderReportHasItsSweep()
    {
        const RateCurve curve = rateCurveIn(test::object(R"({"sweep": {"knee_rps": 20, "sign": "failures", "steps": [
            {"requested_rps": 10, "achieved_rps": 10, "p50_ms": 50, "p99_ms": 90, "success_share": 1},
            {"requested_rps": 20, "achieved_rps": 20, "p50_ms": 50, "p99_ms": 95, "success_share": 1},
            {"requested_rps": 40, "achieved_rps": 20, "p50_ms": 60, "p99_ms": null, "success_share": 0.5}]}})"));
        QCOMPARE(curve.steps.size(), std::size_t(3));
        QCOMPARE(curve.lastHeld, std::optional<std::size_t>(1));
        QCOMPARE(curve.beyond, std::optional<std::size_t>(2));
        QVERIFY(curve.steps[2].sign == KneeSign::Failures);
        QVERIFY(!curve.steps[0].answeredRate && !curve.steps[0].p95Ms); // unknown, not 0
    }
};

QTEST_APPLESS_MAIN(TestRateCurve)
#include "tst_rate_curve.moc"
