// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/chain/limiter_gate.h"
#include "core/chain/record.h"
#include "core/chain/retry_decision.h"
#include "core/chain/tier_gate.h"
#include "core/policy/random.h"

/// One request's way through a chain, without clock, socket or timer: events go in, the next action comes out.
namespace sg::chain {

/// Send one attempt. The driver reports back with onAttemptFinished exactly once.
struct StartAttempt
{
    int number = 1;
    int tier = 0;
    std::string endpoint;
    Instant deadline; ///< the attempt's own, never past the request's
    bool probe = false;
};
/// Call onTimerDue at `until` (not before).
struct WaitUntil
{
    Instant until;
};
/// An equal request is under way: the driver calls onLeaderDone when it has ended, or onTimerDue at `deadline` if that
/// comes first.
struct AwaitLeader
{
    std::string key;
    Instant deadline;
};
/// The request is over; record() is complete and the cache knows. `leaderOf` names the cache key whose followers must
/// be told (with `answer`, or null when it failed), after this run's own caller.
struct Finished
{
    std::shared_ptr<const provider::Answer> answer; ///< null when failed or cancelled
    std::optional<std::string> leaderOf;
};
/// Nothing to do: what the last action asked for is still under way, or the request is over.
struct Nothing
{
};
using Action = std::variant<StartAttempt, WaitUntil, AwaitLeader, Finished, Nothing>;

struct AttemptResult
{
    provider::ErrorFacts error; ///< disposition.error None: success, then `answer` is set
    std::shared_ptr<const provider::Answer> answer;
    provider::Usage usage; ///< also partial
    AttemptTiming timing;
};

/// What is derived from the whole of a request, for those that are too long to do it where they run.
struct RequestFacts
{
    provider::Needs needs;
    std::string digest{}; ///< contentDigest(); empty: not made
};

/// Events must come in the order of time; an event that does not fit the state is answered with Nothing.
class ChainRun
{
public:
    /// `random` must outlive the run. `id` is the caller's.
    /// `facts`: of this very request, where they were made before; null: they are made here when they are needed.
    ChainRun(std::shared_ptr<ChainState> chain, provider::ChatRequest request, std::uint64_t id,
             policy::RandomSource& random, std::shared_ptr<const RequestFacts> facts = {});
    /// Of a request that only the driver understands.
    ChainRun(std::shared_ptr<ChainState> chain, const provider::Needs& needs, std::uint64_t id,
             policy::RandomSource& random);
    ChainRun(const ChainRun&) = delete;
    ChainRun& operator=(const ChainRun&) = delete;
    /// Gives back what it still holds. Followers of a run destroyed before its end are not told: cancel it first.
    ~ChainRun();

    Action start(Instant now);
    Action onTimerDue(Instant now);
    /// The first content, reasoning or tool-call delta: from here on there is no retry.
    void onCommit(Instant now);
    Action onAttemptFinished(const AttemptResult& result, Instant now);
    /// Null: the leader failed or was cancelled; this run goes its own way.
    Action onLeaderDone(std::shared_ptr<const provider::Answer> answer, Instant now);
    /// The caller has gone. Answers Finished; a running attempt is to be cancelled by the driver, its result
    /// unreported; `usage` is what it is known or estimated to have used.
    Action cancel(const AttemptTiming& partial, Instant now, const provider::Usage& usage = {});

    const RunRecord& record() const { return record_; }
    const provider::ChatRequest& request() const { return *request_; }
    const provider::Needs& needs() const { return needs_; }
    /// For those who read it longer than the run lives; never null, never changed.
    const std::shared_ptr<const provider::ChatRequest>& sharedRequest() const { return request_; }
    const ChainState& chain() const { return *chain_; }

private:
    enum class State { Fresh, AtLimiter, Following, Attempting, BackingOff, Over };

    Action passLimiter(Instant now);
    Action lookUp(Instant now);
    Action setOut(Instant now);  // to the tier that is first for this request
    Action proceed(Instant now); // from the current tier on
    std::optional<Action> tryEndpoint(const TierSpec& tier, Instant now);
    std::optional<Action> tryCannedReply(const TierSpec& tier, Instant now);
    std::optional<Action> afterRefusal(const TierSpec& tier, const Refusal& refusal, Instant now);
    Action afterFailure(const provider::ErrorFacts& error, Instant now);
    Action waitAndRetry(RetryHere plan, Instant now);

    void enterTier(std::size_t place); // in the order of trying
    void leaveTier(MoveReason reason, std::optional<Nanos> wait, Instant now);
    void noteWait(std::optional<Nanos> wait, Instant now); // of a tier that is left
    void recordAttempt(const AttemptResult& result, const provider::ErrorFacts& error);
    bool windowIsLarger(const Capabilities& can) const;
    const TierSpec* currentTier() const; // null beyond the last
    Instant seen(Instant now);

    Action answer(std::shared_ptr<const provider::Answer> answer, Source source, Instant now);
    Action fail(provider::ErrorFacts error, Instant now);
    Action failWithWait(provider::ErrorFacts error, Instant now); // the caller is told when to come again
    Action failDeadline(Instant now);
    Action finish(Ending ending, std::shared_ptr<const provider::Answer> answer, Instant now);

    std::shared_ptr<ChainState> chain_;
    std::shared_ptr<const provider::ChatRequest> request_;
    std::shared_ptr<const RequestFacts> facts_;
    provider::Needs needs_;
    policy::RandomSource& random_;
    RunRecord record_;

    State state_ = State::Fresh;
    Instant lastSeen_{};
    Instant deadline_{};
    Instant due_{}; ///< of the timer asked for
    LimiterGate limiter_;
    std::optional<std::string> cacheKey_;
    bool leads_ = false;

    std::vector<int> order_; ///< of trying; empty: the chain's
    std::size_t place_ = 0;  ///< in that order
    int tier_ = 0;           ///< index in ChainSpec::tiers, beyond the last when all were tried
    std::optional<TierVisit> visit_;
    AttemptLease lease_;
    bool committed_ = false;          ///< the running attempt
    bool needsLargerWindow_ = false;  ///< a context was too long
    std::int64_t windowTooSmall_ = 0; ///< the largest window it did not fit, 0 = none known
    std::optional<provider::ErrorFacts> lastError_;
    std::optional<Instant> earliestReady_; ///< of the tiers that were left and are known to come back
};

} // namespace sg::chain
