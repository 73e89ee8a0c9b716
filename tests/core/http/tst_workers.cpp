// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/workers.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>

using namespace sg::http;

class TestWorkers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneThreadKeepsTheOrder()
    {
        std::vector<int> done; // of that thread, until it has ended
        Workers workers(1);
        for (int i = 0; i < 100; ++i)
            workers.start([&done, i] { done.push_back(i); });
        workers.finish();
        QCOMPARE(done.size(), std::size_t(100));
        QVERIFY(std::ranges::is_sorted(done));
    }

    void neverMoreAtOnceThanMay()
    {
        std::atomic<int> now = 0, most = 0;
        Workers workers(2);
        for (int i = 0; i < 20; ++i)
            workers.start([&] {
                const int here = ++now;
                int before = most;
                while (before < here && !most.compare_exchange_weak(before, here)) {
                }
                std::this_thread::yield();
                --now;
            });
        workers.finish();
        QVERIFY(most <= 2);
        QCOMPARE(now.load(), 0);
    }

    /// Two that wait for each other end only when both are begun.
    void theyWorkBesideEachOther()
    {
        std::binary_semaphore first(0), second(0);
        Workers workers(2);
        workers.start([&] {
            first.release();
            second.acquire();
        });
        workers.start([&] {
            first.acquire();
            second.release();
        });
        workers.finish();
    }

    void whatIsHeldIsFreedThere()
    {
        std::thread::id freedIn;
        struct Held
        {
            std::thread::id& in;
            ~Held() { in = std::this_thread::get_id(); }
        };
        Workers workers(1);
        workers.start([held = std::make_shared<Held>(freedIn)] {});
        workers.finish();
        QVERIFY(freedIn != std::thread::id());
        QVERIFY(freedIn != std::this_thread::get_id());
    }

    void whoIsAbandonedIsNotWaitedFor()
    {
        struct Room // of the work alone
        {
            std::binary_semaphore begun{0}, mayEnd{0};
            std::atomic<bool> isInTime = true;
        };
        const auto room = std::make_shared<Room>();
        const auto held = std::make_shared<int>(), dropped = std::make_shared<int>();
        {
            Workers workers(1);
            workers.start([room, held] {
                room->begun.release();
                room->isInTime = room->mayEnd.try_acquire_for(std::chrono::seconds(20));
            });
            bool isDone = false;
            workers.start([&isDone, dropped] { isDone = true; });
            room->begun.acquire();
            workers.abandon();
            workers.start([&isDone] { isDone = true; });
            QVERIFY(!isDone);
        }
        QCOMPARE(held.use_count(), 2L); // goes on by itself
        room->mayEnd.release();
        QTRY_COMPARE(held.use_count(), 1L);
        QTRY_COMPARE(dropped.use_count(), 1L);
        QVERIFY(room->isInTime);
    }

    void afterTheEndNothingIsDone()
    {
        bool isDone = false;
        Workers workers(1);
        workers.finish();
        workers.start([&] { isDone = true; });
        workers.finish();
        QVERIFY(!isDone);
    }
};

QTEST_APPLESS_MAIN(TestWorkers)
#include "tst_workers.moc"
