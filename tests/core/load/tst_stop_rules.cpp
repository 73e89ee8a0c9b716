// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/step_track.h"
#include "core/load/stop_rules.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using namespace load;
using measure::Outcome;
using std::chrono::seconds;
using test::word;

namespace {

measure::Sample ended(double atSeconds, Outcome outcome = Outcome::Success, double tookMs = 100)
{
    measure::Sample sample;
    sample.end = Instant(fromMs(atSeconds * 1000));
    sample.intended = sample.end - fromMs(tookMs);
    sample.outcome = outcome;
    return sample;
}

Instant at(double atSeconds)
{
    return Instant(fromMs(atSeconds * 1000));
}

class TestStopRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tooManyFailures()
    {
        StopRules rules;
        rules.errorShare = 0.5;
        StopWatch watch(rules, {});
        for (int i = 0; i < 19; ++i)
            watch.onFinished(ended(0.1, Outcome::Failed));
        QCOMPARE(word(watch.check(at(0.2))), word(StopReason::None)); // too few to say
        for (int i = 0; i < 19; ++i)
            watch.onFinished(ended(0.3));
        QCOMPARE(word(watch.check(at(0.3))), word(StopReason::None)); // half, and half is allowed
        watch.onFinished(ended(0.4, Outcome::CutOff));
        QCOMPARE(word(watch.check(at(0.4))), word(StopReason::ErrorShare));
        for (int i = 0; i < 100; ++i)
            watch.onFinished(ended(0.5, Outcome::Cancelled)); // nobody's failure, nobody's success
        QCOMPARE(word(watch.check(at(0.5))), word(StopReason::ErrorShare));
        QCOMPARE(word(watch.check(at(12))), word(StopReason::None)); // forgotten after 10 s
    }

    void theBudget()
    {
        StopRules rules;
        rules.budgetUsd = 0.5;
        StopWatch watch(rules, {});
        watch.onSpent(499'999'999);
        QCOMPARE(word(watch.check(at(1))), word(StopReason::None));
        watch.onSpent(1);
        QCOMPARE(word(watch.check(at(1))), word(StopReason::Budget));
    }

    void objectivesBrokenForLong()
    {
        StopRules rules;
        rules.objectivesBrokenFor = seconds(3);
        StopWatch watch(rules, *measure::parseObjectives("p95<200ms"));
        const auto second = [&](int number, double tookMs) {
            if (tookMs > 0)
                watch.onFinished(ended(number - 0.5, Outcome::Success, tookMs));
            return word(watch.onSecond(at(number), {}));
        };
        QCOMPARE(second(1, 100), word(StopReason::None));
        QCOMPARE(second(2, 300), word(StopReason::None));
        QCOMPARE(second(3, 100), word(StopReason::None)); // kept again: counted afresh
        QCOMPARE(second(4, 300), word(StopReason::None));
        QCOMPARE(second(5, 0), word(StopReason::None)); // says nothing: still broken
        QCOMPARE(second(6, 300), word(StopReason::ObjectivesBroken));
    }

    void aGeneratorThatCannotKeepUp()
    {
        StopRules rules;
        rules.whenSaturated = true;
        StopWatch watch(rules, {});
        for (const auto& [busy, reason] : {std::pair{0.99, StopReason::None},
                                           {0.99, StopReason::None},
                                           {0.5, StopReason::None},
                                           {0.99, StopReason::None},
                                           {0.99, StopReason::None},
                                           {0.99, StopReason::GeneratorSaturated}})
            QCOMPARE(word(watch.onSecond(at(1), busy)), word(reason));
    }

    void nothingIsAskedOfARunWithoutRules()
    {
        StopWatch watch({}, *measure::parseObjectives("p95<1ms"));
        for (int i = 0; i < 50; ++i)
            watch.onFinished(ended(0.1, Outcome::Failed));
        watch.onSpent(1'000'000'000'000);
        for (int i = 1; i < 10; ++i)
            QCOMPARE(word(watch.onSecond(at(i), 1.0)), word(StopReason::None));
    }

    /// 10 ms of work a request: 100 a second are the most.
    void theSweepFindsTheKnee()
    {
        const SweepModel sweep{20, 320, 2, seconds(10), Arrivals::Constant, 1000};
        StepTrack track(sweep);
        double free = 0;
        double atMs = 0;
        for (const double rate : ratesOf(sweep)) {
            for (int i = 0; i < static_cast<int>(rate * 10); ++i) {
                const double due = atMs + i * 1000 / rate;
                free = std::max(free, due) + 10;
                track.onDue(fromMs(due));
                track.onFinished(fromMs(due), fromMs(due), fromMs(free), Outcome::Success);
            }
            atMs += 10'000;
        }
        QCOMPARE(track.stepsAt(seconds(25)).size(), std::size_t(2));
        const auto points = track.stepsAt(seconds(60));
        QCOMPARE(points.size(), std::size_t(5));
        QVERIFY(std::abs(points[2].achievedRate - 80) < 1);
        QVERIFY(points[3].achievedRate < 120); // 160 asked, 100 possible
        const RateCurve curve = rateCurveOf(track.stepsAt(seconds(60)));
        QCOMPARE(curve.lastHeld, std::optional<std::size_t>(2));
        QCOMPARE(curve.beyond, std::optional<std::size_t>(3));
    }

    /// Of a Poisson process at 10 a second only 16 arrivals in two seconds, and answers that take as long as the step's
    /// third: no sign of a target that does not follow.
    void chanceAndSlowAnswersAreNoKnee()
    {
        const SweepModel sweep{10, 20, 2, seconds(2), Arrivals::Poisson, 1000};
        StepTrack track(sweep);
        const auto ask = [&track](double dueMs, double tookMs) {
            track.onDue(fromMs(dueMs));
            track.onFinished(fromMs(dueMs), fromMs(dueMs), fromMs(dueMs + tookMs), Outcome::Success);
        };
        for (int i = 0; i < 16; ++i)
            ask(i * 125, i % 4 ? 500 : 1200);
        for (int i = 0; i < 37; ++i)
            ask(2000 + i * 54, i % 4 ? 500 : 1200);
        QCOMPARE(track.stepsAt(seconds(6)).size(), std::size_t(2));
        QCOMPARE(rateCurveOf(track.stepsAt(seconds(6))).lastHeld, std::optional<std::size_t>(1));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestStopRules)
#include "tst_stop_rules.moc"
