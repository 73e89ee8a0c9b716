// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/kept_run.h"
#include "core/load/report_words.h"

namespace sg::load {

namespace {

/// What a list shows of the report: "response.p50", "success".
QJsonObject figuresOf(const QJsonObject& report)
{
    const QJsonObject metrics = report.value(QLatin1String("metrics")).toObject();
    QJsonObject figures{{QStringLiteral("requests"), report.value(QLatin1String("requests"))}};
    for (const char* name : {"response", "ttft"})
        for (const char* percentile : {"p50", "p95", "p99"}) {
            const QJsonValue value =
                metrics.value(QLatin1String(name))[QLatin1String("success")][QLatin1String(percentile)];
            if (value.isDouble())
                figures.insert(QStringLiteral("%1.%2").arg(QLatin1String(name), QLatin1String(percentile)), value);
        }
    for (const char* name : {"success", "requested", "rate", "goodput", "tokens", "cost"})
        if (const QJsonValue value = metrics.value(QLatin1String(name))[QLatin1String("value")]; value.isDouble())
            figures.insert(QLatin1String(name), value);
    return figures;
}

} // namespace

history::RunRecord keptRun(const QJsonObject& report, const QString& id, const QDateTime& started, const QString& name)
{
    history::RunRecord run;
    run.plan = report.value(QLatin1String("plan")).toObject();
    run.report = report;
    run.summary.id = id;
    run.summary.started = started;
    run.summary.name = name;
    run.summary.target = targetNameIn(run.plan);
    run.summary.verdict = verdictWords(report).word;
    run.summary.figures = figuresOf(report);
    return run;
}

} // namespace sg::load
