// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/knee.h"

#include <QTest>

#include <cmath>
#include <random>
#include <vector>

using namespace sg::stats;

namespace {

using Points = std::vector<RatePoint>;

template <typename Latency>
Points curve(double from, double to, int steps, Latency latency)
{
    Points points;
    for (int i = 0; i < steps; ++i) {
        const double rate = from + (to - from) * i / (steps - 1);
        points.push_back({rate, latency(rate)});
    }
    return points;
}

double hockeyStick(double rate)
{
    return rate <= 60 ? 100 : 100 + (rate - 60) * 50;
}

} // namespace

class TestKnee : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hockeyStickBendsWhereItBends()
    {
        const Points points = curve(10, 100, 10, hockeyStick);
        QCOMPARE(points[*kneeOf(points)].requestedRps, 60.0);
    }

    void queueBendsWhereTheoryPutsIt()
    {
        // M/M/1 of rate 100: latency 1 / (100 - rate). Scaled from 0 to r, the farthest point is 1 - sqrt(1 - r).
        const Points points = curve(0, 99, 100, [](double rate) { return 1000 / (100 - rate); });
        QVERIFY(std::abs(points[*kneeOf(points)].requestedRps - 90) <= 1);
    }

    void noBendIsNoKnee()
    {
        QVERIFY(!kneeOf({}));
        QVERIFY(!kneeOf(curve(10, 100, 4, hockeyStick)));
        QVERIFY(!kneeOf(curve(10, 100, 12, [](double) { return 200; })));
        QVERIFY(!kneeOf(curve(10, 100, 12, [](double rate) { return 50 + rate; })));
        QVERIFY(!kneeOf(curve(10, 100, 12, [](double rate) { return 100 * std::sqrt(rate); })));
        QVERIFY(!kneeOf(curve(10, 10, 6, hockeyStick)));
        Points free = curve(10, 100, 10, hockeyStick);
        for (RatePoint& point : free)
            point.latencyMs = 0;
        QVERIFY(!kneeOf(free));
    }

    void noiseOfAFlatOrStraightCurveIsNoKnee()
    {
        std::mt19937_64 random(4);
        std::normal_distribution<double> noise(0, 1);
        for (int round = 0; round < 200; ++round) {
            QVERIFY(!kneeOf(curve(10, 100, 12, [&](double) { return 200 + 15 * noise(random); })));
            QVERIFY(!kneeOf(curve(10, 100, 12, [&](double rate) { return 50 + 4 * rate + 5 * noise(random); })));
        }
    }

    void dipsDoNotMoveIt()
    {
        Points points = curve(10, 100, 10, hockeyStick);
        points[8].latencyMs = 300; // at 90: fewer requests came through, the rest were fast
        QCOMPARE(points[*kneeOf(points)].requestedRps, 60.0);
    }

    void orderOfStepsAndStepsWithoutAnswerDoNotMatter()
    {
        Points points = curve(10, 100, 10, hockeyStick);
        points.push_back({110, std::nullopt});
        std::mt19937_64 random(9);
        for (int round = 0; round < 20; ++round) {
            std::shuffle(points.begin(), points.end(), random);
            QCOMPARE(points[*kneeOf(points)].requestedRps, 60.0);
        }
    }
};

QTEST_APPLESS_MAIN(TestKnee)
#include "tst_knee.moc"
