// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/deadline_queue.h"
#include "core/http/transfer_flow.h"

#include <QTest>

#include <semaphore>
#include <thread>

using namespace sg;
using http::DeadlineQueue;
using http::TransferFlow;

class tst_transfer_flow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGiverWaitsWhenMuchIsAhead()
    {
        TransferFlow flow(100);
        QVERIFY(flow.admit(60));
        QVERIFY(flow.admit(60)); // one piece may go beyond
        QVERIFY(!flow.admit(1));
        QVERIFY(!flow.take(60)); // still more than half
        QVERIFY(flow.take(60));  // now it has to be told
        QVERIFY(!flow.take(0));  // once
        QVERIFY(flow.admit(1));
    }

    void aPauseStopsIt()
    {
        TransferFlow flow(100);
        QVERIFY(flow.admit(10));
        flow.setPaused(true);
        QVERIFY(!flow.admit(10));
        QVERIFY(!flow.take(10)); // the pause's end is told by itself
        flow.setPaused(false);
        QVERIFY(flow.admit(10));
    }

    /// Whoever waits is told, however the two threads meet: otherwise this does not end.
    void nobodyWaitsForEver()
    {
        TransferFlow flow(8);
        std::counting_semaphore<> pieces(0), goOn(0);
        constexpr int kPieces = 200'000;
        std::thread giver([&] {
            for (int i = 0; i < kPieces; ++i) {
                while (!flow.admit(1))
                    goOn.acquire();
                pieces.release();
            }
        });
        for (int i = 0; i < kPieces; ++i) {
            pieces.acquire();
            if (flow.take(1))
                goOn.release();
        }
        giver.join();
        QVERIFY(flow.admit(1));
    }

    void deadlinesComeInOrder()
    {
        struct Client final : DeadlineQueue::Client
        {
            std::vector<int>* heard = nullptr;
            int number = 0;
            void onDeadline(Instant) override { heard->push_back(number); }
        };
        std::vector<int> heard;
        std::array<Client, 4> clients;
        DeadlineQueue queue;
        QVERIFY(!queue.next());
        for (int i = 0; i < 4; ++i) {
            Client& client = clients[static_cast<std::size_t>(i)];
            client.heard = &heard;
            client.number = i;
            queue.arm(client, instantAtMs(40 - 10 * i));
        }
        queue.arm(clients[0], instantAtMs(90)); // later: it stays
        queue.arm(clients[1], instantAtMs(5));  // earlier: it moves
        queue.disarm(clients[2]);
        QVERIFY(queue.next() == instantAtMs(5));
        queue.fire(instantAtMs(4));
        QVERIFY(heard.empty());
        queue.fire(instantAtMs(10));
        QCOMPARE(heard, (std::vector<int>{1, 3}));
        queue.fire(instantAtMs(40));
        QCOMPARE(heard, (std::vector<int>{1, 3, 0}));
        QVERIFY(!queue.next());
    }
};

QTEST_APPLESS_MAIN(tst_transfer_flow)
#include "tst_transfer_flow.moc"
