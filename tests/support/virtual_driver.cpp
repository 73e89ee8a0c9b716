// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/virtual_driver.h"

#include <algorithm>
#include <utility>

namespace sg::virtualtime {

namespace {

template <class... Fs>
struct Overloaded : Fs...
{
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

/// What is left of an attempt that is cut off at its deadline.
Played cutOff(Played played, Nanos after)
{
    if (played.duration <= after)
        return played;
    const bool committed = played.commitAfter && *played.commitAfter <= after;
    played.duration = after;
    if (!committed)
        played.commitAfter.reset();
    played.result.answer.reset();
    played.result.error = provider::classifyTransport(provider::TransportError::TotalTimeout, committed, "deadline");
    return played;
}

} // namespace

VirtualDriver::VirtualDriver(Player player, Watcher* watcher)
    : player_(std::move(player))
    , watcher_(watcher)
{
}

void VirtualDriver::call(Instant at, std::function<void(Instant)> what)
{
    at = std::max(at, now_);
    events_.emplace(std::pair(at, sequence_++), [this, what = std::move(what)] { what(now_); });
}

void VirtualDriver::submit(Instant at, std::shared_ptr<chain::ChainState> chain, provider::ChatRequest request,
                           std::uint64_t id, policy::RandomSource& random)
{
    auto flight = std::make_shared<Flight>();
    flight->run = std::make_unique<chain::ChainRun>(std::move(chain), std::move(request), id, random);
    flights_.emplace(id, flight);
    call(at, [this, flight](Instant now) {
        // It may have been cancelled before its start.
        if (flight->run->record().ending == chain::Ending::Running)
            perform(flight, flight->run->start(now));
    });
}

void VirtualDriver::cancel(Instant at, std::uint64_t id)
{
    call(at, [this, id](Instant now) {
        const FlightPtr flight = find(id);
        if (!flight)
            return;
        chain::AttemptTiming partial{flight->attemptStarted, flight->attemptStarted, {}, {}, {}, {}, now};
        if (flight->attempt && watcher_)
            watcher_->onAbort(*flight->run, *flight->attempt, now);
        flight->attempt.reset();
        perform(flight, flight->run->cancel(partial, now));
    });
}

void VirtualDriver::run()
{
    while (!events_.empty()) {
        auto event = events_.extract(events_.begin());
        now_ = event.key().first;
        event.mapped()();
    }
}

void VirtualDriver::perform(const FlightPtr& flight, chain::Action action)
{
    std::visit(Overloaded{
                   [&](const chain::StartAttempt& attempt) { startAttempt(flight, attempt); },
                   [&](const chain::WaitUntil& wait) {
                       call(wait.until, [this, flight](Instant now) { perform(flight, flight->run->onTimerDue(now)); });
                   },
                   [&](const chain::AwaitLeader& leader) {
                       followers_[{&flight->run->chain(), leader.key}].push_back(flight);
                       call(leader.deadline,
                            [this, flight](Instant now) { perform(flight, flight->run->onTimerDue(now)); });
                   },
                   [&](const chain::Finished& finished) { finish(flight, finished); },
                   [](const chain::Nothing&) {},
               },
               action);
}

void VirtualDriver::startAttempt(const FlightPtr& flight, const chain::StartAttempt& attempt)
{
    flight->attempt = attempt;
    flight->attemptStarted = now_;
    if (watcher_)
        watcher_->onStart(*flight->run, attempt, now_);
    Played played = cutOff(player_(*flight->run, attempt, now_), attempt.deadline - now_);
    if (played.commitAfter) {
        call(now_ + *played.commitAfter, [flight, number = attempt.number](Instant now) {
            if (flight->attempt && flight->attempt->number == number)
                flight->run->onCommit(now);
        });
    }
    played.result.timing = {now_, now_, {}, {}, {}, {}, now_ + played.duration};
    if (played.commitAfter)
        played.result.timing.firstToken = now_ + *played.commitAfter;
    call(now_ + played.duration, [this, flight, number = attempt.number, result = std::move(played.result)](Instant) {
        endAttempt(flight, number, result);
    });
}

void VirtualDriver::endAttempt(const FlightPtr& flight, int number, chain::AttemptResult result)
{
    if (!flight->attempt || flight->attempt->number != number)
        return; // cancelled meanwhile
    if (watcher_)
        watcher_->onEnd(*flight->run, *flight->attempt, result, now_);
    flight->attempt.reset();
    perform(flight, flight->run->onAttemptFinished(result, now_));
}

void VirtualDriver::finish(const FlightPtr& flight, const chain::Finished& finished)
{
    if (watcher_)
        watcher_->onFinished(*flight->run, finished, now_);
    records_.push_back(flight->run->record());
    flights_.erase(flight->run->record().id);
    if (!finished.leaderOf)
        return;
    auto waiting = followers_.extract({&flight->run->chain(), *finished.leaderOf});
    if (waiting.empty())
        return;
    for (const FlightPtr& follower : waiting.mapped())
        perform(follower, follower->run->onLeaderDone(finished.answer, now_));
}

VirtualDriver::FlightPtr VirtualDriver::find(std::uint64_t id) const
{
    const auto it = flights_.find(id);
    return it == flights_.end() ? nullptr : it->second;
}

} // namespace sg::virtualtime
