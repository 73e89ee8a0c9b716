// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/run.h"

namespace sg::load {

namespace {

// Users who all begin in one instant stay in step, and each then waits for the work of all others in the client: with
// 100 of them that added 36 ms to a true 500 ms on a busy machine.
constexpr Nanos kUsersApart = Millis(1);
constexpr Nanos kUsersWithin = Millis(1000);

} // namespace

void LoadRun::startUsers()
{
    const auto& closed = std::get<ClosedModel>(plan_.model);
    usersWanted_ = closed.users;
    const Nanos apart =
        closed.ramp > Nanos(0) ? closed.ramp / closed.users : std::min(kUsersApart, kUsersWithin / closed.users);
    const auto most = plan_.stop.requests.value_or(closed.users);
    for (; users_ < closed.users && users_ < most; ++users_)
        wakeAt(startedAt_ + apart * users_, &LoadRun::userBegins);
}

void LoadRun::userBegins(Instant due)
{
    if (mayLaunch() && users_ <= usersWanted_)
        return launch(due);
    --users_;
    endIfDone();
}

/// From thinking.
void LoadRun::userReturns(Instant due)
{
    if (mayLaunch())
        launch(due);
    else
        endIfDone();
}

/// A user is free the moment the answer is there: what is lost until the next request counts as its delay.
void LoadRun::userIsFree(Instant since)
{
    if (users_ > usersWanted_) {
        --users_;
        return endIfDone();
    }
    const Instant due = later(since, fromMs(std::get<ClosedModel>(plan_.model).think.draw(thinking_)));
    if (due > http::steadyNow() && stopReason_ == StopReason::None)
        wakeAt(due, &LoadRun::userReturns);
    else
        userReturns(due);
}

void LoadRun::setUsers(int users)
{
    if (schedule_ || !mayLaunch())
        return;
    usersWanted_ = std::clamp(users, 1, 10'000);
    core_.expectInFlight(usersWanted_);
    const Instant now = http::steadyNow();
    for (; users_ < usersWanted_; ++users_)
        wakeAt(now, &LoadRun::userBegins);
}

void LoadRun::armArrival()
{
    const auto next = schedule_->peek();
    if (next && stopReason_ == StopReason::None)
        arrival_ = wakeAt(startedAt_ + *next, &LoadRun::arrivalsDue);
}

void LoadRun::arrivalsDue(Instant)
{
    arrival_.reset();
    takeArrivals(http::steadyNow());
    armArrival();
    if (stopReason_ != StopReason::None)
        endIfDone();
}

/// Everything that is due. An arrival is a matter of the schedule, also when it can no longer be sent in time.
void LoadRun::takeArrivals(Instant now)
{
    const int most = concurrencyOf(plan_);
    while (mayLaunch()) {
        const auto next = schedule_->peek();
        if (!next || startedAt_ + *next > now)
            return;
        if (plan_.stop.duration && *next >= *plan_.stop.duration)
            return noMore(StopReason::Duration);
        schedule_->pop();
        const Instant intended = startedAt_ + *next;
        tally_->onArrival(intended, partOf(intended));
        steps_.onDue(intended - startedAt_);
        if (inFlight_.size() < static_cast<std::size_t>(most)) {
            launch(intended);
            continue;
        }
        tally_->onDropped(intended, partOf(intended));
        steps_.onDropped(intended - startedAt_);
    }
}

void LoadRun::timeIsOver(Instant)
{
    if (schedule_)
        takeArrivals(http::steadyNow());
    noMore(plan_.stop.duration && elapsed() >= *plan_.stop.duration ? StopReason::Duration : StopReason::ScheduleOver);
    endIfDone();
}

void LoadRun::setRate(double perSecond)
{
    if (!std::holds_alternative<OpenModel>(plan_.model) || !mayLaunch())
        return;
    const Instant now = http::steadyNow();
    takeArrivals(now);
    if (stopReason_ != StopReason::None)
        return endIfDone();
    const double rate = std::clamp(perSecond, 0.0, 100'000.0);
    schedule_->setRate(now - startedAt_, rate);
    steps_.onRateSet(now - startedAt_, rate);
    if (arrival_) {
        core_.timers().cancel(*arrival_);
        timers_.erase(*arrival_);
        arrival_.reset();
    }
    armArrival();
}

} // namespace sg::load
