// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds an operation costs, alone and with four threads at one object. Wall time of the whole divided by all
// operations, so four threads that wait for each other show a larger number. Every round has a new object, and its
// threads share one clock that only goes forward: each operation is 100 µs after the last, as 10,000 calls a second
// would be. What was granted is counted and shown: a refusal costs less.
#include "core/policy/breaker.h"
#include "core/policy/limiters.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::policy;

namespace {

constexpr int kRounds = 5;
constexpr int kOperations = 1'000'000;

constexpr std::int64_t kStepNs = 100'000;

struct Result
{
    double nanos = 0;
    double grantedShare = 0;
};

/// `operation(object, number, now)` says whether it was granted.
template <typename Make, typename F>
Result run(int threads, Make make, F operation)
{
    const auto object = make();
    std::atomic<std::int64_t> next{0}, granted{0};
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (int thread = 0; thread < threads; ++thread) {
        workers.emplace_back([&] {
            std::int64_t mine = 0;
            for (std::int64_t i = next++; i < kOperations; i = next++)
                mine += operation(*object, i, Instant(Nanos(i * kStepNs))) ? 1 : 0;
            granted += mine;
        });
    }
    for (std::thread& worker : workers)
        worker.join();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    return {spent.count() / kOperations, static_cast<double>(granted) / kOperations};
}

template <typename Make, typename F>
void report(const char* what, Make make, F operation)
{
    for (const int threads : {1, 4}) {
        std::vector<Result> results;
        for (int round = 0; round < kRounds; ++round)
            results.push_back(run(threads, make, operation));
        std::ranges::sort(results, {}, &Result::nanos);
        std::printf("%-44s %d thread%s median %7.1f ns  best %7.1f ns  granted %5.1f %%\n", what, threads,
                    threads == 1 ? " " : "s", results[kRounds / 2].nanos, results.front().nanos,
                    100 * results[kRounds / 2].grantedShare);
    }
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

bool callOnce(Breaker& breaker, std::int64_t number, Instant now)
{
    Permit permit = breaker.acquire(now);
    const bool granted = static_cast<bool>(permit);
    permit.finish({number % 8 == 0 ? CallOutcome::Failure : CallOutcome::Success, Millis(100), {}}, now);
    return granted;
}

} // namespace

int main()
{
    report(
        "the clock that all share (in every line)", [] { return std::make_unique<int>(); },
        [](int&, std::int64_t, Instant) { return true; });
    report(
        "breaker acquire + result, time window 60 s",
        [] {
            return std::make_unique<Breaker>(busy(TimeWindow{Millis(60000), Millis(1000)}));
        },
        callOnce);
    report(
        "breaker acquire + result, count window 100", [] { return std::make_unique<Breaker>(busy(CountWindow{100})); },
        callOnce);
    report(
        "token bucket acquire", [] { return std::make_unique<TokenBucket>(20000, 20000); },
        [](TokenBucket& bucket, std::int64_t, Instant now) { return bucket.tryAcquire(1, now); });
    report(
        "dual limiter acquire + reconcile", [] { return std::make_unique<DualLimiter>(1.2e6, 1.2e9); },
        [](DualLimiter& dual, std::int64_t, Instant now) {
            auto answer = dual.acquire(100, now);
            if (answer.ticket)
                dual.reconcile(*answer.ticket, 80, now);
            return answer.ticket.has_value();
        });
    return 0;
}
