// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/rate_documents.h"
#include "core/load/report.h"
#include "core/load/report_facts.h"
#include "core/load/report_words.h"

#include <QJsonArray>

namespace sg::load {

namespace {

QString field(const QJsonObject& object, const char* name, int decimals, const QString& unit)
{
    const QJsonValue value = object.value(QLatin1String(name));
    return value.isDouble() ? QString::number(value.toDouble(), 'f', decimals) + unit : QStringLiteral("–");
}

QString row(const QString& name, const QString& value)
{
    return QStringLiteral("  %1 %2\n").arg(name, -22).arg(value);
}

QString latencyRow(const QString& name, const QJsonObject& distribution)
{
    QString line = QStringLiteral("  %1").arg(name, -22);
    for (const char* column : {"p50", "p90", "p95", "p99", "max", "mean"})
        line += QStringLiteral("%1").arg(field(distribution, column, 1, QString()), 10);
    return line + QLatin1Char('\n');
}

QString countsOf(const QJsonObject& counts)
{
    QStringList parts;
    for (auto it = counts.begin(); it != counts.end(); ++it)
        parts.append(QStringLiteral("%1 %2").arg(it.key()).arg(it.value().toDouble(), 0, 'f', 0));
    return parts.isEmpty() ? QStringLiteral("none") : parts.join(QStringLiteral(" · "));
}

QString breakerLines(const QJsonObject& report)
{
    QString lines;
    for (const auto& [endpoint, words] : breakerFacts(report))
        lines += row(endpoint, words);
    return lines;
}

QString costOf(const QJsonObject& report)
{
    if (report.value(QLatin1String("cost_usd")).isDouble())
        return QStringLiteral("$") + field(report, "cost_usd", 4, {});
    if (report.value(QLatin1String("requests_with_estimated_cost")).toInteger() > 0)
        return QStringLiteral("at least $%1, and about $%2 estimated")
            .arg(field(report, "cost_at_least_usd", 4, {}), field(report, "cost_estimated_usd", 4, {}));
    if (report.value(QLatin1String("cost_at_least_usd")).toDouble() == 0)
        return QStringLiteral("unknown");
    return QStringLiteral("unknown, at least $%1").arg(field(report, "cost_at_least_usd", 4, {}));
}

/// Nothing for a closed load without a warm-up: its rate stands beside the wall time.
QString ratesOf(const QJsonObject& report)
{
    QString text;
    if (report.value(QLatin1String("requested_rps")).isDouble())
        text += row(QStringLiteral("rate"),
                    QStringLiteral("%1/s requested, %2/s due, %3/s sent, %4/s achieved, %5 dropped")
                        .arg(field(report, "requested_rps", 2, {}), field(report, "due_rps", 2, {}),
                             field(report, "dispatched_rps", 2, {}), field(report, "achieved_rps", 2, {}),
                             field(report, "dropped", 0, {})));
    const QJsonObject measured = report.value(QLatin1String("measured")).toObject();
    const double cut = measured.value(QLatin1String("warm_up_requests")).toDouble() +
                       measured.value(QLatin1String("cool_down_requests")).toDouble();
    if (cut > 0)
        text += row(QStringLiteral("measured"),
                    QStringLiteral("%1 s to %2 s, %3 requests; %4 outside (warm-up, cool-down) do not count")
                        .arg(measured.value(QLatin1String("from_ms")).toDouble() / 1000, 0, 'f', 1)
                        .arg(measured.value(QLatin1String("to_ms")).toDouble() / 1000, 0, 'f', 1)
                        .arg(field(measured, "requests", 0, {}))
                        .arg(cut, 0, 'f', 0));
    return text;
}

QString objectiveLines(const QJsonArray& objectives)
{
    QString lines;
    for (const QJsonValue& value : objectives) {
        const bool met = value[QLatin1String("met")].toBool();
        lines += row(value[QLatin1String("objective")].toString(),
                     QStringLiteral("%1  %2").arg(met ? QStringLiteral("met") : QStringLiteral("MISSED"),
                                                  value[QLatin1String("measured_words")].toString()));
    }
    return lines.isEmpty() ? lines : QStringLiteral("\n  Objectives\n") + lines;
}

QString rateLines(const RateCurve& curve)
{
    if (!curve.isCurve())
        return {};
    QString lines = QStringLiteral("\n  Latency against rate\n");
    const auto ms = [](std::optional<double> value) {
        return valueWords(value ? QJsonValue(*value) : QJsonValue(), QStringLiteral("ms"));
    };
    for (const RateStep& step : curve.steps)
        lines += row(QStringLiteral("%1/s").arg(step.requestedRate, 0, 'f', 2),
                     QStringLiteral("%1/s achieved, p50 %2, p95 %3, p99 %4, %5")
                         .arg(step.achievedRate, 0, 'f', 2)
                         .arg(ms(step.p50Ms), ms(step.p95Ms), ms(step.p99Ms), stepWord(step)));
    return lines + QStringLiteral("  ") + kneeWords(curve) + QLatin1Char('\n');
}

/// INVALID stands before what the objectives say.
QString verdictWord(const QJsonObject& verdict)
{
    const QString result = verdict.value(QLatin1String("result")).toString();
    const QString word = verdict.value(QLatin1String("word")).toString();
    const bool judged = result == QLatin1String("passed") || result == QLatin1String("missed");
    return judged ? QStringLiteral("%1, objectives %2").arg(word, result) : word;
}

} // namespace

QString errorLine(const QJsonObject& error)
{
    const QString endpoint = error.value(QLatin1String("endpoint")).toString();
    const QString words = error.value(QLatin1String("words")).toString();
    const QString example = error.value(QLatin1String("example")).toString();
    return QStringLiteral("%1: %2%3. %4.")
        .arg(endpoint.isEmpty() ? error.value(QLatin1String("class")).toString() : endpoint, words,
             example.isEmpty() || example == words ? QString() : QStringLiteral(": ") + example,
             error.value(QLatin1String("remedy")).toString());
}

QString tableOf(const QJsonObject& report)
{
    const auto object = [&](const char* name) { return report.value(QLatin1String(name)).toObject(); };
    const QJsonObject plan = object("plan");
    const QString target = targetWords(plan);
    const auto percent = [&](const char* name) {
        const QJsonValue value = report.value(QLatin1String(name));
        // Rounded down: 99.99… % is not 100 %.
        return value.isDouble() ? QStringLiteral("%1 %").arg(std::floor(value.toDouble() * 10000) / 100, 0, 'f', 2)
                                : QStringLiteral("–");
    };
    const QJsonObject verdict = object("verdict");

    QString text =
        QStringLiteral("Load on %1, %2, seed %3\n")
            .arg(target, plan.value(QLatin1String("model"))[QLatin1String("words")].toString(), seedWords(plan));
    if (const QString early = earlyEndWords(report); !early.isEmpty())
        text += row(QStringLiteral("ended early"), early);
    text +=
        row(QStringLiteral("requests"), QStringLiteral("%1 (%2 succeeded, %3 failed (%5 throttled), %4 cancelled)")
                                            .arg(field(report, "requests", 0, {}), field(report, "succeeded", 0, {}),
                                                 field(report, "failed", 0, {}), field(report, "cancelled", 0, {}),
                                                 field(report, "throttled", 0, {})));
    text += row(QStringLiteral("success rate"),
                QStringLiteral("%1 (%2 without canned replies)")
                    .arg(percent("success_rate"), percent("success_rate_without_canned_replies")));
    text +=
        row(QStringLiteral("wall time"), QStringLiteral("%1 s, %2")
                                             .arg(report.value(QLatin1String("wall_ms")).toDouble() / 1000, 0, 'f', 2)
                                             .arg(field(report, "achieved_rps", 1, QStringLiteral(" requests/s"))));
    text += ratesOf(report);
    text += row(QStringLiteral("attempts"),
                QStringLiteral("%1 (%2 per uncached request)")
                    .arg(field(report, "attempts", 0, {}), field(report, "attempts_per_request", 2, {})));
    text += row(QStringLiteral("answered by"), countsOf(object("by_tier")));
    text += row(QStringLiteral("failed with"), countsOf(object("by_error_class")));
    text += row(QStringLiteral("failed attempts"), countsOf(object("attempts_by_error_class")));
    text += row(QStringLiteral("cost"), costOf(report));
    text += QStringLiteral("\n  %1%2%3%4%5%6%7\n")
                .arg(QStringLiteral("ms"), -22)
                .arg(QStringLiteral("p50"), 10)
                .arg(QStringLiteral("p90"), 10)
                .arg(QStringLiteral("p95"), 10)
                .arg(QStringLiteral("p99"), 10)
                .arg(QStringLiteral("max"), 10)
                .arg(QStringLiteral("mean"), 10);
    text += latencyRow(QStringLiteral("response"), object("response_ms"));
    text += latencyRow(QStringLiteral("service"), object("service_ms"));
    text += latencyRow(QStringLiteral("time to first token"), object("ttft_ms"));
    const auto spread = [&](const char* metric) {
        return object("metrics").value(QLatin1String(metric))[QLatin1String("success")].toObject();
    };
    text += latencyRow(QStringLiteral("time per output token"), spread("tpot"));
    text += latencyRow(QStringLiteral("inter-token latency"), spread("itl"));
    text += latencyRow(QStringLiteral("schedule delay"), object("schedule_delay_ms"));
    text += latencyRow(QStringLiteral("failed requests"), object("failed_response_ms"));
    text += latencyRow(QStringLiteral("cut-off requests"), object("cut_off_response_ms"));
    text += rateLines(rateCurveIn(report));
    if (report.value(QLatin1String("plan")).toObject().contains(QLatin1String("url")))
        text += QStringLiteral("\n  Breakers: unknown, those behind the address are not seen from here\n");
    else
        text += QStringLiteral("\n  Breakers\n") + breakerLines(report);
    text += objectiveLines(report.value(QLatin1String("objectives")).toArray());
    text += QStringLiteral("\n  Verdict: %1").arg(verdictWord(verdict));
    for (const QJsonValue& reason : verdict.value(QLatin1String("reasons")).toArray())
        text += QStringLiteral("\n    ") + reason.toString();
    return text;
}

} // namespace sg::load
