// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/recorder.h"

#include "core/observe/chain_track.h"
#include "core/observe/endpoint_track.h"
#include "core/observe/heat_track.h"
#include "core/observe/metrics.h"
#include "core/observe/tile_track.h"

#include <algorithm>
#include <unordered_map>

namespace sg::observe {

namespace {

constexpr std::size_t kEventsShown = 200;
constexpr Nanos kMinute = std::chrono::minutes(1);
constexpr Nanos kShortestWindow = std::chrono::minutes(5);
constexpr Nanos kLongestWindow = std::chrono::hours(24);

using Key = EventLog::Key;

Key mixed(Key seed, Key value)
{
    return (seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 29);
}

Key keyOf(EventKind kind, const std::string& subject, Key what)
{
    const Key key = mixed(mixed(static_cast<Key>(kind) + 1, std::hash<std::string>{}(subject)), what);
    return key != 0 ? key : 1;
}

Key keyOf(const chain::AttemptRecord* failed)
{
    if (failed == nullptr)
        return 0;
    const auto status = static_cast<Key>(failed->error.status);
    return status * 64 + (status >= 300 ? 0 : static_cast<Key>(failed->error.disposition.error));
}

} // namespace

struct Recorder::Impl
{
    explicit Impl(WallAnchor at)
        : anchor(at)
        , latest(at.steady)
        , tiles(at.steady)
    {
    }

    Instant seen(Instant now)
    {
        latest = std::max(latest, now);
        tiles.tick(latest, latency);
        return latest;
    }

    EndpointTrack* track(const std::string& name)
    {
        const auto known = byName.find(name);
        return known != byName.end() ? known->second : nullptr;
    }

    void tellFate(const chain::RunRecord& record, Nanos responseTime);
    void logRequest(const chain::RunRecord& record, Nanos responseTime, Instant now);
    void tellWhoTookOver(const chain::RunRecord& record);
    void fillEndpoints(Snapshot& picture, Nanos window, Instant now);
    void fillChains(Snapshot& picture, Nanos window, Instant now);

    WallAnchor anchor;
    Instant latest;
    Nanos lag{0};
    std::string workspace, environment;
    bool simulated = false;
    std::vector<std::unique_ptr<EndpointTrack>> endpoints;
    std::unordered_map<std::string, EndpointTrack*> byName;
    std::vector<std::unique_ptr<ChainTrack>> chains;
    std::unordered_map<std::string, ChainTrack*> chainByName;
    LatencyTrack latency;
    TileTrack tiles;
    HeatTrack heat;
    EventLog log;
    Metrics metrics;
    int inFlight = 0;
    std::int64_t requestsTotal = 0;
    std::optional<Instant> lastRequest;
    std::uint64_t snapshots = 0;
};

Recorder::Recorder(WallAnchor anchor)
    : impl_(std::make_unique<Impl>(anchor))
{
}
Recorder::~Recorder() = default;

void Recorder::setWorkspace(std::string name, std::string environment, bool simulated, bool hasCache)
{
    impl_->workspace = std::move(name);
    impl_->environment = std::move(environment);
    impl_->simulated = simulated;
    impl_->tiles.setHasCache(hasCache);
}

void Recorder::setEndpoints(std::vector<EndpointInfo> endpoints)
{
    impl_->metrics.setEndpoints(endpoints);
    auto old = std::move(impl_->endpoints);
    impl_->endpoints.clear();
    impl_->byName.clear();
    for (EndpointInfo& info : endpoints) {
        const auto known = std::find_if(old.begin(), old.end(),
                                        [&info](const auto& track) { return track && track->name() == info.name; });
        std::unique_ptr<EndpointTrack> track;
        if (known != old.end()) {
            track = std::move(*known);
            track->replace(std::move(info), impl_->latest);
        } else {
            track = std::make_unique<EndpointTrack>(std::move(info), impl_->latest);
        }
        impl_->byName.insert_or_assign(track->name(), track.get());
        impl_->endpoints.push_back(std::move(track));
    }
}

void Recorder::setChains(std::vector<std::shared_ptr<chain::ChainState>> chains)
{
    impl_->metrics.setChains(chains);
    auto old = std::move(impl_->chains);
    impl_->chains.clear();
    impl_->chainByName.clear();
    for (std::shared_ptr<chain::ChainState>& state : chains) {
        const auto known = std::find_if(old.begin(), old.end(), [&state](const auto& track) {
            return track && track->name() == state->spec().name;
        });
        std::unique_ptr<ChainTrack> track;
        if (known != old.end()) {
            track = std::move(*known);
            track->replace(std::move(state));
        } else {
            track = std::make_unique<ChainTrack>(std::move(state), impl_->latest);
        }
        impl_->chainByName.insert_or_assign(track->name(), track.get());
        impl_->chains.push_back(std::move(track));
    }
}

void Recorder::onRequestStarted(Instant now)
{
    now = impl_->seen(now);
    RequestCounts counts;
    counts.started = 1;
    impl_->tiles.add(counts, now);
    ++impl_->inFlight;
    ++impl_->requestsTotal;
    impl_->lastRequest = now;
}

void Recorder::onAttemptStarted(const std::string& endpoint, Instant now)
{
    now = impl_->seen(now);
    if (EndpointTrack* track = impl_->track(endpoint))
        track->attemptStarted(now);
}

void Recorder::onAttemptFinished(const chain::AttemptRecord& attempt, Instant now, Operation operation)
{
    impl_->metrics.onAttemptFinished(attempt, operation);
    now = impl_->seen(now);
    EndpointTrack* track = impl_->track(attempt.endpoint);
    if (track == nullptr)
        return;
    track->attemptFinished(attempt, now, impl_->log, impl_->anchor);
    if (!provider::refusesKey(attempt.error))
        return;
    const Key key = keyOf(EventKind::CredentialOut, attempt.endpoint, keyOf(&attempt));
    const std::int64_t unixMs = impl_->anchor.toUnixMs(now);
    if (impl_->log.repeat(key, unixMs))
        return;
    const Failure failure = failureOf(attempt);
    impl_->log.push({0,
                     unixMs,
                     EventKind::CredentialOut,
                     Severity::Bad,
                     attempt.endpoint,
                     "Key taken out (" + shortName(failure) + "): " + inWords(failure),
                     {},
                     1},
                    key);
}

void Recorder::onRequestFinished(const chain::RunRecord& record, Instant intended, const RequestMoney& money,
                                 Instant now, const chain::ChainSpec* chain)
{
    impl_->metrics.onRequestFinished(record, intended, money, chain);
    now = impl_->seen(now);
    const auto of = chain != nullptr ? impl_->chainByName.find(record.chain) : impl_->chainByName.end();
    if (of != impl_->chainByName.end())
        of->second->finished(record, *chain, now);
    impl_->inFlight = std::max(0, impl_->inFlight - 1);
    const RequestCounts counts = countsOf(record, money);
    impl_->tiles.add(counts, now);

    const Nanos responseTime = std::max(Nanos::zero(), record.ended - intended);
    if (counts.answered != 0) {
        impl_->latency.add(counts.cacheHits != 0 ? LatencyTrack::Kind::Cached : LatencyTrack::Kind::Answered,
                           responseTime, now);
        impl_->heat.add(responseTime, now);
        EndpointTrack* track = record.source == chain::Source::Endpoint ? impl_->track(record.endpoint) : nullptr;
        if (track != nullptr) {
            track->answered(now);
            impl_->tellWhoTookOver(record);
        }
    } else if (counts.failed != 0) {
        impl_->latency.add(LatencyTrack::Kind::Failed, responseTime, now);
    }
    const bool smooth = counts.answered != 0 && counts.canned == 0 && record.attempts <= 1;
    if (counts.cancelled != 0 || smooth)
        return;
    impl_->tellFate(record, responseTime);
    impl_->logRequest(record, responseTime, now);
}

void Recorder::Impl::tellWhoTookOver(const chain::RunRecord& record)
{
    for (const chain::Step& step : record.steps) {
        const auto* move = std::get_if<chain::MoveRecord>(&step);
        EndpointTrack* left = move != nullptr && move->endpoint != record.endpoint ? track(move->endpoint) : nullptr;
        if (left != nullptr)
            left->movedOnTo(record.endpoint);
    }
}

void Recorder::Impl::tellFate(const chain::RunRecord& record, Nanos responseTime)
{
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        EndpointTrack* failed = attempt != nullptr && attempt->error.disposition.error != provider::ErrorClass::None
                                    ? track(attempt->endpoint)
                                    : nullptr;
        if (failed == nullptr)
            continue;
        Fate fate{Fate::Kind::Failed, {}, responseTime};
        if (record.ending == chain::Ending::Answered && record.source == chain::Source::CannedReply)
            fate.kind = Fate::Kind::Canned;
        else if (record.ending == chain::Ending::Answered && record.endpoint == attempt->endpoint)
            fate.kind = Fate::Kind::Retried;
        else if (record.ending == chain::Ending::Answered)
            fate = {Fate::Kind::Moved, record.endpoint, responseTime};
        failed->fate(*attempt, std::move(fate));
    }
}

void Recorder::Impl::logRequest(const chain::RunRecord& record, Nanos responseTime, Instant now)
{
    const RequestStory story = storyOf(record);
    EventKind kind = EventKind::AttemptFailed;
    Severity severity = Severity::Info;
    const std::string* subject = &record.chain;
    const chain::AttemptRecord* told = story.failed;
    if (record.ending == chain::Ending::Failed) {
        kind = EventKind::RequestFailed;
        severity = Severity::Bad;
        told = story.lastFailed;
    } else if (record.source == chain::Source::CannedReply) {
        kind = EventKind::CannedReply;
        severity = Severity::Warning;
        told = story.lastFailed;
        if (told != nullptr)
            subject = &told->endpoint;
    } else if (told == nullptr) {
        return;
    } else {
        subject = &told->endpoint;
    }
    Key what = mixed(keyOf(told), static_cast<Key>(record.attempts == 0 ? 2 : record.committed ? 1 : 0));
    if (kind == EventKind::AttemptFailed)
        what = story.moved ? mixed(what, std::hash<std::string>{}(record.endpoint))
                           : mixed(what, static_cast<Key>(story.retries));
    else if (told == nullptr)
        what = mixed(what, static_cast<Key>(record.error.disposition.error));
    const Key key = keyOf(kind, *subject, what);
    const std::int64_t unixMs = anchor.toUnixMs(now);
    if (log.repeat(key, unixMs))
        return;
    log.push({0, unixMs, kind, severity, *subject, requestText(record, story, responseTime), {}, 1}, key);
}

void Recorder::onBreaker(const std::string& endpoint, const policy::BreakerTransition& transition)
{
    impl_->metrics.onBreaker(endpoint, transition);
    const Instant now = impl_->seen(transition.at);
    EndpointTrack* track = impl_->track(endpoint);
    if (track == nullptr)
        return;
    const bool trip = isTrip(transition.cause) && transition.to == policy::BreakerState::Open;
    if (trip)
        impl_->tiles.markTrip(now);
    track->transition(transition, impl_->log, impl_->anchor);
}

void Recorder::note(EventKind kind, Severity severity, std::string subject, std::string text, Instant now)
{
    now = impl_->seen(now);
    EndpointTrack* track = kind == EventKind::Manual ? impl_->track(subject) : nullptr;
    if (track != nullptr) {
        track->manualNote(text, severity, now, impl_->log, impl_->anchor);
        return;
    }
    const Key key = keyOf(kind, subject, std::hash<std::string>{}(text));
    const std::int64_t unixMs = impl_->anchor.toUnixMs(now);
    if (!impl_->log.repeat(key, unixMs))
        impl_->log.push({0, unixMs, kind, severity, std::move(subject), std::move(text), {}, 1}, key);
}

void Recorder::Impl::fillEndpoints(Snapshot& picture, Nanos window, Instant now)
{
    const std::int64_t finished = tiles.finished(window, now);
    picture.endpoints.reserve(endpoints.size());
    picture.lanes.reserve(endpoints.size());
    for (const auto& track : endpoints) {
        const std::string movedTo = track->tripped() ? track->tookOver() : std::string();
        picture.endpoints.push_back(track->view(window, now, finished, movedTo, anchor));
        picture.lanes.push_back({track->name(), track->lane().view(window, now, anchor)});
    }
}

void Recorder::Impl::fillChains(Snapshot& picture, Nanos window, Instant now)
{
    picture.chainsMinute.reserve(chains.size());
    picture.chainsWindow.reserve(chains.size());
    for (const auto& track : chains) {
        picture.chainsMinute.push_back(track->view(kMinute, now));
        picture.chainsWindow.push_back(track->view(window, now));
    }
}

const Metrics& Recorder::metrics() const
{
    return impl_->metrics;
}

void Recorder::noteLag(Nanos lag)
{
    impl_->lag = lag;
}

std::vector<Event> Recorder::eventsAfter(std::uint64_t sequence, Instant now)
{
    for (const auto& track : impl_->endpoints)
        track->read(std::max(now, impl_->latest));
    impl_->seen(now);
    return impl_->log.after(sequence);
}

std::uint64_t Recorder::lastEvent() const
{
    return impl_->log.total();
}

SnapshotPtr Recorder::snapshot(Nanos window, Instant now)
{
    window = std::clamp(window, kShortestWindow, kLongestWindow);
    // First, because reading may end an open wait, which comes back through onBreaker.
    for (const auto& track : impl_->endpoints)
        track->read(std::max(now, impl_->latest));
    now = impl_->seen(now);

    const WallAnchor& anchor = impl_->anchor;
    auto picture = std::make_shared<Snapshot>();
    picture->sequence = ++impl_->snapshots;
    picture->takenUnixMs = anchor.toUnixMs(now);
    picture->startedUnixMs = anchor.unixMs;
    picture->windowMs = std::chrono::duration_cast<Millis>(window).count();
    picture->workspace = impl_->workspace;
    picture->environment = impl_->environment;
    picture->simulated = impl_->simulated;
    picture->tiles = impl_->tiles.view(window, now, impl_->latency);
    impl_->fillEndpoints(*picture, window, now);
    impl_->fillChains(*picture, window, now);
    picture->latency = impl_->latency.bins(window, now);
    picture->heatmap = impl_->heat.view(window, anchor.steady, now, anchor);
    picture->events = impl_->log.newestFirst(kEventsShown);
    picture->eventsTotal = impl_->log.total();
    picture->eventsDropped = impl_->log.dropped();
    picture->recorderLagMs = toMs(impl_->lag);
    picture->inFlight = impl_->inFlight;
    picture->requestsTotal = impl_->requestsTotal;
    picture->lastRequestUnixMs = impl_->lastRequest ? anchor.toUnixMs(*impl_->lastRequest) : 0;
    return picture;
}

} // namespace sg::observe
