// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/request_driver.h"

#include "core/engine/engine_core.h"

namespace sg::engine {

namespace {

template <typename... Cases>
struct Overloaded : Cases...
{
    using Cases::operator()...;
};

/// Nothing was sent, and a second try would send nothing either: no failure of the endpoint, whatever the class.
provider::Disposition refusalAs(provider::ErrorClass error)
{
    const provider::Disposition local = provider::dispositionOf(provider::ErrorClass::LocalReject);
    if (error == provider::ErrorClass::Authentication) // no provider was asked, so none has refused the key
        return local;
    provider::Disposition disposition = provider::dispositionOf(error);
    disposition.retry = local.retry;
    disposition.breaker = local.breaker;
    disposition.fallback = local.fallback;
    return disposition;
}

} // namespace

RequestDriver::RequestDriver(EngineCore& core, CallId id, Call call, std::shared_ptr<chain::ChainState> chain,
                             ServingEndpointsPtr endpoints)
    : core_(core)
    , id_(id)
    , call_(std::move(call))
    , endpoints_(std::move(endpoints))
    , isLong_(call_.facts != nullptr)
    , run_(std::move(chain), std::exchange(call_.request, {}), id, core.random_, std::exchange(call_.facts, {}))
{
}

RequestDriver::~RequestDriver()
{
    if (timer_)
        core_.timers_.cancel(*timer_);
    if (attempt_)
        attempt_->cancel();
    if (call_.disposed)
        call_.disposed(run_.sharedRequest());
}

void RequestDriver::start()
{
    perform(run_.start(http::steadyNow()));
}

void RequestDriver::cancel()
{
    const auto attempt = std::exchange(attempt_, nullptr);
    if (attempt)
        attempt->cancel();
    if (attempt) {
        usage_ = attempt->usageSoFar();
        leftOut_ = attempt->leftOut();
    }
    const chain::AttemptTiming timing = attempt ? attempt->timing() : chain::AttemptTiming{};
    const chain::Action end = run_.cancel(timing, http::steadyNow(), attempt ? usage_ : provider::Usage{});
    const auto* record = chain::lastAttempt(run_.record());
    if (attempt && record)
        core_.attemptFinished(*record);
    perform(end);
}

void RequestDriver::setPaused(bool paused)
{
    paused_ = paused;
    if (attempt_)
        attempt_->setPaused(paused);
}

void RequestDriver::leaderDone(const std::shared_ptr<const provider::Answer>& answer)
{
    perform(run_.onLeaderDone(answer, http::steadyNow()));
}

void RequestDriver::perform(const chain::Action& action)
{
    if (std::holds_alternative<chain::Nothing>(action))
        return; // what the last action asked for goes on, its timer too
    if (timer_)
        core_.timers_.cancel(*std::exchange(timer_, std::nullopt));
    std::visit(Overloaded{
                   [this](const chain::StartAttempt& attempt) { startAttempt(attempt); },
                   [this](const chain::WaitUntil& wait) { wakeAt(wait.until); },
                   [this](const chain::AwaitLeader& leader) {
                       core_.followers_[{run_.chain().cache(), leader.key}].push_back(id_);
                       wakeAt(leader.deadline);
                   },
                   [this](const chain::Finished& end) { core_.finished(*this, end); },
                   [](const chain::Nothing&) {},
               },
               action);
}

void RequestDriver::wakeAt(Instant due)
{
    timer_ = core_.timers_.at(due, [this] {
        timer_.reset();
        perform(run_.onTimerDue(http::steadyNow()));
    });
}

void RequestDriver::startAttempt(const chain::StartAttempt& attempt)
{
    const ServingEndpoint* endpoint = core_.switchboard_.endpointFor(*endpoints_, attempt.endpoint);
    core_.attemptStarted(attempt.endpoint);
    latest_ = attempt;
    leftOut_.clear();
    if (call_.watch)
        call_.watch->onAttempt(attempt, http::steadyNow());
    if (!endpoint || !endpoint->route->unusable.isEmpty()) {
        chain::AttemptResult refused;
        refused.error.disposition =
            refusalAs(endpoint ? endpoint->route->unusableAs : provider::ErrorClass::LocalReject);
        refused.error.message = endpoint ? endpoint->route->unusable.toStdString() : "the endpoint was removed";
        refused.timing.dispatched = refused.timing.end = http::steadyNow();
        return attemptFinished(refused);
    }
    AttemptCall::Handlers handlers;
    handlers.onCommit = [this](Instant at) { run_.onCommit(at); };
    if (call_.onDelta)
        handlers.onDelta = call_.onDelta;
    handlers.onFinished = [this](const chain::AttemptResult& result) { attemptFinished(result); };
    handlers.watch = call_.watch;
    const AttemptCall::Asked asked{run_.request(), run_.needs(), isLong_ ? run_.sharedRequest() : nullptr};
    attempt_ = AttemptCall::start({core_.transport_, core_.timers_, *core_.beside_, core_.budget_}, endpoint->route,
                                  asked, attempt.deadline, core_.anchor_, std::move(handlers));
    if (paused_)
        attempt_->setPaused(true);
}

void RequestDriver::attemptFinished(const chain::AttemptResult& result)
{
    const auto finishedCall = std::exchange(attempt_, nullptr); // kept until its own callback has returned
    if (finishedCall)
        leftOut_ = finishedCall->leftOut();
    usage_ = result.usage;
    const chain::Action next = run_.onAttemptFinished(result, http::steadyNow());
    if (const auto* attempt = chain::lastAttempt(run_.record()))
        core_.attemptFinished(*attempt);
    perform(next);
}

} // namespace sg::engine
