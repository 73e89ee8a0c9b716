// SPDX-License-Identifier: GPL-3.0-or-later
// What the vectors do not cover: transition events, times that go back, permits as objects, jitter, odd configurations.
#include "core/policy/breaker.h"

#include <QtTest>

#include <limits>
#include <set>

using namespace sg;
using namespace sg::policy;

namespace {

/// Enums by their words: Qt Test's own printing trips over the room's toString.
template <typename T>
QString said(T value)
{
    const std::string_view word = toString(value);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

class FixedRandom final : public RandomSource
{
public:
    explicit FixedRandom(double u)
        : u_(u)
    {
    }
    double uniform() override { return u_; }

private:
    double u_;
};

BreakerConfig threeFailures()
{
    BreakerConfig config;
    config.consecutiveFailures = 3;
    config.window = CountWindow{100};
    config.rateLimitedCountsAs = RateLimitedCountsAs::Share;
    config.open = Millis(1000);
    return config;
}

struct Desk
{
    explicit Desk(const BreakerConfig& config, RandomSource* random = nullptr)
        : breaker(config, random, [this](const BreakerTransition& t) { events.push_back(t); })
    {
    }
    void call(std::int64_t ms, CallOutcome outcome, Nanos duration = {}, std::optional<Nanos> retryAfter = {})
    {
        Permit permit = breaker.acquire(instantAtMs(ms));
        QVERIFY(permit);
        permit.finish({outcome, duration, retryAfter}, instantAtMs(ms));
    }
    void fail(std::int64_t ms, int times)
    {
        for (int i = 0; i < times; ++i)
            call(ms, CallOutcome::Failure);
    }
    std::vector<BreakerTransition> events;
    Breaker breaker;
};

} // namespace

class TestBreaker : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tripCarriesFiguresFromBeforeTheZeroing();
    void causesOfTheRates();
    void halfOpenEvents();
    void missedDeadlineIsToldAtItsOwnInstant();
    void slowProbeShowsInTheFigures();
    void manualEvents();
    void manualActionsWithoutEffectTellNothing();
    void statusInOneGo();
    void olderTimeCountsAsTheLatest();
    void permitsAreMoveOnlyLeaves();
    void permitFinishesOnce();
    void observerMayUseTheBreaker();
    void jitterLengthensWithinItsFraction_data();
    void jitterLengthensWithinItsFraction();
    void clockMayStartBelowZero();
    void endsOfTheTimeLine();
    void openingsGrowWithoutOverflow();
    void oddConfigurationsDoNotBreak();
    void checkNamesFieldProblemAndRemedy();
    void checkTakesNoNumberThatIsNone();
    void wordsAreUnique();
};

void TestBreaker::tripCarriesFiguresFromBeforeTheZeroing()
{
    Desk desk(threeFailures());
    desk.call(10, CallOutcome::Success);
    desk.call(10, CallOutcome::RateLimited);
    desk.fail(20, 3);
    QCOMPARE(desk.events.size(), 1u);
    const BreakerTransition& t = desk.events.front();
    QCOMPARE(t.at, instantAtMs(20));
    QCOMPARE(said(t.from), said(BreakerState::Closed));
    QCOMPARE(said(t.to), said(BreakerState::Open));
    QCOMPARE(said(t.cause), said(TransitionCause::ConsecutiveFailures));
    QCOMPARE(t.figures, (BreakerFigures{1, 3, 1, 0, 3, 0, 0}));
    QCOMPARE(t.figures.failureRate(), 0.75);
    QCOMPARE(t.figures.rateLimitedShare(), 0.2);
    QCOMPARE(t.figures.slowRate(), 0.0);
    QVERIFY(t.nextProbe == instantAtMs(1020));
    QCOMPARE(t.openings, 1);
    QCOMPARE(t.sequence, std::uint64_t(1));
    QCOMPARE(desk.breaker.status(instantAtMs(20)).figures, BreakerFigures{});
}

void TestBreaker::causesOfTheRates()
{
    BreakerConfig config = threeFailures();
    config.consecutiveFailures.reset();
    config.minimumCalls = 2;
    {
        BreakerConfig c = config;
        c.failureRate = 0.5;
        Desk desk(c);
        desk.call(0, CallOutcome::Failure);
        desk.call(0, CallOutcome::Success);
        QCOMPARE(said(desk.events.at(0).cause), said(TransitionCause::FailureRate));
    }
    {
        BreakerConfig c = config;
        c.rateLimitedShare = 0.5;
        Desk desk(c);
        desk.call(0, CallOutcome::Success);
        desk.call(0, CallOutcome::RateLimited, {}, Millis(7000));
        QCOMPARE(said(desk.events.at(0).cause), said(TransitionCause::RateLimitedShare));
        QVERIFY(desk.events.at(0).nextProbe == instantAtMs(7000));
    }
    {
        BreakerConfig c = config;
        c.slowRate = 1;
        c.slowCall = Millis(100);
        Desk desk(c);
        desk.call(0, CallOutcome::Success, Millis(101));
        desk.call(0, CallOutcome::Success, Millis(101));
        QCOMPARE(said(desk.events.at(0).cause), said(TransitionCause::SlowRate));
        QCOMPARE(desk.events.at(0).figures.slow, std::int64_t(2));
    }
}

void TestBreaker::halfOpenEvents()
{
    BreakerConfig config = threeFailures();
    config.halfOpenMaxProbes = 2;
    config.halfOpenSuccesses = 2;
    Desk desk(config);
    desk.fail(0, 3);
    Permit first = desk.breaker.acquire(instantAtMs(1500)); // half-open begins when somebody looks
    Permit second = desk.breaker.acquire(instantAtMs(1500));
    QVERIFY(first.isProbe() && second.isProbe());
    first.finish({CallOutcome::Success, {}, {}}, instantAtMs(1600));
    second.finish({CallOutcome::Failure, {}, {}}, instantAtMs(1700));
    QCOMPARE(desk.events.size(), 3u);
    QCOMPARE(said(desk.events[1].cause), said(TransitionCause::OpenElapsed));
    QCOMPARE(desk.events[1].at, instantAtMs(1500));
    QVERIFY(!desk.events[1].nextProbe);
    QCOMPARE(said(desk.events[2].cause), said(TransitionCause::ProbeFailed));
    QCOMPARE(desk.events[2].figures.probeSuccesses, 1);
    QCOMPARE(desk.events[2].figures.failures, std::int64_t(1));
    QCOMPARE(desk.events[2].openings, 2);

    desk.call(2700, CallOutcome::Success);
    desk.call(2700, CallOutcome::Success);
    QCOMPARE(said(desk.events.back().cause), said(TransitionCause::ProbesSucceeded));
    QCOMPARE(said(desk.events.back().to), said(BreakerState::Closed));
    QCOMPARE(desk.events.back().figures.probeSuccesses, 2);
    QCOMPARE(desk.events.back().openings, 0);
    for (std::size_t i = 0; i < desk.events.size(); ++i)
        QCOMPARE(desk.events[i].sequence, std::uint64_t(i + 1));
}

void TestBreaker::missedDeadlineIsToldAtItsOwnInstant()
{
    BreakerConfig config = threeFailures();
    config.halfOpenDeadline = Millis(500);
    Desk desk(config);
    desk.fail(0, 3);
    Permit hung = desk.breaker.acquire(instantAtMs(1000));
    QVERIFY(hung);
    Permit later = desk.breaker.acquire(instantAtMs(60000));
    QVERIFY(later.isProbe());
    QCOMPARE(desk.events.size(), 4u);
    const BreakerTransition& missed = desk.events[2];
    QCOMPARE(said(missed.cause), said(TransitionCause::ProbeTimedOut));
    QCOMPARE(missed.at, instantAtMs(1500));
    QVERIFY(missed.nextProbe == instantAtMs(2500));
    QCOMPARE(missed.figures.probesInFlight, 1);
    QCOMPARE(missed.openings, 2);
    QCOMPARE(said(desk.events[3].cause), said(TransitionCause::OpenElapsed));
    QCOMPARE(desk.events[3].at, instantAtMs(60000));
}

void TestBreaker::slowProbeShowsInTheFigures()
{
    BreakerConfig config = threeFailures();
    config.slowRate = 0.5;
    config.slowCall = Millis(100);
    Desk desk(config);
    desk.fail(0, 3);
    desk.call(1000, CallOutcome::Success, Millis(101), Millis(9000));
    QCOMPARE(said(desk.events.back().cause), said(TransitionCause::ProbeFailed));
    QCOMPARE(desk.events.back().figures.slow, std::int64_t(1));
    QCOMPARE(desk.events.back().figures.probeSuccesses, 0);
    QVERIFY(desk.events.back().nextProbe == instantAtMs(2000)); // a success is no refusal
}

void TestBreaker::manualEvents()
{
    Desk desk(threeFailures());
    desk.call(0, CallOutcome::Failure);
    desk.breaker.reset(instantAtMs(1));
    desk.breaker.trip(instantAtMs(2));
    desk.breaker.release(instantAtMs(3));
    desk.breaker.holdClosed(instantAtMs(4));
    desk.breaker.reset(instantAtMs(5));
    desk.fail(6, 3);
    desk.breaker.probeNow(instantAtMs(7));
    const std::vector<TransitionCause> expected{TransitionCause::ManualReset,   TransitionCause::ManualTrip,
                                                TransitionCause::ManualRelease, TransitionCause::ManualHoldClosed,
                                                TransitionCause::ManualReset,   TransitionCause::ConsecutiveFailures,
                                                TransitionCause::ManualProbe};
    QCOMPARE(desk.events.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(said(desk.events[i].cause), said(expected[i]));
        if (i > 0)
            QCOMPARE(said(desk.events[i].from), said(desk.events[i - 1].to));
    }
    QCOMPARE(said(desk.events[0].from), said(BreakerState::Closed));
    QCOMPARE(said(desk.events[0].to), said(BreakerState::Closed));
    QCOMPARE(desk.events[0].figures.streak, 1);
    QCOMPARE(desk.events.back().openings, 1);
}

void TestBreaker::manualActionsWithoutEffectTellNothing()
{
    Desk desk(threeFailures());
    desk.breaker.release(instantAtMs(0));
    desk.breaker.probeNow(instantAtMs(0));
    desk.breaker.trip(instantAtMs(1));
    desk.breaker.trip(instantAtMs(2));
    QCOMPARE(desk.events.size(), 1u);
    QCOMPARE(desk.breaker.status(instantAtMs(3)).since, instantAtMs(1));
    desk.breaker.holdClosed(instantAtMs(3));
    Permit running = desk.breaker.acquire(instantAtMs(3));
    desk.breaker.holdClosed(instantAtMs(4));
    running.finish({CallOutcome::Success, {}, {}}, instantAtMs(5));
    QCOMPARE(desk.events.size(), 2u);
    QCOMPARE(desk.breaker.status(instantAtMs(5)).counters.late, std::int64_t(0));
}

void TestBreaker::statusInOneGo()
{
    BreakerConfig config = threeFailures();
    config.openMultiplier = 2;
    Desk desk(config);
    QCOMPARE(desk.breaker.status(instantAtMs(5)).since, instantAtMs(5)); // the first time seen
    desk.fail(10, 3);
    QVERIFY(!desk.breaker.acquire(instantAtMs(11)));
    const BreakerStatus open = desk.breaker.status(instantAtMs(510));
    QCOMPARE(said(open.state), said(BreakerState::Open));
    QCOMPARE(open.since, instantAtMs(10));
    QVERIFY(open.nextProbe == instantAtMs(1010));
    QCOMPARE(open.openFor, Nanos(Millis(1000)));
    QCOMPARE(open.openings, 1);
    QCOMPARE(open.counters, (BreakerCounters{0, 1, 1, 0}));
    QVERIFY(open.lastTransition && open.lastTransition->sequence == 1);
    QCOMPARE(desk.breaker.untilProbe(instantAtMs(510)), Nanos(Millis(500)));

    const BreakerStatus halfOpen = desk.breaker.status(instantAtMs(1010));
    QCOMPARE(said(halfOpen.state), said(BreakerState::HalfOpen));
    QVERIFY(!halfOpen.nextProbe);
    QCOMPARE(halfOpen.openFor, Nanos::zero());
    QCOMPARE(desk.breaker.untilProbe(instantAtMs(1010)), Nanos::zero());
}

void TestBreaker::olderTimeCountsAsTheLatest()
{
    Desk desk(threeFailures());
    desk.fail(5000, 2);
    desk.call(100, CallOutcome::Failure);
    QCOMPARE(desk.events.at(0).at, instantAtMs(5000));
    QVERIFY(!desk.breaker.acquire(instantAtMs(1200)));
    QVERIFY(desk.breaker.acquire(instantAtMs(6000)));
    QCOMPARE(said(desk.breaker.state(instantAtMs(0))), said(BreakerState::HalfOpen));
}

void TestBreaker::permitsAreMoveOnlyLeaves()
{
    BreakerConfig config = threeFailures();
    config.halfOpenMaxProbes = 2;
    Desk desk(config);
    desk.fail(0, 3);
    const auto inFlight = [&] { return desk.breaker.status(instantAtMs(1000)).figures.probesInFlight; };
    {
        Permit a = desk.breaker.acquire(instantAtMs(1000));
        Permit b = std::move(a);
        QVERIFY(!a && b && b.isProbe());
        QCOMPARE(inFlight(), 1);
        Permit c = desk.breaker.acquire(instantAtMs(1000));
        QCOMPARE(inFlight(), 2);
        QVERIFY(!desk.breaker.acquire(instantAtMs(1000)));
        b = std::move(c); // what b held is dropped
        QCOMPARE(inFlight(), 1);
        Permit& same = b;
        b = std::move(same);
        QVERIFY(b);
        QCOMPARE(inFlight(), 1);
    }
    QCOMPARE(inFlight(), 0);
    QCOMPARE(said(desk.breaker.state(instantAtMs(1000))), said(BreakerState::HalfOpen));
    QCOMPARE(desk.breaker.status(instantAtMs(1000)).counters.late, std::int64_t(0));
}

void TestBreaker::permitFinishesOnce()
{
    Desk desk(threeFailures());
    Permit permit = desk.breaker.acquire(instantAtMs(0));
    permit.finish({CallOutcome::Failure, {}, {}}, instantAtMs(0));
    QVERIFY(!permit);
    permit.finish({CallOutcome::Failure, {}, {}}, instantAtMs(0));
    permit.drop(instantAtMs(0));
    Permit none;
    none.finish({CallOutcome::Failure, {}, {}}, instantAtMs(0));
    QCOMPARE(desk.breaker.status(instantAtMs(0)).figures.failures, std::int64_t(1));
}

void TestBreaker::observerMayUseTheBreaker()
{
    Breaker* self = nullptr;
    BreakerState seen = BreakerState::Closed;
    Breaker breaker(threeFailures(), nullptr, [&](const BreakerTransition& t) { seen = self->state(t.at); });
    self = &breaker;
    breaker.trip(instantAtMs(1));
    QCOMPARE(said(seen), said(BreakerState::ForcedOpen));
}

void TestBreaker::jitterLengthensWithinItsFraction_data()
{
    QTest::addColumn<double>("u");
    QTest::addColumn<int>("retryAfterMs");
    QTest::addColumn<int>("maxOpenMs");
    QTest::addColumn<int>("waitMs");
    QTest::newRow("nothing drawn") << 0.0 << 0 << 300000 << 1000;
    QTest::newRow("half") << 0.5 << 0 << 300000 << 1100;
    QTest::newRow("cap holds") << 0.5 << 0 << 1050 << 1050;
    QTest::newRow("never earlier than the server asked") << 0.5 << 3000 << 300000 << 3300;
}

void TestBreaker::jitterLengthensWithinItsFraction()
{
    QFETCH(double, u);
    QFETCH(int, retryAfterMs);
    QFETCH(int, maxOpenMs);
    QFETCH(int, waitMs);
    BreakerConfig config = threeFailures();
    config.consecutiveFailures = 1;
    config.openJitter = 0.2;
    config.maxOpen = Millis(maxOpenMs);
    FixedRandom random(u);
    Desk desk(config, &random);
    desk.call(0, CallOutcome::Failure, {}, Millis(retryAfterMs));
    QVERIFY(desk.events.at(0).nextProbe == instantAtMs(waitMs));
    QCOMPARE(desk.breaker.status(instantAtMs(0)).openFor, Nanos(Millis(waitMs)));
}

void TestBreaker::clockMayStartBelowZero()
{
    BreakerConfig config = threeFailures();
    config.consecutiveFailures.reset();
    config.failureRate = 1;
    config.minimumCalls = 3;
    config.window = TimeWindow{Millis(2000), Millis(1000)};
    Desk desk(config);
    desk.fail(-1500, 2); // bucket -2, which counts until just before 0
    QCOMPARE(desk.breaker.status(instantAtMs(-1)).figures.failures, std::int64_t(2));
    QCOMPARE(desk.breaker.status(instantAtMs(0)).figures.failures, std::int64_t(0));
}

void TestBreaker::endsOfTheTimeLine()
{
    BreakerConfig config = threeFailures();
    config.window = TimeWindow{Nanos(10), Nanos(1)};
    Breaker breaker(config);
    breaker.acquire(Instant::min()).finish({CallOutcome::Failure, {}, {}}, Instant::min());
    for (int i = 0; i < 3; ++i)
        breaker.acquire(Instant::max()).finish({CallOutcome::Failure, Nanos::max(), Nanos::max()}, Instant::max());
    QCOMPARE(breaker.status(Instant::max()).openings,
             2); // the wait ends where the time line does, so there was a probe
}

void TestBreaker::openingsGrowWithoutOverflow()
{
    BreakerConfig config = threeFailures();
    config.consecutiveFailures = 1;
    config.openMultiplier = 10;
    Desk desk(config);
    std::int64_t now = 0;
    for (int k = 1; k <= 400; ++k) {
        desk.call(now, CallOutcome::Failure);
        QCOMPARE(desk.events.back().openings, k);
        const Nanos wait = *desk.events.back().nextProbe - desk.events.back().at;
        QCOMPARE(wait, Nanos(Millis(k == 1 ? 1000 : k == 2 ? 10000 : k == 3 ? 100000 : 300000)));
        now += 300000;
    }
}

void TestBreaker::oddConfigurationsDoNotBreak()
{
    BreakerConfig config;
    config.consecutiveFailures = 0;
    config.failureRate = std::numeric_limits<double>::quiet_NaN();
    config.window = TimeWindow{Nanos(-5), Nanos(0)};
    config.open = Nanos(-1);
    config.maxOpen = Nanos(-7);
    config.openMultiplier = std::numeric_limits<double>::infinity();
    config.openJitter = std::numeric_limits<double>::quiet_NaN();
    config.halfOpenMaxProbes = -3;
    config.halfOpenDeadline = Nanos::min();
    QVERIFY(checkBreakerConfig(config));
    for (const auto& window : {std::variant<TimeWindow, CountWindow>(TimeWindow{Nanos(-5), Nanos(0)}),
                               std::variant<TimeWindow, CountWindow>(CountWindow{-1})}) {
        config.window = window;
        Breaker breaker(config);
        for (int i = 0; i < 10; ++i) {
            Permit permit = breaker.acquire(instantAtMs(i));
            permit.finish({CallOutcome::Failure, Nanos::min(), Nanos::min()}, instantAtMs(i));
        }
        QVERIFY(breaker.status(instantAtMs(100)).figures.probesInFlight >= 0);
    }
}

void TestBreaker::checkNamesFieldProblemAndRemedy()
{
    QVERIFY(!checkBreakerConfig(BreakerConfig{}));
    BreakerConfig config = threeFailures();
    config.halfOpenSuccesses = 0;
    const auto finding = checkBreakerConfig(config);
    QVERIFY(finding);
    QCOMPARE(finding->field, std::string("half_open_successes"));
    QVERIFY(!finding->problem.empty());
    QVERIFY(!finding->remedy.empty());
}

void TestBreaker::checkTakesNoNumberThatIsNone()
{
    const double none[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    for (const double number : none) {
        BreakerConfig config = threeFailures();
        config.openMultiplier = number;
        QCOMPARE(checkBreakerConfig(config)->field, std::string("open_multiplier"));
        config = threeFailures();
        config.openJitter = number;
        QCOMPARE(checkBreakerConfig(config)->field, std::string("open_jitter"));
        config = threeFailures();
        config.slowRate = number;
        QCOMPARE(checkBreakerConfig(config)->field, std::string("slow_rate"));
    }
    BreakerConfig config = threeFailures();
    config.window = TimeWindow{Millis(0), Millis(1000)};
    QCOMPARE(checkBreakerConfig(config)->field, std::string("window.window_ms"));
    config.window = TimeWindow{Millis(1000), Millis(0)};
    QCOMPARE(checkBreakerConfig(config)->field, std::string("window.window_ms"));
}

void TestBreaker::wordsAreUnique()
{
    std::set<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(BreakerState::MetricsOnly); ++i)
        words.insert(toString(static_cast<BreakerState>(i)));
    QCOMPARE(words.size(), 6u);
    words.clear();
    for (int i = 0; i <= static_cast<int>(TransitionCause::ManualProbe); ++i)
        words.insert(toString(static_cast<TransitionCause>(i)));
    QCOMPARE(words.size(), 13u);
    QVERIFY(!words.contains(std::string_view()));
}

QTEST_APPLESS_MAIN(TestBreaker)
#include "tst_breaker.moc"
