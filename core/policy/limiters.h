// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

/// Limiters after the note of tests/data/vectors/limiters.json. All are thread-safe, take the time as an argument,
/// treat a time older than one seen before as that one, and compare amounts with a tolerance of 1e-9.
/// An optional wait that is empty means: never.
namespace sg::policy {

class TokenBucket
{
public:
    TokenBucket(double ratePerSecond, double burst); ///< starts full
    bool tryAcquire(double n, Instant now);          ///< n or nothing, never into debt
    struct Reservation { double n = 0; Nanos wait{0}; };
    /// Takes n, into debt if need be, and answers the exact wait; nothing is taken when that is over maxWait or never.
    std::optional<Reservation> reserve(double n, Instant now, std::optional<Nanos> maxWait = {});
    void cancel(const Reservation& reservation, Instant now); ///< gives back, at most up to the burst
    std::optional<Nanos> waitTime(double n, Instant now);     ///< a query
    double available(Instant now);
    double burst() const { return burst_; }
    double ratePerSecond() const { return rate_; }

private:
    friend class DualLimiter;
    void refill(Instant now);
    std::mutex mutex_;
    double rate_, burst_, tokens_;
    std::optional<Instant> last_;
};

/// At most `limit` permits younger than the window; exact, remembers each.
class SlidingLog
{
public:
    SlidingLog(std::int64_t limit, Nanos window);
    bool tryAcquire(std::int64_t n, Instant now);
    std::optional<Nanos> waitTime(std::int64_t n, Instant now);
    std::int64_t available(Instant now);

private:
    void expire(Instant& now);
    std::mutex mutex_;
    std::int64_t limit_;
    Nanos window_;
    std::deque<std::pair<Instant, std::int64_t>> permits_;
    std::int64_t held_ = 0;
    std::optional<Instant> last_;
};

/// Sliding window by two aligned counters; constant memory, an estimate.
class TwoBucketWindow
{
public:
    TwoBucketWindow(double limit, Nanos window);
    bool tryAcquire(double n, Instant now);
    double available(Instant now);

private:
    double estimate(Instant now);
    std::mutex mutex_;
    double limit_;
    Nanos window_;
    std::int64_t index_ = 0;
    double current_ = 0, previous_ = 0;
    std::optional<Instant> last_;
};

/// Requests and tokens a minute, reserved by estimate and settled by usage; both or neither.
class DualLimiter
{
public:
    /// Not set: that side does not limit.
    DualLimiter(std::optional<double> requestsPerMinute, std::optional<double> tokensPerMinute);
    struct Ticket { double tokens = 0; bool held = false; };
    struct Answer
    {
        std::optional<Ticket> ticket;       ///< empty when refused; then nothing was taken
        std::optional<Nanos> wait;          ///< 0 when granted; the longer wait; empty = never
        std::vector<std::string> limitedBy; ///< "requests", "tokens"
    };
    Answer acquire(double tokens, Instant now);
    void reconcile(Ticket& ticket, double actualTokens, Instant now);
    void cancel(Ticket& ticket, Instant now);
    struct Available { std::optional<double> requests, tokens; };
    Available available(Instant now);

private:
    std::mutex mutex_;
    struct Side { double perMinute; double level; };
    std::optional<Side> requests_, tokens_;
    std::optional<Instant> last_;
    void refill(Instant now);
};

/// Larger priority first, first in first out within one. Bounded; what it drops is counted.
class PriorityQueue
{
public:
    explicit PriorityQueue(std::size_t capacity);
    struct Pushed { bool queued = false; std::optional<std::string> dropped; };
    Pushed push(std::string id, int priority);
    std::optional<std::string> pop();
    bool remove(const std::string& id);
    std::size_t size() const;
    std::int64_t droppedTotal() const;

private:
    mutable std::mutex mutex_;
    std::size_t capacity_;
    std::map<int, std::deque<std::string>, std::greater<>> byPriority_;
    std::size_t size_ = 0;
    std::int64_t dropped_ = 0;
};

/// Retry quota after the AWS SDKs: a retry pays, a success pays back.
class AwsRetryBudget
{
public:
    struct Config
    {
        double capacity = 500, cost = 5, firstTryRefund = 1;
        std::map<std::string, double> costByCause; ///< "timeout" -> 10
    };
    explicit AwsRetryBudget(Config config);
    /// What one call has paid last; keep one per call.
    struct Account { double lastCost = 0; };
    bool tryRetry(Account& account, const std::string& cause);
    void onSuccess(Account& account);
    void onFailure(Account& account);
    double available() const;

private:
    mutable std::mutex mutex_;
    Config config_;
    double level_;
};

/// Retry throttling after gRPC (A6): failures take 1, successes give tokenRatio; retries while above half.
class GrpcRetryBudget
{
public:
    GrpcRetryBudget(double maxTokens, double tokenRatio);
    void onFailure();
    void onSuccess();
    bool retryAllowed() const;
    double tokens() const;

private:
    mutable std::mutex mutex_;
    double max_, ratio_, tokens_;
};

} // namespace sg::policy
