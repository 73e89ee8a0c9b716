// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/limiters.h"
#include "core/policy/random.h"

#include <QtTest>

#include <atomic>
#include <limits>
#include <thread>

using namespace sg;
using namespace sg::policy;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename F>
void inFourThreads(F work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

class TestLimiters : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void waitingAsLongAsToldServes();
    void bucketRefusesWhatIsNoAmount();
    void bucketAtTheEnds();
    void bucketNeverGivesMoreThanItMay();
    void slidingLogHoldsInEveryWindow();
    void slidingLogAtTheEnds();
    void twoBucketAtTheEnds();
    void dualWithOneSideOnly();
    void dualRefusalsTakeNothing();
    void dualOddAmounts();
    void resizedWhatIsTakenStaysTaken();
    void priorityQueueAgainstASortedList();
    void awsBudgetOddAmounts();
    void awsFailureEndsTheAccount();
    void grpcStaysWithinItsRange();
    void fourThreads();
};

void TestLimiters::waitingAsLongAsToldServes()
{
    SeededRandom random(3);
    for (int round = 0; round < 5000; ++round) {
        const double rate = 0.01 + random.uniform() * 1000;
        const double burst = 1 + random.uniform() * 1000;
        TokenBucket bucket(rate, burst);
        Instant now = instantAtMs(static_cast<std::int64_t>(random.uniform() * 1e6));
        QVERIFY(bucket.tryAcquire(burst * random.uniform(), now));
        const double n = burst * random.uniform();
        const auto wait = bucket.waitTime(n, now);
        QVERIFY(wait);
        if (*wait > Nanos(1000))
            QVERIFY(!bucket.tryAcquire(n, now + *wait - Nanos(1000)) || rate < 1);
        QVERIFY(bucket.tryAcquire(n, now + *wait));
        QVERIFY(bucket.available(now + *wait) >= 0);
    }
}

void TestLimiters::bucketRefusesWhatIsNoAmount()
{
    TokenBucket bucket(10, 5);
    for (const double n : {-1.0, kNaN, kInf, -kInf}) {
        QVERIFY(!bucket.tryAcquire(n, instantAtMs(0)));
        QVERIFY(!bucket.reserve(n, instantAtMs(0)));
        QVERIFY(!bucket.waitTime(n, instantAtMs(0)));
    }
    QCOMPARE(bucket.available(instantAtMs(0)), 5.0);
    QVERIFY(bucket.tryAcquire(0, instantAtMs(0)));
    for (const double odd : {-1.0, kNaN}) {
        TokenBucket none(odd, odd);
        QVERIFY(!none.tryAcquire(1, instantAtMs(0)));
        QCOMPARE(none.available(instantAtMs(1000)), 0.0);
    }
}

void TestLimiters::bucketAtTheEnds()
{
    TokenBucket bucket(1e-9, 1);
    QVERIFY(bucket.tryAcquire(1, Instant::min()));
    QVERIFY(bucket.tryAcquire(1, Instant::max()));
    QVERIFY(!bucket.waitTime(1, Instant::max()).has_value() || *bucket.waitTime(1, Instant::max()) > Nanos::zero());
    TokenBucket endless(kInf, kInf);
    QVERIFY(endless.tryAcquire(1e12, instantAtMs(0)));
    QVERIFY(!TokenBucket(1e-300, 1).reserve(2, instantAtMs(0))); // further away than the time line reaches
}

void TestLimiters::bucketNeverGivesMoreThanItMay()
{
    SeededRandom random(11);
    const double rate = 50, burst = 20;
    TokenBucket bucket(rate, burst);
    double given = 0;
    Nanos now{0};
    for (int i = 0; i < 20000; ++i) {
        now += Nanos(static_cast<std::int64_t>(random.uniform() * 3e7));
        const double n = random.uniform() * 5;
        if (bucket.tryAcquire(n, Instant(now - Nanos(static_cast<std::int64_t>(random.uniform() * 1e7)))))
            given += n;
        QVERIFY(given <= burst + rate * toMs(now) / 1000 + 1e-6);
    }
    QVERIFY(given > 0.9 * rate * toMs(now) / 1000); // and it is no miser
}

void TestLimiters::slidingLogHoldsInEveryWindow()
{
    SeededRandom random(5);
    SlidingLog log(10, Millis(100));
    std::vector<std::pair<std::int64_t, std::int64_t>> given; // ms, n
    std::int64_t now = 0;
    for (int i = 0; i < 3000; ++i) {
        now += static_cast<std::int64_t>(random.uniform() * 20);
        const auto n = static_cast<std::int64_t>(random.uniform() * 6);
        std::int64_t held = 0;
        for (const auto& [t, amount] : given)
            held += now - t < 100 ? amount : 0;
        const auto wait = log.waitTime(n, instantAtMs(now));
        QVERIFY(wait);
        QCOMPARE(*wait == Nanos::zero(), held + n <= 10);
        QCOMPARE(log.available(instantAtMs(now)), 10 - held);
        if (*wait > Nanos::zero())
            now += wait->count() / 1'000'000;
        QVERIFY(log.tryAcquire(n, instantAtMs(now)));
        given.emplace_back(now, n);
    }
}

void TestLimiters::slidingLogAtTheEnds()
{
    SlidingLog log(std::numeric_limits<std::int64_t>::max(), Nanos::max());
    QVERIFY(log.tryAcquire(std::numeric_limits<std::int64_t>::max(), Instant::min()));
    QVERIFY(!log.tryAcquire(1, Instant::min()));
    QVERIFY(log.tryAcquire(1, Instant::max()));
    QVERIFY(!log.tryAcquire(-1, Instant::max()));
    QVERIFY(!log.waitTime(-1, Instant::max()));
    SlidingLog none(-5, Millis(10));
    QVERIFY(!none.tryAcquire(1, instantAtMs(0)));
    QCOMPARE(none.available(instantAtMs(0)), std::int64_t(0));
}

void TestLimiters::twoBucketAtTheEnds()
{
    TwoBucketWindow window(10, Millis(1000));
    QVERIFY(!window.tryAcquire(-1, instantAtMs(-1500)));
    QVERIFY(!window.tryAcquire(kNaN, instantAtMs(-1500)));
    QVERIFY(window.tryAcquire(10, instantAtMs(-1500)));
    QCOMPARE(window.available(instantAtMs(-1000)), 0.0); // the next window below zero begins
    QCOMPARE(window.available(instantAtMs(-500)), 5.0);
    QCOMPARE(window.available(instantAtMs(0)), 10.0);
    QCOMPARE(window.available(Instant::max()), 10.0);
    TwoBucketWindow odd(kNaN, Nanos(0));
    QVERIFY(!odd.tryAcquire(1, instantAtMs(0)));
}

void TestLimiters::dualWithOneSideOnly()
{
    DualLimiter free({}, {});
    auto answer = free.acquire(1e12, instantAtMs(0));
    QVERIFY(answer.ticket && answer.wait == Nanos::zero());
    QVERIFY(!free.available(instantAtMs(0)).requests && !free.available(instantAtMs(0)).tokens);
    free.reconcile(*answer.ticket, 5, instantAtMs(0));

    DualLimiter requests(1, {});
    QVERIFY(requests.acquire(1e12, instantAtMs(0)).ticket);
    answer = requests.acquire(1, instantAtMs(0));
    QVERIFY(!answer.ticket);
    QCOMPARE(answer.limitedBy, std::vector<std::string>{"requests"});
    QVERIFY(answer.wait == Nanos(Millis(60000)));
}

void TestLimiters::dualRefusalsTakeNothing()
{
    DualLimiter limiter(10, 100);
    const auto never = limiter.acquire(101, instantAtMs(0));
    QVERIFY(!never.ticket && !never.wait);
    QCOMPARE(never.limitedBy, std::vector<std::string>{"tokens"});
    QVERIFY(limiter.available(instantAtMs(0)).requests == 10.0);
    auto held = limiter.acquire(60, instantAtMs(0));
    limiter.reconcile(*held.ticket, 200, instantAtMs(0)); // used more than reserved: debt
    QVERIFY(limiter.available(instantAtMs(0)).tokens == -100.0);
    limiter.cancel(*held.ticket, instantAtMs(0)); // settled already
    QVERIFY(limiter.available(instantAtMs(0)).tokens == -100.0);
    QVERIFY(limiter.available(instantAtMs(0)).requests == 9.0);
    const auto waits = limiter.acquire(0, instantAtMs(0));
    QVERIFY(!waits.ticket && waits.wait == Nanos(Millis(60000)));
}

void TestLimiters::dualOddAmounts()
{
    DualLimiter limiter(10, 100);
    for (const double odd : {kNaN, -50.0}) {
        auto answer = limiter.acquire(odd, instantAtMs(0));
        QVERIFY(answer.ticket);
        QCOMPARE(answer.ticket->tokens, 0.0);
        limiter.reconcile(*answer.ticket, odd, instantAtMs(0));
    }
    QVERIFY(limiter.available(instantAtMs(0)).tokens == 100.0);
    QVERIFY(!limiter.acquire(kInf, instantAtMs(0)).ticket);
}

void TestLimiters::resizedWhatIsTakenStaysTaken()
{
    const Instant t0 = instantAtMs(0), soon = instantAtMs(1000);
    TokenBucket bucket(1, 10);
    QVERIFY(bucket.tryAcquire(6, t0));
    bucket.resize(1, 20, t0);
    QCOMPARE(bucket.available(t0), 14.0);
    bucket.resize(2, 4, t0);
    QCOMPARE(bucket.available(t0), -2.0); // more is taken than it holds now
    QCOMPARE(bucket.available(soon), 0.0);
    QVERIFY(!bucket.tryAcquire(1, soon));

    SlidingLog log(5, Millis(60000));
    QVERIFY(log.tryAcquire(4, t0));
    log.resize(2, Millis(60000), soon);
    QCOMPARE(log.available(soon), std::int64_t(-2));
    QVERIFY(!log.tryAcquire(1, soon));
    QCOMPARE(log.waitTime(1, soon).value(), Nanos(Millis(59000)));
    log.resize(2, Millis(500), soon); // a shorter window forgets earlier
    QCOMPARE(log.available(soon), std::int64_t(2));

    DualLimiter dual(60, 1000);
    auto answer = dual.acquire(400, t0);
    QVERIFY(answer.ticket);
    dual.resize(30, std::nullopt, t0);
    QCOMPARE(*dual.available(t0).requests, 29.0);
    QVERIFY(!dual.available(t0).tokens);
    dual.reconcile(*answer.ticket, 100, t0); // of a side that is gone
    dual.resize(30, 500, t0);
    QCOMPARE(*dual.available(t0).tokens, 500.0);
}

void TestLimiters::priorityQueueAgainstASortedList()
{
    SeededRandom random(9);
    PriorityQueue queue(8);
    struct Entry
    {
        int priority;
        int number;
    };
    std::vector<Entry> model; // in order of service
    std::int64_t dropped = 0;
    for (int i = 0; i < 5000; ++i) {
        const auto what = random.next() % 10;
        if (what < 6) {
            const int priority = static_cast<int>(random.next() % 4);
            const auto pushed = queue.push(std::to_string(i), priority);
            const auto place =
                std::find_if(model.begin(), model.end(), [&](const Entry& e) { return e.priority < priority; });
            model.insert(place, {priority, i});
            std::string expected;
            if (model.size() > 8) {
                expected = std::to_string(model.back().number);
                model.pop_back();
                ++dropped;
            }
            QCOMPARE(pushed.dropped.value_or(std::string()), expected);
            QCOMPARE(pushed.queued, expected != std::to_string(i));
        } else if (what < 8) {
            const auto id = queue.pop();
            QCOMPARE(id.has_value(), !model.empty());
            if (id) {
                QCOMPARE(*id, std::to_string(model.front().number));
                model.erase(model.begin());
            }
        } else if (!model.empty()) {
            const auto at = model.begin() + static_cast<std::ptrdiff_t>(random.next() % model.size());
            QVERIFY(queue.remove(std::to_string(at->number)));
            model.erase(at);
        }
        QCOMPARE(queue.size(), model.size());
        QCOMPARE(queue.droppedTotal(), dropped);
    }
}

void TestLimiters::awsBudgetOddAmounts()
{
    AwsRetryBudget budget({10, -5, kNaN, {{"timeout", -1}}});
    AwsRetryBudget::Account account;
    QVERIFY(budget.tryRetry(account, "other"));
    QVERIFY(budget.tryRetry(account, "timeout"));
    budget.onSuccess(account);
    QCOMPARE(budget.available(), 10.0);
    AwsRetryBudget none({kNaN, 5, 1, {}});
    QVERIFY(!none.tryRetry(account, "other"));
}

void TestLimiters::awsFailureEndsTheAccount()
{
    AwsRetryBudget budget({100, 5, 1, {}});
    AwsRetryBudget::Account account;
    QVERIFY(budget.tryRetry(account, "other"));
    budget.onFailure(account);
    budget.onSuccess(account); // the next call with this account: a clean first try
    QCOMPARE(budget.available(), 96.0);
    budget.onSuccess(account);
    QCOMPARE(budget.available(), 97.0);
}

void TestLimiters::grpcStaysWithinItsRange()
{
    GrpcRetryBudget budget(10, 0.1);
    SeededRandom random(2);
    for (int i = 0; i < 10000; ++i) {
        if (random.uniform() < 0.15)
            budget.onFailure();
        else
            budget.onSuccess();
        QVERIFY(budget.tokens() >= 0 && budget.tokens() <= 10);
    }
    QVERIFY(!GrpcRetryBudget(kNaN, 1).retryAllowed());
}

void TestLimiters::fourThreads()
{
    TokenBucket bucket(0, 1000);
    SlidingLog log(1000, Millis(1000));
    TwoBucketWindow window(1000, Millis(1000));
    DualLimiter dual(1000, 1e6);
    PriorityQueue queue(50);
    AwsRetryBudget aws({1000, 1, 0, {}});
    GrpcRetryBudget grpc(1000, 1);
    std::atomic<int> fromBucket{0}, fromLog{0}, fromWindow{0}, retries{0}, pushed{0}, popped{0};
    inFourThreads([&](int thread) {
        AwsRetryBudget::Account account;
        for (int i = 0; i < 500; ++i) {
            const Instant now = instantAtMs(i / 2);
            fromBucket += bucket.tryAcquire(1, now);
            fromLog += log.tryAcquire(1, now);
            fromWindow += window.tryAcquire(1, now);
            auto answer = dual.acquire(10, now);
            if (answer.ticket && i % 2)
                dual.cancel(*answer.ticket, now);
            else if (answer.ticket)
                dual.reconcile(*answer.ticket, 10, now);
            retries += aws.tryRetry(account, "other");
            grpc.onFailure();
            grpc.onSuccess();
            pushed += queue.push(std::to_string(thread) + ':' + std::to_string(i), i % 3).queued;
            popped += queue.pop().has_value();
        }
    });
    QCOMPARE(fromBucket.load(), 1000);
    QCOMPARE(fromLog.load(), 1000);
    QCOMPARE(fromWindow.load(), 1000);
    QCOMPARE(retries.load(), 1000);
    QVERIFY(popped.load() + static_cast<int>(queue.size()) <= pushed.load());
    QVERIFY(grpc.tokens() <= 1000 && grpc.tokens() >= 996);
}

QTEST_APPLESS_MAIN(TestLimiters)
#include "tst_limiters.moc"
