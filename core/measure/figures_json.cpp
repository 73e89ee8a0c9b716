// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/figures_json.h"

#include "core/policy/text.h"

#include <QJsonArray>

#include <array>
#include <cmath>

namespace sg::measure {

namespace {

QJsonValue whole(std::int64_t value)
{
    return static_cast<qint64>(value);
}

QJsonObject describe(const MetricInfo& info)
{
    constexpr std::array kBetter{"lower", "higher", "neither"};
    return {{QStringLiteral("words"), QString::fromUtf8(info.words)},
            {QStringLiteral("unit"), text(toString(info.unit))},
            {QStringLiteral("better"), QString::fromLatin1(kBetter[static_cast<std::size_t>(info.better)])},
            {QStringLiteral("formula"), QString::fromUtf8(info.formula)}};
}

/// Over the same span as the achieved rate; null where the rate itself is known, or nobody counted.
QJsonValue leastTokenRate(const Tally& tally, const Figures& figures)
{
    const auto achieved = figures[static_cast<std::size_t>(Metric::AchievedRate)];
    if (!achieved || tally.uncounted() == 0 || tally.outputTokens() == 0)
        return {};
    return static_cast<double>(tally.outputTokens()) * *achieved / static_cast<double>(tally.finished());
}

} // namespace

QJsonValue msOrNull(const std::optional<Nanos>& span)
{
    return span ? QJsonValue(std::round(toMs(*span) * 1000) / 1000) : QJsonValue(QJsonValue::Null);
}

QJsonValue numberOrNull(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonObject distributionJson(const stats::Histogram& histogram)
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

QJsonObject metricsJson(const Tally& tally, const Figures& figures)
{
    QJsonObject all;
    for (const MetricInfo& info : metrics()) {
        QJsonObject metric = describe(info);
        if (!isDistribution(info.metric))
            metric.insert(QStringLiteral("value"), numberOrNull(figures[static_cast<std::size_t>(info.metric)]));
        else
            for (int i = 0; i < kOutcomeCount; ++i) {
                const auto outcome = static_cast<Outcome>(i);
                const stats::Histogram& histogram = tally.of(info.metric, outcome);
                if (outcome == Outcome::Success || !histogram.empty())
                    metric.insert(text(toString(outcome)), distributionJson(histogram));
            }
        if (info.metric == Metric::TokenRate)
            metric.insert(QStringLiteral("at_least"), leastTokenRate(tally, figures));
        all.insert(QString::fromUtf8(info.name), metric);
    }
    return all;
}

QJsonObject outcomesJson(const Tally& tally)
{
    QJsonObject outcomes;
    for (int i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        outcomes.insert(text(toString(outcome)), whole(tally.count(outcome)));
    }
    return outcomes;
}

// Arrays side by side: a table of 900 rows would repeat its heads 900 times.
QJsonObject axisJson(const TimeAxis& axis)
{
    QJsonArray requested, dispatched, dropped, answered, failed, good, tokens, p50, p95, p99;
    for (const TimeAxis::Slot& slot : axis.slots()) {
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

} // namespace sg::measure
