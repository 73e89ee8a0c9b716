// SPDX-License-Identifier: GPL-3.0-or-later
// Long random walks, alone and from four threads: what must hold whatever happens.
#include "core/policy/breaker.h"
#include "core/policy/random.h"

#include <QtTest>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

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

int below(SeededRandom& random, int n)
{
    return static_cast<int>(random.uniform() * n);
}

BreakerConfig randomConfig(SeededRandom& random)
{
    BreakerConfig c;
    if (below(random, 2))
        c.consecutiveFailures = 1 + below(random, 4);
    if (below(random, 2))
        c.failureRate = 0.25 * (1 + below(random, 4));
    c.rateLimitedCountsAs = static_cast<RateLimitedCountsAs>(below(random, 3));
    if (below(random, 2) && c.rateLimitedCountsAs == RateLimitedCountsAs::Share)
        c.rateLimitedShare = 0.25 * (1 + below(random, 4));
    if (below(random, 2)) {
        c.slowRate = 0.5;
        c.slowCall = Millis(500);
    }
    c.minimumCalls = below(random, 5);
    if (below(random, 2))
        c.window = CountWindow{5 + below(random, 20)};
    else
        c.window = TimeWindow{Millis(1000 * (1 + below(random, 10))), Millis(500)};
    c.open = Millis(100 + below(random, 2000));
    c.openMultiplier = 1 + 0.5 * below(random, 3);
    c.maxOpen = Millis(5000);
    c.openJitter = 0.1 * below(random, 3);
    c.halfOpenMaxProbes = 1 + below(random, 4);
    c.halfOpenSuccesses = 1 + below(random, 5);
    if (below(random, 2))
        c.halfOpenDeadline = Millis(50 + below(random, 1000));
    c.metricsOnly = below(random, 6) == 0;
    return c;
}

CallResult randomResult(SeededRandom& random)
{
    CallResult result;
    result.outcome = static_cast<CallOutcome>(below(random, 4));
    result.duration = Millis(below(random, 1000));
    if (below(random, 3) == 0)
        result.retryAfter = Millis(below(random, 20000));
    return result;
}

/// One walk: keeps its own account of generations and probes from the transitions alone.
class Walk
{
public:
    explicit Walk(std::uint64_t seed)
        : random_(seed)
        , config_(randomConfig(random_))
        , breaker_(config_, &random_, [this](const BreakerTransition& t) { note(t); })
    {
    }

    void run(int steps)
    {
        for (int i = 0; i < steps && !QTest::currentTestFailed(); ++i) {
            now_ += Millis(below(random_, 4) ? below(random_, 200) : below(random_, 4000) - 100);
            step();
            check();
        }
        held_.clear();
        const BreakerStatus status = breaker_.status(now_);
        QCOMPARE(status.figures.probesInFlight, 0);
    }

private:
    struct Held
    {
        Permit permit;
        std::uint64_t epoch;
    };

    void note(const BreakerTransition& t)
    {
        QCOMPARE(t.sequence, ++epoch_);
        QCOMPARE(said(t.from), said(state_));
        QVERIFY(t.at >= latestTransition_);
        QCOMPARE(t.nextProbe.has_value(), t.to == BreakerState::Open);
        if (t.nextProbe)
            QVERIFY(*t.nextProbe - t.at <= config_.maxOpen &&
                    *t.nextProbe - t.at >= std::min(config_.open, config_.maxOpen));
        opened_ += t.to == BreakerState::Open;
        latestTransition_ = t.at;
        state_ = t.to;
    }

    void step()
    {
        const int what = below(random_, 100);
        if (what < 45)
            acquire();
        else if (what < 90)
            finish();
        else
            manual(what);
    }

    void acquire()
    {
        Permit permit = breaker_.acquire(now_);
        if (!permit) {
            ++rejected_;
            return;
        }
        QCOMPARE(permit.isProbe(), state_ == BreakerState::HalfOpen);
        held_.push_back({std::move(permit), epoch_});
    }

    void finish()
    {
        if (held_.empty())
            return;
        const auto at = held_.begin() + below(random_, static_cast<int>(held_.size()));
        Held held = std::move(*at);
        held_.erase(at);
        const std::uint64_t taken = held.epoch;
        breaker_.state(now_); // a missed deadline takes effect first, so that the account below is exact
        const bool late = taken != epoch_;
        late_ += late;
        const std::uint64_t before = epoch_;
        if (below(random_, 5))
            held.permit.finish(randomResult(random_), now_);
        else
            held.permit.drop(now_);
        if (late)
            QCOMPARE(epoch_, before);
    }

    void manual(int what)
    {
        switch (what) {
        case 90:
            return breaker_.trip(now_);
        case 91:
            return breaker_.holdClosed(now_);
        case 92:
        case 93:
            return breaker_.reset(now_);
        case 94:
        case 95:
        case 96:
            return breaker_.release(now_);
        default:
            return breaker_.probeNow(now_);
        }
    }

    void check()
    {
        const BreakerStatus status = breaker_.status(now_);
        QCOMPARE(said(status.state), said(state_));
        const auto probes = std::count_if(held_.begin(), held_.end(), [this](const Held& held) {
            return held.epoch == epoch_ && held.permit.isProbe();
        });
        QCOMPARE(status.figures.probesInFlight, static_cast<int>(probes));
        QVERIFY(status.figures.probesInFlight <= config_.halfOpenMaxProbes);
        QVERIFY(status.figures.successes >= 0 && status.figures.failures >= 0 && status.figures.rateLimited >= 0);
        QVERIFY(status.figures.slow >= 0);
        QVERIFY(status.figures.slow <= status.figures.successes + status.figures.failures);
        QCOMPARE(status.counters.rejected, rejected_);
        QCOMPARE(status.counters.opened, opened_);
        QCOMPARE(status.counters.late, late_);
        QCOMPARE(status.state == BreakerState::Open, status.nextProbe.has_value());
        QVERIFY(!config_.metricsOnly || opened_ == 0);
    }

    SeededRandom random_;
    const BreakerConfig config_;
    BreakerState state_ = config_.metricsOnly ? BreakerState::MetricsOnly : BreakerState::Closed;
    std::uint64_t epoch_ = 0;
    std::int64_t rejected_ = 0, opened_ = 0, late_ = 0;
    Instant latestTransition_ = Instant::min();
    Instant now_ = instantAtMs(-5000);
    Breaker breaker_;
    std::vector<Held> held_;
};

} // namespace

class TestBreakerWalk : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void walksKeepTheAccount();
    void fourThreads();
};

void TestBreakerWalk::walksKeepTheAccount()
{
    for (std::uint64_t seed = 1; seed <= 300 && !QTest::currentTestFailed(); ++seed) {
        Walk(seed).run(400);
        if (QTest::currentTestFailed())
            qWarning("seed %llu", static_cast<unsigned long long>(seed));
    }
}

void TestBreakerWalk::fourThreads()
{
    BreakerConfig config;
    config.consecutiveFailures = 3;
    config.failureRate = 0.6;
    config.minimumCalls = 10;
    config.window = TimeWindow{Millis(100), Millis(10)};
    config.open = Millis(5);
    config.halfOpenMaxProbes = 2;
    config.halfOpenSuccesses = 3;
    config.halfOpenDeadline = Millis(50);
    std::mutex mutex;
    std::set<std::uint64_t> sequences;
    Breaker breaker(config, nullptr, [&](const BreakerTransition& t) {
        const std::scoped_lock lock(mutex);
        sequences.insert(t.sequence);
    });
    std::atomic<std::int64_t> clock{0}, rejected{0}, tooManyProbes{0};
    const auto work = [&](std::uint64_t seed) {
        SeededRandom random(seed);
        for (int i = 0; i < 5000; ++i) {
            Permit permit = breaker.acquire(Instant(Nanos(clock += 20000)));
            if (!permit) {
                ++rejected;
                continue;
            }
            const BreakerStatus status = breaker.status(Instant(Nanos(clock.load())));
            if (status.figures.probesInFlight > config.halfOpenMaxProbes || status.figures.probesInFlight < 0)
                ++tooManyProbes;
            if (below(random, 10))
                permit.finish(randomResult(random), Instant(Nanos(clock += 20000)));
        }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        threads.emplace_back(work, seed);
    for (std::thread& thread : threads)
        thread.join();
    const BreakerStatus status = breaker.status(Instant(Nanos(clock.load())));
    QCOMPARE(tooManyProbes.load(), std::int64_t(0));
    QCOMPARE(status.counters.rejected, rejected.load());
    QCOMPARE(status.figures.probesInFlight, 0);
    QVERIFY(status.counters.opened > 0);
    QCOMPARE(status.lastTransition->sequence, std::uint64_t(sequences.size())); // each told once, none left out
    QCOMPARE(*sequences.rbegin(), std::uint64_t(sequences.size()));
}

QTEST_APPLESS_MAIN(TestBreakerWalk)
#include "tst_breaker_walk.moc"
