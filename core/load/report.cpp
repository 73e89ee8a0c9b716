// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report.h"
#include "core/load/report_words.h"

#include "core/load/latency_bars.h"
#include "core/load/run.h"
#include "core/policy/text.h"

#include <QJsonArray>

#include <array>
#include <cmath>

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

/// `generator`: those of the generator itself, which is no provider's class.
template <typename Count>
QJsonObject byErrorClass(Count count, std::int64_t generator = 0)
{
    QJsonObject classes;
    if (generator > 0)
        classes.insert(QStringLiteral("generator"), whole(generator));
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
    if (run.plan().targetKind == TargetKind::Url)
        return breakers; // those of the server itself are not seen from here
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

QJsonArray objectivesOf(const std::vector<measure::ObjectiveVerdict>& verdicts)
{
    QJsonArray objectives;
    for (const measure::ObjectiveVerdict& verdict : verdicts) {
        const measure::MetricInfo& info = measure::infoOf(verdict.objective.metric);
        objectives.append(QJsonObject{
            {QStringLiteral("objective"), measure::textOf(verdict.objective)},
            {QStringLiteral("metric"), QString::fromUtf8(info.name)},
            {QStringLiteral("unit"), text(measure::toString(info.unit))},
            {QStringLiteral("bound"), verdict.objective.bound},
            {QStringLiteral("measured"), numberOrNull(verdict.measured)},
            {QStringLiteral("measured_words"), verdict.measured
                                                   ? measure::valueText(verdict.objective.metric, *verdict.measured)
                                                   : QStringLiteral("no data")},
            {QStringLiteral("met"), verdict.met()},
        });
    }
    return objectives;
}

QString wordOf(measure::Verdict verdict)
{
    switch (verdict) {
    case measure::Verdict::Valid:
        return QStringLiteral("valid");
    case measure::Verdict::Passed:
        return QStringLiteral("passed");
    case measure::Verdict::Missed:
        return QStringLiteral("missed");
    case measure::Verdict::Invalid:
        return QStringLiteral("invalid");
    }
    return {};
}

QJsonObject verdictOf(const QStringList& reasons, const std::vector<measure::ObjectiveVerdict>& verdicts)
{
    const bool valid = reasons.isEmpty();
    const auto result = measure::verdictOf(valid, !verdicts.empty(), measure::allMet(verdicts));
    return {{QStringLiteral("valid"), valid},
            {QStringLiteral("word"), valid ? QStringLiteral("valid") : QStringLiteral("INVALID")},
            {QStringLiteral("reasons"), QJsonArray::fromStringList(reasons)},
            {QStringLiteral("result"), wordOf(result)}};
}

QJsonObject modelOf(const LoadModel& model)
{
    constexpr std::array kKinds{"closed", "open", "sweep", "replay"};
    const auto length = lengthOf(model);
    QJsonObject object{{QStringLiteral("kind"), QString::fromLatin1(kKinds[model.index()])},
                       {QStringLiteral("words"), modelWords(model)},
                       {QStringLiteral("most_in_flight"), mostInFlightOf(model).value_or(0)},
                       {QStringLiteral("length_ms"), length ? QJsonValue(toMs(*length)) : QJsonValue()}};
    if (const auto* closed = std::get_if<ClosedModel>(&model)) {
        object.insert(QStringLiteral("users"), closed->users);
        object.insert(QStringLiteral("ramp_ms"), toMs(closed->ramp));
    }
    QJsonArray stages;
    for (const Stage& stage : stagesOf(model))
        stages.append(QJsonObject{{QStringLiteral("length_ms"), toMs(stage.length)},
                                  {QStringLiteral("from_rps"), stage.from},
                                  {QStringLiteral("to_rps"), stage.to}});
    if (!stages.isEmpty())
        object.insert(QStringLiteral("stages"), stages);
    return object;
}

QJsonObject planOf(const LoadPlan& plan)
{
    const StopRules& stop = plan.stop;
    const auto [kind, target] = targetOf(plan);
    return {
        {kind, target},
        {QStringLiteral("model"), modelOf(plan.model)},
        {QStringLiteral("requests"), stop.requests ? whole(*stop.requests) : QJsonValue()},
        {QStringLiteral("duration_ms"), stop.duration ? QJsonValue(toMs(*stop.duration)) : QJsonValue()},
        {QStringLiteral("stop_at_error_share"), numberOrNull(stop.errorShare)},
        {QStringLiteral("budget_usd"), numberOrNull(stop.budgetUsd)},
        {QStringLiteral("stop_after_broken_ms"),
         stop.objectivesBrokenFor ? QJsonValue(toMs(*stop.objectivesBrokenFor)) : QJsonValue()},
        {QStringLiteral("stop_when_saturated"), stop.whenSaturated},
        {QStringLiteral("warm_up_ms"), toMs(plan.warmUp)},
        {QStringLiteral("cool_down_ms"), toMs(plan.coolDown)},
        {QStringLiteral("concurrency"), concurrencyOf(plan)},
        {QStringLiteral("seed"), whole(static_cast<std::int64_t>(plan.seed))},
        {QStringLiteral("stream"), plan.stream},
        {QStringLiteral("prompts"), plan.prompts.empty()
                                        ? (plan.synthetic ? QStringLiteral("synthetic") : QStringLiteral("built-in"))
                                        : QStringLiteral("given")},
        {QStringLiteral("repeat_share"), plan.repeatShare},
        {QStringLiteral("max_tokens"), plan.maxTokens},
    };
}

QJsonObject measuredOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    return {{QStringLiteral("from_ms"), toMs(run.measuredFrom())},
            {QStringLiteral("to_ms"), toMs(run.measuredTo())},
            {QStringLiteral("requests"), whole(tally.startedIn(RunPart::Measured))},
            {QStringLiteral("warm_up_requests"), whole(tally.startedIn(RunPart::WarmUp))},
            {QStringLiteral("cool_down_requests"), whole(tally.startedIn(RunPart::CoolDown))}};
}

QJsonObject describe(const measure::MetricInfo& info)
{
    constexpr std::array kBetter{"lower", "higher", "neither"};
    return {{QStringLiteral("words"), QString::fromUtf8(info.words)},
            {QStringLiteral("unit"), text(measure::toString(info.unit))},
            {QStringLiteral("better"), QString::fromLatin1(kBetter[static_cast<std::size_t>(info.better)])},
            {QStringLiteral("formula"), QString::fromUtf8(info.formula)}};
}

/// Every metric with its formula; distributions apart for each outcome that was met.
QJsonObject metricsOf(const LoadRun& run, const measure::Figures& figures)
{
    QJsonObject metrics;
    for (const measure::MetricInfo& info : measure::metrics()) {
        QJsonObject metric = describe(info);
        if (!measure::isDistribution(info.metric))
            metric.insert(QStringLiteral("value"), numberOrNull(figures[static_cast<std::size_t>(info.metric)]));
        else
            for (int i = 0; i < measure::kOutcomeCount; ++i) {
                const auto outcome = static_cast<measure::Outcome>(i);
                const stats::Histogram& histogram = run.tally().figures().of(info.metric, outcome);
                if (outcome == measure::Outcome::Success || !histogram.empty())
                    metric.insert(text(measure::toString(outcome)), distribution(histogram));
            }
        metrics.insert(QString::fromUtf8(info.name), metric);
    }
    return metrics;
}

QJsonObject outcomesOf(const measure::Tally& tally)
{
    QJsonObject outcomes;
    for (int i = 0; i < measure::kOutcomeCount; ++i) {
        const auto outcome = static_cast<measure::Outcome>(i);
        outcomes.insert(text(measure::toString(outcome)), whole(tally.count(outcome)));
    }
    return outcomes;
}

/// Arrays side by side: a table of 900 rows would repeat its heads 900 times.
QJsonObject axisOf(const measure::TimeAxis& axis)
{
    QJsonArray requested, dispatched, dropped, answered, failed, good, tokens, p50, p95, p99;
    for (const measure::TimeAxis::Slot& slot : axis.slots()) {
        requested.append(slot.requested);
        dispatched.append(slot.dispatched);
        dropped.append(slot.dropped);
        answered.append(slot.answered);
        failed.append(slot.failed);
        good.append(slot.good);
        tokens.append(whole(slot.outputTokens));
        p50.append(msOrNull(slot.latency.percentile(50)));
        p95.append(msOrNull(slot.latency.percentile(95)));
        p99.append(msOrNull(slot.latency.percentile(99)));
    }
    return {{QStringLiteral("slot_ms"), toMs(axis.slotWidth())},
            {QStringLiteral("requested"), requested},
            {QStringLiteral("dispatched"), dispatched},
            {QStringLiteral("dropped"), dropped},
            {QStringLiteral("answered"), answered},
            {QStringLiteral("failed"), failed},
            {QStringLiteral("good"), good},
            {QStringLiteral("output_tokens"), tokens},
            {QStringLiteral("p50_ms"), p50},
            {QStringLiteral("p95_ms"), p95},
            {QStringLiteral("p99_ms"), p99}};
}

QJsonObject histogramOf(const std::vector<LatencyBar>& bars)
{
    QJsonArray low, high, answered, failed;
    for (const LatencyBar& bar : bars) {
        low.append(std::round(bar.lowMs * 1000) / 1000);
        high.append(std::round(bar.highMs * 1000) / 1000);
        answered.append(whole(bar.answered));
        failed.append(whole(bar.failed));
    }
    return {{QStringLiteral("low_ms"), low},
            {QStringLiteral("high_ms"), high},
            {QStringLiteral("answered"), answered},
            {QStringLiteral("failed"), failed}};
}

QJsonObject failuresByStatus(const std::map<int, std::int64_t>& counts)
{
    QJsonObject statuses;
    for (const auto& [status, count] : counts)
        statuses.insert(status == 0 ? QStringLiteral("no answer") : QString::number(status), whole(count));
    return statuses;
}

QJsonObject generatorOf(const LoadRun& run)
{
    const GeneratorMeter::Use use = run.generatorUse();
    const auto count = [](std::optional<std::int64_t> value) { return value ? whole(*value) : QJsonValue(); };
    const auto readLag = run.readLag();
    return {{QStringLiteral("loop_lag_ms"), distribution(run.loopLag().samples())},
            {QStringLiteral("send_late_ms"), distribution(run.tally().sendLateness())},
            {QStringLiteral("read_late_ms"), readLag ? QJsonValue(distribution(*readLag)) : QJsonValue()},
            {QStringLiteral("starved_share"), numberOrNull(use.starvedShare)},
            {QStringLiteral("wait_per_turn_ms"), msOrNull(use.waitPerTurn)},
            {QStringLiteral("local_errors"), whole(run.tally().localErrors())},
            {QStringLiteral("cpu_seconds"), numberOrNull(use.cpuSeconds)},
            {QStringLiteral("thread_cpu_seconds"), numberOrNull(use.threadSeconds)},
            {QStringLiteral("cpu_share"), numberOrNull(use.processShare())},
            {QStringLiteral("thread_share"), numberOrNull(use.threadShare())},
            {QStringLiteral("cores"), use.cores},
            {QStringLiteral("open_files"), count(use.openFiles)},
            {QStringLiteral("most_open_files"), count(use.mostFiles)},
            {QStringLiteral("resident_bytes"), count(use.residentBytes)}};
}

} // namespace

QJsonObject reportOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    const measure::Tally& measured = tally.figures();
    const measure::Figures figures = run.figures();
    const auto verdicts = measure::judge(measured, figures);
    const auto ended = tally.answered() + tally.failed();
    const auto figure = [&](measure::Metric metric) { return numberOrNull(figures[static_cast<std::size_t>(metric)]); };
    const auto spread = [&](measure::Metric metric, measure::Outcome outcome = measure::Outcome::Success) {
        return distribution(measured.of(metric, outcome));
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
    const auto transport = run.transportFigures();

    return {
        {QStringLiteral("format"), QStringLiteral("switchgear-load/2")},
        {QStringLiteral("plan"), planOf(run.plan())},
        {QStringLiteral("target"), run.targetSettings()},
        {QStringLiteral("wall_ms"), std::round(toMs(run.elapsed()))},
        {QStringLiteral("ended_because"), text(toString(run.stopReason()))},
        {QStringLiteral("measured"), measuredOf(run)},
        {QStringLiteral("requests"), whole(tally.started())},
        {QStringLiteral("succeeded"), whole(tally.answered())},
        {QStringLiteral("succeeded_by_canned_reply"), whole(tally.canned())},
        {QStringLiteral("failed"), whole(tally.failed())},
        {QStringLiteral("cancelled"), whole(tally.cancelled())},
        {QStringLiteral("success_rate"), share(tally.answered(), ended)},
        {QStringLiteral("success_rate_without_canned_replies"), share(tally.answered() - tally.canned(), ended)},
        {QStringLiteral("throttled"), whole(tally.failedBy(provider::ErrorClass::RateLimited))},
        {QStringLiteral("outcomes"), outcomesOf(measured)},
        {QStringLiteral("response_ms"), spread(measure::Metric::Response)},
        {QStringLiteral("failed_response_ms"), spread(measure::Metric::Response, measure::Outcome::Failed)},
        {QStringLiteral("cut_off_response_ms"), spread(measure::Metric::Response, measure::Outcome::CutOff)},
        {QStringLiteral("cancelled_response_ms"), spread(measure::Metric::Response, measure::Outcome::Cancelled)},
        {QStringLiteral("service_ms"), spread(measure::Metric::Service)},
        {QStringLiteral("ttft_ms"), spread(measure::Metric::Ttft)},
        {QStringLiteral("client_queue_ms"), spread(measure::Metric::ClientQueue)},
        {QStringLiteral("schedule_delay_ms"), spread(measure::Metric::ScheduleDelay)},
        {QStringLiteral("waited_ms"), spread(measure::Metric::Waited)},
        {QStringLiteral("metrics"), metricsOf(run, figures)},
        // A closed loop asks for nothing by itself: its rate is what the answers allow.
        {QStringLiteral("requested_rps"), numberOrNull(run.askedRate())},
        {QStringLiteral("due_rps"), figure(measure::Metric::RequestedRate)},
        {QStringLiteral("dispatched_rps"), figure(measure::Metric::DispatchedRate)},
        {QStringLiteral("achieved_rps"), figure(measure::Metric::AchievedRate)},
        {QStringLiteral("goodput_rps"), figure(measure::Metric::Goodput)},
        {QStringLiteral("dropped"), whole(tally.dropped())},
        {QStringLiteral("objectives"), objectivesOf(verdicts)},
        {QStringLiteral("sweep"),
         std::holds_alternative<SweepModel>(run.plan().model) ? sweepJson(run.rateCurve()) : QJsonValue()},
        {QStringLiteral("rate_steps"), rateStepsJson(run.rateCurve())},
        {QStringLiteral("seconds"), axisOf(tally.axis())},
        {QStringLiteral("histogram"), histogramOf(latencyOf(tally))},
        {QStringLiteral("attempts"), whole(tally.attempts())},
        {QStringLiteral("attempts_sent"), whole(tally.attemptsSent())},
        {QStringLiteral("attempts_per_request"), share(tally.attempts(), uncached)},
        {QStringLiteral("by_tier"), tiers},
        {QStringLiteral("by_error_class"),
         byErrorClass([&](auto error) { return tally.failedBy(error); }, tally.localErrors())},
        {QStringLiteral("failed_by_status"), failuresByStatus(tally.failedByStatus())},
        {QStringLiteral("attempts_by_error_class"),
         byErrorClass([&](auto error) { return tally.attemptsFailedBy(error); })},
        {QStringLiteral("errors"), errorsOf(tally)},
        {QStringLiteral("tokens"),
         QJsonObject{{QStringLiteral("input"), whole(tally.tokens().input)},
                     {QStringLiteral("output"), whole(tally.tokens().output)},
                     {QStringLiteral("requests_without_usage"), whole(tally.tokens().unknownRequests)}}},
        {QStringLiteral("cost_usd"), figure(measure::Metric::Cost)},
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
        {QStringLiteral("generator"), generatorOf(run)},
        {QStringLiteral("verdict"), verdictOf(measure::invalidBecause(run.generatorFacts()), verdicts)},
    };
}

bool missedAnObjective(const QJsonObject& report)
{
    return report.value(QLatin1String("verdict"))[QLatin1String("result")].toString() == QLatin1String("missed");
}

bool isValid(const QJsonObject& report)
{
    return report.value(QLatin1String("verdict")).toObject().value(QLatin1String("valid")).toBool();
}

} // namespace sg::load
