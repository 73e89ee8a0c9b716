// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_comparison.h"
#include "core/history/sample_csv.h"

#include <algorithm>

namespace sg::history {

namespace {

using measure::Metric;
using measure::Outcome;
using stats::Estimate;

constexpr double kPercentiles[] = {50, 95, 99};

std::optional<double> numberIn(const QJsonObject& object, const char* name)
{
    const QJsonValue value = object.value(QLatin1String(name));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::int64_t missingRows(const ComparedRun& run)
{
    const QJsonObject rows = run.report.value(QLatin1String("rows")).toObject();
    return rows.value(QLatin1String("left_out")).toInteger() + rows.value(QLatin1String("dropped")).toInteger();
}

const measure::Tally* wholeRows(const ComparedRun& run)
{
    return run.rows && missingRows(run) == 0 ? &*run.rows : nullptr;
}

/// "INVALID", "cut off"; empty: its figures count. Results of other generators have no verdict.
QString discounted(const ComparedRun& run)
{
    const QJsonObject verdict = run.report.value(QLatin1String("verdict")).toObject();
    const bool counts = verdict.value(QLatin1String("valid")).toBool(true);
    return counts ? QString() : verdict.value(QLatin1String("word")).toString();
}

QString notJudged(const std::vector<ComparedRun>& runs, std::size_t run)
{
    if (const QString word = discounted(runs[run]); !word.isEmpty())
        return word + QStringLiteral(": not judged");
    const QString word = discounted(runs.front());
    return word.isEmpty() ? QString() : QStringLiteral("not judged: A is %1").arg(word);
}

QJsonObject metricIn(const QJsonObject& report, Metric metric)
{
    return report.value(QLatin1String("metrics"))[QLatin1String(measure::infoOf(metric).name)].toObject();
}

ComparedValue percentileOf(const ComparedRun& run, Metric metric, double p)
{
    ComparedValue compared;
    const measure::Tally* rows = wholeRows(run);
    if (rows) {
        // A tally keeps values as millionths of their unit, which an estimate tells as whole ones.
        const stats::Histogram& values = rows->of(metric);
        if (const auto value = values.percentile(p))
            compared.value = toMs(*value);
        compared.estimate = stats::percentileEstimate(values, p);
    }
    // Rows do not hold what came between the tokens.
    if (!compared.value) {
        const QJsonValue told =
            metricIn(run.report, metric).value(QLatin1String("success"))[QLatin1Char('p') + QString::number(p)];
        if (told.isDouble())
            compared.value = told.toDouble();
    }
    compared.lacksRows = !rows;
    return compared;
}

ComparedValue successRateOf(const ComparedRun& run)
{
    const QJsonObject outcomes = run.report.value(QLatin1String("outcomes")).toObject();
    const measure::Tally* rows = wholeRows(run);
    const auto count = [&](Outcome outcome) {
        const std::string_view word = measure::toString(outcome);
        return rows ? rows->count(outcome)
                    : outcomes.value(QLatin1String(word.data(), static_cast<qsizetype>(word.size()))).toInteger();
    };
    const std::int64_t good = count(Outcome::Success);
    auto share = stats::shareEstimate(good, good + count(Outcome::Failed) + count(Outcome::CutOff));
    if (!share)
        return {};
    return {share->value * 100, Estimate{share->value * 100, share->low * 100, share->high * 100}, {}};
}

/// Of the whole run, as its cost is.
ComparedValue costOf(const ComparedRun& run)
{
    const auto usd = numberIn(run.report, "cost_usd"), requests = numberIn(run.report, "requests");
    return usd && requests && *requests > 0 ? ComparedValue{*usd * 1000 / *requests, {}, {}} : ComparedValue();
}

/// Of the measured part, in which they are counted.
ComparedValue blockedAgainOf(const ComparedRun& run)
{
    const auto blocked = numberIn(run.report, "attempts_blocked_again");
    double finished = 0;
    for (const QJsonValue& count : run.report.value(QLatin1String("outcomes")).toObject())
        finished += count.toDouble();
    return blocked && finished > 0 ? ComparedValue{*blocked * 1000 / finished, {}, {}} : ComparedValue();
}

ComparedFigure figureOf(Metric metric, double percentile = 0)
{
    const measure::MetricInfo& info = measure::infoOf(metric);
    const QString name = QString::fromUtf8(info.name), words = QString::fromUtf8(info.words);
    const QString formula = QString::fromUtf8(info.formula);
    if (percentile <= 0)
        return {metric, 0, {}, name, words, formula};
    return {metric,
            percentile,
            {},
            QStringLiteral("%1.p%2").arg(name).arg(percentile),
            QStringLiteral("%1 p%2").arg(words).arg(percentile),
            formula};
}

template <typename Value>
void add(std::vector<ComparedFigure>& figures, const std::vector<ComparedRun>& runs, ComparedFigure figure, Value value)
{
    for (std::size_t i = 0; i < runs.size(); ++i) {
        figure.runs.push_back(value(runs[i]));
        if (i > 0)
            figure.runs.back().notJudged = notJudged(runs, i);
    }
    if (std::ranges::none_of(figure.runs, [](const ComparedValue& v) { return v.value.has_value(); }))
        return;
    const auto& first = figure.runs.front().estimate;
    for (std::size_t i = 1; first && i < figure.runs.size(); ++i)
        if (const auto& other = figure.runs[i].estimate)
            figure.runs[i].change = stats::difference(*first, *other);
    figures.push_back(std::move(figure));
}

} // namespace

const char* toString(Change change)
{
    constexpr const char* kWords[] = {"unknown", "none", "better", "worse", "other", "not_judged"};
    return kWords[static_cast<std::size_t>(change)];
}

QString rowsNote(const ComparedRun& run)
{
    const std::int64_t missing = missingRows(run);
    return missing == 0 ? QString()
                        : QStringLiteral("%1 of its requests are not among its rows: the figures are its report's, "
                                         "percentiles without intervals.")
                              .arg(missing);
}

std::vector<ComparedFigure> compareRuns(const std::vector<ComparedRun>& runs)
{
    std::vector<ComparedFigure> figures;
    if (runs.empty())
        return figures;
    add(figures, runs, figureOf(Metric::SuccessRate), successRateOf);
    for (const measure::MetricInfo& info : measure::metrics()) {
        if (!measure::isDistribution(info.metric))
            continue;
        for (const double p : kPercentiles)
            add(figures, runs, figureOf(info.metric, p),
                [&](const ComparedRun& run) { return percentileOf(run, info.metric, p); });
    }
    add(figures, runs,
        {Metric::Cost,
         0,
         {},
         QStringLiteral("cost_per_1000"),
         QStringLiteral("cost per 1,000 requests"),
         QStringLiteral("cost / requests × 1,000; none where a part of the cost is unknown or estimated")},
        costOf);
    add(figures, runs,
        {Metric::Attempts,
         0,
         {},
         QStringLiteral("blocked_again_per_1000"),
         QStringLiteral("blocked again, per 1,000 requests"),
         QStringLiteral("rate-limited attempts of requests that had been rate-limited before / finished requests × "
                        "1,000")},
        blockedAgainOf);
    return figures;
}

Change changeOf(const ComparedFigure& figure, std::size_t run)
{
    const auto& change = figure.runs.at(run).change;
    if (!figure.runs[run].notJudged.isEmpty())
        return Change::NotJudged;
    if (!change)
        return Change::Unknown;
    if (!stats::isClear(*change))
        return Change::None;
    switch (measure::infoOf(figure.metric).better) {
    case measure::Better::Lower:
        return change->high < 0 ? Change::Better : Change::Worse;
    case measure::Better::Higher:
        return change->low > 0 ? Change::Better : Change::Worse;
    case measure::Better::Neither:
        break;
    }
    return Change::Other;
}

QString meaningWords(const ComparedFigure& figure, std::size_t run)
{
    const ComparedValue &value = figure.runs.at(run), &first = figure.runs.front();
    switch (changeOf(figure, run)) {
    case Change::NotJudged:
        return value.notJudged;
    case Change::None:
        return QStringLiteral("no clear change");
    case Change::Better:
        return QStringLiteral("better");
    case Change::Worse:
        return QStringLiteral("worse");
    case Change::Other:
        return QStringLiteral("different");
    case Change::Unknown:
        break;
    }
    if (value.lacksRows || first.lacksRows)
        return QStringLiteral("no interval without all of its requests");
    return figure.percentile > 0 ? QStringLiteral("too few requests to tell") : QStringLiteral("no interval");
}

tl::expected<measure::Tally, QString> tallyOfRows(QIODevice& csv, Nanos from, Nanos to)
{
    auto reader = SampleReader::open(csv);
    if (!reader)
        return tl::unexpected(reader.error());
    measure::Tally tally;
    for (;;) {
        const auto sample = reader->next();
        if (!sample)
            return tl::unexpected(sample.error());
        if (!*sample)
            return tally;
        const Nanos intended = (*sample)->intended.time_since_epoch();
        if (intended >= from && intended < to)
            tally.add(**sample);
    }
}

} // namespace sg::history
