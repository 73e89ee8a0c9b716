// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report.h"

#include "core/load/run.h"
#include "core/policy/text.h"

#include <QDateTime>

namespace sg::load {

namespace {

QJsonValue numberOrNull(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue whole(std::int64_t value)
{
    return static_cast<qint64>(value);
}

/// Three decimals: what a µs clock can know of a millisecond.
QJsonValue msOrNull(const std::optional<Nanos>& span)
{
    return span ? QJsonValue(std::round(toMs(*span) * 1000) / 1000) : QJsonValue(QJsonValue::Null);
}

QJsonObject distribution(const stats::Histogram& histogram)
{
    return {
        {QStringLiteral("count"), whole(histogram.count())},
        {QStringLiteral("p50"), msOrNull(histogram.percentile(50))},
        {QStringLiteral("p90"), msOrNull(histogram.percentile(90))},
        {QStringLiteral("p95"), msOrNull(histogram.percentile(95))},
        {QStringLiteral("p99"), msOrNull(histogram.percentile(99))},
        {QStringLiteral("max"), msOrNull(histogram.max())},
        {QStringLiteral("mean"), msOrNull(histogram.mean())},
        {QStringLiteral("min"), msOrNull(histogram.min())},
        {QStringLiteral("out_of_range"), whole(histogram.outOfRange())},
    };
}

template <typename Count>
QJsonObject byErrorClass(Count count)
{
    QJsonObject classes;
    for (int i = 1; i < provider::kErrorClassCount; ++i) {
        const auto error = static_cast<provider::ErrorClass>(i);
        if (const std::int64_t n = count(error))
            classes.insert(QString::fromStdString(std::string(provider::toString(error))), whole(n));
    }
    return classes;
}

QString remedyOf(provider::ErrorClass error);

/// An example and the way on for every class of failure that was met.
QJsonArray errorsOf(const Tally& tally)
{
    QJsonArray errors;
    for (int i = 1; i < provider::kErrorClassCount; ++i) {
        const auto error = static_cast<provider::ErrorClass>(i);
        const auto& example = tally.exampleOf(error);
        if (!example)
            continue;
        errors.append(QJsonObject{
            {QStringLiteral("class"), text(provider::toString(error))},
            {QStringLiteral("words"), text(provider::inWords(error))},
            {QStringLiteral("endpoint"), example->endpoint.empty() ? QJsonValue() : text(example->endpoint)},
            {QStringLiteral("status"), example->status ? QJsonValue(example->status) : QJsonValue()},
            {QStringLiteral("example"), text(example->message)},
            {QStringLiteral("remedy"), remedyOf(error)},
        });
    }
    return errors;
}

QString remedyOf(provider::ErrorClass error)
{
    using E = provider::ErrorClass;
    switch (error) {
    case E::RateLimited:
        return QStringLiteral("Lower the concurrency, set the endpoint's limits, or raise them at the provider");
    case E::QuotaExhausted:
        return QStringLiteral("Top up the account at the provider");
    case E::Authentication:
    case E::Permission:
        return QStringLiteral("Check the key that the endpoint's \"key\" names, and what it may do at the provider");
    case E::NotFound:
        return QStringLiteral("Check the endpoint's base_url and model");
    case E::Timeout:
        return QStringLiteral("Raise the endpoint's timeouts or lower the concurrency");
    case E::Connection:
        return QStringLiteral("Check the endpoint's base_url, that its server runs, and that the network reaches it");
    case E::Tls:
        return QStringLiteral("Check the host name in base_url, this machine's clock and certificates, and that Qt has "
                              "its TLS plugin");
    case E::BadResponse:
        return QStringLiteral("Check that base_url leads to an OpenAI-compatible server");
    case E::BadRequest:
    case E::ContextTooLong:
    case E::PayloadTooLarge:
    case E::ContentFiltered:
        return QStringLiteral("Change the prompts, or the model");
    case E::StreamBroken:
        return QStringLiteral("See how the chain dealt with it; where an own limit ended it (idle_ms, total_ms, "
                              "abort_slow_streams), widen that in the endpoint's timeouts");
    case E::LocalReject:
        return QStringLiteral("See the breakers and limits of the chain");
    default:
        return QStringLiteral("Nothing to mend here; see how the chain dealt with it");
    }
}

QJsonArray breakersOf(const LoadRun& run)
{
    QJsonArray breakers;
    for (const auto& [endpoint, state] : run.breakersAtStart()) {
        QJsonArray transitions;
        policy::BreakerState last = state;
        for (const BreakerChange& change : run.breakerChanges()) {
            if (change.endpoint != endpoint)
                continue;
            const policy::BreakerTransition& t = change.transition;
            last = t.to;
            transitions.append(QJsonObject{
                {QStringLiteral("at_ms"), std::round(toMs(t.at - run.startedAt()) * 10) / 10},
                {QStringLiteral("from"), text(policy::toString(t.from))},
                {QStringLiteral("to"), text(policy::toString(t.to))},
                {QStringLiteral("cause"), text(policy::toString(t.cause))},
                {QStringLiteral("successes"), whole(t.figures.successes)},
                {QStringLiteral("failures"), whole(t.figures.failures)},
                {QStringLiteral("rate_limited"), whole(t.figures.rateLimited)},
                {QStringLiteral("next_probe_in_ms"),
                 t.nextProbe ? QJsonValue(std::round(toMs(*t.nextProbe - t.at))) : QJsonValue(QJsonValue::Null)},
            });
        }
        breakers.append(QJsonObject{{QStringLiteral("endpoint"), QString::fromStdString(endpoint)},
                                    {QStringLiteral("state"), text(policy::toString(last))},
                                    {QStringLiteral("transitions"), transitions}});
    }
    return breakers;
}

QJsonObject cacheOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    const auto hits = tally.bySource(chain::Source::Cache);
    const auto shared = tally.bySource(chain::Source::SharedCall);
    const auto done = tally.answered() + tally.failed();
    return {{QStringLiteral("hits"), whole(hits)},
            {QStringLiteral("shared_calls"), whole(shared)},
            {QStringLiteral("hit_share"),
             numberOrNull(done ? std::optional(static_cast<double>(hits + shared) / static_cast<double>(done))
                               : std::nullopt)}};
}

constexpr std::int64_t kFewestTicks = 20; ///< with fewer, 95 % of them are all of them

/// A generator that was late by more than a tenth of what it measured (and by more than its own timer's grain) has
/// measured itself.
QJsonObject verdictOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    QJsonArray reasons;
    const auto& ticks = run.loopLag().samples();
    const auto lag = ticks.count() >= kFewestTicks ? ticks.percentile(95) : std::nullopt;
    const double median = toMs(tally.response().percentile(50).value_or(Nanos(0)));
    if (lag && toMs(*lag) > std::max(20.0, median / 10))
        reasons.append(QStringLiteral("the load generator ran late: 95 % of its timer ticks came within %1 ms of their "
                                      "time only; use a lower concurrency or rate")
                           .arg(toMs(*lag), 0, 'f', 1));
    const int cap = run.core().options().maxConnectionsPerOrigin;
    if (run.plan().targetKind == TargetKind::Endpoint && run.plan().concurrency > cap)
        reasons.append(QStringLiteral("concurrency %1 is above the transport's %2 connections to one server: requests "
                                      "waited in the client")
                           .arg(run.plan().concurrency)
                           .arg(cap));
    // The median: what one stall of the machine delays is not a client that cannot keep up.
    const auto queued = tally.clientQueue().percentile(50);
    if (queued && toMs(*queued) > std::max(20.0, median / 10))
        reasons.append(QStringLiteral("half of the requests waited %1 ms or more in the client before they were sent; "
                                      "use a lower concurrency")
                           .arg(toMs(*queued), 0, 'f', 1));
    if (tally.finished() == 0)
        reasons.append(QStringLiteral("no request finished"));
    return {{QStringLiteral("valid"), reasons.isEmpty()},
            {QStringLiteral("word"), reasons.isEmpty() ? QStringLiteral("valid") : QStringLiteral("INVALID")},
            {QStringLiteral("reasons"), reasons}};
}

QJsonObject planOf(const LoadPlan& plan)
{
    return {
        {plan.targetKind == TargetKind::Chain ? QStringLiteral("chain") : QStringLiteral("endpoint"),
         QString::fromStdString(plan.target)},
        {QStringLiteral("requests"), plan.requests ? whole(*plan.requests) : QJsonValue()},
        {QStringLiteral("duration_ms"), plan.duration ? QJsonValue(toMs(*plan.duration)) : QJsonValue()},
        {QStringLiteral("concurrency"), plan.concurrency},
        {QStringLiteral("seed"), whole(plan.seed)},
        {QStringLiteral("stream"), plan.stream},
        {QStringLiteral("repeat_share"), plan.repeatShare},
        {QStringLiteral("max_tokens"), plan.maxTokens},
    };
}

} // namespace

QJsonObject reportOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    const double seconds = toMs(run.elapsed()) / 1000;
    const auto ended = tally.answered() + tally.failed();
    const auto perSecond = [&](std::int64_t n) {
        return numberOrNull(seconds > 0 ? std::optional(static_cast<double>(n) / seconds) : std::nullopt);
    };
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return numberOrNull(whole ? std::optional(static_cast<double>(part) / static_cast<double>(whole))
                                  : std::nullopt);
    };
    const auto uncached =
        tally.finished() - tally.bySource(chain::Source::Cache) - tally.bySource(chain::Source::SharedCall);
    QJsonObject tiers;
    for (const auto& [tier, count] : tally.byTier())
        tiers.insert(QString::fromStdString(tier), whole(count));
    const auto& money = tally.money();
    const auto transport = run.core().transportFigures();

    return {
        {QStringLiteral("format"), QStringLiteral("switchgear-load/1")},
        {QStringLiteral("plan"), planOf(run.plan())},
        {QStringLiteral("wall_ms"), std::round(seconds * 1000)},
        {QStringLiteral("requests"), whole(tally.started())},
        {QStringLiteral("succeeded"), whole(tally.answered())},
        {QStringLiteral("succeeded_by_canned_reply"), whole(tally.canned())},
        {QStringLiteral("failed"), whole(tally.failed())},
        {QStringLiteral("cancelled"), whole(tally.cancelled())},
        {QStringLiteral("success_rate"), share(tally.answered(), ended)},
        {QStringLiteral("success_rate_without_canned_replies"), share(tally.answered() - tally.canned(), ended)},
        {QStringLiteral("response_ms"), distribution(tally.response())},
        {QStringLiteral("failed_response_ms"), distribution(tally.failedResponse())},
        {QStringLiteral("service_ms"), distribution(tally.service())},
        {QStringLiteral("ttft_ms"), distribution(tally.firstToken())},
        {QStringLiteral("client_queue_ms"), distribution(tally.clientQueue())},
        {QStringLiteral("waited_ms"), distribution(tally.waited())},
        // A closed loop asks for nothing by itself: its rate is what the answers allow.
        {QStringLiteral("requested_rps"), QJsonValue(QJsonValue::Null)},
        {QStringLiteral("achieved_rps"), perSecond(tally.finished())},
        {QStringLiteral("attempts"), whole(tally.attempts())},
        {QStringLiteral("attempts_sent"), whole(tally.attemptsSent())},
        {QStringLiteral("attempts_per_request"), share(tally.attempts(), uncached)},
        {QStringLiteral("by_tier"), tiers},
        {QStringLiteral("by_error_class"), byErrorClass([&](auto error) { return tally.failedBy(error); })},
        {QStringLiteral("attempts_by_error_class"),
         byErrorClass([&](auto error) { return tally.attemptsFailedBy(error); })},
        {QStringLiteral("errors"), errorsOf(tally)},
        {QStringLiteral("tokens"),
         QJsonObject{{QStringLiteral("input"), whole(tally.tokens().input)},
                     {QStringLiteral("output"), whole(tally.tokens().output)},
                     {QStringLiteral("requests_without_usage"), whole(tally.tokens().unknownRequests)}}},
        {QStringLiteral("cost_usd"), money.unknownRequests == 0 && money.estimatedRequests == 0 && tally.finished() > 0
                                         ? QJsonValue(static_cast<double>(money.knownNanoUsd) / 1e9)
                                         : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("cost_at_least_usd"), static_cast<double>(money.knownNanoUsd) / 1e9},
        {QStringLiteral("cost_estimated_usd"), static_cast<double>(money.estimatedNanoUsd) / 1e9},
        {QStringLiteral("requests_with_estimated_cost"), whole(money.estimatedRequests)},
        {QStringLiteral("cache"), cacheOf(run)},
        {QStringLiteral("breakers"), breakersOf(run)},
        {QStringLiteral("breaker_changes_dropped"), whole(run.breakerChangesDropped())},
        {QStringLiteral("transport"),
         QJsonObject{{QStringLiteral("name"), transport.name},
                     {QStringLiteral("requests_sent"), transport.started},
                     {QStringLiteral("connections_opened"), transport.connectionsOpened},
                     {QStringLiteral("connections_reused"), transport.connectionsReused},
                     {QStringLiteral("connection_limit"), run.core().options().maxConnectionsPerOrigin}}},
        {QStringLiteral("generator"),
         QJsonObject{{QStringLiteral("loop_lag_ms"), distribution(run.loopLag().samples())}}},
        {QStringLiteral("verdict"), verdictOf(run)},
    };
}

bool isValid(const QJsonObject& report)
{
    return report.value(QLatin1String("verdict")).toObject().value(QLatin1String("valid")).toBool();
}

} // namespace sg::load
