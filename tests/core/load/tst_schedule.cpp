// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/schedule.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace sg;
using namespace load;
using std::chrono::seconds;

namespace {

OpenModel open(std::vector<Stage> stages, Arrivals arrivals)
{
    return {std::move(stages), arrivals, kMostInFlight};
}

std::vector<Nanos> all(Schedule schedule)
{
    std::vector<Nanos> arrivals;
    for (; schedule.peek(); schedule.pop())
        arrivals.push_back(*schedule.peek());
    return arrivals;
}

std::vector<Nanos> all(const LoadModel& model, std::uint64_t seed = 1)
{
    return all(Schedule(model, seed));
}

/// Sum of (observed - expected)² / expected.
double chiSquare(const std::vector<double>& observed, const std::vector<double>& expected)
{
    double sum = 0;
    for (std::size_t i = 0; i < observed.size(); ++i)
        sum += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
    return sum;
}

/// The value that chi-square of so many degrees of freedom is above once in a thousand (Wilson and Hilferty).
double critical(double degrees)
{
    constexpr double kZ = 3.0902;
    const double part = 2 / (9 * degrees);
    return degrees * std::pow(1 - part + kZ * std::sqrt(part), 3);
}

class TestSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void constantArrivalsHaveOneGap()
    {
        const auto arrivals = all(open({{seconds(10), 8, 8}}, Arrivals::Constant));
        QCOMPARE(arrivals.size(), std::size_t(80));
        for (std::size_t i = 0; i < arrivals.size(); ++i)
            QCOMPARE(arrivals[i], Nanos(Millis(125)) * static_cast<std::int64_t>(i));
    }

    void aRampHasTheArrivalsUnderIt()
    {
        const auto arrivals = all(open({{seconds(10), 0, 20}}, Arrivals::Constant));
        QCOMPARE(arrivals.size(), std::size_t(100));
        // After t seconds t² of them: the k-th comes at the root of k.
        for (std::size_t k = 0; k < arrivals.size(); ++k)
            QVERIFY(std::abs(toMs(arrivals[k]) - 1000 * std::sqrt(static_cast<double>(k))) < 0.001);
    }

    void aPauseHoldsNothingAndLosesNothing()
    {
        const auto arrivals = all(open(
            {{seconds(1), 10, 10}, {seconds(5), 0, 0}, {seconds(1), 10, 10}, {seconds(9), 0, 0}}, Arrivals::Constant));
        QCOMPARE(arrivals.size(), std::size_t(20));
        for (std::size_t i = 0; i < 20; ++i) {
            const bool before = arrivals[i] < seconds(1), after = arrivals[i] >= seconds(6) && arrivals[i] < seconds(7);
            QVERIFY(i < 10 ? before : after);
        }
    }

    /// Counts in slots of the same expectation are Poisson, and the gaps exponential.
    void poissonArrivalsPassChiSquare()
    {
        for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
            const auto arrivals = all(open({{seconds(2000), 10, 10}}, Arrivals::Poisson), seed);
            constexpr int kMost = 20; // counts from there on together
            std::vector<double> observed(kMost + 1), expected(kMost + 1);
            std::vector<int> inSlot(2000);
            for (const Nanos at : arrivals)
                ++inSlot[static_cast<std::size_t>(at / seconds(1))];
            for (const int count : inSlot)
                ++observed[static_cast<std::size_t>(std::min(count, kMost))];
            double probability = std::exp(-10.0), rest = 1;
            for (int k = 0; k < kMost; ++k) {
                expected[static_cast<std::size_t>(k)] = 2000 * probability;
                rest -= probability;
                probability *= 10.0 / (k + 1);
            }
            expected[kMost] = 2000 * rest;
            // Rare counts go together, so that each class expects five at least.
            while (expected.front() < 5) {
                expected[1] += expected[0], observed[1] += observed[0];
                expected.erase(expected.begin()), observed.erase(observed.begin());
            }
            while (expected.back() < 5) {
                expected[expected.size() - 2] += expected.back(), observed[observed.size() - 2] += observed.back();
                expected.pop_back(), observed.pop_back();
            }
            const double counts = chiSquare(observed, expected);
            QVERIFY2(counts < critical(static_cast<double>(expected.size()) - 1), qPrintable(QString::number(counts)));

            std::vector<double> gaps(10), alike(10, static_cast<double>(arrivals.size() - 1) / 10);
            for (std::size_t i = 1; i < arrivals.size(); ++i) {
                const double gap = toMs(arrivals[i] - arrivals[i - 1]) / 1000;
                ++gaps[static_cast<std::size_t>(std::min(9.0, (1 - std::exp(-10 * gap)) * 10))];
            }
            const double spread = chiSquare(gaps, alike);
            QVERIFY2(spread < critical(9), qPrintable(QString::number(spread)));
        }
    }

    /// That the test above can fail: a constant rate is not Poisson.
    void constantArrivalsWouldNotPass()
    {
        const auto arrivals = all(open({{seconds(2000), 10, 10}}, Arrivals::Constant));
        std::vector<double> gaps(10), alike(10, static_cast<double>(arrivals.size() - 1) / 10);
        for (std::size_t i = 1; i < arrivals.size(); ++i)
            ++gaps[static_cast<std::size_t>(
                std::min(9.0, (1 - std::exp(-10 * toMs(arrivals[i] - arrivals[i - 1]) / 1000)) * 10))];
        QVERIFY(chiSquare(gaps, alike) > critical(9));
    }

    /// Also where the rate changes: slots of equal expectation hold alike many.
    void poissonFollowsARamp()
    {
        const auto arrivals = all(open({{seconds(1000), 0, 40}}, Arrivals::Poisson), 5);
        std::vector<double> observed(20), expected(20, 1000.0);
        for (const Nanos at : arrivals) {
            const double share = toMs(at) / 1e6;
            ++observed[static_cast<std::size_t>(share * share * 20)];
        }
        QVERIFY(chiSquare(observed, expected) < critical(20));
    }

    void theSeedDecidesAll()
    {
        const LoadModel model =
            open({{seconds(20), 5, 50}, {seconds(5), 0, 0}, {seconds(5), 20, 20}}, Arrivals::Poisson);
        QVERIFY(all(model, 7) == all(model, 7));
        QVERIFY(all(model, 7) != all(model, 8));
    }

    /// Whatever the stages: in order, within the schedule, as many as expected, none where the rate is 0.
    void anySchedule()
    {
        policy::SeededRandom random(11);
        const auto upTo = [&](double most) { return random.uniform() * most; };
        for (int round = 0; round < 300; ++round) {
            std::vector<Stage> stages;
            const int n = 1 + static_cast<int>(upTo(6));
            for (int i = 0; i < n; ++i) {
                const double from = upTo(1) < 0.25 ? 0 : upTo(80);
                const bool flat = upTo(1) < 0.5;
                stages.push_back({fromMs(100 + upTo(20'000)), from, flat ? from : upTo(80)});
            }
            const Arrivals kind = round % 2 == 0 ? Arrivals::Constant : Arrivals::Poisson;
            const LoadModel model = open(stages, kind);
            const Schedule schedule(model, static_cast<std::uint64_t>(round));
            const auto arrivals = all(schedule);
            const double expected = *arrivalsIn(model);
            const double spread = kind == Arrivals::Constant ? 1.001 : 6 * std::sqrt(expected) + 6;
            QVERIFY(std::abs(static_cast<double>(arrivals.size()) - expected) <= spread);
            QVERIFY(std::ranges::is_sorted(arrivals));
            for (const Nanos at : arrivals) {
                QVERIFY(at >= Nanos(0) && at < schedule.length());
                const Stage& stage = stages[schedule.stageAt(at)];
                QVERIFY(stage.from > 0 || stage.to > 0);
            }
        }
    }

    void aRateSetByHandHoldsFromThenOn()
    {
        Schedule schedule(open({{seconds(100), 10, 10}}, Arrivals::Constant), 1);
        while (*schedule.peek() < seconds(30))
            schedule.pop();
        schedule.setRate(seconds(30), 50);
        std::size_t after = 0;
        Nanos last{0};
        for (; schedule.peek(); schedule.pop(), ++after)
            last = *schedule.peek();
        QCOMPARE(after, std::size_t(3500));
        QVERIFY(last < seconds(100) && last > seconds(99));
        QCOMPARE(schedule.length(), Nanos(seconds(100)));
        QCOMPARE(schedule.rateAt(seconds(50)), 50.0);
    }

    void whatIsAskedForIsTheRateOverTime()
    {
        Schedule schedule(open({{seconds(10), 0, 20}, {seconds(20), 20, 20}}, Arrivals::Poisson), 1);
        QCOMPARE(schedule.expectedBetween(seconds(0), seconds(10)), 100.0);
        QCOMPARE(schedule.expectedBetween(seconds(5), seconds(15)), 75.0 + 100.0);
        QCOMPARE(schedule.expectedBetween(seconds(25), seconds(90)), 100.0); // nothing behind its end
        schedule.setRate(seconds(20), 5);
        QCOMPARE(schedule.expectedBetween(seconds(10), seconds(30)), 200.0 + 50.0);
    }

    void noRateIsAPauseFromWhichOneComesBack()
    {
        Schedule schedule(open({{seconds(100), 10, 20}}, Arrivals::Poisson), 1);
        while (*schedule.peek() < seconds(30))
            schedule.pop();
        schedule.setRate(seconds(30), 0);
        QVERIFY(!schedule.peek());
        schedule.setRate(seconds(60), 10);
        QVERIFY(schedule.peek() && *schedule.peek() >= seconds(60) && *schedule.peek() < seconds(70));
    }

    void aReplayIsWhatWasRecorded()
    {
        ReplayModel replay;
        replay.offsets =
            std::make_shared<const std::vector<Nanos>>(std::vector<Nanos>{Millis(0), Millis(5), Millis(5), seconds(2)});
        replay.speed = 2;
        QVERIFY(all(replay) == (std::vector<Nanos>{Millis(0), fromMs(2.5), fromMs(2.5), seconds(1)}));
        QCOMPARE(*lengthOf(replay), Nanos(seconds(1)));
    }

    void aSweepGoesUpInSteps()
    {
        const SweepModel sweep{1, 10, 2, seconds(10), Arrivals::Constant, 100};
        QVERIFY(ratesOf(sweep) == (std::vector<double>{1, 2, 4, 8, 10}));
        const auto arrivals = all(sweep);
        QCOMPARE(arrivals.size(), std::size_t(250));
        QCOMPARE(*lengthOf(sweep), Nanos(seconds(50)));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
