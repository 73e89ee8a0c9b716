// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds an operation costs, alone and with four threads at one object. Wall time of the whole divided by all
// operations, so four threads that wait for each other show a larger number.
#include "core/policy/breaker.h"
#include "core/policy/limiters.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::policy;

namespace {

constexpr int kRounds = 5;
constexpr int kOperations = 1'000'000;

template <typename F>
double nanosPerOperation(int threads, F operation)
{
    double best = 1e300;
    for (int round = 0; round < kRounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::thread> workers;
        for (int thread = 0; thread < threads; ++thread) {
            workers.emplace_back([&operation, threads] {
                for (int i = 0; i < kOperations / threads; ++i)
                    operation(i);
            });
        }
        for (std::thread& worker : workers)
            worker.join();
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
        best = std::min(best, spent.count() / kOperations);
    }
    return best;
}

template <typename F>
void report(const char* what, F operation)
{
    for (const int threads : {1, 4})
        std::printf("%-44s %d thread%s %8.1f ns\n", what, threads, threads == 1 ? " " : "s",
                    nanosPerOperation(threads, operation));
}

BreakerConfig busy(std::variant<TimeWindow, CountWindow> window)
{
    BreakerConfig config;
    config.consecutiveFailures = 5;
    config.failureRate = 0.5;
    config.slowRate = 0.9;
    config.slowCall = Millis(20000);
    config.minimumCalls = 10;
    config.window = window;
    return config;
}

void callOnce(Breaker& breaker, int i)
{
    const Instant now = Instant(Nanos(std::int64_t(i) * 100000)); // 10,000 calls a second
    Permit permit = breaker.acquire(now);
    permit.finish({i % 8 == 0 ? CallOutcome::Failure : CallOutcome::Success, Millis(100), {}}, now);
}

} // namespace

int main()
{
    Breaker timed(busy(TimeWindow{Millis(60000), Millis(1000)}));
    report("breaker acquire + result, time window 60 s", [&](int i) { callOnce(timed, i); });
    Breaker counted(busy(CountWindow{100}));
    report("breaker acquire + result, count window 100", [&](int i) { callOnce(counted, i); });
    TokenBucket bucket(1000, 1000);
    report("token bucket acquire", [&](int i) { bucket.tryAcquire(1, Instant(Nanos(std::int64_t(i) * 100000))); });
    DualLimiter dual(60000, 6e7);
    report("dual limiter acquire + reconcile", [&](int i) {
        const Instant now = Instant(Nanos(std::int64_t(i) * 100000));
        if (auto answer = dual.acquire(100, now); answer.ticket)
            dual.reconcile(*answer.ticket, 80, now);
    });
    return 0;
}
