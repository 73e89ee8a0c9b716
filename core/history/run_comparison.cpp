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

QJsonObject metricIn(const QJsonObject& report, Metric metric)
{
    return report.value(QLatin1String("metrics"))[QLatin1String(measure::infoOf(metric).name)].toObject();
}

ComparedValue percentileOf(const ComparedRun& run, Metric metric, double p)
{
    ComparedValue compared;
    if (run.rows) {
        // A tally keeps values as millionths of their unit, which an estimate tells as whole ones.
        const stats::Histogram& values = run.rows->of(metric);
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
    return compared;
}

ComparedValue successRateOf(const ComparedRun& run)
{
    const QJsonObject outcomes = run.report.value(QLatin1String("outcomes")).toObject();
    const auto count = [&](Outcome outcome) {
        const std::string_view word = measure::toString(outcome);
        return run.rows ? run.rows->count(outcome)
                        : outcomes.value(QLatin1String(word.data(), static_cast<qsizetype>(word.size()))).toInteger();
    };
    const std::int64_t good = count(Outcome::Success);
    auto share = stats::shareEstimate(good, good + count(Outcome::Failed) + count(Outcome::CutOff));
    if (!share)
        return {};
    return {share->value * 100, Estimate{share->value * 100, share->low * 100, share->high * 100}, {}};
}

template <typename Value>
void add(std::vector<ComparedFigure>& figures, const std::vector<ComparedRun>& runs, Metric metric, double percentile,
         Value value)
{
    ComparedFigure figure{metric, percentile, {}};
    for (const ComparedRun& run : runs)
        figure.runs.push_back(value(run));
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
    constexpr const char* kWords[] = {"unknown", "none", "better", "worse", "other"};
    return kWords[static_cast<std::size_t>(change)];
}

std::vector<ComparedFigure> compareRuns(const std::vector<ComparedRun>& runs)
{
    std::vector<ComparedFigure> figures;
    if (runs.empty())
        return figures;
    add(figures, runs, Metric::SuccessRate, 0, successRateOf);
    for (const measure::MetricInfo& info : measure::metrics()) {
        if (!measure::isDistribution(info.metric))
            continue;
        for (const double p : kPercentiles)
            add(figures, runs, info.metric, p,
                [&](const ComparedRun& run) { return percentileOf(run, info.metric, p); });
    }
    return figures;
}

Change changeOf(const ComparedFigure& figure, std::size_t run)
{
    const auto& change = figure.runs.at(run).change;
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
