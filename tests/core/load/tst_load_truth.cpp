// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures say about servers whose truth is known by theory or by hand, in virtual time.
#include "core/load/schedule.h"
#include "core/measure/tally.h"
#include "core/simulator/worker_queue.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <queue>

using namespace sg;
using namespace load;
using measure::Metric;
using measure::Sample;
using std::chrono::seconds;

namespace {

OpenModel steady(double perSecond, Nanos length, Arrivals arrivals)
{
    return {{{length, perSecond, perSecond}}, arrivals, kMostInFlight};
}

Sample request(Nanos intended, Nanos sent, Nanos end)
{
    Sample sample;
    sample.intended = Instant(intended);
    sample.dispatched = sample.intended;
    sample.sent = sample.firstSent = Instant(sent);
    sample.end = Instant(end);
    sample.lastToken = sample.end;
    sample.attempts = 1;
    return sample;
}

double percentile(const measure::Tally& tally, Metric metric, double p)
{
    return toMs(tally.of(metric).percentile(p).value_or(Nanos(0)));
}

bool near(double measured, double truth, double share)
{
    if (std::abs(measured - truth) <= truth * share)
        return true;
    qWarning("measured %g, truth %g", measured, truth);
    return false;
}

double exponential(policy::RandomSource& random, double mean)
{
    return -std::log(1 - random.uniform()) * mean;
}

/// Poisson arrivals at the simulator's queue of k workers with exponential service times.
struct QueueRun
{
    measure::Tally tally;
    std::int64_t arrivals = 0, waited = 0;
};

QueueRun runQueue(double perSecond, int workers, double serviceMs, Nanos length, std::uint64_t seed)
{
    struct Job
    {
        Nanos arrived, begun, end;
    };
    QueueRun run;
    simulator::WorkerQueue<Job> queue;
    Schedule schedule(steady(perSecond, length, Arrivals::Poisson), seed);
    policy::SeededRandom random(seed + 1000);
    const auto later = [](const auto& a, const auto& b) { return a->end > b->end; };
    std::priority_queue<std::shared_ptr<Job>, std::vector<std::shared_ptr<Job>>, decltype(later)> working(later);
    const auto begin = [&](const std::shared_ptr<Job>& job, Nanos now) {
        job->begun = now;
        job->end = now + fromMs(exponential(random, serviceMs));
        working.push(job);
    };
    const auto finishUntil = [&](Nanos now) {
        while (!working.empty() && working.top()->end <= now) {
            const auto done = working.top();
            working.pop();
            run.waited += done->begun > done->arrived ? 1 : 0;
            run.tally.add(request(done->arrived, done->arrived, done->end));
            queue.leave(done.get());
            if (const auto next = queue.next([](const Job&) { return false; }))
                begin(next, done->end);
        }
    };
    for (; schedule.peek(); schedule.pop(), ++run.arrivals) {
        const Nanos now = *schedule.peek();
        finishUntil(now);
        const auto job = std::make_shared<Job>(Job{now, now, now});
        if (queue.enter(job, workers))
            begin(job, now);
    }
    finishUntil(Nanos::max());
    return run;
}

/// The probability of having to wait for one of k workers under a load of `a` (Erlang C).
double erlangC(int k, double a)
{
    double sum = 0, term = 1;
    for (int n = 0; n < k; ++n) {
        sum += term;
        term *= a / (n + 1);
    }
    const double last = term * k / (k - a);
    return last / (sum + last);
}

class TestLoadTruth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// 100 requests a second, each takes 10 ms; the server stands still from 20 s to 35 s. 1500 requests are due
    /// meanwhile and are answered at 35.01 s: they took 15.01 s, 15.00 s … 0.02 s. The k-th longest of all 6000 took
    /// 15.01 s - (k - 1) · 10 ms.
    void aFrozenServerAsComputedByHand()
    {
        measure::Tally tally;
        Schedule schedule(steady(100, seconds(60), Arrivals::Constant), 1);
        for (; schedule.peek(); schedule.pop()) {
            const Nanos due = *schedule.peek();
            const bool frozen = due >= seconds(20) && due < seconds(35);
            tally.add(request(due, due, (frozen ? Nanos(seconds(35)) : due) + Millis(10)));
        }
        QCOMPARE(tally.finished(), 6000);
        QVERIFY(near(percentile(tally, Metric::Response, 50), 10, 0.001));
        QVERIFY(near(percentile(tally, Metric::Response, 75), 10, 0.001));    // rank 4500
        QVERIFY(near(percentile(tally, Metric::Response, 76), 610, 0.001));   // rank 4560: the 1441st longest
        QVERIFY(near(percentile(tally, Metric::Response, 90), 9010, 0.001));  // rank 5400: the 601st longest
        QVERIFY(near(percentile(tally, Metric::Response, 99), 14410, 0.001)); // rank 5940: the 61st longest
        QVERIFY(near(percentile(tally, Metric::Response, 99.9), 14950, 0.001));
        QCOMPARE(toMs(*tally.of(Metric::Response).max()), 15010.0);
    }

    /// The same freeze, but one connection, so that requests wait in the client: 5 ms each, and the backlog is worked
    /// off at 200 a second while 100 come. From 20 s to 50 s the n-th of them took 15.005 s - n · 5 ms. Who measured
    /// from the moment of sending would have seen one slow request.
    void whatCoordinatedOmissionWouldHide()
    {
        measure::Tally tally;
        Schedule schedule(steady(100, seconds(60), Arrivals::Constant), 1);
        Nanos free{0};
        for (; schedule.peek(); schedule.pop()) {
            const Nanos due = *schedule.peek();
            const Nanos sent = std::max(due, free);
            const bool frozen = sent >= seconds(20) && sent < seconds(35);
            free = (frozen ? Nanos(seconds(35)) : sent) + Millis(5);
            tally.add(request(due, sent, free));
        }
        QVERIFY(near(percentile(tally, Metric::Response, 90), 15005 - 600 * 5, 0.001));
        QVERIFY(near(percentile(tally, Metric::Response, 99), 15005 - 60 * 5, 0.001));
        QVERIFY(near(percentile(tally, Metric::Service, 99.9), 5, 0.001));
        QCOMPARE(toMs(*tally.of(Metric::Service).max()), 15005.0);
        QVERIFY(near(percentile(tally, Metric::ClientQueue, 99), 15005 - 60 * 5 - 5, 0.001));
    }

    /// Response times of M/M/1 are exponential with the rate µ - λ.
    void oneWorkerMatchesTheory()
    {
        const QueueRun run = runQueue(7, 1, 100, seconds(140'000), 21); // µ = 10/s
        const double mean = 1000 / (10.0 - 7.0);
        QVERIFY(near(toMs(*run.tally.of(Metric::Response).mean()), mean, 0.02));
        QVERIFY(near(percentile(run.tally, Metric::Response, 50), mean * std::log(2.0), 0.02));
        QVERIFY(near(percentile(run.tally, Metric::Response, 90), mean * std::log(10.0), 0.02));
        QVERIFY(near(percentile(run.tally, Metric::Response, 99), mean * std::log(100.0), 0.03));
        QVERIFY(near(static_cast<double>(run.waited) / static_cast<double>(run.arrivals), 0.7, 0.01));
    }

    void kWorkersMatchErlang()
    {
        constexpr int kWorkers = 4;
        constexpr double kRate = 32, kServiceMs = 100, kLoad = kRate * kServiceMs / 1000;
        const QueueRun run = runQueue(kRate, kWorkers, kServiceMs, seconds(40'000), 22);
        const double waits = erlangC(kWorkers, kLoad);
        const double meanWait = waits * 1000 / (kWorkers * 1000 / kServiceMs - kRate);
        QVERIFY(near(waits, 0.5964, 0.001)); // as tables have it for k = 4, a = 3.2
        QVERIFY(near(static_cast<double>(run.waited) / static_cast<double>(run.arrivals), waits, 0.02));
        QVERIFY(near(toMs(*run.tally.of(Metric::Response).mean()), kServiceMs + meanWait, 0.02));
    }

    /// p50 within 1 % and p99 within 2 % of what the distribution has.
    void knownDistributions()
    {
        using Kind = stats::Distribution::Kind;
        constexpr double kZ99 = 2.3263;
        struct Case
        {
            stats::Distribution takes;
            double p50, p99;
        };
        // Of two humps of 200 ms and (one in ten) 2000 ms, both narrow: the 99 % are the 90 % of the second.
        const Case cases[] = {
            {stats::Distribution::constant(500), 500, 500},
            {{Kind::Lognormal, 0, 0, 0, 500, 0.4, 0, 0, {}}, 500, 500 * std::exp(kZ99 * 0.4)},
            {{Kind::TwoHumped, 0, 0, 0, 200, 0.1, 2000, 0.1, {}},
             200 * std::exp(0.1397 * 0.1),
             2000 * std::exp(1.2816 * 0.1)},
        };
        for (const Case& one : cases) {
            measure::Tally tally;
            policy::SeededRandom random(9);
            Schedule schedule(steady(1000, seconds(200), Arrivals::Poisson), 4);
            for (; schedule.peek(); schedule.pop()) {
                const Nanos due = *schedule.peek();
                tally.add(request(due, due, due + fromMs(one.takes.draw(random))));
            }
            QVERIFY(near(percentile(tally, Metric::Response, 50), one.p50, 0.01));
            QVERIFY(near(percentile(tally, Metric::Response, 99), one.p99, 0.02));
        }
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestLoadTruth)
#include "tst_load_truth.moc"
