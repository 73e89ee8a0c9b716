// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/quota_window.h"

#include <QTest>

using namespace sg;
using simulator::Quota;
using simulator::QuotaWindow;

namespace {

constexpr Instant at(int ms)
{
    return Instant(Millis(ms));
}

class TestQuotaWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsRefusedTakesNothing()
    {
        QuotaWindow window(Quota{2, 100});
        QVERIFY(window.take(at(0)));
        QVERIFY(window.take(at(50)));
        QVERIFY(!window.take(at(60)));
        QVERIFY(!window.take(at(99)));
        QCOMPARE(toMs(window.wait(at(99))), 1.0);
        QVERIFY(window.take(at(100)));
        QVERIFY(!window.take(at(149)));
        QVERIFY(window.take(at(150)));
    }

    void whatIsRefusedCountsWhereTheScriptSaysSo()
    {
        QuotaWindow window(Quota{2, 100, true});
        QVERIFY(window.take(at(0)));
        QVERIFY(window.take(at(50)));
        QVERIFY(!window.take(at(60)));
        QVERIFY(!window.take(at(100))); // those of 50 and 60 are within the window
        QVERIFY(!window.take(at(159)));
        QVERIFY(window.take(at(260)));
    }

    void aBurstPassesBeforeTheWindowCounts()
    {
        QuotaWindow window(Quota{1, 100, false, true, 3});
        for (int i = 0; i < 4; ++i)
            QVERIFY(window.take(at(0)));
        QVERIFY(!window.take(at(0)));
        QVERIFY(window.take(at(100)));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestQuotaWindow)
#include "tst_quota_window.moc"
