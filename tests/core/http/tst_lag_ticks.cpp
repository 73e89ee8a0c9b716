// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/lag_ticks.h"
#include "core/http/transport.h"

#include <QTest>

#include <poll.h>

using namespace sg;

namespace {

/// Waits until a tick is due.
void awaitTick(const http::LagTicks& ticks)
{
    pollfd ready{ticks.descriptor(), POLLIN, 0};
    while (::poll(&ready, 1, -1) < 0) {
    }
}

class TestLagTicks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A thread that was away for 30 ticks is 290, 280, … 0 ms late for them: what happens at any moment of such a
    /// stall meets the rest of it.
    void aStallCountsForAllOfItsTicks()
    {
        http::LagTicks ticks;
        ticks.start();
        const Instant from = http::steadyNow();
        const Instant to = from + Millis(300);
        for (Instant now = from; now < to; now = http::steadyNow()) {
        }
        ticks.take();
        const Nanos took = http::steadyNow() - from;
        const stats::Histogram& lateness = ticks.lateness();
        QVERIFY(lateness.count() >= 29);
        QVERIFY(lateness.count() <= toMs(took) / 10);
        QVERIFY(toMs(*lateness.max()) >= 285);
        QVERIFY(toMs(*lateness.min()) < 12);
        const double median = toMs(*lateness.percentile(50));
        QVERIFY2(median > 120 && median < toMs(took) / 2 + 20, qPrintable(QString::number(median)));
    }

    void beginsAnew()
    {
        http::LagTicks ticks;
        ticks.start();
        awaitTick(ticks);
        ticks.take();
        QVERIFY(!ticks.lateness().empty());
        ticks.start();
        QVERIFY(ticks.lateness().empty());
        ticks.take(); // none is due yet: nothing happens
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestLagTicks)
#include "tst_lag_ticks.moc"
