// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/backoff_envelope.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace sg::policy;

namespace {

constexpr int kDraws = 30000;

BackoffPolicy policy(double base, double cap, Jitter jitter, BackoffKind kind = BackoffKind::Exponential,
                     double multiplier = 2)
{
    return {kind, base, multiplier, cap, jitter};
}

std::vector<double> tops(const BackoffEnvelope& envelope)
{
    std::vector<double> all;
    for (const EnvelopeStep& step : envelope.steps)
        all.push_back(step.toMs);
    return all;
}

bool near(double value, double wanted, double share)
{
    return std::abs(value - wanted) <= share * std::max(1e-9, std::abs(wanted));
}

} // namespace

Q_DECLARE_METATYPE(sg::policy::BackoffPolicy)

class TestBackoffEnvelope : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void drawsLieInTheBandsAndMeetTheMeans_data()
    {
        QTest::addColumn<BackoffPolicy>("drawn");
        QTest::addColumn<int>("retries");
        const auto row = [](const char* name, const BackoffPolicy& drawn, int retries = 6) {
            QTest::newRow(name) << drawn << retries;
        };
        row("none", policy(500, 8000, {}, BackoffKind::None));
        row("fixed", policy(500, 8000, {}, BackoffKind::Fixed));
        row("plain", policy(500, 8000, {}));
        row("full", policy(500, 8000, {JitterType::Full, 0, 0}));
        row("equal", policy(300, 8000, {JitterType::Equal, 0, 0}));
        row("proportional", policy(1000, 60000, {JitterType::Proportional, 0.3, 0}));
        row("proportional at the cap", policy(1000, 3000, {JitterType::Proportional, 0.8, 0}));
        row("proportional beyond its range", policy(1000, 3000, {JitterType::Proportional, 2, 0}));
        row("additive", policy(1000, 60000, {JitterType::Additive, 0, 1000}));
        row("additive at the cap", policy(1000, 2500, {JitterType::Additive, 0, 1000}));
        row("additive without end", policy(1000, 2500, {JitterType::Additive, 0, 1e9}));
        row("decorrelated", policy(200, 10000, {JitterType::Decorrelated, 0, 0}));
        row("decorrelated with a low cap", policy(200, 500, {JitterType::Decorrelated, 0, 0}));
        row("decorrelated with a far cap", policy(1, 600000, {JitterType::Decorrelated, 0, 0}), 14);
        row("decorrelated with a cap below base", policy(500, 100, {JitterType::Decorrelated, 0, 0}));
        row("fixed with full", policy(700, 8000, {JitterType::Full, 0, 0}, BackoffKind::Fixed));
        row("shrinking", policy(700, 8000, {JitterType::Equal, 0, 0}, BackoffKind::Exponential, 0.5));
        row("nothing to wait", policy(0, 8000, {JitterType::Decorrelated, 0, 0}));
        row("no cap left", policy(500, 0, {JitterType::Full, 0, 0}));
        row("negative", policy(-500, 8000, {JitterType::Additive, 0, -5}));
    }
    void drawsLieInTheBandsAndMeetTheMeans()
    {
        QFETCH(BackoffPolicy, drawn);
        QFETCH(int, retries);
        const BackoffEnvelope envelope = envelopeOf(drawn, retries);
        QCOMPARE(int(envelope.steps.size()), retries);
        std::vector<double> sums(std::size_t(retries), 0), most(std::size_t(retries), -1);
        SeededRandom random(20);
        for (int request = 0; request < kDraws; ++request) {
            Backoff backoff(drawn);
            for (int retry = 0; retry < retries; ++retry) {
                const EnvelopeStep& step = envelope.steps[std::size_t(retry)];
                const double delay = backoff.delayMs(retry, random.uniform());
                QVERIFY2(delay >= step.fromMs - 1e-9 && delay <= step.toMs + 1e-9, qPrintable(QString::number(delay)));
                sums[std::size_t(retry)] += delay;
                most[std::size_t(retry)] = std::max(most[std::size_t(retry)], delay);
            }
        }
        double worst = 0, mean = 0;
        for (int retry = 0; retry < retries; ++retry) {
            const EnvelopeStep& step = envelope.steps[std::size_t(retry)];
            QVERIFY(step.fromMs <= step.meanMs && step.meanMs <= step.toMs);
            // So many draws miss their mean by half a percent.
            const double drawnMean = sums[std::size_t(retry)] / kDraws;
            QVERIFY2(near(step.meanMs, drawnMean, 0.015),
                     qPrintable(QStringLiteral("retry %1: %2, drawn %3").arg(retry).arg(step.meanMs).arg(drawnMean)));
            worst += step.toMs;
            mean += step.meanMs;
        }
        QCOMPARE(envelope.worstTotalMs, worst);
        QCOMPARE(envelope.meanTotalMs, mean);
        // The band is no wider than it must be where each delay stands for itself.
        if (retries > 0 && drawn.jitter.type != JitterType::Decorrelated)
            QVERIFY(near(most[0], envelope.steps[0].toMs, 0.001));
    }

    void threeClientsByHand()
    {
        const BackoffEnvelope full = envelopeOf(policy(500, 8000, {JitterType::Full, 0, 0}), 5);
        QCOMPARE(tops(full), (std::vector<double>{500, 1000, 2000, 4000, 8000}));
        QCOMPARE(full.worstTotalMs, 15500.0);
        QCOMPARE(full.meanTotalMs, 7750.0);
        QVERIFY((full.steps[4] == EnvelopeStep{0, 8000, 4000}));

        const BackoffEnvelope decorrelated = envelopeOf(policy(200, 10000, {JitterType::Decorrelated, 0, 0}), 6);
        QCOMPARE(tops(decorrelated), (std::vector<double>{600, 1800, 5400, 10000, 10000, 10000}));
        QCOMPARE(decorrelated.worstTotalMs, 37800.0);
        // Below the cap a delay's mean is (base + three times the mean before) / 2.
        for (std::size_t retry = 0; retry < 3; ++retry)
            QVERIFY(near(decorrelated.steps[retry].meanMs, std::vector<double>{400, 700, 1150}[retry], 0.001));
        for (const EnvelopeStep& step : decorrelated.steps)
            QCOMPARE(step.fromMs, 200.0);

        const BackoffEnvelope equal = envelopeOf(policy(300, 8000, {JitterType::Equal, 0, 0}), 5);
        QCOMPARE(tops(equal), (std::vector<double>{300, 600, 1200, 2400, 4800}));
        QCOMPARE(equal.worstTotalMs, 9300.0);
        QCOMPARE(equal.meanTotalMs, 6975.0);
        QVERIFY((equal.steps[0] == EnvelopeStep{150, 300, 225}));
    }

    void withoutRetriesThereIsNothing()
    {
        QVERIFY(envelopeOf({}, 0).steps.empty());
        QVERIFY(envelopeOf({}, -3).steps.empty());
        QCOMPARE(envelopeOf({}, 0).worstTotalMs, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestBackoffEnvelope)
#include "tst_backoff_envelope.moc"
