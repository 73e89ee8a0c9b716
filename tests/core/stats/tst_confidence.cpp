// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/confidence.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sg;
using namespace sg::stats;

namespace {

bool isNear(double a, double b, double within)
{
    return std::abs(a - b) <= within;
}

/// Sorted draws of log-normal(0, 0.5), a shape that latencies have.
std::vector<double> logNormals(std::mt19937_64& random, int n, double factor = 1)
{
    std::lognormal_distribution<double> draw(0, 0.5);
    std::vector<double> values(static_cast<std::size_t>(n));
    std::ranges::generate(values, [&] { return draw(random) * factor; });
    std::ranges::sort(values);
    return values;
}

/// The true percentile of log-normal(0, 0.5).
double trueLogNormal(double p)
{
    const double z = p == 50 ? 0 : p == 95 ? 1.6448536269514722 : 2.3263478740408408;
    return std::exp(0.5 * z);
}

bool covers(const Estimate& estimate, double truth)
{
    return estimate.low <= truth && truth <= estimate.high;
}

} // namespace

class TestConfidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAsInTables()
    {
        // Binomial tables: P(B <= 39) = 0.0176, P(B <= 40) = 0.0284 and, by symmetry, P(B <= 59) = 0.9716,
        // P(B <= 60) = 0.9824 for n = 100, p = 0.5.
        const auto median = percentileRanks(100, 50);
        QCOMPARE(median->low, 40);
        QCOMPARE(median->high, 61);
        // n = 20: P(B <= 5) = 0.0207, P(B <= 6) = 0.0577.
        QCOMPARE(percentileRanks(20, 50)->low, 6);
        QCOMPARE(percentileRanks(20, 50)->high, 15);
    }

    void tooFewValuesHaveNoInterval()
    {
        QVERIFY(!percentileRanks(0, 50));
        QVERIFY(!percentileRanks(5, 50)); // 2 * 0.5^5 > 5 %
        QVERIFY(percentileRanks(6, 50));
        QVERIFY(!percentileRanks(367, 99)); // 0.99^367 > 2.5 %
        QVERIFY(percentileRanks(368, 99));
        QCOMPARE(percentileRanks(368, 99)->high, 368);
        for (const double p : {0.0, -1.0, 100.0, std::nan("")})
            QVERIFY(!percentileRanks(1000, p));
        QVERIFY(!percentileEstimate(Histogram(3), 50));
        QVERIFY(!percentileEstimate(std::span<const double>(), 50));
    }

    void ranksOfMillionsAreThoseOfTheNormal()
    {
        for (const double p : {50.0, 95.0, 99.0}) {
            const double n = 50e6, share = p / 100;
            const double half = 1.959964 * std::sqrt(n * share * (1 - share));
            const auto ranks = percentileRanks(50'000'000, p);
            QVERIFY(isNear(static_cast<double>(ranks->low), n * share - half, half / 1000 + 3));
            QVERIFY(isNear(static_cast<double>(ranks->high), n * share + half, half / 1000 + 3));
        }
    }

    void percentileIsCovered_data()
    {
        QTest::addColumn<double>("p");
        QTest::addColumn<int>("n");
        for (const int n : {60, 400, 1000})
            for (const double p : {50.0, 95.0, 99.0})
                if (percentileRanks(n, p))
                    QTest::addRow("p%g of %d", p, n) << p << n;
    }
    void percentileIsCovered()
    {
        QFETCH(double, p);
        QFETCH(int, n);
        std::mt19937_64 random(static_cast<std::uint64_t>(n) * 1000 + static_cast<std::uint64_t>(p));
        const int rounds = 1000;
        int hits = 0;
        for (int i = 0; i < rounds; ++i)
            hits += covers(*percentileEstimate(logNormals(random, n), p), trueLogNormal(p));
        // Never below 95 % but for the chance of so many rounds; above it by what whole ranks cost, most in small n.
        const double share = static_cast<double>(hits) / rounds;
        QVERIFY2(share > 0.93 && share < 0.995, qPrintable(QString::number(share)));
    }

    void histogramSaysTheSame()
    {
        std::mt19937_64 random(12);
        const auto values = logNormals(random, 5000);
        Histogram histogram(3);
        for (const double value : values)
            histogram.record(fromMs(value));
        for (const double p : {50.0, 95.0, 99.0}) {
            const auto a = percentileEstimate(values, p), b = percentileEstimate(histogram, p);
            QVERIFY(isNear(a->value, b->value, a->value / 1000));
            QVERIFY(isNear(a->low, b->low, a->low / 1000));
            QVERIFY(isNear(a->high, b->high, a->high / 1000));
            QVERIFY(b->low < b->value && b->value < b->high);
        }
    }

    void atRankIsThePercentileOfThatRank()
    {
        Histogram h(3);
        for (int i = 1; i <= 1000; ++i)
            h.record(Millis(i));
        for (const int rank : {1, 17, 500, 999, 1000})
            QCOMPARE(h.atRank(rank)->count(), h.percentile(rank / 10.0)->count());
        QVERIFY(!h.atRank(0) && !h.atRank(-3) && !h.atRank(1001));
    }

    void shareAsPublished()
    {
        // Newcombe 1998, table I, method 3.
        const auto most = shareEstimate(81, 263);
        QVERIFY(isNear(most->low, 0.2553, 5e-5) && isNear(most->high, 0.3662, 5e-5));
        const auto some = shareEstimate(15, 148);
        QVERIFY(isNear(some->low, 0.0624, 5e-5) && isNear(some->high, 0.1605, 5e-5));
        const auto none = shareEstimate(0, 20);
        QVERIFY(none->low == 0 && isNear(none->high, 0.1611, 5e-5));
        const auto one = shareEstimate(1, 29);
        QVERIFY(isNear(one->low, 0.0061, 5e-5) && isNear(one->high, 0.1718, 5e-5));
        QVERIFY(shareEstimate(20, 20)->high == 1 && shareEstimate(20, 20)->low < 0.9);
        QVERIFY(!shareEstimate(0, 0) && !shareEstimate(-1, 4) && !shareEstimate(5, 4));
    }

    void differenceOfSharesAsPublished()
    {
        // Newcombe 1998, table II, method 10: 56/70 - 48/80, 9/10 - 3/10, 10/10 - 0/20.
        const Estimate a = difference(*shareEstimate(48, 80), *shareEstimate(56, 70));
        QVERIFY(isNear(a.value, 0.2, 1e-12) && isNear(a.low, 0.0524, 5e-5) && isNear(a.high, 0.3339, 5e-5));
        const Estimate b = difference(*shareEstimate(3, 10), *shareEstimate(9, 10));
        QVERIFY(isNear(b.low, 0.1705, 5e-5) && isNear(b.high, 0.8090, 5e-5));
        const Estimate c = difference(*shareEstimate(0, 20), *shareEstimate(10, 10));
        QVERIFY(isNear(c.low, 0.6791, 5e-5) && isNear(c.high, 1.0, 5e-5));
    }

    void differenceIsCovered_data()
    {
        QTest::addColumn<double>("p");
        QTest::addColumn<double>("factor");
        for (const double p : {50.0, 95.0, 99.0})
            for (const double factor : {1.0, 1.3})
                QTest::addRow("p%g, %g times", p, factor) << p << factor;
    }
    void differenceIsCovered()
    {
        QFETCH(double, p);
        QFETCH(double, factor);
        std::mt19937_64 random(77 + static_cast<std::uint64_t>(p * factor * 10));
        const int rounds = 1000;
        int hits = 0;
        for (int i = 0; i < rounds; ++i) {
            const auto first = percentileEstimate(logNormals(random, 500), p);
            const auto second = percentileEstimate(logNormals(random, 900, factor), p);
            hits += covers(difference(*first, *second), trueLogNormal(p) * (factor - 1));
        }
        const double share = static_cast<double>(hits) / rounds;
        QVERIFY2(share > 0.93 && share < 0.995, qPrintable(QString::number(share)));
    }

    void differenceOfSharesIsCovered()
    {
        std::mt19937_64 random(5);
        std::binomial_distribution<int> first(400, 0.99), second(600, 0.97);
        const int rounds = 4000;
        int hits = 0;
        for (int i = 0; i < rounds; ++i)
            hits += covers(difference(*shareEstimate(first(random), 400), *shareEstimate(second(random), 600)), -0.02);
        const double share = static_cast<double>(hits) / rounds;
        QVERIFY2(share > 0.93 && share < 0.985, qPrintable(QString::number(share)));
    }

    void differenceTurnsWithItsOrder()
    {
        const Estimate a{10, 8, 13}, b{20, 19, 24};
        const Estimate there = difference(a, b), back = difference(b, a);
        QVERIFY(there.value == 10 && isNear(there.low, 10 - std::sqrt(10), 1e-12) && there.high > 10);
        QVERIFY(back.value == -there.value && back.low == -there.high && back.high == -there.low);
        QVERIFY(isClear(there) && isClear(back));
        QVERIFY(!isClear(difference(a, a)));
        QVERIFY(!isClear({1, 0, 2}));
    }
};

QTEST_APPLESS_MAIN(TestConfidence)
#include "tst_confidence.moc"
