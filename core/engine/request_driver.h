// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/engine/attempt_call.h"
#include "core/engine/call.h"
#include "core/engine/switchboard.h"
#include "core/engine/timer_queue.h"

namespace sg::engine {

class EngineCore;

/// Carries out what one ChainRun asks for: sends its attempts, keeps its timers, tells it what happened.
class RequestDriver final : public std::enable_shared_from_this<RequestDriver>
{
public:
    /// `endpoints`: those that serve as it begins; the request goes on with them whatever is applied meanwhile.
    RequestDriver(EngineCore& core, CallId id, Call call, std::shared_ptr<chain::ChainState> chain,
                  ServingEndpointsPtr endpoints);
    ~RequestDriver();

    void start();
    void cancel();
    void setPaused(bool paused);
    void leaderDone(const std::shared_ptr<const provider::Answer>& answer);

    CallId id() const { return id_; }
    const Call& call() const { return call_; } ///< its request is run()'s
    const chain::ChainRun& run() const { return run_; }
    const ServingEndpoints& endpoints() const { return *endpoints_; }
    const provider::Usage& usage() const { return usage_; }
    const AttemptCall* attempt() const { return attempt_.get(); } ///< null: none is on the wire
    const chain::StartAttempt& latest() const { return latest_; } ///< attempt; before the first an empty one
    const QStringList& leftOut() const { return leftOut_; }       ///< by it

private:
    void perform(const chain::Action& action);
    void wakeAt(Instant due);
    void startAttempt(const chain::StartAttempt& attempt);
    void attemptFinished(const chain::AttemptResult& result);

    EngineCore& core_;
    CallId id_;
    Call call_;
    ServingEndpointsPtr endpoints_;
    const bool isLong_;
    chain::ChainRun run_;
    std::shared_ptr<AttemptCall> attempt_;
    std::optional<TimerQueue::Id> timer_;
    provider::Usage usage_;
    chain::StartAttempt latest_;
    QStringList leftOut_;
    bool paused_ = false;
};

} // namespace sg::engine
