// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/load/generator_meter.h"
#include "core/load/loop_lag.h"
#include "core/load/prompts.h"
#include "core/load/schedule.h"
#include "core/load/slot_pictures.h"
#include "core/load/step_track.h"
#include "core/load/tally.h"
#include "core/measure/validity.h"

#include <QObject>

#include <set>

namespace sg::load {

/// One breaker change during a run.
struct BreakerChange
{
    std::string endpoint;
    policy::BreakerTransition transition;
};

/// Runs a plan against the engine. Lives in the engine thread.
class LoadRun : public QObject
{
    Q_OBJECT
public:
    LoadRun(engine::EngineCore& core, LoadPlan plan, QObject* parent = nullptr);
    ~LoadRun() override;

    void start();
    /// No new requests; those in flight may finish. Called again: they are cancelled.
    void stop();
    void setRate(double perSecond); ///< of an open load, from now on; see LoadControl
    void setUsers(int users);       ///< of a closed one

    /// Under which it is to be kept; part of its pictures from then on.
    void setIdentity(const QString& id, const QDateTime& began)
    {
        id_ = id;
        began_ = began;
    }

    /// Called with every finished request, also those outside the measured part; before start().
    using SampleListener = std::function<void(const measure::Sample& sample, RunPart part)>;
    void setSampleListener(SampleListener listener) { sampleListener_ = std::move(listener); }

    bool ended() const { return state_ == RunState::Finished || state_ == RunState::Failed; }
    RunState state() const { return state_; }
    StopReason stopReason() const { return stopReason_; }
    RunProgressPtr progress() const;

    const LoadPlan& plan() const { return plan_; }
    const Tally& tally() const { return *tally_; }
    RateCurve rateCurve() const; ///< so far; without steps where the load has no rates to tell apart
    const std::vector<BreakerChange>& breakerChanges() const { return changes_; }
    const std::map<std::string, policy::BreakerState>& breakersAtStart() const { return breakersAtStart_; }
    const QJsonObject& targetSettings() const { return targetSettings_; } ///< as they were at the start
    std::int64_t breakerChangesDropped() const { return changesDropped_; }
    const LoopLag& loopLag() const { return lag_; }
    /// How late bytes were read; empty: the transport does not tell.
    std::optional<stats::Histogram> readLag() const { return ended() ? readLag_ : core_.transport().readLag(); }
    GeneratorMeter::Use generatorUse() const;
    const engine::EngineCore& core() const { return core_; }
    Instant startedAt() const { return startedAt_; }
    Nanos elapsed() const;

    /// The part of the run in which a request has to be intended to count, since the start; its end is that of the
    /// arrivals, not of the last answer.
    Nanos measuredFrom() const { return plan_.warmUp; }
    Nanos measuredTo() const;
    measure::Figures figures() const;
    measure::GeneratorFacts generatorFacts() const;
    /// Mean of what the plan, or a hand during the run, asks for over the measured part, requests a second; a closed
    /// load asks for none, a replay for what its file has.
    std::optional<double> askedRate() const;
    /// Since the start; requests that others made beside the run through the same engine are in it.
    http::TransportFigures transportFigures() const;

Q_SIGNALS:
    void finished(); ///< once, from the event loop

private:
    struct Flight;
    using Due = void (LoadRun::*)(Instant due);
    engine::TimerQueue::Id wakeAt(Instant due, Due what);
    RunPart partOf(Instant intended) const;

    // run_arrivals.cpp
    void startUsers();
    void userBegins(Instant due);
    void userReturns(Instant due);
    void userIsFree(Instant since);
    void arrivalsDue(Instant due);
    void takeArrivals(Instant now);
    void armArrival();
    void timeIsOver(Instant due);

    void secondIsOver(Instant due);
    void watchLag(Instant from);
    bool mayLaunch();
    void launch(Instant intended);
    void onFinished(const std::shared_ptr<Flight>& flight, const engine::CallResult& result);
    void noMore(StopReason reason);
    void breakOff(StopReason reason);
    void endIfDone();
    std::vector<BreakerSpan> breakerSpans() const;
    QString servedBy() const; ///< by which transports the target's endpoints are reached: "curl", "qnam and curl"

    engine::EngineCore& core_;
    LoadPlan plan_;
    PromptSource prompts_;
    std::unique_ptr<Tally> tally_;
    mutable SlotPictures slots_;
    mutable RateCurve ratesShown_; ///< of the picture; read once a second
    mutable Nanos ratesReadAt_{-1};
    std::unique_ptr<Schedule> schedule_; ///< null: closed
    StepTrack steps_;
    StopWatch watch_;
    SampleListener sampleListener_;
    QString id_;
    QDateTime began_;
    policy::SeededRandom thinking_;
    LoopLag lag_;
    GeneratorMeter meter_;
    std::optional<stats::Histogram> readLag_; ///< of an ended run
    std::set<engine::TimerQueue::Id> timers_;
    std::optional<engine::TimerQueue::Id> arrival_; ///< of the schedule's next one
    std::set<engine::CallId> inFlight_;
    int usersWanted_ = 0, users_ = 0; ///< of a closed load: as asked for; those there are or that have a time to begin
    std::size_t mostInFlight_ = 0;
    QJsonObject targetSettings_;
    std::vector<BreakerChange> changes_;
    std::int64_t changesDropped_ = 0;
    std::map<std::string, policy::BreakerState> breakersAtStart_;
    http::TransportFigures transportBefore_{};
    QString servedBy_{}; ///< once it has ended
    Instant startedAt_{};
    std::optional<Instant> stoppedAt_; ///< from then on nothing new
    StopReason stopReason_ = StopReason::None;
    RunState state_ = RunState::Idle;
};

} // namespace sg::load
