// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/call.h"
#include "core/load/run_progress.h"
#include "core/measure/time_axis.h"

#include <array>
#include <map>
#include <optional>

namespace sg::load {

/// Everything a run counts. Bounded. What was intended outside the measured part is in the time axis, the money and the
/// counts of what was started and finished, and nowhere else.
class Tally
{
public:
    explicit Tally(Instant started, std::vector<measure::Objective> objectives = {});

    void onArrival(Instant intended, RunPart part); ///< of a schedule
    void onDropped(Instant intended, RunPart part);
    void onStarted(Instant intended, RunPart part);
    void onInFlight(Instant now, std::size_t count); ///< so many requests at a time
    void onFinished(const engine::CallResult& result, const measure::Sample& sample, RunPart part);

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

    // Of the whole run.
    std::int64_t started() const { return started_; }
    std::int64_t ended() const { return ended_; }
    std::int64_t dropped() const { return dropped_; }
    std::int64_t startedIn(RunPart part) const { return startedIn_[static_cast<std::size_t>(part)]; }
    const Money& money() const { return money_; }
    const measure::TimeAxis& axis() const { return axis_; }
    const std::vector<SlowAnswer>& slowest() const { return slowest_; }
    Instant lastEnd() const { return lastEnd_; }

    // Of its measured part.
    std::int64_t finished() const { return figures_.finished(); }
    std::int64_t answered() const { return figures_.count(measure::Outcome::Success); }
    std::int64_t failed() const { return figures_.judged() - answered(); } ///< cut off too
    std::int64_t cancelled() const { return figures_.count(measure::Outcome::Cancelled); }
    std::int64_t noSocket() const { return noSocket_; }     ///< failed for want of a free one here
    std::int64_t unresolved() const { return unresolved_; } ///< failed because no address of the target was found
    std::int64_t localErrors() const { return noSocket_ + unresolved_; } ///< those of the generator, not of the target
    /// How long after its time the generator set about each success, without the waits that a limiter asked for.
    const stats::Histogram& sendLateness() const { return sendLateness_; }
    std::int64_t scheduled() const { return scheduled_; } ///< arrivals that were due
    std::int64_t droppedMeasured() const { return droppedMeasured_; }
    const measure::Tally& figures() const { return figures_; }
    Instant lastMeasuredEnd() const { return lastMeasuredEnd_; }
    std::int64_t canned() const { return bySource(chain::Source::CannedReply); }
    std::int64_t attempts() const { return attempts_; }
    std::int64_t attemptsSent() const { return attemptsSent_; } ///< whose request left this machine
    /// Refused with a rate limit, of requests that had been refused so before.
    std::int64_t attemptsBlockedAgain() const { return attemptsBlockedAgain_; }
    const std::optional<Example>& exampleOf(provider::ErrorClass error) const;
    std::int64_t bySource(chain::Source source) const;
    /// Without those of the generator itself.
    std::int64_t failedBy(provider::ErrorClass error) const;
    std::int64_t attemptsFailedBy(provider::ErrorClass error) const;
    const std::map<std::string, std::int64_t>& byTier() const { return byTier_; }
    const std::map<int, std::int64_t>& failedByStatus() const { return failedByStatus_; } ///< 0: without an answer
    std::int64_t failedWithoutStatus(provider::ErrorClass error) const;
    const stats::Histogram& response() const { return figures_.of(measure::Metric::Response); }
    const Tokens& tokens() const { return tokens_; }

private:
    void keepExample(const provider::ErrorFacts& error, const std::string& endpoint);
    void countOnAxis(const chain::RunRecord& record, const measure::Sample& sample);
    void countAttempts(const chain::RunRecord& record);
    void countFailure(const provider::ErrorFacts& error);
    void countAnswer(const chain::RunRecord& record);
    void countMoney(const engine::CallResult& result);
    void countTokens(const engine::CallResult& result);
    void keepIfSlow(const engine::CallResult& result, Nanos response);

    Instant startedAt_, lastEnd_, lastMeasuredEnd_;
    std::int64_t started_ = 0, ended_ = 0, dropped_ = 0, scheduled_ = 0, droppedMeasured_ = 0;
    std::int64_t attempts_ = 0, attemptsSent_ = 0, attemptsBlockedAgain_ = 0, noSocket_ = 0, unresolved_ = 0;
    stats::Histogram sendLateness_{3};
    std::array<std::int64_t, 3> startedIn_{};
    measure::Tally figures_;
    measure::TimeAxis axis_;
    std::array<std::int64_t, 5> bySource_{};
    std::array<std::int64_t, provider::kErrorClassCount> failedBy_{}, attemptsFailedBy_{};
    std::array<std::optional<Example>, provider::kErrorClassCount> examples_;
    std::map<std::string, std::int64_t> byTier_;
    std::map<int, std::int64_t> failedByStatus_;
    std::array<std::int64_t, provider::kErrorClassCount> failedWithoutStatus_{};
    Money money_;
    Tokens tokens_;
    std::vector<SlowAnswer> slowest_; ///< slowest first
};

} // namespace sg::load
