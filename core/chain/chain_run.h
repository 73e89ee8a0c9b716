// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/chain/record.h"
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
/// An equal request is under way: the driver calls onLeaderDone when it has ended.
struct AwaitLeader
{
    std::string key;
};
/// The request is over; record() is complete. `leaderOf` names the cache key whose followers must be told (with
/// `answer`, or null when it failed).
struct Finished
{
    std::shared_ptr<const provider::Answer> answer; ///< null when failed or cancelled
    std::optional<std::string> leaderOf;
};
/// Nothing to do: an attempt is under way.
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

class ChainRun
{
public:
    /// `random` must outlive the run. `id` is the caller's.
    ChainRun(std::shared_ptr<ChainState> chain, provider::ChatRequest request, std::uint64_t id,
             policy::RandomSource& random);
    ~ChainRun(); ///< gives back what it still holds

    Action start(Instant now);
    Action onTimerDue(Instant now);
    /// The first content, reasoning or tool-call delta: from here on there is no retry.
    void onCommit(Instant now);
    Action onAttemptFinished(const AttemptResult& result, Instant now);
    /// Null: the leader failed or was cancelled; this run goes its own way.
    Action onLeaderDone(std::shared_ptr<const provider::Answer> answer, Instant now);
    /// The caller has gone. Answers Finished; a running attempt is to be cancelled by the driver, its result unreported.
    Action cancel(const AttemptTiming& partial, Instant now);

    const RunRecord& record() const { return record_; }
    const provider::ChatRequest& request() const { return request_; }
    const ChainState& chain() const { return *chain_; }

private:
    Action proceed(Instant now);              // from the current tier on
    Action finish(Ending ending, Instant now);

    std::shared_ptr<ChainState> chain_;
    provider::ChatRequest request_;
    policy::RandomSource& random_;
    RunRecord record_;
    // The implementer adds what the machine must remember.
};

} // namespace sg::chain
