// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/slot_pictures.h"

#include <QtTest>

#include <numeric>

using namespace sg;
using namespace sg::load;
using std::chrono::seconds;

namespace {

const Instant kStart{seconds(1000)};

RunProgress pictureOf(SlotPictures& slots, const measure::TimeAxis& axis)
{
    RunProgress picture;
    slots.fill(picture, axis);
    return picture;
}

} // namespace

class TestSlotPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsAnswersByLatency()
    {
        measure::TimeAxis axis(kStart);
        for (const double ms : {0.2, 1.5, 1.5, 700.0, 5e6})
            axis.at(kStart).latency.record(fromMs(ms));
        SlotPictures slots;
        const RunProgress picture = pictureOf(slots, axis);
        QCOMPARE(picture.heatEdgesMs.size(), std::size_t(31));
        const auto& heat = picture.seconds.at(0).heat;
        QCOMPARE(heat.size(), picture.heatEdgesMs.size() - 1);
        QCOMPARE(std::accumulate(heat.begin(), heat.end(), 0U), 5U); // the end rows hold what lies outside
        QCOMPARE(heat.front(), 3U);
        QCOMPARE(heat.back(), 1U);
        const auto row = std::ranges::upper_bound(picture.heatEdgesMs, 700.0) - picture.heatEdgesMs.begin() - 1;
        QCOMPARE(heat.at(static_cast<std::size_t>(row)), 1U);
    }

    void whatChangesIsReadAgain()
    {
        measure::TimeAxis axis(kStart);
        SlotPictures slots;
        axis.at(kStart).latency.record(fromMs(100));
        QVERIFY(pictureOf(slots, axis).seconds.at(0).p50Ms.value() < 101);
        for (int i = 0; i < 3; ++i)
            axis.at(kStart).latency.record(fromMs(900));
        QVERIFY(pictureOf(slots, axis).seconds.at(0).p50Ms.value() > 890);
        axis.at(kStart + seconds(1)).answered = 7; // counts that have no latency come along, too
        QCOMPARE(pictureOf(slots, axis).seconds.at(1).answered, 7);
        QVERIFY(!pictureOf(slots, axis).seconds.at(1).p50Ms);
    }

    void coarserSlotsKeepWhatTheyHad()
    {
        measure::TimeAxis axis(kStart);
        SlotPictures slots;
        for (int i = 0; i < 4; ++i) {
            auto& slot = axis.at(kStart + seconds(i));
            slot.latency.record(fromMs(i < 2 ? 100 : 900));
            slot.statuses = {{200, 1}, {503, i}};
            slot.mostInFlight = i + 1;
        }
        (void)pictureOf(slots, axis);
        (void)axis.at(kStart + seconds(measure::TimeAxis::kMostSlots));
        const RunProgress picture = pictureOf(slots, axis);
        QCOMPARE(picture.seconds.at(0).width, 2.0);
        QCOMPARE(picture.seconds.at(1).mostInFlight, 4);
        QVERIFY(picture.seconds.at(0).p99Ms.value() < 101);
        QVERIFY(picture.seconds.at(1).p50Ms.value() > 890);
        QCOMPARE(picture.seconds.at(1).statuses, (std::vector<std::int32_t>{2, 5}));
    }

    void statusesHaveOneOrder()
    {
        measure::TimeAxis axis(kStart);
        axis.at(kStart).statuses = {{0, 2}, {200, 5}};
        axis.at(kStart + seconds(1)).statuses = {{429, 1}};
        SlotPictures slots;
        const RunProgress picture = pictureOf(slots, axis);
        QCOMPARE(picture.secondStatuses, (std::vector<int>{200, 429, 0})); // without an answer comes last
        QCOMPARE(picture.seconds.at(0).statuses, (std::vector<std::int32_t>{5, 0, 2}));
        QCOMPARE(picture.seconds.at(1).statuses, (std::vector<std::int32_t>{0, 1, 0}));
    }
};

QTEST_GUILESS_MAIN(TestSlotPictures)
#include "tst_slot_pictures.moc"
