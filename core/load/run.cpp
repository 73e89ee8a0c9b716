// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/run.h"

#include "core/load/sample_of.h"
#include "core/load/target_settings.h"

#include <cmath>

namespace sg::load {

namespace {

constexpr std::size_t kMaxBreakerChanges = 5000;
constexpr std::int64_t kFewestTicks = 20; ///< with fewer, 95 % of them are all of them
constexpr Nanos kSecond = std::chrono::seconds(1);
// Of one seed: what a think draws must not move an arrival or a prompt.
constexpr std::uint64_t kScheduleSeed = 0x5ced01e5ULL, kThinkSeed = 0x7417c0deULL;

/// Of the planned arrivals that count.
Nanos measuredEnd(const LoadPlan& plan)
{
    const auto length = plannedLength(plan);
    return length ? *length - plan.coolDown : Nanos::max();
}

} // namespace

/// One request on its way.
struct LoadRun::Flight
{
    engine::CallId id = 0;
    RunPart part = RunPart::Measured;
    Instant dispatched{};
    std::vector<measure::Chunk> chunks;
};

LoadRun::LoadRun(engine::EngineCore& core, LoadPlan plan, QObject* parent)
    : QObject(parent)
    , core_(core)
    , plan_(std::move(plan))
    , prompts_(plan_)
    , tally_(std::make_unique<Tally>(Instant{}, plan_.objectives))
    , steps_(plan_.model, plan_.warmUp, measuredEnd(plan_))
    , watch_(plan_.stop, plan_.objectives)
    , thinking_(plan_.seed ^ kThinkSeed)
{
    if (!std::holds_alternative<ClosedModel>(plan_.model))
        schedule_ = std::make_unique<Schedule>(plan_.model, plan_.seed ^ kScheduleSeed);
}

LoadRun::~LoadRun()
{
    core_.setTransitionListener({});
    if (state_ != RunState::Idle && !ended()) {
        core_.transport().measureLag(false);
        core_.expectInFlight(0);
    }
    for (const engine::TimerQueue::Id& timer : timers_)
        core_.timers().cancel(timer);
    for (const engine::CallId id : std::exchange(inFlight_, {}))
        core_.cancel(id);
}

void LoadRun::start()
{
    startedAt_ = http::steadyNow();
    tally_ = std::make_unique<Tally>(startedAt_, plan_.objectives);
    targetSettings_ = load::targetSettings(core_.switchboard(), plan_);
    for (const std::string& name : core_.switchboard().endpointNames())
        breakersAtStart_[name] = core_.switchboard().endpoint(name)->state->breaker().state(startedAt_);
    core_.setTransitionListener([this](const std::string& endpoint, const policy::BreakerTransition& transition) {
        if (changes_.size() < kMaxBreakerChanges)
            changes_.push_back({endpoint, transition});
        else
            ++changesDropped_;
    });
    core_.expectInFlight(concurrencyOf(plan_));
    transportBefore_ = core_.transportFigures();
    state_ = RunState::Running;
    meter_.start(startedAt_);
    watchLag(startedAt_);
    if (plan_.warmUp > Nanos(0))
        wakeAt(startedAt_ + plan_.warmUp, &LoadRun::watchLag);
    wakeAt(startedAt_ + kSecond, &LoadRun::secondIsOver);
    if (const auto length = plannedLength(plan_))
        wakeAt(startedAt_ + *length, &LoadRun::timeIsOver);
    if (schedule_)
        armArrival();
    else
        startUsers();
}

/// Begins anew: what the generator was late with before the measured part is in none of its figures.
void LoadRun::watchLag(Instant)
{
    lag_.start();
    core_.transport().measureLag(true);
}

engine::TimerQueue::Id LoadRun::wakeAt(Instant due, Due what)
{
    const auto id = std::make_shared<engine::TimerQueue::Id>();
    *id = core_.timers().at(due, [this, id, due, what] {
        timers_.erase(*id);
        (this->*what)(due);
    });
    timers_.insert(*id);
    return *id;
}

RunPart LoadRun::partOf(Instant intended) const
{
    const Nanos offset = intended - startedAt_;
    if (offset < plan_.warmUp)
        return RunPart::WarmUp;
    const auto length = plannedLength(plan_);
    const bool cooling = length && plan_.coolDown > Nanos(0) && offset >= *length - plan_.coolDown;
    return cooling ? RunPart::CoolDown : RunPart::Measured;
}

void LoadRun::secondIsOver(Instant due)
{
    const Instant now = http::steadyNow();
    const auto busy = meter_.tick(now);
    if (!inFlight_.empty())
        tally_->onInFlight(now, inFlight_.size()); // a second in which nothing begins or ends has them, too
    if (ended() || stopReason_ != StopReason::None)
        return;
    StopReason reason = watch_.onSecond(now, busy);
    if (std::holds_alternative<SweepModel>(plan_.model) && rateCurve().beyond)
        reason = StopReason::Knee;
    if (reason != StopReason::None)
        return breakOff(reason);
    wakeAt(std::max(due + kSecond, now), &LoadRun::secondIsOver);
}

bool LoadRun::mayLaunch()
{
    if (state_ != RunState::Running || stopReason_ != StopReason::None)
        return false;
    if (plan_.stop.requests && tally_->started() >= *plan_.stop.requests)
        noMore(StopReason::Requests);
    else if (!schedule_ && plan_.stop.duration && elapsed() >= *plan_.stop.duration)
        noMore(StopReason::Duration);
    return stopReason_ == StopReason::None;
}

void LoadRun::launch(Instant intended)
{
    const auto flight = std::make_shared<Flight>();
    flight->part = partOf(intended);
    tally_->onStarted(intended, flight->part);
    engine::Call call;
    call.target.kind = plan_.targetKind == TargetKind::Chain ? engine::TargetKind::Chain : engine::TargetKind::Endpoint;
    call.target.name = plan_.target;
    call.request = prompts_.next();
    call.intended = intended;
    if (plan_.stream)
        call.onDelta = [flight](const provider::Delta& delta, Instant at) {
            if (delta.isCommit())
                flight->chunks.push_back({at, provider::charactersOf(delta)});
        };
    call.onFinished = [this, flight](const engine::CallResult& result) { onFinished(flight, result); };
    flight->dispatched = http::steadyNow();
    flight->id = core_.start(std::move(call));
    inFlight_.insert(flight->id);
    tally_->onInFlight(flight->dispatched, inFlight_.size());
    mostInFlight_ = std::max(mostInFlight_, inFlight_.size());
}

void LoadRun::onFinished(const std::shared_ptr<Flight>& flight, const engine::CallResult& result)
{
    const std::size_t inFlight = inFlight_.size();
    if (inFlight_.erase(flight->id) == 0)
        return;
    tally_->onInFlight(http::steadyNow(), inFlight);
    const measure::Sample sample = sampleOf(result, flight->dispatched, std::move(flight->chunks));
    tally_->onFinished(result, sample, flight->part);
    const auto dispatched = sample.dispatched ? std::optional(*sample.dispatched - startedAt_) : std::nullopt;
    steps_.onFinished(sample.intended - startedAt_, dispatched, sample.end - startedAt_, sample.outcome);
    if (sampleListener_)
        sampleListener_(sample, flight->part);
    watch_.onFinished(sample);
    watch_.onSpent(result.costNanoUsd.value_or(result.estimatedNanoUsd));
    if (const StopReason reason = watch_.check(http::steadyNow()); reason != StopReason::None)
        return breakOff(reason);
    if (schedule_)
        endIfDone();
    else
        userIsFree(result.record.ended);
}

/// The run has had what it was to have; those in flight finish.
void LoadRun::noMore(StopReason reason)
{
    if (stopReason_ != StopReason::None)
        return;
    stopReason_ = reason;
    stoppedAt_ = http::steadyNow();
}

void LoadRun::breakOff(StopReason reason)
{
    noMore(reason);
    if (!ended())
        state_ = RunState::Stopping;
    endIfDone();
}

void LoadRun::endIfDone()
{
    if (!inFlight_.empty() || ended() || mayLaunch())
        return;
    lag_.stop();
    readLag_ = core_.transport().readLag();
    core_.transport().measureLag(false);
    meter_.stop(http::steadyNow());
    for (const engine::TimerQueue::Id& timer : std::exchange(timers_, {}))
        core_.timers().cancel(timer);
    core_.setTransitionListener({});
    servedBy_ = servedBy();
    core_.expectInFlight(0);
    state_ = RunState::Finished;
    QMetaObject::invokeMethod(this, &LoadRun::finished, Qt::QueuedConnection);
}

void LoadRun::stop()
{
    if (ended())
        return;
    const bool again = state_ == RunState::Stopping;
    breakOff(StopReason::ByHand);
    if (!again || ended())
        return;
    for (const engine::CallId id : std::set(inFlight_))
        core_.cancel(id);
    endIfDone();
}

Nanos LoadRun::elapsed() const
{
    if (state_ == RunState::Idle)
        return Nanos(0);
    return (ended() ? std::max(tally_->lastEnd(), stoppedAt_.value_or(startedAt_)) : http::steadyNow()) - startedAt_;
}

Nanos LoadRun::measuredTo() const
{
    const Nanos reached = stoppedAt_ ? *stoppedAt_ - startedAt_ : elapsed();
    const auto length = plannedLength(plan_);
    return std::max(measuredFrom(), length ? std::min(reached, *length - plan_.coolDown) : reached);
}

GeneratorMeter::Use LoadRun::generatorUse() const
{
    return meter_.useAt(http::steadyNow());
}

RateCurve LoadRun::rateCurve() const
{
    if (ended() && stoppedAt_)
        return rateCurveOf(steps_.stepsAt(elapsed(), *stoppedAt_ - startedAt_));
    return rateCurveOf(steps_.stepsAt(elapsed()));
}

measure::Figures LoadRun::figures() const
{
    using measure::Metric;
    measure::Figures figures = tally_->figures().figures(tally_->lastMeasuredEnd() - startedAt_ - measuredFrom());
    const auto at = [&](Metric metric) -> std::optional<double>& { return figures[static_cast<std::size_t>(metric)]; };
    const double seconds = toMs(measuredTo() - measuredFrom()) / 1000;
    const auto& money = tally_->money();
    if (schedule_ && seconds > 0)
        at(Metric::RequestedRate) = static_cast<double>(tally_->scheduled()) / seconds;
    if (seconds > 0)
        at(Metric::DispatchedRate) = static_cast<double>(tally_->startedIn(RunPart::Measured)) / seconds;
    if (schedule_)
        at(Metric::Dropped) = static_cast<double>(tally_->droppedMeasured());
    if (tally_->ended() > 0 && money.unknownRequests == 0 && money.estimatedRequests == 0)
        at(Metric::Cost) = static_cast<double>(money.knownNanoUsd) / 1e9;
    return figures;
}

std::optional<double> LoadRun::askedRate() const
{
    const double seconds = toMs(measuredTo() - measuredFrom()) / 1000;
    if (!schedule_ || seconds <= 0)
        return std::nullopt;
    if (std::holds_alternative<ReplayModel>(plan_.model))
        return static_cast<double>(tally_->scheduled()) / seconds;
    // Without what the arithmetic adds behind the comma: 20/s is 20.
    return std::round(schedule_->expectedBetween(measuredFrom(), measuredTo()) / seconds * 1e6) / 1e6;
}

http::TransportFigures LoadRun::transportFigures() const
{
    http::TransportFigures since = core_.transportFigures();
    since.name = ended() ? servedBy_ : servedBy();
    since.started -= transportBefore_.started;
    since.connectionsOpened -= transportBefore_.connectionsOpened;
    since.connectionsReused -= transportBefore_.connectionsReused;
    return since;
}

measure::GeneratorFacts LoadRun::generatorFacts() const
{
    using measure::Metric;
    const measure::Tally& tally = tally_->figures();
    const measure::Figures values = figures();
    const GeneratorMeter::Use use = generatorUse();
    measure::GeneratorFacts facts;
    facts.finished = tally.finished();
    facts.localErrors = tally_->noSocket();
    facts.unresolved = tally_->unresolved();
    facts.medianResponse = tally.of(Metric::Response).percentile(50);
    facts.responseP99 = tally.of(Metric::Response).percentile(99);
    facts.medianQueue = tally.of(Metric::ClientQueue).percentile(50);
    if (lag_.samples().count() >= kFewestTicks)
        facts.loopLagP95 = lag_.samples().percentile(95);
    facts.sendLateTypical = measure::typicalLateness(tally_->sendLateness());
    facts.sendLateP99 = tally_->sendLateness().percentile(99);
    if (const auto lag = readLag(); lag && lag->count() >= kFewestTicks) {
        facts.readLateTypical = measure::typicalLateness(*lag);
        facts.readLateP99 = lag->percentile(99);
    }
    facts.starvedShare = use.starvedShare;
    facts.waitPerTurn = use.waitPerTurn;
    facts.threadShare = use.threadShare();
    facts.processShare = use.processShare();
    if (schedule_) {
        facts.scheduleDelayP99 = tally.of(Metric::ScheduleDelay).percentile(99);
        facts.dropped = tally_->droppedMeasured();
        facts.mostInFlight = concurrencyOf(plan_);
        facts.requestedRate = values[static_cast<std::size_t>(Metric::RequestedRate)];
        facts.dispatchedRate = values[static_cast<std::size_t>(Metric::DispatchedRate)];
    }
    if (plan_.targetKind != TargetKind::Chain) {
        facts.concurrency = schedule_ ? static_cast<int>(mostInFlight_) : concurrencyOf(plan_);
        facts.connectionLimit = core_.options().maxConnectionsPerOrigin;
    }
    return facts;
}

} // namespace sg::load
