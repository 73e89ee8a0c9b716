// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/html_parts.h"
#include "core/load/rate_documents.h"
#include "core/load/report_documents.h"
#include "core/load/report_facts.h"
#include "core/load/report_words.h"
#include "core/load/svg_plot.h"
#include "core/measure/metric.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace sg::load {

using namespace htmlparts;

namespace {

QString verdict(const QJsonObject& report)
{
    const VerdictWords words = verdictWords(report);
    QString html = QStringLiteral("<div class=\"verdict %1\"><b>%2 %3</b>").arg(words.kind, words.mark, words.word);
    for (const QString& reason : words.reasons)
        html += QStringLiteral("<p>") + reason.toHtmlEscaped() + QStringLiteral("</p>");
    return html + QStringLiteral("</div>\n");
}

QString objectives(const QJsonArray& list)
{
    QString rows;
    for (const QJsonValue& value : list)
        rows += QStringLiteral("<tr>") + cell(value[QLatin1String("objective")].toString()) +
                cell(value[QLatin1String("measured_words")].toString(), "n") +
                cell(value[QLatin1String("met")].toBool() ? QStringLiteral("✓ met") : QStringLiteral("✗ missed")) +
                QStringLiteral("</tr>");
    return table(head(QStringLiteral("Objective")) + head(QStringLiteral("Measured"), "n") + head({}), rows);
}

SvgPlot::Values valuesOf(const QJsonObject& axis, const char* name)
{
    SvgPlot::Values values;
    const QJsonArray array = axis.value(QLatin1String(name)).toArray();
    for (const QJsonValue& value : array)
        values.push_back(value.isDouble() ? std::optional(value.toDouble()) : std::nullopt);
    return values;
}

double mostOf(const SvgPlot::Values& values)
{
    double most = 0;
    for (const auto& value : values)
        most = std::max(most, value.value_or(0));
    return most;
}

/// What a plot over time shares: its slots, and the parts that the figures leave out.
struct TimeLine
{
    explicit TimeLine(const QJsonObject& report)
        : axis(report.value(QLatin1String("seconds")).toObject())
        , slotSeconds(axis.value(QLatin1String("slot_ms")).toDouble() / 1000)
    {
        const auto slots = static_cast<std::size_t>(axis.value(QLatin1String("answered")).toArray().size());
        for (std::size_t i = 0; i < slots; ++i)
            middles.push_back((static_cast<double>(i) + 0.5) * slotSeconds);
        end = static_cast<double>(slots) * slotSeconds;
        const QJsonObject measured = report.value(QLatin1String("measured")).toObject();
        from = measured.value(QLatin1String("from_ms")).toDouble() / 1000;
        hasCoolDown = report.value(QLatin1String("plan"))[QLatin1String("cool_down_ms")].toDouble() > 0;
        to = measured.value(QLatin1String("to_ms")).toDouble(end * 1000) / 1000;
    }
    bool isEmpty() const { return middles.empty() || !(slotSeconds > 0); }
    SvgPlot plot(const QString& words, double most, const QString& unit) const
    {
        SvgPlot plot(words, {end, QStringLiteral("seconds since the start")}, {most * 1.05, unit});
        plot.shade(0, std::min(from, end), QStringLiteral("warm-up"));
        // A run ends with its last answer, which is hardly ever the end of a slot.
        if (end - to > slotSeconds)
            plot.shade(to, end, hasCoolDown ? QStringLiteral("cool-down") : QStringLiteral("last answers"));
        return plot;
    }

    QJsonObject axis;
    double slotSeconds;
    std::vector<double> middles;
    double end = 0, from = 0, to = 0;
    bool hasCoolDown = false;
};

QString latencyPlot(const TimeLine& time)
{
    const auto p50 = valuesOf(time.axis, "p50_ms"), p95 = valuesOf(time.axis, "p95_ms"),
               p99 = valuesOf(time.axis, "p99_ms");
    const double most = std::max({mostOf(p50), mostOf(p95), mostOf(p99)});
    if (time.isEmpty() || !(most > 0))
        return {};
    SvgPlot plot = time.plot(
        QStringLiteral("Response time of successes over time: p50, p95 and p99, up to %1 ms").arg(plainNumber(most, 1)),
        most, QStringLiteral("ms"));
    plot.band(time.middles, p50, p99, QStringLiteral("outer"));
    plot.band(time.middles, p50, p95, QStringLiteral("inner"));
    plot.line(time.middles, p50, QStringLiteral("a"), QStringLiteral("p50"));
    plot.line(time.middles, p95, QStringLiteral("b"), QStringLiteral("p95"));
    plot.line(time.middles, p99, QStringLiteral("c"), QStringLiteral("p99"));
    return plot.svg();
}

QString throughputPlot(const TimeLine& time)
{
    if (time.isEmpty())
        return {};
    const auto perSecond = [&](const char* name) {
        auto values = valuesOf(time.axis, name);
        for (auto& value : values)
            if (value)
                *value /= time.slotSeconds;
        return values;
    };
    const auto answered = perSecond("answered"), failed = perSecond("failed"), requested = perSecond("requested");
    const double most = std::max({mostOf(answered), mostOf(failed), mostOf(requested)});
    SvgPlot plot = time.plot(
        QStringLiteral("Requests a second over time, up to %1: answered, failed, due").arg(plainNumber(most, 1)), most,
        QStringLiteral("1/s"));
    plot.line(time.middles, answered, QStringLiteral("a"), QStringLiteral("answered"));
    plot.line(time.middles, failed, QStringLiteral("c"), QStringLiteral("failed"));
    if (mostOf(requested) > 0)
        plot.line(time.middles, requested, QStringLiteral("b"), QStringLiteral("due"));
    return plot.svg();
}

/// Bars of equal width, whose bounds grow by the same factor.
QString histogramPlot(const QJsonObject& histogram)
{
    const auto low = valuesOf(histogram, "low_ms"), high = valuesOf(histogram, "high_ms"),
               answered = valuesOf(histogram, "answered"), failed = valuesOf(histogram, "failed");
    const std::size_t bars = std::min({low.size(), high.size(), answered.size()});
    if (bars == 0)
        return {};
    const auto failedIn = [&](std::size_t i) { return i < failed.size() ? failed[i].value_or(0) : 0; };
    double most = 0;
    for (std::size_t i = 0; i < bars; ++i)
        most = std::max(most, answered[i].value_or(0) + failedIn(i));
    SvgPlot::Axis x{static_cast<double>(bars), QStringLiteral("response time, ms")};
    const auto tick = [&](std::size_t at, std::optional<double> ms) {
        x.ticks.emplace_back(static_cast<double>(at), plainNumber(ms.value_or(0), ms.value_or(0) < 10 ? 2 : 0));
    };
    const std::size_t every = std::max<std::size_t>(1, bars / 8);
    for (std::size_t i = 0; i + every / 2 < bars; i += every)
        tick(i, low[i]);
    tick(bars, high[bars - 1]);
    SvgPlot plot(QStringLiteral("Histogram of response times: successes, and failures on top of them"), std::move(x),
                 {most * 1.05, QStringLiteral("requests")});
    for (std::size_t i = 0; i < bars; ++i) {
        const auto at = static_cast<double>(i);
        const double good = answered[i].value_or(0);
        plot.bar(at, at + 1, 0, good, QStringLiteral("ok"));
        plot.bar(at, at + 1, good, good + failedIn(i), QStringLiteral("ko"));
    }
    return plot.svg();
}

QString counts(const QJsonObject& report)
{
    QString rows;
    const std::pair<const char*, const char*> parts[] = {{"outcomes", "outcome"},
                                                         {"by_tier", "answered by"},
                                                         {"by_error_class", "failed with"},
                                                         {"failed_by_status", "failed with status"}};
    for (const auto& [name, words] : parts) {
        const QJsonObject object = report.value(QLatin1String(name)).toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            rows += QStringLiteral("<tr>") + cell(QLatin1String(words)) +
                    cell(QString(it.key()).replace(QLatin1Char('_'), QLatin1Char(' '))) +
                    cell(valueWords(it.value(), {}), "n") + QStringLiteral("</tr>");
    }
    return table(head({}) + head({}) + head(QStringLiteral("Requests"), "n"), rows);
}

QString errors(const QJsonArray& list)
{
    QString rows;
    for (const QJsonValue& value : list)
        rows += QStringLiteral("<tr>") + cell(value[QLatin1String("words")].toString()) +
                cell(value[QLatin1String("endpoint")].toString()) + cell(value[QLatin1String("example")].toString()) +
                cell(value[QLatin1String("remedy")].toString()) + QStringLiteral("</tr>");
    return table(head(QStringLiteral("Failure")) + head(QStringLiteral("Endpoint")) + head(QStringLiteral("Example")) +
                     head(QStringLiteral("Way on")),
                 rows);
}

QString spreadRow(const QJsonObject& metric, const char* outcome)
{
    const QJsonObject spread = metric.value(QLatin1String(outcome)).toObject();
    if (spread.value(QLatin1String("count")).toDouble() == 0)
        return {};
    const QString unit = metric.value(QLatin1String("unit")).toString();
    QString row = QStringLiteral("<tr>") + cell(metric.value(QLatin1String("words")).toString()) +
                  cell(QString(QLatin1String(outcome)).replace(QLatin1Char('_'), QLatin1Char(' '))) +
                  cell(valueWords(spread.value(QLatin1String("count")), {}), "n");
    for (const char* column : {"p50", "p90", "p95", "p99", "max", "mean"})
        row += cell(valueWords(spread.value(QLatin1String(column)), unit), "n");
    return row + cell(metric.value(QLatin1String("formula")).toString(), "formula") + QStringLiteral("</tr>");
}

QString spreads(const QJsonObject& metrics)
{
    QString rows;
    for (const measure::MetricInfo& info : measure::metrics())
        for (const char* outcome : {"success", "failed", "cut_off", "cancelled"})
            rows += spreadRow(metrics.value(QLatin1String(info.name)).toObject(), outcome);
    QString heads =
        head(QStringLiteral("Metric")) + head(QStringLiteral("Outcome")) + head(QStringLiteral("Values"), "n");
    for (const char* column : {"p50", "p90", "p95", "p99", "max", "mean"})
        heads += head(QLatin1String(column), "n");
    return table(heads + head(QStringLiteral("Formula")), rows);
}

QString figures(const QJsonObject& metrics)
{
    QString rows;
    for (const measure::MetricInfo& info : measure::metrics()) {
        const QJsonObject metric = metrics.value(QLatin1String(info.name)).toObject();
        if (!metric.contains(QLatin1String("value")))
            continue;
        rows += QStringLiteral("<tr>") + cell(metric.value(QLatin1String("words")).toString()) +
                cell(figureWords(metric), "n") + cell(metric.value(QLatin1String("formula")).toString(), "formula") +
                QStringLiteral("</tr>");
    }
    return table(head(QStringLiteral("Metric")) + head(QStringLiteral("Value"), "n") + head(QStringLiteral("Formula")),
                 rows);
}

QString named(const NamedWords& facts)
{
    QString rows;
    for (const auto& [name, words] : facts)
        rows += QStringLiteral("<tr>") + cell(name) + cell(words) + QStringLiteral("</tr>");
    return rows.isEmpty() ? rows : table(head({}) + head({}), rows);
}

} // namespace

QString htmlOf(const QJsonObject& report, const QString& title)
{
    const TimeLine time(report);
    const QJsonObject metrics = report.value(QLatin1String("metrics")).toObject();
    return page(
        title,
        QStringLiteral("<p class=\"soft\">") + planWords(report).toHtmlEscaped() + QStringLiteral("</p>\n") +
            verdict(report) + objectives(report.value(QLatin1String("objectives")).toArray()) +
            section(QStringLiteral("The run"), named(runFacts(report))) +
            section(QStringLiteral("Response time"), latencyPlot(time)) +
            section(QStringLiteral("Latency against rate"), ratesHtml(rateCurveIn(report))) +
            section(QStringLiteral("Throughput"), throughputPlot(time)) +
            section(QStringLiteral("Histogram"), histogramPlot(report.value(QLatin1String("histogram")).toObject())) +
            section(QStringLiteral("How requests ended"), counts(report)) +
            section(QStringLiteral("What failed, attempts too"), errors(report.value(QLatin1String("errors")).toArray())) +
            section(QStringLiteral("Breakers"), named(breakerFacts(report))) +
            section(QStringLiteral("Distributions"), spreads(metrics)) +
            section(QStringLiteral("Figures of the whole run"), figures(metrics)));
}

} // namespace sg::load
