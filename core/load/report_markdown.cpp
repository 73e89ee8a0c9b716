// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/markdown_parts.h"
#include "core/load/rate_documents.h"
#include "core/load/report_documents.h"
#include "core/load/report_facts.h"
#include "core/load/report_words.h"
#include "core/measure/metric.h"

#include <QJsonArray>

namespace sg::load {

using namespace markdownparts;

namespace {

QString objectives(const QJsonArray& list)
{
    if (list.isEmpty())
        return {};
    QString text = QStringLiteral("\n| Objective | Measured | |\n|---|---:|---|\n");
    for (const QJsonValue& value : list)
        text += row({plain(value[QLatin1String("objective")].toString()),
                     plain(value[QLatin1String("measured_words")].toString()),
                     value[QLatin1String("met")].toBool() ? QStringLiteral("✓ met") : QStringLiteral("✗ missed")});
    return text;
}

QString distributions(const QJsonObject& metrics)
{
    QString text;
    for (const measure::MetricInfo& info : measure::metrics()) {
        const QJsonObject metric = metrics.value(QLatin1String(info.name)).toObject();
        const QJsonObject spread = metric.value(QLatin1String("success")).toObject();
        if (spread.value(QLatin1String("count")).toDouble() == 0)
            continue;
        const QString unit = metric.value(QLatin1String("unit")).toString();
        QStringList cells{plain(metric.value(QLatin1String("words")).toString())};
        for (const char* column : {"p50", "p95", "p99", "max"})
            cells.append(valueWords(spread.value(QLatin1String(column)), unit));
        text += row(cells + QStringList{valueWords(spread.value(QLatin1String("count")), {})});
    }
    return text.isEmpty() ? text
                          : QStringLiteral("\n| Successes | p50 | p95 | p99 | max | values |\n"
                                           "|---|---:|---:|---:|---:|---:|\n") +
                                text;
}

QString figures(const QJsonObject& metrics)
{
    QStringList parts;
    for (const measure::MetricInfo& info : measure::metrics()) {
        const QJsonObject metric = metrics.value(QLatin1String(info.name)).toObject();
        if (metric.value(QLatin1String("value")).isDouble() || metric.value(QLatin1String("at_least")).isDouble())
            parts.append(plain(metric.value(QLatin1String("words")).toString()) + QLatin1Char(' ') +
                         figureWords(metric));
    }
    return parts.isEmpty() ? QString() : QLatin1Char('\n') + parts.join(QStringLiteral(" · ")) + QLatin1Char('\n');
}

} // namespace

QString markdownOf(const QJsonObject& report, const QString& title)
{
    const VerdictWords verdict = verdictWords(report);
    QString text =
        QStringLiteral("### %1 %2: %3\n\n%4\n").arg(verdict.mark, plain(title), verdict.word, plain(planWords(report)));
    for (const QString& reason : verdict.reasons)
        text += QStringLiteral("\n- ") + plain(reason);
    if (!verdict.reasons.isEmpty())
        text += QLatin1Char('\n');
    if (const QString early = earlyEndWords(report); !early.isEmpty())
        text += QStringLiteral("\nEnded early, %1.\n").arg(plain(early));
    text += objectives(report.value(QLatin1String("objectives")).toArray());
    const QJsonObject metrics = report.value(QLatin1String("metrics")).toObject();
    text += distributions(metrics) + figures(metrics) + ratesMarkdown(rateCurveIn(report));
    const QString outcomes = countWords(report.value(QLatin1String("outcomes")).toObject());
    if (!outcomes.isEmpty())
        text += QStringLiteral("\nOutcomes: %1\n").arg(plain(outcomes));
    const QString errors = countWords(report.value(QLatin1String("by_error_class")).toObject());
    if (!errors.isEmpty())
        text += QStringLiteral("\nFailures: %1\n").arg(plain(errors));
    for (const auto& [endpoint, words] : breakerFacts(report))
        text += QStringLiteral("\nBreaker of %1: %2\n").arg(plain(endpoint), plain(words));
    return text;
}

} // namespace sg::load
