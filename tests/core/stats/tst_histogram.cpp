// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/histogram.h"
#include "core/stats/packed_histogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sg;
using stats::Histogram;
using stats::PackedHistogram;

namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;

std::vector<std::int64_t> logUniform(std::mt19937_64& random, int n, double lowNs, double highNs)
{
    std::uniform_real_distribution<double> exponent(std::log(lowNs), std::log(highNs));
    std::vector<std::int64_t> values;
    for (int i = 0; i < n; ++i)
        values.push_back(static_cast<std::int64_t>(std::exp(exponent(random))));
    return values;
}

double allowed(int digits)
{
    return digits == 2 ? 0.01 : 0.001;
}

Histogram of(const std::vector<std::int64_t>& values, int digits)
{
    Histogram made(digits);
    for (const std::int64_t value : values)
        made.record(Nanos(value));
    return made;
}

bool sameCounts(const Histogram& a, const Histogram& b)
{
    for (double edge = 500; edge < 8e12; edge *= 1.002) {
        const Nanos low(static_cast<std::int64_t>(edge)), high(static_cast<std::int64_t>(edge * 1.002) + 1);
        if (a.countBetween(low, high) != b.countBetween(low, high))
            return false;
    }
    return a.count() == b.count();
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void emptySaysSo()
    {
        const Histogram h(3);
        QVERIFY(h.empty());
        QVERIFY(!h.min() && !h.max() && !h.mean() && !h.percentile(50) && !h.percentile(100));
        QCOMPARE(h.countBetween(Nanos(0), Nanos(kHourNs)), 0);
    }

    void oneValueIsItself()
    {
        for (const std::int64_t ns : {std::int64_t{1000}, std::int64_t{712'345'678}, kHourNs}) {
            Histogram h(2);
            h.record(Nanos(ns));
            QCOMPARE(h.percentile(0.1)->count(), ns);
            QCOMPARE(h.percentile(100)->count(), ns);
            QCOMPARE(h.mean()->count(), ns);
        }
    }

    void nearestRankAgainstSortedValues_data()
    {
        QTest::addColumn<int>("digits");
        QTest::newRow("2 digits") << 2;
        QTest::newRow("3 digits") << 3;
    }
    void nearestRankAgainstSortedValues()
    {
        QFETCH(int, digits);
        std::mt19937_64 random(4711);
        for (int round = 0; round < 60; ++round) {
            const int n = 1 + static_cast<int>(random() % 3000);
            auto values = logUniform(random, n, 1000, static_cast<double>(kHourNs));
            const Histogram h = of(values, digits);
            std::sort(values.begin(), values.end());
            QCOMPARE(h.count(), n);
            QCOMPARE(h.min()->count(), values.front());
            QCOMPARE(h.max()->count(), values.back());
            for (const double p : {0.01, 1.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 100.0}) {
                const auto rank = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(p * n / 100 - 1e-9)));
                const auto exact = static_cast<double>(values[static_cast<std::size_t>(rank - 1)]);
                const auto told = static_cast<double>(h.percentile(p)->count());
                QVERIFY2(told >= exact && told <= exact * (1 + allowed(digits)) + 1,
                         qPrintable(QStringLiteral("p%1 of %2: %3 for %4").arg(p).arg(n).arg(told).arg(exact)));
            }
        }
    }

    void rankDoesNotSlipByRounding()
    {
        Histogram h(3);
        for (int i = 1; i <= 1000; ++i)
            h.record(Millis(i));
        // 99.9 % of 1000 is 999 exactly, in binary a hair more.
        QVERIFY(h.percentile(99.9)->count() < 1'000'000'000);
        QVERIFY(h.percentile(99.91)->count() == 1'000'000'000);
        QVERIFY(std::abs(toMs(*h.percentile(50)) - 500) < 0.5);
    }

    void resolutionHoldsOverTheWholeRange()
    {
        for (const int digits : {2, 3}) {
            for (double at = 1000; at < static_cast<double>(kHourNs); at *= 1.0137) {
                const auto ns = static_cast<std::int64_t>(at);
                Histogram h(digits);
                h.record(Nanos(ns));
                h.record(Nanos(kHourNs)); // so that the maximum does not hide the width of the bucket
                const auto told = static_cast<double>(h.percentile(50)->count());
                QVERIFY(told >= static_cast<double>(ns));
                QVERIFY(told <= static_cast<double>(ns) * (1 + allowed(digits)));
            }
        }
    }

    void addAndSubtractAreExact()
    {
        std::mt19937_64 random(99);
        for (const int digits : {2, 3}) {
            const auto first = logUniform(random, 4000, 900, 5e12), second = logUniform(random, 3000, 900, 5e12);
            Histogram both = of(first, digits);
            both.add(of(second, digits));
            auto all = first;
            all.insert(all.end(), second.begin(), second.end());
            QVERIFY(sameCounts(both, of(all, digits)));
            QCOMPARE(both.outOfRange(), of(all, digits).outOfRange());

            both.subtract(of(second, digits));
            QVERIFY(sameCounts(both, of(first, digits)));
            QCOMPARE(both.outOfRange(), of(first, digits).outOfRange());
            for (const double p : {1.0, 50.0, 95.0, 99.0})
                QCOMPARE(both.percentile(p)->count(), of(first, digits).percentile(p)->count());
            both.subtract(of(first, digits));
            QVERIFY(both.empty());
            QVERIFY(!both.percentile(50));
        }
    }

    void packedIsTheSameHistogram()
    {
        std::mt19937_64 random(5);
        for (const int digits : {2, 3}) {
            Histogram source = of(logUniform(random, 5000, 900, 5e12), digits);
            source.record(Millis(700), 200'000); // more than one entry holds
            const PackedHistogram packed(source);
            Histogram target(digits);
            packed.addTo(target);
            QVERIFY(sameCounts(target, source));
            QCOMPARE(target.min()->count(), source.min()->count());
            QCOMPARE(target.max()->count(), source.max()->count());
            QCOMPARE(target.mean()->count(), source.mean()->count());
            QCOMPARE(target.outOfRange(), source.outOfRange());
            packed.addTo(target);
            packed.subtractFrom(target);
            QVERIFY(sameCounts(target, source));
            packed.subtractFrom(target);
            QVERIFY(target.empty());
        }
        Histogram untouched(2);
        PackedHistogram(Histogram(2)).addTo(untouched);
        QVERIFY(untouched.empty());
    }

    void outOfRangeIsCountedAndClamped()
    {
        Histogram h(3);
        h.record(Nanos(0));
        h.record(Nanos(-5));
        h.record(Nanos(999));
        h.record(Nanos(1000));
        h.record(Nanos(kHourNs));
        h.record(Nanos(kHourNs + 1));
        h.record(Nanos::max());
        QCOMPARE(h.count(), 7);
        QCOMPARE(h.outOfRange(), 5);
        QCOMPARE(h.min()->count(), -5);
        QCOMPARE(h.max()->count(), Nanos::max().count());
        QCOMPARE(h.percentile(40)->count(), 1000);
        QVERIFY(h.percentile(100)->count() >= kHourNs);
        QVERIFY(static_cast<double>(h.percentile(100)->count()) <= static_cast<double>(kHourNs) * 1.001);
    }

    void countsSaturate()
    {
        Histogram h(2);
        const std::int64_t most = std::numeric_limits<std::uint32_t>::max();
        h.record(Millis(5), most - 1);
        h.record(Millis(5), 10);
        QCOMPARE(h.count(), most);
        h.record(Millis(5), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(h.count(), most);
        h.add(h);
        QCOMPARE(h.count(), most);
        h.record(Millis(50), 3);
        QCOMPARE(h.count(), most + 3);
        QVERIFY(toMs(*h.percentile(100)) == 50);
        h.record(Millis(1), 0);
        h.record(Millis(1), -4);
        QCOMPARE(h.count(), most + 3);
        QCOMPARE(toMs(*h.min()), 5.0);
    }

    void countBetweenTilesTheRange()
    {
        std::mt19937_64 random(17);
        const Histogram h = of(logUniform(random, 20'000, 1000, static_cast<double>(kHourNs)), 2);
        std::int64_t sum = 0;
        double edge = 1;
        while (edge < 1e14) {
            sum +=
                h.countBetween(Nanos(static_cast<std::int64_t>(edge)), Nanos(static_cast<std::int64_t>(edge * 1.12)));
            edge = static_cast<double>(static_cast<std::int64_t>(edge * 1.12) + (edge < 10 ? 1 : 0));
        }
        QVERIFY(std::abs(static_cast<double>(sum) - 20'000) < 1);
        QCOMPARE(h.countBetween(Millis(5), Millis(5)), 0);
        QCOMPARE(h.countBetween(Millis(9), Millis(5)), 0);
    }

    void clearStartsAnew()
    {
        Histogram h(2);
        h.record(Millis(5));
        h.record(Nanos(1));
        h.clear();
        QVERIFY(h.empty());
        QCOMPARE(h.outOfRange(), 0);
        h.record(Millis(7));
        QCOMPARE(toMs(*h.min()), 7.0);
        QCOMPARE(toMs(*h.max()), 7.0);
    }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
