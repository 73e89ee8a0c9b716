// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/failure.h"
#include "core/gateway/traffic.h"

#include <QTest>

using namespace sg;
using namespace std::chrono_literals;
using gateway::Ended;

namespace {

Ended refused(int status, const char* code)
{
    Ended ended;
    ended.path = "/v1/chat/completions";
    ended.status = status;
    ended.code = QString::fromLatin1(code);
    return ended;
}

} // namespace

class tst_traffic : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestFirstAndBounded()
    {
        gateway::TrafficLog log(3);
        QVERIFY(log.picture()->latest.empty());
        for (int i = 0; i < 5; ++i) {
            Ended ended = refused(200, "");
            ended.requestId = QByteArray::number(i);
            log.add(ended, 1000 + i);
        }
        const gateway::TrafficPtr picture = log.picture();
        QCOMPARE(picture->latest.size(), std::size_t(3));
        QCOMPARE(picture->latest[0].requestId, QByteArray("4"));
        QCOMPARE(picture->latest[0].endedUnixMs, 1004);
        QCOMPARE(picture->latest[2].requestId, QByteArray("2"));
    }

    void picturesStayWhatTheyWere()
    {
        gateway::TrafficLog log;
        log.add(refused(503, "queue_full"), 1);
        const gateway::TrafficPtr first = log.picture();
        QCOMPARE(log.picture().get(), first.get()); // nothing is new
        log.add(refused(503, "queue_full"), 2);
        QCOMPARE(first->refusals[0].count, qint64(1));
        QCOMPARE(log.picture()->refusals[0].count, qint64(2));
        log.clear();
        QVERIFY(log.picture()->latest.empty());
        QVERIFY(log.picture()->refusals.empty());
    }

    void refusalsByReasonMostFirst()
    {
        gateway::TrafficLog log(1);
        log.add(refused(400, ""), 1);
        for (int i = 0; i < 3; ++i)
            log.add(refused(503, "queue_full"), 2);
        log.add(refused(404, "model_not_found"), 3);
        log.add(refused(404, "model_not_found"), 3);
        const gateway::TrafficPtr picture = log.picture();
        QCOMPARE(picture->refusals.size(), std::size_t(3));
        QCOMPARE(picture->refusals[0].code, QStringLiteral("queue_full"));
        QCOMPARE(picture->refusals[1].count, qint64(2));
        QCOMPARE(picture->refusals[2].status, 400);
        QVERIFY(picture->latest[0].isRefused);
    }

    void whatSomebodyWasAskedForIsNoRefusal()
    {
        chain::RunRecord record;
        record.attempts = 2;
        chain::WaitRecord wait;
        wait.from = Instant(1s);
        wait.until = Instant(1s + 250ms);
        record.steps = {wait};
        Ended failed = refused(503, "all_tiers_out");
        failed.record = &record;
        failed.queued = 50ms;
        Ended left = refused(gateway::kClientLeft, "");
        gateway::TrafficLog log;
        log.add(failed, 1);
        log.add(left, 2);
        const gateway::TrafficPtr picture = log.picture();
        QVERIFY(picture->refusals.empty());
        QVERIFY(!picture->latest[0].isRefused);
        QCOMPARE(picture->latest[1].attempts, 2);
        QVERIFY(picture->latest[1].waited == 300ms); // for a place, and between the attempts
    }
};

QTEST_APPLESS_MAIN(tst_traffic)
#include "tst_traffic.moc"
