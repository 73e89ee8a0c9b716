// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/state_json.h"

#include "core/gateway/api_reply.h"

#include <QJsonArray>

#include <algorithm>

namespace sg::gateway {

namespace {

constexpr Nanos kWindow = std::chrono::minutes(15);

template <typename T>
QJsonValue orNull(const std::optional<T>& value)
{
    return value ? QJsonValue(double(*value)) : QJsonValue();
}

QJsonValue orNull(const std::string& value)
{
    return value.empty() ? QJsonValue() : QJsonValue(text(value));
}

/// The same moment for people and for programs, or two nulls.
void addTime(QJsonObject& object, const QString& name, std::optional<std::int64_t> unixMs)
{
    object.insert(name, unixMs ? QJsonValue(isoTime(*unixMs)) : QJsonValue());
    object.insert(name + QStringLiteral("_unix_ms"), unixMs ? QJsonValue(qint64(*unixMs)) : QJsonValue());
}

std::optional<std::int64_t> unlessZero(std::int64_t unixMs)
{
    return unixMs != 0 ? std::optional(unixMs) : std::nullopt;
}

bool isOpen(policy::BreakerState state)
{
    return state == policy::BreakerState::Open || state == policy::BreakerState::ForcedOpen;
}

/// When the breaker opened that is open or being probed now.
std::optional<std::int64_t> openedAt(const observe::EndpointView& view, const observe::Lane& lane)
{
    if (isOpen(view.state))
        return view.sinceUnixMs;
    if (view.state != policy::BreakerState::HalfOpen)
        return std::nullopt;
    const auto open = std::find_if(lane.segments.rbegin(), lane.segments.rend(),
                                   [](const observe::LaneSegment& segment) { return isOpen(segment.state); });
    return open != lane.segments.rend() ? std::optional(open->fromUnixMs) : std::nullopt;
}

QJsonObject breakerJson(const observe::EndpointView& view, const observe::Lane& lane)
{
    QJsonObject breaker{
        {QStringLiteral("state"), text(policy::toString(view.state))},
        {QStringLiteral("cause"), lane.segments.empty() ? QJsonValue() : orNull(lane.segments.back().cause)},
        {QStringLiteral("openings_in_a_row"), view.openings},
        {QStringLiteral("successes"), qint64(view.figures.successes)},
        {QStringLiteral("failures"), qint64(view.figures.failures)},
        {QStringLiteral("rate_limited"), qint64(view.figures.rateLimited)},
        {QStringLiteral("slow"), qint64(view.figures.slow)},
        {QStringLiteral("consecutive_failures"), view.figures.streak},
        {QStringLiteral("probes_in_flight"), view.figures.probesInFlight},
        {QStringLiteral("probe_successes"), view.figures.probeSuccesses},
        {QStringLiteral("probe_successes_needed"), view.probesNeeded},
    };
    addTime(breaker, QStringLiteral("since"), view.sinceUnixMs);
    addTime(breaker, QStringLiteral("opened_at"), openedAt(view, lane));
    addTime(breaker, QStringLiteral("next_probe_at"), view.nextProbeUnixMs);
    return breaker;
}

QJsonObject usedOf(const std::optional<double>& used, const std::optional<double>& limit)
{
    return {{QStringLiteral("used"), orNull(used)}, {QStringLiteral("limit"), orNull(limit)}};
}

QJsonObject limitsJson(const observe::EndpointView& view, const engine::ServingEndpoint& serving, Instant now)
{
    const chain::EndpointSpec& spec = serving.state->spec();
    const auto left = serving.state->limits().available(now).tokens;
    const auto tokens =
        left && spec.tokensPerMinute ? std::optional(std::max(0.0, *spec.tokensPerMinute - *left)) : std::nullopt;
    return {
        {QStringLiteral("requests_per_minute"), usedOf(view.rpmUsed, view.rpmLimit)},
        {QStringLiteral("tokens_per_minute"), usedOf(tokens, spec.tokensPerMinute)},
        {QStringLiteral("in_flight"),
         usedOf(double(view.inFlight), spec.maxInFlight ? std::optional(double(*spec.maxInFlight)) : std::nullopt)}};
}

QJsonValue lastErrorJson(const std::optional<observe::LastError>& error)
{
    if (!error)
        return {};
    QJsonObject json{{QStringLiteral("status"), error->status != 0 ? QJsonValue(error->status) : QJsonValue()},
                     {QStringLiteral("class"), text(provider::toString(error->error))},
                     {QStringLiteral("text"), text(error->words)}};
    addTime(json, QStringLiteral("at"), error->unixMs);
    return json;
}

QJsonObject endpointOf(const observe::EndpointView& view, const observe::Lane& lane,
                       const engine::ServingEndpoint& serving, const observe::WallAnchor& anchor, Instant now)
{
    const Instant pausedUntil = serving.state->quota().pausedUntil;
    QJsonObject json{
        {QStringLiteral("name"), text(view.name)},
        {QStringLiteral("provider"), text(view.provider)},
        {QStringLiteral("model"), text(view.model)},
        {QStringLiteral("breaker"), breakerJson(view, lane)},
        {QStringLiteral("note"), orNull(view.note)},
        {QStringLiteral("limits"), limitsJson(view, serving, now)},
        {QStringLiteral("credential_out"), view.credentialOut},
        {QStringLiteral("credential_out_because"), orNull(serving.state->credential().because)},
        {QStringLiteral("unusable_because"),
         serving.route->unusable.isEmpty() ? QJsonValue() : QJsonValue(serving.route->unusable)},
        {QStringLiteral("attempts"), qint64(view.attempts)},
        {QStringLiteral("failures"), qint64(view.failures)},
        {QStringLiteral("answered_share"), orNull(view.answeredShare)},
        {QStringLiteral("p50_ms"), orNull(view.p50Ms)},
        {QStringLiteral("p95_ms"), orNull(view.p95Ms)},
        {QStringLiteral("last_error"), lastErrorJson(view.lastError)},
    };
    addTime(json, QStringLiteral("parked_until"), view.parkedUntilUnixMs);
    addTime(json, QStringLiteral("quota_paused_until"),
            pausedUntil > now ? std::optional(anchor.toUnixMs(pausedUntil)) : std::nullopt);
    addTime(json, QStringLiteral("last_attempt_at"), unlessZero(view.lastAttemptUnixMs));
    return json;
}

QJsonObject tierJson(const observe::TierView& tier, const chain::TierSpec* spec)
{
    QJsonObject json{{QStringLiteral("name"), text(tier.name)},
                     {QStringLiteral("endpoint"), orNull(tier.endpoint)},
                     {QStringLiteral("enabled"), spec ? QJsonValue(spec->enabled) : QJsonValue()},
                     {QStringLiteral("entered"), qint64(tier.entered)},
                     {QStringLiteral("answered"), qint64(tier.answered)},
                     {QStringLiteral("failed_here"), qint64(tier.failedHere)},
                     {QStringLiteral("p95_ms"), orNull(tier.p95Ms)}};
    std::int64_t moved = 0;
    for (const std::int64_t count : tier.moved)
        moved += count;
    json.insert(QStringLiteral("moved_on"), qint64(moved));
    return json;
}

QJsonObject chainJson(const observe::ChainView& view, const observe::ChainView* minute, const chain::ChainSpec* spec)
{
    QJsonArray tiers;
    for (const observe::TierView& tier : view.tiers) {
        const auto index = static_cast<std::size_t>(tiers.size());
        tiers.append(tierJson(tier, spec && index < spec->tiers.size() ? &spec->tiers[index] : nullptr));
    }
    const bool limits = view.limiterLimit.has_value();
    return {
        {QStringLiteral("name"), text(view.name)},
        {QStringLiteral("requests"), qint64(view.requests)},
        {QStringLiteral("answered"), qint64(view.answered)},
        {QStringLiteral("failed"), qint64(view.failed)},
        {QStringLiteral("cancelled"), qint64(view.cancelled)},
        {QStringLiteral("from_cache"), qint64(view.fromCache)},
        {QStringLiteral("refused_by_limiter"), qint64(view.refusedByLimiter)},
        {QStringLiteral("requests_per_second"), minute ? QJsonValue(minute->requestsPerSecond) : QJsonValue()},
        {QStringLiteral("limiter_per_minute"),
         limits ? QJsonValue(usedOf(view.limiterUsed, view.limiterLimit)) : QJsonValue()},
        {QStringLiteral("cache_entries"), spec && spec->cache ? QJsonValue(qint64(view.cacheEntries)) : QJsonValue()},
        {QStringLiteral("tiers"), tiers}};
}

QJsonObject gatewayJson(const Figures& figures, const Options& options)
{
    return {{QStringLiteral("connections"), figures.connections},
            {QStringLiteral("in_flight"), figures.inFlight},
            {QStringLiteral("in_flight_limit"), options.settings.maxInFlight},
            {QStringLiteral("queued"), figures.queued},
            {QStringLiteral("queue_limit"), options.settings.maxQueued},
            {QStringLiteral("streams"), figures.streams},
            {QStringLiteral("requests_total"), figures.requests},
            {QStringLiteral("refused_total"), figures.refused},
            {QStringLiteral("clients_left_total"), figures.clientsLeft},
            {QStringLiteral("cut_off_total"), figures.cutOff},
            {QStringLiteral("unsent_bytes"), figures.unsentBytes},
            {QStringLiteral("unread_drops_total"), figures.unreadDrops},
            {QStringLiteral("connections_turned_away_total"), figures.turnedAway}};
}

QJsonArray endpointsJson(engine::EngineCore& core, const observe::Snapshot& now, Instant at, const std::string& only)
{
    QJsonArray endpoints;
    for (std::size_t i = 0; i < now.endpoints.size(); ++i) {
        const observe::EndpointView& view = now.endpoints[i];
        const engine::ServingEndpoint* serving = core.switchboard().endpoint(view.name);
        if (serving && (only.empty() || view.name == only))
            endpoints.append(endpointOf(view, now.lanes[i], *serving, core.anchor(), at));
    }
    return endpoints;
}

} // namespace

QJsonObject stateJson(engine::EngineCore& core, const Options& options, const Figures& figures)
{
    const Instant at = http::steadyNow();
    const observe::SnapshotPtr now = core.recorder().snapshot(kWindow, at);
    const http::TransportFigures upstream = core.transportFigures();
    const engine::AnswerBudget& arriving = core.arriving();
    QJsonArray chains;
    for (std::size_t i = 0; i < now->chainsWindow.size(); ++i) {
        const observe::ChainView& view = now->chainsWindow[i];
        chains.append(chainJson(view, i < now->chainsMinute.size() ? &now->chainsMinute[i] : nullptr,
                                core.switchboard().chainSpec(view.name)));
    }
    QJsonObject state{
        {QStringLiteral("workspace"), text(now->workspace)},
        {QStringLiteral("environment"), text(now->environment)},
        {QStringLiteral("simulated"), now->simulated},
        {QStringLiteral("uptime_s"), double(now->takenUnixMs - now->startedUnixMs) / 1000},
        {QStringLiteral("window_s"), qint64(now->windowMs / 1000)},
        {QStringLiteral("requests_total"), qint64(now->requestsTotal)},
        {QStringLiteral("requests_in_flight"), now->inFlight},
        {QStringLiteral("last_event_id"), qint64(now->eventsTotal)},
        {QStringLiteral("endpoints"), endpointsJson(core, *now, at, {})},
        {QStringLiteral("chains"), chains},
        {QStringLiteral("gateway"), gatewayJson(figures, options)},
        {QStringLiteral("upstream"),
         QJsonObject{{QStringLiteral("transport"), upstream.name},
                     {QStringLiteral("in_flight"), upstream.inFlight},
                     {QStringLiteral("queued"), upstream.queued},
                     {QStringLiteral("started_total"), upstream.started},
                     {QStringLiteral("connections_opened_total"), upstream.connectionsOpened},
                     {QStringLiteral("connections_reused_total"), upstream.connectionsReused},
                     {QStringLiteral("arriving_bytes"), arriving.bytes()},
                     {QStringLiteral("arriving_limit_bytes"), arriving.most()},
                     {QStringLiteral("arriving_waiting"), arriving.waiting()},
                     {QStringLiteral("arriving_given_up_total"), arriving.refusedTotal()}}},
    };
    addTime(state, QStringLiteral("taken_at"), now->takenUnixMs);
    addTime(state, QStringLiteral("started_at"), now->startedUnixMs);
    return state;
}

QJsonObject endpointJson(engine::EngineCore& core, const std::string& endpoint)
{
    const Instant at = http::steadyNow();
    return endpointsJson(core, *core.recorder().snapshot(kWindow, at), at, endpoint).at(0).toObject();
}

} // namespace sg::gateway
