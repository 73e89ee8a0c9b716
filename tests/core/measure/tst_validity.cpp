// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/knee.h"
#include "core/measure/validity.h"

#include <QTest>

using namespace sg;
using namespace measure;

Q_DECLARE_METATYPE(sg::measure::GeneratorFacts)

namespace {

/// A generator that kept up with everything.
GeneratorFacts fine()
{
    GeneratorFacts facts;
    facts.finished = 1000;
    facts.medianResponse = Millis(500);
    facts.responseP99 = Millis(900);
    facts.scheduleDelayP99 = Millis(2);
    facts.loopLagP95 = Millis(1);
    facts.medianQueue = Millis(1);
    facts.requestedRate = 100;
    facts.dispatchedRate = 100;
    facts.threadShare = 0.4;
    facts.processShare = 0.3;
    facts.sendLateTypical = fromMs(0.2);
    facts.sendLateP99 = Millis(2);
    facts.readLateTypical = fromMs(0.1);
    facts.readLateP99 = Millis(1);
    facts.starvedShare = 0.02;
    facts.waitPerTurn = fromMs(0.05);
    return facts;
}

class TestValidity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCauseAloneIsEnough_data()
    {
        QTest::addColumn<GeneratorFacts>("facts");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, auto change, const char* says) {
            GeneratorFacts facts = fine();
            change(facts);
            QTest::newRow(name) << facts << QString::fromUtf8(says);
        };
        row(
            "sockets", [](GeneratorFacts& f) { f.localErrors = 2; }, "2 requests failed in this machine");
        row(
            "addresses", [](GeneratorFacts& f) { f.unresolved = 3; },
            "3 requests failed in this machine, which found no");
        // 1 % of 500 ms and 5 % of 900 ms, whichever end they are lost at.
        row(
            "late at the limit",
            [](GeneratorFacts& f) { f.sendLateTypical = Millis(2), f.readLateTypical = Millis(3); }, "");
        row(
            "sent late", [](GeneratorFacts& f) { f.sendLateTypical = Millis(5); }, "requests typically left 5.0 ms");
        row(
            "read late", [](GeneratorFacts& f) { f.readLateTypical = Millis(5); }, "typically read 5.0 ms");
        row(
            "some late at the limit", [](GeneratorFacts& f) { f.sendLateP99 = Millis(20), f.readLateP99 = Millis(25); },
            "");
        row(
            "some late", [](GeneratorFacts& f) { f.sendLateP99 = Millis(20), f.readLateP99 = Millis(26); },
            "1 % of the requests left 20.0 ms");
        row(
            "some late of few",
            [](GeneratorFacts& f) { f.finished = 99, f.sendLateP99 = Millis(20), f.readLateP99 = Millis(26); }, "");
        row(
            "short answers",
            [](GeneratorFacts& f) {
                f.medianResponse = Millis(5), f.responseP99 = Millis(6);
                f.sendLateTypical = fromMs(0.8), f.readLateTypical = fromMs(1.2);
                f.sendLateP99 = f.readLateP99 = fromMs(2.5);
            },
            "");
        row(
            "short answers late",
            [](GeneratorFacts& f) { f.medianResponse = Millis(5), f.sendLateTypical = Millis(2); },
            "of a median of 5.0 ms");
        row(
            "starved", [](GeneratorFacts& f) { f.readLateTypical = Millis(10), f.starvedShare = 0.4; },
            "had no processor for 40 %");
        row(
            "held up at the limit", [](GeneratorFacts& f) { f.starvedShare = 0.7, f.waitPerTurn = Millis(2); }, "");
        row(
            "held up", [](GeneratorFacts& f) { f.starvedShare = 0.71, f.waitPerTurn = Millis(2); },
            "the generator was held up");
        row(
            "held up, felt by no figure", [](GeneratorFacts& f) { f.starvedShare = 0.9, f.waitPerTurn = fromMs(0.25); },
            "");
        row(
            "held up for an unknown time a turn",
            [](GeneratorFacts& f) { f.starvedShare = 0.71, f.waitPerTurn = std::nullopt; },
            "the generator was held up");
        row(
            "hardly runs", [](GeneratorFacts& f) { f.starvedShare = 0.9, f.processShare = 0.004; }, "");
        row(
            "turns at the limit",
            [](GeneratorFacts& f) { f.readLateTypical = f.readLateP99 = std::nullopt, f.waitPerTurn = fromMs(12.5); },
            "");
        row(
            "turns",
            [](GeneratorFacts& f) { f.readLateTypical = f.readLateP99 = std::nullopt, f.waitPerTurn = Millis(13); },
            "waited 13.0 ms for a processor");
        row(
            "turns of threads that tell more", [](GeneratorFacts& f) { f.waitPerTurn = Millis(13); }, "");
        row(
            "fine", [](GeneratorFacts&) {}, "");
        row(
            "lag at the limit", [](GeneratorFacts& f) { f.loopLagP95 = Millis(50); }, "");
        row(
            "lag", [](GeneratorFacts& f) { f.loopLagP95 = Millis(51); }, "ran late");
        row(
            "delay at the limit", [](GeneratorFacts& f) { f.scheduleDelayP99 = Millis(90); }, "");
        row(
            "delay", [](GeneratorFacts& f) { f.scheduleDelayP99 = Millis(91); }, "schedule was not kept");
        row(
            "queue", [](GeneratorFacts& f) { f.medianQueue = Millis(51); }, "waited 51.0 ms");
        row(
            "dropped", [](GeneratorFacts& f) { f.dropped = 1; }, "1 scheduled arrivals were dropped");
        row(
            "rate at the limit", [](GeneratorFacts& f) { f.dispatchedRate = 99; }, "");
        row(
            "rate", [](GeneratorFacts& f) { f.dispatchedRate = 98.9; }, "98.9 requests a second of the 100.0");
        row(
            "thread", [](GeneratorFacts& f) { f.threadShare = 0.96; }, "thread was busy for 96 %");
        row(
            "process", [](GeneratorFacts& f) { f.processShare = 0.97; }, "used 97 %");
        row(
            "connections", [](GeneratorFacts& f) { f.concurrency = 11, f.connectionLimit = 10; },
            "above the transport");
        row(
            "nothing", [](GeneratorFacts& f) { f.finished = 0; }, "no request finished");
        row(
            "nothing known", [](GeneratorFacts& f) { f = {}, f.finished = 1; }, "");
    }
    void everyCauseAloneIsEnough()
    {
        QFETCH(GeneratorFacts, facts);
        QFETCH(QString, says);
        const QStringList reasons = invalidBecause(facts);
        QCOMPARE(reasons.size(), says.isEmpty() ? 0 : 1);
        if (!says.isEmpty())
            QVERIFY2(reasons.front().contains(says), qPrintable(reasons.front()));
    }

    void invalidOutranksPassAndFail()
    {
        QCOMPARE(verdictOf(false, true, true), Verdict::Invalid);
        QCOMPARE(verdictOf(false, true, false), Verdict::Invalid);
        QCOMPARE(verdictOf(true, true, true), Verdict::Passed);
        QCOMPARE(verdictOf(true, true, false), Verdict::Missed);
        QCOMPARE(verdictOf(true, false, true), Verdict::Valid);
    }

    void theKneeIsTheLastStepThatHolds()
    {
        const std::vector<KneePoint> late{
            {10, 10, 100., 120., 1}, {20, 20, 100., 140., 1}, {40, 40, 130., 241., 1}, {80, 80, 100., 100., 1}};
        QCOMPARE(kneeOf(late).last, std::optional<std::size_t>(1));
        QVERIFY(kneeOf(late).sign == KneeSign::LatencyDoubled);
        const std::vector<KneePoint> slow{{10, 10, 100., 120., 1}, {20, 18, 100., 140., 1}};
        QVERIFY(kneeOf(slow).sign == KneeSign::RateNotReached);
        const std::vector<KneePoint> failing{{10, 10, 100., 120., 1}, {20, 19.7, 100., 140., 0.985}};
        QVERIFY(kneeOf(failing).sign == KneeSign::Failures);
        const std::vector<KneePoint> dead{{10, 0, {}, {}, 0}};
        QVERIFY(!kneeOf(dead).last);
        const std::vector<KneePoint> flaky{{10, 9.8, 100., 120., 0.98}, {20, 19.5, 100., 120., 0.97}};
        QCOMPARE(kneeOf(flaky).last, std::optional<std::size_t>(1));
        QVERIFY(!kneeOf({}).last);
    }

    void aStepOfWhichNothingEndedHasNoFailures()
    {
        const std::vector<KneePoint> frozen{{10, 10, 100., 120., 1, 10.}, {20, 0, {}, {}, {}, 19.}};
        QCOMPARE(kneeOf(frozen).last, std::optional<std::size_t>(0));
        QVERIFY(kneeOf(frozen).sign == KneeSign::RateNotReached);
        const std::vector<KneePoint> noArrival{
            {1, 0, {}, {}, {}, 0.}, {2, 2, 100., 120., 1, 2.}, {3, 0, {}, {}, {}, 0.}, {4, 4, 100., 120., 0.9, 4.}};
        QCOMPARE(kneeOf(noArrival).last, std::optional<std::size_t>(2));
        QVERIFY(kneeOf(noArrival).sign == KneeSign::Failures);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestValidity)
#include "tst_validity.moc"
