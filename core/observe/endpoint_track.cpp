// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/endpoint_track.h"

#include "core/chain/chain_state.h"
#include "core/observe/gauge.h"

#include <utility>

namespace sg::observe {

using policy::BreakerState;
using policy::BreakerTransition;
using policy::TransitionCause;
using provider::ErrorClass;

namespace {

// An attempt and the transition it made are told one after the other, in either order and not quite at one time.
constexpr Nanos kSameMoment = Millis(50);

bool sameMoment(Instant a, Instant b)
{
    return (a < b ? b - a : a - b) <= kSameMoment;
}

bool endpointFailed(const chain::AttemptRecord& attempt)
{
    const ErrorClass error = attempt.error.disposition.error;
    return error != ErrorClass::None && error != ErrorClass::Cancelled && error != ErrorClass::LocalReject;
}

bool breakerCounts(const chain::AttemptRecord& attempt)
{
    const policy::CallOutcome outcome = attempt.error.disposition.breaker;
    return outcome == policy::CallOutcome::Failure || outcome == policy::CallOutcome::RateLimited;
}

Severity severityOf(const BreakerTransition& transition)
{
    if (isManual(transition.cause))
        return Severity::Info;
    if (transition.to == BreakerState::Open)
        return Severity::Bad;
    return transition.to == BreakerState::Closed ? Severity::Good : Severity::Warning;
}

bool endsTrip(const BreakerTransition& transition)
{
    return transition.to != BreakerState::Open && transition.to != BreakerState::HalfOpen;
}

// How many failures a trip's figures hold, whichever rule it was.
std::int64_t failuresIn(const BreakerTransition& transition)
{
    const policy::BreakerFigures& figures = transition.figures;
    return transition.cause == TransitionCause::ConsecutiveFailures ? figures.streak
                                                                    : figures.failures + figures.rateLimited;
}

policy::BreakerConfig configOf(const EndpointInfo& info)
{
    return info.state ? info.state->spec().breaker : policy::BreakerConfig{};
}

BreakerState restingState(const policy::BreakerConfig& config)
{
    return config.metricsOnly ? BreakerState::MetricsOnly : BreakerState::Closed;
}

} // namespace

EndpointCounts& EndpointCounts::operator+=(const EndpointCounts& other)
{
    answered += other.answered;
    attempts += other.attempts;
    failures += other.failures;
    return *this;
}

EndpointCounts& EndpointCounts::operator-=(const EndpointCounts& other)
{
    answered -= other.answered;
    attempts -= other.attempts;
    failures -= other.failures;
    return *this;
}

EndpointTrack::EndpointTrack(EndpointInfo info, Instant now)
    : started_({std::chrono::seconds(1), 60})
    , latency_(stats::coarseLevels())
    , tally_(configOf(info))
{
    adopt(std::move(info));
    status_.state = restingState(config_);
    status_.since = now;
    lane_.begin(status_.state, now, "As at the start");
}

void EndpointTrack::adopt(EndpointInfo info)
{
    info_ = std::move(info);
    config_ = configOf(info_);
    rpmLimit_ = info_.state ? info_.state->spec().requestsPerMinute : std::nullopt;
}

void EndpointTrack::replace(EndpointInfo info, Instant now)
{
    const auto breakerOf = [](const EndpointInfo& of) { return of.state ? &of.state->breaker() : nullptr; };
    const bool anew = breakerOf(info) != breakerOf(info_);
    adopt(std::move(info));
    if (!anew)
        return;
    tally_ = FailureTally(config_);
    moment_.reset();
    trip_.reset();
    probe_.reset();
    note_.reset();
    probesPassed_ = 0;
    status_ = {};
    status_.state = restingState(config_);
    status_.since = now;
    if (info_.state) // a lock by a person has come over from the breaker before
        status_ = info_.state->breaker().status(now);
    if (lane_.state() != status_.state)
        lane_.begin(status_.state, now, "Settings changed");
}

int EndpointTrack::probesNeeded() const
{
    return config_.halfOpenSuccesses;
}

void EndpointTrack::attemptStarted(Instant now)
{
    started_.add(1, now);
    lastAttempt_ = now;
}

void EndpointTrack::answered(Instant now)
{
    counts_.add({1, 0, 0}, now);
}

void EndpointTrack::attemptFinished(const chain::AttemptRecord& attempt, Instant now, EventLog& log,
                                    const WallAnchor& anchor)
{
    const bool failed = endpointFailed(attempt);
    counts_.add({0, 1, failed ? 1 : 0}, now);
    if (attempt.probe)
        probeFinished(attempt, failed, now, log, anchor);
    if (attempt.error.disposition.error == ErrorClass::None) {
        latency_.record(tookOf(attempt), now);
        tally_.success(now);
        return;
    }
    if (!failed)
        return;
    const Failure failure = failureOf(attempt);
    lastFailure_ = {attempt.timing.end, failure, {}};
    if (attempt.probe || !breakerCounts(attempt))
        return;
    if (moment_ && isTrip(moment_->transition.cause) && sameMoment(moment_->transition.at, now))
        completeTrip(failure, now, log);
    else
        tally_.failure(failure, now);
}

// The failure that tripped is told after the trip: it belongs to the trip's figures, not to what comes after.
void EndpointTrack::completeTrip(const Failure& failure, Instant now, EventLog& log)
{
    if (sumOf(moment_->counts) >= failuresIn(moment_->transition)) {
        tally_.failure(failure, now);
        return;
    }
    addTo(moment_->counts, failure);
    rewrite(log);
    lane_.setCause(beginCause(moment_->transition, textOf(*moment_)));
}

void EndpointTrack::probeFinished(const chain::AttemptRecord& attempt, bool failed, Instant now, EventLog& log,
                                  const WallAnchor& anchor)
{
    const bool passed = attempt.error.disposition.error == ErrorClass::None;
    if (!failed && !passed)
        return;
    probe_ = Probe{now, {failed, failed ? failureOf(attempt) : Failure{}, tookOf(attempt)}};
    if (moment_ && !isManual(moment_->transition.cause) && moment_->transition.from == BreakerState::HalfOpen &&
        sameMoment(moment_->transition.at, now)) {
        rewrite(log);
        lane_.setCause(beginCause(moment_->transition, textOf(*moment_)));
        if (const std::string ended = endCause(moment_->transition, probe_->facts); !ended.empty())
            lane_.setCauseBefore(ended);
        return;
    }
    // The last one needed makes a transition, whose line tells it.
    if (!passed || lane_.state() != BreakerState::HalfOpen || ++probesPassed_ >= probesNeeded())
        return;
    log.push({0, anchor.toUnixMs(now), EventKind::BreakerChanged, Severity::Warning, info_.name,
              probePassedText(probesPassed_, probesNeeded(), tookOf(attempt)), BreakerState::HalfOpen, 1});
}

std::optional<ProbeFacts> EndpointTrack::probeAt(Instant at) const
{
    return probe_ && sameMoment(probe_->at, at) ? std::optional(probe_->facts) : std::nullopt;
}

std::string EndpointTrack::textOf(const Moment& moment) const
{
    return transitionText(moment.transition, moment.counts, probeAt(moment.transition.at), probesNeeded());
}

void EndpointTrack::rewrite(EventLog& log)
{
    if (Event* line = log.find(moment_->sequence))
        line->text = textOf(*moment_);
}

void EndpointTrack::fate(const chain::AttemptRecord& attempt, Fate fate)
{
    if (lastFailure_ && lastFailure_->at == attempt.timing.end)
        lastFailure_->fate = std::move(fate);
}

void EndpointTrack::transition(const BreakerTransition& transition, EventLog& log, const WallAnchor& anchor)
{
    FailureCounts counts;
    if (isTrip(transition.cause))
        counts = transition.cause == TransitionCause::ConsecutiveFailures ? tally_.inStreak()
                                                                          : tally_.inWindow(transition.at);
    moment_ = Moment{transition, 0, std::move(counts), {}};
    const std::string text = textOf(*moment_);
    moment_->sequence = logTransition(transition, text, log, anchor);
    if (transition.from != transition.to) {
        const Event* line = log.find(moment_->sequence);
        lane_.begin(transition.to, transition.at, beginCause(transition, line ? line->text : text));
    }
    if (const std::string ended = endCause(transition, probeAt(transition.at)); !ended.empty())
        lane_.setCauseBefore(ended);

    if (isTrip(transition.cause) && transition.to == BreakerState::Open)
        keepTrip(transition, anchor);
    else if (endsTrip(transition))
        trip_.reset();
    tally_.clear();
    probesPassed_ = 0;
    status_.state = transition.to;
    status_.since = transition.at;
    status_.nextProbe = transition.nextProbe;
    status_.openFor = transition.nextProbe ? *transition.nextProbe - transition.at : Nanos::zero();
    status_.openings = transition.openings;
    status_.figures = {};
    status_.lastTransition = transition;
}

std::uint64_t EndpointTrack::logTransition(const BreakerTransition& transition, const std::string& text, EventLog& log,
                                           const WallAnchor& anchor)
{
    // Each note belongs to one transition, and most of those that change nothing to none.
    const auto note = isManual(transition.cause) ? std::exchange(note_, std::nullopt) : std::nullopt;
    Event* line = note && sameMoment(note->at, transition.at) ? log.find(note->sequence) : nullptr;
    if (line != nullptr) {
        line->state = transition.to;
        moment_->told = line->text;
        return note->sequence;
    }
    return log.push({0, anchor.toUnixMs(transition.at), EventKind::BreakerChanged, severityOf(transition), info_.name,
                     text, transition.to, 1});
}

void EndpointTrack::keepTrip(const BreakerTransition& transition, const WallAnchor& anchor)
{
    const std::int64_t unixMs = anchor.toUnixMs(transition.at);
    const Gauge gauge = gaugeOf(ruleOf(transition.cause), config_, transition.figures);
    tookOver_.clear();
    trip_ = Trip{unixMs, clockText(unixMs), gauge.rule, gauge.value.value_or(0),
                 transition.nextProbe ? *transition.nextProbe - transition.at : Nanos::zero()};
}

void EndpointTrack::manualNote(const std::string& text, Severity severity, Instant now, EventLog& log,
                               const WallAnchor& anchor)
{
    // A transition that has its words is not told again: this is of the next one, if there is one.
    const bool isOfLast = moment_ && moment_->told.empty() && isManual(moment_->transition.cause) &&
                          sameMoment(moment_->transition.at, now);
    Event* line = isOfLast ? log.find(moment_->sequence) : nullptr;
    if (line == nullptr) {
        note_ = Note{
            now, log.push({0, anchor.toUnixMs(now), EventKind::Manual, severity, info_.name, text, status_.state, 1})};
        return;
    }
    line->kind = EventKind::Manual;
    line->severity = severity;
    line->text = text;
    moment_->told = text;
    if (moment_->transition.from != moment_->transition.to)
        lane_.setCause(text);
}

std::string EndpointTrack::tookOver() const
{
    const auto most = std::ranges::max_element(tookOver_, {}, [](const auto& entry) { return entry.second; });
    return most == tookOver_.end() ? std::string() : most->first;
}

} // namespace sg::observe
