// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/load/loop_lag.h"
#include "core/load/plan.h"
#include "core/load/prompts.h"
#include "core/load/tally.h"

#include <QObject>

#include <set>

namespace sg::load {

/// One breaker change during a run.
struct BreakerChange
{
    std::string endpoint;
    policy::BreakerTransition transition;
};

/// A closed-loop run against the engine; its users begin 1 ms apart, all within a second. Lives in the engine thread.
class LoadRun : public QObject
{
    Q_OBJECT
public:
    LoadRun(engine::EngineCore& core, LoadPlan plan, QObject* parent = nullptr);
    ~LoadRun() override;

    void start();
    /// No new requests; those in flight may finish. Called again: they are cancelled.
    void stop();

    bool ended() const { return state_ == RunState::Finished || state_ == RunState::Failed; }
    RunState state() const { return state_; }
    RunProgressPtr progress() const;

    const LoadPlan& plan() const { return plan_; }
    const Tally& tally() const { return *tally_; }
    const std::vector<BreakerChange>& breakerChanges() const { return changes_; }
    const std::map<std::string, policy::BreakerState>& breakersAtStart() const { return breakersAtStart_; }
    std::int64_t breakerChangesDropped() const { return changesDropped_; }
    const LoopLag& loopLag() const { return lag_; }
    const engine::EngineCore& core() const { return core_; }
    Instant startedAt() const { return startedAt_; }
    Nanos elapsed() const;

Q_SIGNALS:
    void finished(); ///< once, from the event loop

private:
    bool mayLaunch() const;
    void launch(Instant intended);
    void onFinished(engine::CallId id, const engine::CallResult& result);
    void endIfDone();
    std::vector<BreakerSpan> breakerSpans() const;

    engine::EngineCore& core_;
    LoadPlan plan_;
    PromptSource prompts_;
    std::unique_ptr<Tally> tally_;
    LoopLag lag_;
    std::vector<engine::TimerQueue::Id> arrivals_; ///< of the users
    std::set<engine::CallId> inFlight_;
    std::vector<BreakerChange> changes_;
    std::int64_t changesDropped_ = 0;
    std::map<std::string, policy::BreakerState> breakersAtStart_;
    Instant startedAt_{};
    RunState state_ = RunState::Idle;
};

} // namespace sg::load
