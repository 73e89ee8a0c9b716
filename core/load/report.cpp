// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report.h"
#include "core/load/report_words.h"

#include "core/load/latency_bars.h"
#include "core/load/plan_json.h"
#include "core/load/report_errors.h"
#include "core/load/run.h"
#include "core/measure/figures_json.h"
#include "core/policy/text.h"

#include <QJsonArray>

#include <array>
#include <cmath>

namespace sg::load {

namespace {

using measure::numberOrNull;

QJsonValue whole(std::int64_t value)
{
    return static_cast<qint64>(value);
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

QJsonObject measuredOf(const LoadRun& run)
{
    const Tally& tally = run.tally();
    return {{QStringLiteral("from_ms"), toMs(run.measuredFrom())},
            {QStringLiteral("to_ms"), toMs(run.measuredTo())},
            {QStringLiteral("requests"), whole(tally.startedIn(RunPart::Measured))},
            {QStringLiteral("warm_up_requests"), whole(tally.startedIn(RunPart::WarmUp))},
            {QStringLiteral("cool_down_requests"), whole(tally.startedIn(RunPart::CoolDown))}};
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
    return {{QStringLiteral("loop_lag_ms"), measure::distributionJson(run.loopLag().samples())},
            {QStringLiteral("send_late_ms"), measure::distributionJson(run.tally().sendLateness())},
            {QStringLiteral("read_late_ms"), readLag ? QJsonValue(measure::distributionJson(*readLag)) : QJsonValue()},
            {QStringLiteral("starved_share"), numberOrNull(use.starvedShare)},
            {QStringLiteral("wait_per_turn_ms"), measure::msOrNull(use.waitPerTurn)},
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
        return measure::distributionJson(measured.of(metric, outcome));
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
        {QStringLiteral("plan"), planJson(run.plan(), PlanDetail::Settings)},
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
        {QStringLiteral("outcomes"), measure::outcomesJson(measured)},
        {QStringLiteral("response_ms"), spread(measure::Metric::Response)},
        {QStringLiteral("failed_response_ms"), spread(measure::Metric::Response, measure::Outcome::Failed)},
        {QStringLiteral("cut_off_response_ms"), spread(measure::Metric::Response, measure::Outcome::CutOff)},
        {QStringLiteral("cancelled_response_ms"), spread(measure::Metric::Response, measure::Outcome::Cancelled)},
        {QStringLiteral("service_ms"), spread(measure::Metric::Service)},
        {QStringLiteral("ttft_ms"), spread(measure::Metric::Ttft)},
        {QStringLiteral("client_queue_ms"), spread(measure::Metric::ClientQueue)},
        {QStringLiteral("schedule_delay_ms"), spread(measure::Metric::ScheduleDelay)},
        {QStringLiteral("waited_ms"), spread(measure::Metric::Waited)},
        {QStringLiteral("metrics"), measure::metricsJson(measured, figures)},
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
        {QStringLiteral("seconds"), measure::axisJson(tally.axis())},
        {QStringLiteral("histogram"), histogramOf(latencyOf(tally))},
        {QStringLiteral("attempts"), whole(tally.attempts())},
        {QStringLiteral("attempts_sent"), whole(tally.attemptsSent())},
        {QStringLiteral("attempts_blocked_again"), whole(tally.attemptsBlockedAgain())},
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
