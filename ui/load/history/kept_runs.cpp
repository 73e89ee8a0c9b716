// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/history/kept_runs.h"

#include "core/history/cut_off_run.h"
#include "core/load/target_settings.h"
#include "ui/format/format.h"
#include "ui/load/run_view.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace sg::ui::keptruns {

namespace {

using measure::Metric;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::keptruns)
};

std::optional<double> numberAt(const QJsonObject& object, const char* key)
{
    const QJsonValue value = object.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

RunVerdict verdictOf(const QString& word)
{
    if (word == QLatin1String("passed"))
        return RunVerdict::Passed;
    if (word == QLatin1String("missed"))
        return RunVerdict::Missed;
    if (word == QLatin1String("INVALID"))
        return RunVerdict::Invalid;
    if (word == history::kCutOff)
        return RunVerdict::CutOff;
    return word == QLatin1String("valid") ? RunVerdict::Valid : RunVerdict::Failed;
}

QString costWords(const QJsonObject& figures)
{
    const auto cost = numberAt(figures, "cost");
    return cost ? format::money(*cost) : Words::tr("unknown");
}

/// From the requests where they are kept; otherwise what the report says of a few percentiles, straight between them.
std::vector<std::pair<double, double>> percentilesOf(const Kept& kept)
{
    std::vector<std::pair<double, double>> points;
    if (kept.rows) {
        const stats::Histogram& values = kept.rows->of(Metric::Response);
        for (int i = 0; i < 400 && !values.empty(); ++i) {
            const double share = 1 - std::pow(10, -i / 100.0);
            if (const auto value = values.percentile(std::max(1e-6, share * 100)))
                points.emplace_back(share, toMs(*value));
        }
        if (!points.empty())
            return points;
    }
    const QJsonObject told = kept.record.report.value(QLatin1String("response_ms")).toObject();
    const std::pair<const char*, double> known[] = {
        {"min", 0}, {"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}};
    for (const auto& [name, share] : known)
        if (const auto value = numberAt(told, name))
            points.emplace_back(share, *value);
    return points;
}

std::vector<ComparedMoment> momentsOf(const QJsonObject& report)
{
    const QJsonObject seconds = report.value(QLatin1String("seconds")).toObject();
    const double width = numberAt(seconds, "slot_ms").value_or(1000) / 1000;
    const QJsonArray answered = seconds.value(QLatin1String("answered")).toArray(),
                     failed = seconds.value(QLatin1String("failed")).toArray(),
                     p50 = seconds.value(QLatin1String("p50_ms")).toArray(),
                     p95 = seconds.value(QLatin1String("p95_ms")).toArray(),
                     p99 = seconds.value(QLatin1String("p99_ms")).toArray();
    const auto at = [](const QJsonArray& values, qsizetype i) {
        const QJsonValue value = i < values.size() ? values.at(i) : QJsonValue();
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    const auto higher = [](std::optional<double>& into, std::optional<double> value) {
        into = into && value ? std::max(*into, *value) : into ? into : value;
    };
    // At most 400 points a curve; a percentile of percentiles would be none, so the highest stays.
    const qsizetype each = std::max<qsizetype>(1, (answered.size() + 399) / 400);
    std::vector<ComparedMoment> moments;
    for (qsizetype from = 0; from < answered.size(); from += each) {
        ComparedMoment moment;
        moment.second = static_cast<double>(from) * width;
        double good = 0, bad = 0;
        const qsizetype end = std::min(answered.size(), from + each);
        for (qsizetype i = from; i < end; ++i) {
            good += at(answered, i).value_or(0);
            bad += at(failed, i).value_or(0);
            higher(moment.p50Ms, at(p50, i));
            higher(moment.p95Ms, at(p95, i));
            higher(moment.p99Ms, at(p99, i));
        }
        moment.perSecond = good / (static_cast<double>(end - from) * width);
        if (good + bad > 0)
            moment.failShare = bad / (good + bad);
        moments.push_back(moment);
    }
    return moments;
}

/// Of percentiles of the response time.
std::vector<std::pair<double, QString>> limitsOf(const QJsonObject& report)
{
    std::vector<std::pair<double, QString>> limits;
    for (const QJsonValue& value : report.value(QLatin1String("objectives")).toArray()) {
        const auto parsed = measure::parseObjectives(value[QLatin1String("objective")].toString().toStdString());
        if (!parsed || parsed->size() != 1)
            continue;
        const measure::Objective& objective = parsed->front();
        if (objective.metric == Metric::Response && objective.statistic == measure::Statistic::Percentile)
            limits.emplace_back(objective.bound, QStringLiteral("%1 %2").arg(runview::objectiveName(objective),
                                                                             runview::limitText(objective)));
    }
    return limits;
}

QString verdictWords(const history::RunRecord& record)
{
    int all = 0, missed = 0;
    for (const QJsonValue& objective : record.report.value(QLatin1String("objectives")).toArray()) {
        ++all;
        missed += objective[QLatin1String("met")].toBool() ? 0 : 1;
    }
    if (record.summary.verdict == QLatin1String("INVALID"))
        return Words::tr("INVALID: its figures say nothing about the target");
    if (record.summary.verdict == history::kCutOff)
        return Words::tr("cut off: the program ended before the run did");
    if (all == 0)
        return verdictWord(verdictOf(record.summary.verdict));
    return missed > 0 ? Words::tr("missed %1 of %2 objectives").arg(missed).arg(all)
                      : Words::tr("met all %1 objectives").arg(all);
}

ComparedRun runOf(const Kept& kept, bool hasTargets)
{
    const history::RunSummary& summary = kept.record.summary;
    ComparedRun run;
    run.id = summary.id;
    run.title = summary.name;
    const auto requests = numberAt(summary.figures, "requests");
    run.subtitle =
        QStringLiteral("%1 · %2 · %3")
            .arg(summary.target, QLocale().toString(summary.started.toLocalTime(), QStringLiteral("d MMM HH:mm")),
                 requests ? Words::tr("%1 requests").arg(format::count(std::llround(*requests))) : format::unknown());
    run.verdict = verdictOf(summary.verdict);
    run.verdictWords = verdictWords(kept.record);
    run.isBaseline = summary.isBaseline;
    run.percentiles = percentilesOf(kept);
    run.moments = momentsOf(kept.record.report);
    run.settings = load::settingLines(
        kept.record.plan, hasTargets ? kept.record.report.value(QLatin1String("target")).toObject() : QJsonObject());
    run.breakers = load::breakerStoriesIn(kept.record.report);
    run.limits = limitsOf(kept.record.report);
    run.note = summary.note;
    return run;
}

/// Relative to what it is compared with, unless the metric is a share: then in points.
MetricChange metricChangeOf(const history::ComparedFigure& figure, std::size_t run)
{
    const auto& reference = figure.runs.front().value;
    const auto& other = figure.runs[run].value;
    if (!reference || !other)
        return {};
    const bool isPoints = measure::infoOf(figure.metric).unit == measure::Unit::Percent;
    const double unit = isPoints ? 100 : *reference;
    if (unit == 0)
        return {};
    MetricChange change{(*other - *reference) / unit, {}, {}, isPoints, !figure.runs[run].notJudged.isEmpty()};
    if (const auto& interval = figure.runs[run].change) {
        change.low = interval->low / unit;
        change.high = interval->high / unit;
    }
    return change;
}

ComparedMetric metricOf(const history::ComparedFigure& figure, const std::vector<std::size_t>& order)
{
    const measure::MetricInfo& info = measure::infoOf(figure.metric);
    ComparedMetric metric;
    metric.name = figure.metric == Metric::Response ? QStringLiteral("p%1").arg(figure.percentile) : figure.words;
    metric.formula = figure.formula;
    metric.values.resize(figure.runs.size());
    metric.changes.resize(figure.runs.size());
    for (std::size_t i = 0; i < figure.runs.size(); ++i) {
        const auto& value = figure.runs[i].value;
        metric.values[order[i]] = value ? runview::metricText(figure.metric, *value) : format::unknown();
        if (i > 0)
            metric.changes[order[i]] = metricChangeOf(figure, i);
    }
    if (info.better != measure::Better::Neither)
        metric.isHigherBetter = info.better == measure::Better::Higher;
    return metric;
}

/// The reference first: what compareRuns() compares the others with.
std::vector<std::size_t> orderOf(const std::vector<Kept>& kept, std::size_t reference)
{
    std::vector<std::size_t> order;
    if (reference < kept.size())
        order.push_back(reference);
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (i != reference)
            order.push_back(i);
    return order;
}

} // namespace

RunRow rowOf(const history::RunSummary& run)
{
    RunRow row;
    row.id = run.id;
    row.name = run.name;
    row.target = run.target;
    row.startedUnixMs = run.started.toMSecsSinceEpoch();
    row.verdict = verdictOf(run.verdict);
    if (const auto requests = numberAt(run.figures, "requests"))
        row.requests = std::llround(*requests);
    if (const auto success = numberAt(run.figures, "success"))
        row.success = *success / 100;
    row.p50Ms = numberAt(run.figures, "response.p50");
    row.p95Ms = numberAt(run.figures, "response.p95");
    row.p99Ms = numberAt(run.figures, "response.p99");
    row.cost = costWords(run.figures);
    row.note = run.note;
    row.isBaseline = run.isBaseline;
    row.isPinned = run.isPinned;
    return row;
}

Comparison comparisonOf(const std::vector<Kept>& kept)
{
    Comparison comparison;
    // Where one does not know how its target was set, every line of the others would look like a difference.
    const bool hasTargets = std::ranges::all_of(
        kept, [](const Kept& one) { return !one.record.report.value(QLatin1String("target")).toObject().isEmpty(); });
    if (!hasTargets)
        comparison.settingsNote = Words::tr("How chain and endpoints were set is not kept with every one of them.");
    for (std::size_t i = 0; i < kept.size(); ++i) {
        comparison.runs.push_back(runOf(kept[i], hasTargets));
        if (kept[i].record.summary.isBaseline)
            comparison.reference = i;
    }
    if (kept.empty())
        return comparison;
    const auto order = orderOf(kept, comparison.reference);
    std::vector<history::ComparedRun> compared;
    for (const std::size_t i : order)
        compared.push_back({kept[i].record.report, kept[i].rows});
    for (const history::ComparedFigure& figure : history::compareRuns(compared))
        comparison.metrics.push_back(metricOf(figure, order));
    return comparison;
}

std::vector<load::DocumentRun> documentRunsOf(const std::vector<Kept>& kept)
{
    std::size_t reference = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i].record.summary.isBaseline)
            reference = i;
    std::vector<load::DocumentRun> runs;
    for (const std::size_t i : orderOf(kept, reference))
        runs.push_back({kept[i].record.summary, kept[i].record.plan, {kept[i].record.report, kept[i].rows}});
    return runs;
}

std::pair<Nanos, Nanos> measuredPartOf(const QJsonObject& report)
{
    const QJsonObject measured = report.value(QLatin1String("measured")).toObject();
    const auto to = numberAt(measured, "to_ms");
    return {fromMs(numberAt(measured, "from_ms").value_or(0)), to ? fromMs(*to) : Nanos::max()};
}

QString roomWords(const history::HistoryState& state)
{
    if (state.mostRuns == 0)
        return {};
    return Words::tr("%1 of %2 runs, %3 of %4")
        .arg(format::count(state.runs), format::count(state.mostRuns), history::bytesText(state.bytes),
             history::bytesText(state.mostBytes));
}

} // namespace sg::ui::keptruns
