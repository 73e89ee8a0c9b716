// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/cut_off_run.h"

#include "core/history/sample_csv.h"
#include "core/measure/figures_json.h"

#include <QJsonArray>

#include <algorithm>

namespace sg::history {

namespace {

using measure::Metric;
using measure::numberOrNull;
using measure::Outcome;

struct Money
{
    std::int64_t knownNanoUsd = 0, estimatedNanoUsd = 0; ///< apart
    std::int64_t unknown = 0, estimated = 0;             ///< requests
    bool isExact() const { return unknown == 0 && estimated == 0; }
};

/// What the rows came to.
struct Rows
{
    measure::Tally measured;
    measure::TimeAxis axis{Instant()};
    std::int64_t whole = 0, cutOff = 0, measuredRequests = 0;
    Money money;
    Nanos lastEnd{0};
    QString problem; ///< what ended the reading before the end
};

/// Empty: rows do not tell which requests were good.
std::optional<std::vector<measure::Objective>> objectivesIn(const QJsonObject& plan)
{
    std::vector<measure::Objective> objectives;
    for (const QJsonValue& words : plan.value(QLatin1String("objectives")).toArray()) {
        const auto read = measure::parseObjectives(words.toString().toStdString());
        if (!read)
            return std::nullopt;
        objectives.insert(objectives.end(), read->begin(), read->end());
    }
    const auto isInNoRow = [](const measure::Objective& one) {
        return one.metric == Metric::Itl || one.metric == Metric::ChunkGap;
    };
    return std::ranges::any_of(objectives, isInNoRow) ? std::nullopt : std::optional(objectives);
}

void addToAxis(Rows& rows, const measure::Sample& sample)
{
    measure::TimeAxis& axis = rows.axis;
    axis.at(sample.intended).requested += 1;
    axis.at(sample.intended).dispatched += sample.dispatched ? 1 : 0;
    if (sample.outcome == Outcome::Cancelled)
        return;
    measure::TimeAxis::Slot& slot = axis.at(sample.end);
    const bool isSuccess = sample.outcome == Outcome::Success;
    (isSuccess ? slot.answered : slot.failed) += 1;
    if (!isSuccess)
        return;
    slot.good += measure::isGood(sample, rows.measured.objectives()) ? 1 : 0;
    slot.outputTokens += sample.tokensAreEstimated ? 0 : sample.outputTokens.value_or(0);
    slot.latency.record(sample.end - sample.intended);
}

void addCost(Money& money, const measure::Sample& sample)
{
    using measure::CostIs;
    if (!sample.costNanoUsd || !sample.costIs) {
        money.unknown += sample.attempts > 0 || sample.costNanoUsd ? 1 : 0;
        return;
    }
    const bool isEstimated = *sample.costIs == CostIs::Estimated;
    (isEstimated ? money.estimatedNanoUsd : money.knownNanoUsd) += *sample.costNanoUsd;
    money.estimated += isEstimated ? 1 : 0;
    money.unknown += *sample.costIs == CostIs::AtLeast ? 1 : 0;
}

void add(Rows& rows, const measure::Sample& sample, Nanos from)
{
    ++rows.whole;
    addToAxis(rows, sample);
    addCost(rows.money, sample);
    rows.lastEnd = std::max(rows.lastEnd, sample.end.time_since_epoch());
    if (sample.intended.time_since_epoch() < from)
        return;
    ++rows.measuredRequests;
    rows.measured.add(sample);
}

Rows readRows(QIODevice* csv, Nanos from, std::vector<measure::Objective> objectives)
{
    Rows rows;
    rows.measured = measure::Tally(std::move(objectives));
    if (!csv)
        return rows;
    auto reader = SampleReader::open(*csv);
    if (!reader) {
        rows.problem = reader.error();
        return rows;
    }
    for (;;) {
        const auto sample = reader->next();
        if (sample && *sample) {
            add(rows, **sample, from);
            continue;
        }
        rows.cutOff = !sample || reader->isCutOff() ? 1 : 0;
        rows.problem = sample ? QString() : sample.error();
        return rows;
    }
}

QJsonObject verdictOf(const Rows& rows)
{
    QString reason =
        QStringLiteral("The program ended before the run did (it was closed or killed, or the power went). These "
                       "are the figures of the %1 requests that were on disk")
            .arg(rows.whole);
    if (rows.cutOff > 0)
        reason += QStringLiteral("; a last one was not written whole");
    return {{QStringLiteral("valid"), false},
            {QStringLiteral("word"), kCutOff},
            {QStringLiteral("reasons"), QJsonArray{reason}},
            {QStringLiteral("result"), QStringLiteral("cut_off")}};
}

/// Arrivals that were dropped have no row.
QJsonObject secondsOf(const Rows& rows, bool isGoodKnown)
{
    QJsonObject seconds = measure::axisJson(rows.axis);
    seconds.insert(QStringLiteral("dropped"), QJsonValue());
    if (!isGoodKnown)
        seconds.insert(QStringLiteral("good"), QJsonValue());
    return seconds;
}

QJsonObject reportOf(const QJsonObject& plan, const Rows& rows, Nanos from, bool isGoodKnown)
{
    const measure::Tally& tally = rows.measured;
    const auto number = [](std::int64_t value) { return QJsonValue(static_cast<qint64>(value)); };
    const auto failed = tally.count(Outcome::Failed) + tally.count(Outcome::CutOff);
    const auto good = tally.count(Outcome::Success);
    measure::Figures figures = tally.figures(std::max(Nanos(0), rows.lastEnd - from));
    const auto figure = [&](Metric metric) -> std::optional<double>& {
        return figures[static_cast<std::size_t>(metric)];
    };
    if (!isGoodKnown)
        figure(Metric::Goodput) = figure(Metric::GoodShare) = std::nullopt;
    const auto usd = [](std::int64_t nanoUsd) { return static_cast<double>(nanoUsd) / 1e9; };
    if (rows.whole > 0 && rows.money.isExact())
        figure(Metric::Cost) = usd(rows.money.knownNanoUsd);
    QJsonObject report{
        {QStringLiteral("format"), QStringLiteral("switchgear-load/2")},
        {QStringLiteral("plan"), plan},
        {QStringLiteral("wall_ms"), toMs(rows.lastEnd)},
        {QStringLiteral("ended_because"), QStringLiteral("cut_off")},
        {QStringLiteral("measured"), QJsonObject{{QStringLiteral("from_ms"), toMs(from)},
                                                 {QStringLiteral("to_ms"), QJsonValue()},
                                                 {QStringLiteral("requests"), number(rows.measuredRequests)}}},
        {QStringLiteral("requests"), number(rows.whole)},
        {QStringLiteral("succeeded"), number(good)},
        {QStringLiteral("failed"), number(failed)},
        {QStringLiteral("cancelled"), number(tally.count(Outcome::Cancelled))},
        {QStringLiteral("success_rate"),
         good + failed > 0 ? QJsonValue(static_cast<double>(good) / static_cast<double>(good + failed)) : QJsonValue()},
        {QStringLiteral("outcomes"), measure::outcomesJson(tally)},
        {QStringLiteral("achieved_rps"), numberOrNull(figure(Metric::AchievedRate))},
        {QStringLiteral("goodput_rps"), numberOrNull(figure(Metric::Goodput))},
        {QStringLiteral("metrics"), measure::metricsJson(tally, figures)},
        {QStringLiteral("seconds"), secondsOf(rows, isGoodKnown)},
        {QStringLiteral("cost_usd"), numberOrNull(figure(Metric::Cost))},
        {QStringLiteral("cost_at_least_usd"), usd(rows.money.knownNanoUsd)},
        {QStringLiteral("cost_estimated_usd"), usd(rows.money.estimatedNanoUsd)},
        {QStringLiteral("requests_with_estimated_cost"), number(rows.money.estimated)},
        {QStringLiteral("rows"), QJsonObject{{QStringLiteral("written"), number(rows.whole)},
                                             {QStringLiteral("cut_off"), number(rows.cutOff)}}},
        {QStringLiteral("verdict"), verdictOf(rows)},
    };
    for (const auto& [name, metric] :
         {std::pair{"response_ms", Metric::Response}, std::pair{"service_ms", Metric::Service},
          std::pair{"ttft_ms", Metric::Ttft}, std::pair{"client_queue_ms", Metric::ClientQueue},
          std::pair{"schedule_delay_ms", Metric::ScheduleDelay}, std::pair{"waited_ms", Metric::Waited}})
        report.insert(QLatin1String(name), measure::distributionJson(tally.of(metric)));
    return report;
}

} // namespace

RunRecord cutOffRun(const RunRecord& begun, QIODevice* csv)
{
    RunRecord run = begun;
    const Nanos from = fromMs(begun.plan.value(QLatin1String("warm_up_ms")).toDouble());
    const auto objectives = objectivesIn(begun.plan);
    run.report = reportOf(begun.plan, readRows(csv, from, objectives.value_or(std::vector<measure::Objective>())), from,
                          objectives.has_value());
    run.summary.verdict = kCutOff;
    run.summary.figures = listedFigures(run.report);
    return run;
}

RunRecord unknownRun(const QString& id)
{
    RunRecord run;
    run.summary.id = id;
    run.summary.started = QDateTime::fromString(id.left(18), QStringLiteral("yyyyMMdd'T'HHmmsszzz"));
    run.summary.started.setTimeSpec(Qt::UTC);
    run.summary.name = QStringLiteral("Run whose plan is not known");
    return run;
}

} // namespace sg::history
