// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/endpoint_track.h"

#include "core/chain/chain_state.h"
#include "core/observe/gauge.h"

#include <algorithm>
#include <cmath>

namespace sg::observe {

using policy::BreakerState;

namespace {

std::optional<double> percentileMs(const stats::Histogram& histogram, double p)
{
    const auto value = histogram.percentile(p);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

std::string fateText(const Fate& fate)
{
    switch (fate.kind) {
    case Fate::Kind::Unknown:
        return {};
    case Fate::Kind::Retried:
        return "Retried, answered after " + latencyText(fate.responseTime);
    case Fate::Kind::Moved:
        return "Moved to " + fate.movedTo + ", answered after " + latencyText(fate.responseTime);
    case Fate::Kind::Canned:
        return "Canned reply sent";
    case Fate::Kind::Failed:
        return "The request failed";
    }
    return {};
}

} // namespace

void EndpointTrack::read(Instant now)
{
    if (!info_.state)
        return;
    status_ = info_.state->breaker().status(now);
    if (lane_.state() == status_.state)
        return;
    // No observer told of it.
    const auto& last = status_.lastTransition;
    lane_.begin(status_.state, std::min(status_.since, now),
                last ? transitionText(*last, {}, std::nullopt, probesNeeded()) : std::string("State changed"));
}

EndpointView EndpointTrack::view(Nanos window, Instant now, std::int64_t finished, const std::string& movedTo,
                                 const WallAnchor& anchor)
{
    EndpointView view;
    view.name = info_.name;
    view.provider = info_.provider;
    view.model = info_.model;
    viewBreaker(view, anchor);
    viewGauge(view);
    viewState(view, now, anchor);

    const EndpointCounts& counts = counts_.total(window, now);
    view.attempts = counts.attempts;
    view.failures = counts.failures;
    if (finished > 0)
        view.answeredShare = static_cast<double>(counts.answered) / static_cast<double>(finished);
    view.rpmLimit = rpmLimit_;
    // Of a limit, what its bucket has given out and not got back: the bucket starts full, so that a first minute may hold
    // more attempts than the limit says.
    const auto left = rpmLimit_ && info_.state ? info_.state->limits().available(now).requests : std::nullopt;
    view.rpmUsed = left ? std::clamp(std::ceil(*rpmLimit_ - *left), 0.0, *rpmLimit_)
                        : static_cast<double>(started_.total(60, now));
    const stats::Histogram& latency = latency_.total(window, now);
    view.p50Ms = percentileMs(latency, 50);
    view.p95Ms = percentileMs(latency, 95);
    view.lastAttemptUnixMs = lastAttempt_ ? anchor.toUnixMs(*lastAttempt_) : 0;
    if (lastFailure_) {
        const Failure& failure = lastFailure_->failure;
        view.lastError = {anchor.toUnixMs(lastFailure_->at), failure.status, failure.error, lastErrorWords()};
    }
    view.note = noteText(movedTo);
    return view;
}

void EndpointTrack::viewBreaker(EndpointView& view, const WallAnchor& anchor) const
{
    view.state = status_.state;
    // A breaker that never changed knows no time of its own; the lane does.
    view.sinceUnixMs = anchor.toUnixMs(status_.lastTransition ? status_.since : lane_.lastFrom());
    if (status_.nextProbe)
        view.nextProbeUnixMs = anchor.toUnixMs(*status_.nextProbe);
    view.openForMs = toMs(status_.openFor);
    view.openings = status_.openings;
    view.figures = status_.figures;
    view.probesNeeded = probesNeeded();
    if (const auto* time = std::get_if<policy::TimeWindow>(&config_.window))
        view.windowMs = toMs(time->window);
}

void EndpointTrack::viewGauge(EndpointView& view) const
{
    Gauge gauge = trip_ ? gaugeOf(trip_->rule, config_, status_.figures) : nearestGauge(config_, status_.figures);
    if (trip_)
        view.gaugeAtTrip = trip_->gauge;
    if (status_.state == BreakerState::Open)
        gauge.value = view.gaugeAtTrip;
    else if (status_.state == BreakerState::ForcedOpen)
        gauge.value.reset();
    view.rule = gauge.rule;
    view.gauge = gauge.value;
    view.gaugeLimit = gauge.limit;
}

void EndpointTrack::viewState(EndpointView& view, Instant now, const WallAnchor& anchor) const
{
    if (!info_.state)
        return;
    view.inFlight = info_.state->inFlight;
    view.credentialOut = info_.state->credential().out;
    view.keyMissing = info_.state->keyMissing;
    const Instant parked = std::max(info_.state->parkedUntil, info_.state->quota().pausedUntil);
    if (parked > now)
        view.parkedUntilUnixMs = anchor.toUnixMs(parked);
}

std::string EndpointTrack::noteText(const std::string& movedTo) const
{
    const bool byHand = status_.lastTransition && isManual(status_.lastTransition->cause);
    if (byHand && moment_ && !moment_->told.empty())
        return moment_->told;
    if (!trip_)
        return {};
    return "Tripped " + trip_->clock + (movedTo.empty() ? std::string() : "; traffic moved to " + movedTo);
}

std::string EndpointTrack::lastErrorWords() const
{
    std::string words = inWords(lastFailure_->failure);
    const auto say = [&words](const std::string& sentence) {
        if (!sentence.empty())
            words += ". " + sentence;
    };
    if (lastFailure_->failure.asked)
        say("Asked to wait " + waitText(*lastFailure_->failure.asked));
    const int probesFailed = status_.openings - 1;
    if (!trip_ || status_.state != BreakerState::Open || probesFailed < 1) {
        say(fateText(lastFailure_->fate));
        return words;
    }
    std::string probes = std::to_string(probesFailed) + (probesFailed == 1 ? " probe failed" : " probes failed");
    if (status_.openFor > trip_->firstWait)
        probes += "; wait grew from " + waitText(trip_->firstWait) + " to " + waitText(status_.openFor);
    say(probes);
    return words;
}

} // namespace sg::observe
