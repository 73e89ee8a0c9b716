// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/call.h"
#include "core/load/plan.h"
#include "core/stats/histogram.h"

#include <array>
#include <map>
#include <optional>

namespace sg::load {

/// Everything a run counts. Bounded: long runs make the time axis coarser, never longer.
class Tally
{
public:
    explicit Tally(Instant started);

    void onStarted() { ++started_; }
    void onFinished(const engine::CallResult& result);

    struct Slot
    {
        int answered = 0, failed = 0, attempts = 0, attemptsFailed = 0;
        stats::Histogram latency{2};
    };
    struct Money
    {
        std::int64_t knownNanoUsd = 0;
        std::int64_t unknownRequests = 0;
        std::int64_t estimatedNanoUsd = 0; ///< beside what is known
        std::int64_t estimatedRequests = 0;
    };
    struct Tokens
    {
        std::int64_t input = 0, output = 0, unknownRequests = 0;
    };

    /// The first failure of a class, as an example to look into.
    struct Example
    {
        std::string endpoint; ///< empty: no attempt was made
        std::string message;  ///< the provider's or the transport's words, masked
        int status = 0;
    };

    std::int64_t started() const { return started_; }
    std::int64_t finished() const { return answered_ + failed_ + cancelled_; }
    std::int64_t answered() const { return answered_; }
    std::int64_t failed() const { return failed_; }
    std::int64_t cancelled() const { return cancelled_; }
    std::int64_t canned() const { return bySource(chain::Source::CannedReply); }
    std::int64_t attempts() const { return attempts_; }
    std::int64_t attemptsSent() const { return attemptsSent_; } ///< whose request left this machine
    const std::optional<Example>& exampleOf(provider::ErrorClass error) const;
    std::int64_t bySource(chain::Source source) const;
    std::int64_t failedBy(provider::ErrorClass error) const;
    std::int64_t attemptsFailedBy(provider::ErrorClass error) const;
    const std::map<std::string, std::int64_t>& byTier() const { return byTier_; }
    const std::map<int, std::int64_t>& failedByStatus() const { return failedByStatus_; } ///< 0: without an answer
    std::int64_t failedWithoutStatus(provider::ErrorClass error) const;
    const stats::Histogram& response() const { return response_; }
    const stats::Histogram& failedResponse() const { return failedResponse_; }
    const stats::Histogram& service() const { return service_; }
    const stats::Histogram& firstToken() const { return firstToken_; }
    const stats::Histogram& clientQueue() const { return clientQueue_; }
    const stats::Histogram& waited() const { return waited_; }
    const Money& money() const { return money_; }
    const Tokens& tokens() const { return tokens_; }
    const std::vector<Slot>& slots() const { return slots_; }
    Nanos slotWidth() const { return slotWidth_; }
    const std::vector<SlowAnswer>& slowest() const { return slowest_; }
    Instant lastEnd() const { return lastEnd_; }

private:
    Slot& slotAt(Instant at);
    void halveResolution();
    void keepExample(const provider::ErrorFacts& error, const std::string& endpoint);
    void countAttempts(const chain::RunRecord& record, Instant intended);
    void countAnswer(const engine::CallResult& result, Nanos response);
    void countMoney(const engine::CallResult& result);
    void keepIfSlow(const engine::CallResult& result, Nanos response);

    Instant startedAt_, lastEnd_;
    std::int64_t started_ = 0, answered_ = 0, failed_ = 0, cancelled_ = 0, attempts_ = 0, attemptsSent_ = 0;
    std::array<std::int64_t, 5> bySource_{};
    std::array<std::int64_t, provider::kErrorClassCount> failedBy_{}, attemptsFailedBy_{};
    std::array<std::optional<Example>, provider::kErrorClassCount> examples_;
    std::map<std::string, std::int64_t> byTier_;
    std::map<int, std::int64_t> failedByStatus_;
    std::array<std::int64_t, provider::kErrorClassCount> failedWithoutStatus_{};
    stats::Histogram response_{3}, failedResponse_{3}, service_{3}, firstToken_{3}, clientQueue_{3}, waited_{3};
    Money money_;
    Tokens tokens_;
    std::vector<Slot> slots_;
    Nanos slotWidth_{std::chrono::seconds(1)};
    std::vector<SlowAnswer> slowest_; ///< slowest first
};

} // namespace sg::load
