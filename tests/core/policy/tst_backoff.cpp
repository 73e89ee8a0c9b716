// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/backoff.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace sg;
using namespace sg::policy;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class CountingRandom final : public RandomSource
{
public:
    double uniform() override
    {
        ++draws;
        return 0.5;
    }
    int draws = 0;
};

} // namespace

class TestBackoff : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nextCountsAttempts();
    void noneNeitherWaitsNorDraws();
    void everyDelayIsWithinZeroAndCap();
    void everyDelayIsFromItsBand();
    void oddNumbersAreNoTrap();
    void checkNamesTheField();
};

void TestBackoff::nextCountsAttempts()
{
    CountingRandom random;
    Backoff backoff({BackoffKind::Exponential, 100, 2, 350, {JitterType::Full, 0, 0}});
    QCOMPARE(backoff.next(random), Nanos(Millis(50)));
    QCOMPARE(backoff.next(random), Nanos(Millis(100)));
    QCOMPARE(backoff.next(random), Nanos(Millis(175)));
    QCOMPARE(backoff.next(random), Nanos(Millis(175)));
    QCOMPARE(random.draws, 4);
}

void TestBackoff::noneNeitherWaitsNorDraws()
{
    CountingRandom random;
    Backoff backoff({BackoffKind::None, 100, 2, 350, {JitterType::Decorrelated, 0, 0}});
    QCOMPARE(backoff.next(random), Nanos::zero());
    QCOMPARE(random.draws, 0);
}

void TestBackoff::everyDelayIsWithinZeroAndCap()
{
    SeededRandom random(7);
    for (int round = 0; round < 20000; ++round) {
        BackoffPolicy policy;
        policy.kind = random.uniform() < 0.2 ? BackoffKind::Fixed : BackoffKind::Exponential;
        policy.baseMs = std::pow(10, random.uniform() * 8 - 2);
        policy.capMs = std::pow(10, random.uniform() * 8 - 2);
        policy.multiplier = random.uniform() * 4;
        policy.jitter = {static_cast<JitterType>(random.next() % 6), random.uniform(), random.uniform() * 1000};
        QVERIFY(!checkBackoffPolicy(policy));
        Backoff backoff(policy);
        for (int attempt = 0; attempt < 5; ++attempt) {
            const double delay = backoff.delayMs(attempt * 500, random.uniform());
            QVERIFY2(delay >= 0 && delay <= policy.capMs, qPrintable(QString::number(delay)));
        }
    }
}

void TestBackoff::everyDelayIsFromItsBand()
{
    SeededRandom random(7);
    for (const JitterType type : {JitterType::None, JitterType::Proportional, JitterType::Additive, JitterType::Full,
                                  JitterType::Equal, JitterType::Decorrelated}) {
        Backoff backoff({BackoffKind::Exponential, 100, 2, 1e9, {type, 0.3, 50}});
        for (int attempt = 0; attempt < 20; ++attempt) {
            const DelayBand band = backoff.nextBand();
            QCOMPARE(band, backoff.nextBand()); // looking draws nothing
            const Nanos delay = backoff.next(random);
            QVERIFY(band.from <= delay && delay <= band.to);
            QCOMPARE(band.from == band.to, type == JitterType::None);
        }
    }
    QCOMPARE(Backoff({BackoffKind::Exponential, 500, 2, 8000, {JitterType::Full, 0, 0}}).nextBand(),
             (DelayBand{Nanos(0), Millis(500)}));
}

void TestBackoff::oddNumbersAreNoTrap()
{
    for (int type = 0; type < 6; ++type) {
        for (const double odd : {kNaN, -1.0, kInf, -kInf, 1e308}) {
            const auto jitter = static_cast<JitterType>(type);
            const BackoffPolicy policies[] = {{BackoffKind::Exponential, odd, 2, 1000, {jitter, 0.5, 10}},
                                              {BackoffKind::Exponential, 100, odd, 1000, {jitter, 0.5, 10}},
                                              {BackoffKind::Exponential, 100, 2, odd, {jitter, 0.5, 10}},
                                              {BackoffKind::Exponential, 100, 2, 1000, {jitter, odd, odd}}};
            for (const BackoffPolicy& policy : policies) {
                Backoff backoff(policy);
                for (const int attempt : {-1, 0, 3, std::numeric_limits<int>::max()}) {
                    for (const double u : {0.0, 0.5, 0.9999, kNaN, -1.0, 2.0}) {
                        const double delay = backoff.delayMs(attempt, u);
                        QVERIFY(std::isfinite(delay) && delay >= 0);
                    }
                }
            }
        }
    }
}

void TestBackoff::checkNamesTheField()
{
    QVERIFY(!checkBackoffPolicy(BackoffPolicy{}));
    const auto fieldOf = [](const BackoffPolicy& policy) {
        const auto finding = checkBackoffPolicy(policy);
        return finding ? finding->field : std::string();
    };
    const auto exponential = BackoffKind::Exponential;
    QCOMPARE(fieldOf({exponential, -1, 2, 10, {}}), std::string("base_ms"));
    QCOMPARE(fieldOf({exponential, 1, kNaN, 10, {}}), std::string("multiplier"));
    QCOMPARE(fieldOf({exponential, 1, 2, kInf, {}}), std::string("cap_ms"));
    QCOMPARE(fieldOf({exponential, 1, 2, 10, {JitterType::Proportional, 1.1, 0}}), std::string("jitter.r"));
    QCOMPARE(fieldOf({exponential, 1, 2, 10, {JitterType::Additive, 0, -1}}), std::string("jitter.a_ms"));
    QCOMPARE(fieldOf({exponential, 10, 2, 1, {}}), std::string()); // a cap below the base just cuts
}

QTEST_APPLESS_MAIN(TestBackoff)
#include "tst_backoff.moc"
