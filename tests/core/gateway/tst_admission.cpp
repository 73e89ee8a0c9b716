// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/admission.h"

#include <QTest>

using namespace sg;
using gateway::Admission;
using gateway::AdmissionLimits;
using gateway::Failure;

namespace {

/// A door with what happened at it: "+1" let in, "-1 queue_full" refused.
class Door
{
public:
    explicit Door(AdmissionLimits limits)
        : admission(limits)
    {
    }
    void enter(Admission::Id id, int priority = 0)
    {
        admission.enter(
            id, priority, now, [this, id] { seen << QStringLiteral("+%1").arg(id); },
            [this, id](const Failure& failure) {
                seen << QStringLiteral("-%1 %2").arg(id).arg(failure.code);
                refusal = failure;
            });
    }
    QString happened()
    {
        const QString all = seen.join(QStringLiteral(", "));
        seen.clear();
        return all;
    }

    Admission admission;
    Instant now = instantAtMs(1000);
    QStringList seen;
    Failure refusal;
};

} // namespace

class TestAdmission : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void letsInWhatThereIsRoomFor()
    {
        Door door({2, 10, Millis(1000)});
        for (Admission::Id id = 1; id <= 4; ++id)
            door.enter(id);
        QCOMPARE(door.happened(), QStringLiteral("+1, +2"));
        QCOMPARE(door.admission.inFlight(), 2);
        QCOMPARE(door.admission.queued(), 2);
        door.admission.leave(2, door.now);
        door.admission.leave(1, door.now);
        QCOMPARE(door.happened(), QStringLiteral("+3, +4"));
        door.admission.leave(3, door.now);
        door.admission.leave(3, door.now);
        door.admission.leave(4, door.now);
        QCOMPARE(door.admission.inFlight(), 0);
    }

    void largerPriorityFirst()
    {
        Door door({1, 10, Millis(1000)});
        door.enter(1);
        door.enter(2, 0);
        door.enter(3, 5);
        door.enter(4, -1);
        door.enter(5, 5);
        for (const Admission::Id next : {1, 3, 5, 2, 4})
            door.admission.leave(next, door.now);
        QCOMPARE(door.happened(), QStringLiteral("+1, +3, +5, +2, +4"));
    }

    void noRoomIsRefused()
    {
        Door door({1, 2, Millis(20'000)});
        door.enter(1);
        door.enter(2);
        door.enter(3);
        door.enter(4);
        QCOMPARE(door.happened(), QStringLiteral("+1, -4 queue_full"));
        QCOMPARE(door.refusal.status, 503);
        QVERIFY(door.refusal.retryAfter.value() >= std::chrono::seconds(1));
        door.enter(5, 1); // more important than the last that waits
        QCOMPARE(door.happened(), QStringLiteral("-3 queue_full"));
        QCOMPARE(door.admission.queued(), 2);
        Door shut({0, 0, Millis(1)});
        shut.enter(1);
        QCOMPARE(shut.happened(), QStringLiteral("-1 queue_full"));
    }

    void adviceFollowsThePace()
    {
        Door door({1, 3, std::chrono::seconds(60)});
        for (Admission::Id id = 1; id <= 4; ++id)
            door.enter(id);
        for (Admission::Id id = 1; id <= 10; ++id) { // one every four seconds
            door.now += Millis(4000);
            door.admission.leave(id, door.now);
            door.enter(id + 4);
        }
        door.enter(100);
        QCOMPARE(toMs(door.refusal.retryAfter.value()), 16'000.0);
    }

    void aQuietHourIsNoPace()
    {
        Door door({1, 1, Millis(30'000)});
        door.enter(1);
        door.now += std::chrono::seconds(1);
        door.admission.leave(1, door.now);
        door.now += std::chrono::hours(1);
        door.enter(2);
        door.enter(3); // waits
        door.now += Millis(400);
        door.admission.leave(2, door.now);
        door.enter(4); // waits
        door.enter(5); // too many
        QCOMPARE(door.happened(), QStringLiteral("+1, +2, +3, -5 queue_full"));
        QCOMPARE(toMs(door.refusal.retryAfter.value()), 1000.0);
    }

    void longWaitsEnd()
    {
        Door door({1, 10, Millis(1000)});
        QVERIFY(!door.admission.nextExpiry());
        door.enter(1);
        QVERIFY(!door.admission.nextExpiry());
        door.enter(2, 7);
        door.now += Millis(400);
        door.enter(3);
        QVERIFY(door.admission.nextExpiry() == instantAtMs(2000));
        door.admission.expire(instantAtMs(1999));
        QCOMPARE(door.happened(), QStringLiteral("+1"));
        door.admission.expire(instantAtMs(2000));
        QCOMPARE(door.happened(), QStringLiteral("-2 queue_timeout"));
        QVERIFY(door.refusal.retryAfter);
        QVERIFY(door.admission.nextExpiry() == instantAtMs(2400));
        door.admission.leave(1, instantAtMs(2100));
        QCOMPARE(door.happened(), QStringLiteral("+3"));
        QVERIFY(!door.admission.nextExpiry());
    }

    void whoLeavesTheLineIsNotCalled()
    {
        Door door({1, 10, Millis(1000)});
        door.enter(1);
        door.enter(2);
        door.enter(3);
        door.admission.leave(2, door.now);
        QCOMPARE(door.admission.queued(), 1);
        door.admission.leave(1, door.now);
        QCOMPARE(door.happened(), QStringLiteral("+1, +3"));
    }

    void otherLimits()
    {
        Door door({1, 3, Millis(1000)});
        for (Admission::Id id = 1; id <= 4; ++id)
            door.enter(id);
        door.admission.setLimits({1, 2, Millis(1000)});
        QCOMPARE(door.happened(), QStringLiteral("+1, -4 queue_full"));
        door.admission.setLimits({2, 2, Millis(1000)});
        QCOMPARE(door.happened(), QStringLiteral("+2"));
        door.admission.setLimits({1, 2, Millis(1000)});
        door.admission.leave(1, door.now); // still one too many
        QCOMPARE(door.happened(), QString());
        door.admission.leave(2, door.now);
        QCOMPARE(door.happened(), QStringLiteral("+3"));
    }

    /// Requests that end the moment they begin let the next one in from within: thousands must not be as many frames.
    void endsFromWithin()
    {
        constexpr int kMany = 20'000;
        Admission admission({1, kMany, Millis(1000)});
        int begun = 0;
        admission.enter(
            0, 0, {}, [] {}, [](const Failure&) {});
        for (Admission::Id id = 1; id <= kMany; ++id)
            admission.enter(
                id, 0, {},
                [&admission, &begun, id] {
                    ++begun;
                    admission.leave(id, {});
                },
                [](const Failure&) {});
        admission.leave(0, {});
        QCOMPARE(begun, kMany);
        QCOMPARE(admission.inFlight(), 0);
    }
};

QTEST_APPLESS_MAIN(TestAdmission)
#include "tst_admission.moc"
