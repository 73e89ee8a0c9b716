// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/peak_window.h"
#include "core/stats/slot_ring.h"
#include "core/stats/windowed_histogram.h"

#include <QTest>

#include <deque>
#include <random>

using namespace sg;
using namespace sg::stats;
using namespace std::chrono;

namespace {

struct Fact
{
    Instant at;
    std::int64_t value;
};

/// What a window should hold: everything in the last `slots` slots.
template <typename Function>
void eachInWindow(const std::deque<Fact>& facts, Nanos window, Nanos slot, Instant now, Function use)
{
    const std::int64_t first = slotIndex(now, slot) - slotsFor(window, slot) + 1;
    for (const Fact& fact : facts) {
        if (slotIndex(fact.at, slot) >= first)
            use(fact.value);
    }
}

const std::vector<std::pair<Nanos, Nanos>> kWindows = {
    {seconds(1), seconds(1)}, {seconds(10), seconds(1)}, {minutes(5), seconds(1)}, {minutes(15), seconds(1)},
    {hours(1), seconds(15)},  {hours(6), seconds(15)},   {hours(24), seconds(60)},
};

} // namespace

class TestWindows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void totalsExpireExactly()
    {
        std::mt19937_64 random(3);
        Windowed<std::int64_t> windowed;
        std::deque<Fact> facts;
        Instant now = instantAtMs(-7'000); // before the origin slots are rounded down as well
        for (int i = 0; i < 4000; ++i) {
            const std::int64_t step = i % 97 == 0 ? 900'000 : i % 500 == 0 ? 30'000'000 : 3'000;
            now += Millis(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(step)));
            facts.push_back({now, static_cast<std::int64_t>(random() % 1000)});
            windowed.add(facts.back().value, now);
            if (i % 23 != 0)
                continue;
            const auto& [window, slot] = kWindows[static_cast<std::size_t>(i / 23) % kWindows.size()];
            std::int64_t expected = 0;
            eachInWindow(facts, window, slot, now, [&](std::int64_t value) { expected += value; });
            QCOMPARE(windowed.total(window, now), expected);
        }
        QCOMPARE(windowed.total(minutes(15), now + minutes(15)), 0);
        QVERIFY(windowed.total(hours(24), now + minutes(15)) > 0);
        QCOMPARE(windowed.total(hours(24), now + hours(25)), 0);
    }

    void slotIsTakenOutAtItsSecond()
    {
        SlotRing<int> ring({seconds(1), 60});
        ring.add(5, instantAtMs(10'400));
        QCOMPARE(ring.total(60, instantAtMs(69'999)), 5);
        QCOMPARE(ring.total(60, instantAtMs(70'000)), 0);
        QCOMPARE(ring.slot(10), 0);
    }

    void olderTimeCountsAsTheNewest()
    {
        SlotRing<int> ring({seconds(1), 10});
        ring.add(1, instantAtMs(50'000));
        ring.add(2, instantAtMs(3'000));
        QCOMPARE(ring.total(1, instantAtMs(4'000)), 3);
        QCOMPARE(ring.slot(50), 3);
        QCOMPARE(ring.slot(3), 0);
        QCOMPARE(ring.slot(51), 0);
    }

    void manyWindowsAtOnceStayRight()
    {
        SlotRing<int> ring({seconds(1), 100});
        for (int i = 0; i < 1000; ++i) {
            ring.add(1, instantAtMs(i * 1000));
            for (int slots = 1; slots <= 100; slots += 9)
                QCOMPARE(ring.total(slots, instantAtMs(i * 1000)), std::min(slots, i + 1));
        }
    }

    void clearKeepsTheTime()
    {
        SlotRing<int> ring({seconds(1), 10});
        ring.add(4, instantAtMs(5000));
        QCOMPARE(ring.total(5, instantAtMs(5000)), 4);
        ring.clear();
        QCOMPARE(ring.total(5, instantAtMs(5000)), 0);
        ring.add(1, instantAtMs(6000));
        QCOMPARE(ring.total(5, instantAtMs(6000)), 1);
        QCOMPARE(ring.total(5, instantAtMs(11'000)), 0);
    }

    void histogramTotalsEqualAFreshHistogram()
    {
        std::mt19937_64 random(8);
        WindowedHistogram windowed;
        std::deque<Fact> facts;
        Instant now = instantAtMs(0);
        for (int i = 0; i < 6000; ++i) {
            now += Millis(static_cast<std::int64_t>(random() % (i % 700 == 0 ? 4'000'000 : 2'000)));
            facts.push_back({now, 1000 + static_cast<std::int64_t>(random() % 20'000'000'000)});
            windowed.record(Nanos(facts.back().value), now);
            if (i % 31 != 0)
                continue;
            const auto& [window, slot] = kWindows[static_cast<std::size_t>(i / 31) % kWindows.size()];
            Histogram expected(2);
            eachInWindow(facts, window, slot, now, [&](std::int64_t value) { expected.record(Nanos(value)); });
            const Histogram& total = windowed.total(window, now);
            QCOMPARE(total.count(), expected.count());
            for (const double p : {1.0, 50.0, 95.0})
                QCOMPARE(total.percentile(p)->count(), expected.percentile(p)->count());
        }
        QVERIFY(windowed.total(minutes(15), now + minutes(16)).empty());
        QVERIFY(windowed.total(hours(24), now + hours(25)).empty());
    }

    void peakIsTheLargestOfTheWindow()
    {
        PeakWindow peaks;
        QCOMPARE(peaks.peak(minutes(15), instantAtMs(0)), 0);
        for (int second = 0; second < 4000; ++second)
            peaks.put(second == 100 ? 90 : second == 3500 ? 50 : 7, Instant(seconds(second)));
        const Instant now{seconds(3999)};
        QCOMPARE(peaks.peak(minutes(5), now), 7);
        QCOMPARE(peaks.peak(minutes(15), now), 50);
        QCOMPARE(peaks.peak(hours(1), now), 50);
        QCOMPARE(peaks.peak(hours(6), now), 90);
        QCOMPARE(peaks.peak(hours(24), now), 90);
        QCOMPARE(peaks.peak(minutes(15), now + hours(2)), 0);
        QCOMPARE(peaks.peak(hours(24), now + hours(30)), 0);
    }

    void memoryIsBoundedByTheRing()
    {
        WindowedHistogram windowed({{seconds(1), 30}});
        std::mt19937_64 random(1);
        std::size_t afterOneTurn = 0;
        for (int i = 0; i < 300'000; ++i) {
            const std::int64_t millis = 200 + static_cast<std::int64_t>(random() % 800);
            windowed.record(Millis(millis), instantAtMs(i));
            if (i == 60'000)
                afterOneTurn = windowed.bytes();
        }
        QVERIFY(windowed.bytes() < afterOneTurn + afterOneTurn / 20);
    }
};

QTEST_APPLESS_MAIN(TestWindows)
#include "tst_windows.moc"
