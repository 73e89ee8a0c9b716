// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/interrupt.h"

#include <QTest>

#include <csignal>
#include <thread>

using namespace sg;

namespace {

class TestInterrupt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySignalIsOneCallInTheEventLoop()
    {
        int calls = 0;
        const app::Interrupt interrupt([&] { ++calls; });
        raise(SIGINT);
        raise(SIGTERM);
        raise(SIGTERM);
        QCOMPARE(calls, 0);
        QTRY_COMPARE(calls, 3);
    }

    void whicheverThreadGetsIt()
    {
        std::thread::id calledIn;
        const app::Interrupt interrupt([&] { calledIn = std::this_thread::get_id(); });
        std::thread([] { raise(SIGTERM); }).join();
        QTRY_VERIFY(calledIn != std::thread::id());
        QCOMPARE(calledIn, std::this_thread::get_id());
    }

    void programsStartedMeanwhileCanBeEnded()
    {
        const app::Interrupt interrupt([] {});
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        QCOMPARE(sigismember(&mask, SIGINT), 0);
        QCOMPARE(sigismember(&mask, SIGTERM), 0);
    }

    void afterwardsSignalsEndTheProcessAgain()
    {
        {
            const app::Interrupt interrupt([] {});
        }
        struct sigaction now = {};
        sigaction(SIGTERM, nullptr, &now);
        QVERIFY(now.sa_handler == SIG_DFL);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestInterrupt)
#include "tst_interrupt.moc"
