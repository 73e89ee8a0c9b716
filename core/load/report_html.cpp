// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report_documents.h"
#include "core/load/report_words.h"
#include "core/load/svg_plot.h"
#include "core/measure/metric.h"
#include "core/stats/knee.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

const QString kStyle = QStringLiteral(
    R"(:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--soft:#5b6570;--line:#d8dde3;--panel:#f6f8fa;
--a:#1f6feb;--b:#0e7c7b;--c:#b35900;--good:#1a7f37;--bad:#c62828}
@media(prefers-color-scheme:dark){:root{--bg:#15181c;--fg:#e6e9ed;--soft:#9aa5b1;--line:#333a42;--panel:#1d2126;
--a:#6ea8fe;--b:#4fc3c1;--c:#ffb066;--good:#56d364;--bad:#ff7b72}}
body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.3rem 0}
.verdict{border-left:6px solid var(--soft);background:var(--panel);padding:.8rem 1rem;margin:1rem 0}
.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}.verdict b{font-size:1.2rem}
.soft,td.formula{color:var(--soft)}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}td.formula{font-size:.85rem}.wide{overflow-x:auto}
svg{width:100%;height:auto;background:var(--panel)}svg text{fill:var(--soft);font:11px system-ui,sans-serif}
.end{text-anchor:end}.middle{text-anchor:middle}svg .name{fill:var(--fg)}.grid{stroke:var(--line);fill:none}
.line{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}.a{stroke:var(--a)}
.b{stroke:var(--b);stroke-dasharray:6 3}.c{stroke:var(--c);stroke-dasharray:2 3}
.outer{fill:var(--a);opacity:.12}.inner{fill:var(--a);opacity:.22}.ok{fill:var(--a)}.ko{fill:var(--c)}.shade{fill:var(--soft);opacity:.15}
)");

QString cell(const QString& text, const char* cssClass = "")
{
    return QStringLiteral("<td class=\"%1\">%2</td>").arg(QLatin1String(cssClass), text.toHtmlEscaped());
}

QString head(const QString& text, const char* cssClass = "")
{
    return QStringLiteral("<th scope=\"col\" class=\"%1\">%2</th>").arg(QLatin1String(cssClass), text.toHtmlEscaped());
}

QString table(const QString& heads, const QString& rows)
{
    return rows.isEmpty()
               ? QString()
               : QStringLiteral("<div class=\"wide\"><table><thead><tr>") + heads +
                     QStringLiteral("</tr></thead><tbody>") + rows + QStringLiteral("</tbody></table></div>\n");
}

QString section(const QString& title, const QString& body)
{
    return body.isEmpty() ? body
                          : QStringLiteral("<section><h2>") + title.toHtmlEscaped() + QStringLiteral("</h2>\n") + body +
                                QStringLiteral("</section>\n");
}

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

/// Latency against rate, and where the target no longer followed.
QString sweepPlot(const QJsonObject& sweep)
{
    const QJsonArray steps = sweep.value(QLatin1String("steps")).toArray();
    std::vector<double> rates;
    SvgPlot::Values p50, p99;
    std::vector<stats::RatePoint> points;
    const auto ms = [](const QJsonValue& value) {
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    for (const QJsonValue& step : steps) {
        rates.push_back(step[QLatin1String("requested_rps")].toDouble());
        p50.push_back(ms(step[QLatin1String("p50_ms")]));
        p99.push_back(ms(step[QLatin1String("p99_ms")]));
        points.push_back({rates.back(), p99.back()});
    }
    const double most = std::max(mostOf(p50), mostOf(p99));
    if (rates.empty() || !(most > 0))
        return {};
    const double highest = std::ranges::max(rates);
    const QJsonValue knee = sweep.value(QLatin1String("knee_rps"));
    SvgPlot plot(QStringLiteral("Response time against the requested rate: p50 and p99"),
                 {highest, QStringLiteral("requested rate, 1/s")}, {most * 1.05, QStringLiteral("ms")});
    if (knee.isDouble())
        plot.shade(knee.toDouble(), highest, QStringLiteral("beyond the knee"));
    plot.line(rates, p50, QStringLiteral("a"), QStringLiteral("p50"));
    plot.line(rates, p99, QStringLiteral("c"), QStringLiteral("p99"));
    const auto bend = stats::kneeOf(points);
    const QString words = QStringLiteral("Knee, the last step that held: %1. Where p99 bends: %2.")
                              .arg(valueWords(knee, QStringLiteral("1/s")),
                                   bend ? valueWords(rates[*bend], QStringLiteral("1/s")) : QStringLiteral("nowhere"));
    return plot.svg() + QStringLiteral("<p>") + words.toHtmlEscaped() + QStringLiteral("</p>\n");
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
                cell(valueWords(metric.value(QLatin1String("value")), metric.value(QLatin1String("unit")).toString()),
                     "n") +
                cell(metric.value(QLatin1String("formula")).toString(), "formula") + QStringLiteral("</tr>");
    }
    return table(head(QStringLiteral("Metric")) + head(QStringLiteral("Value"), "n") + head(QStringLiteral("Formula")),
                 rows);
}

} // namespace

QString htmlOf(const QJsonObject& report, const QString& title)
{
    const TimeLine time(report);
    const QJsonObject metrics = report.value(QLatin1String("metrics")).toObject();
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                          "'unsafe-inline'\"/><meta name=\"viewport\" content=\"width=device-width\"/><title>") +
           title.toHtmlEscaped() + QStringLiteral("</title><style>\n") + kStyle +
           QStringLiteral("</style></head><body>\n<h1>") + title.toHtmlEscaped() +
           QStringLiteral("</h1>\n<p class=\"soft\">") + planWords(report).toHtmlEscaped() + QStringLiteral("</p>\n") +
           verdict(report) + objectives(report.value(QLatin1String("objectives")).toArray()) +
           section(QStringLiteral("Response time"), latencyPlot(time)) +
           section(QStringLiteral("Latency against rate"), sweepPlot(report.value(QLatin1String("sweep")).toObject())) +
           section(QStringLiteral("Throughput"), throughputPlot(time)) +
           section(QStringLiteral("Histogram"), histogramPlot(report.value(QLatin1String("histogram")).toObject())) +
           section(QStringLiteral("How requests ended"), counts(report)) +
           section(QStringLiteral("Failures"), errors(report.value(QLatin1String("errors")).toArray())) +
           section(QStringLiteral("Distributions"), spreads(metrics)) +
           section(QStringLiteral("Figures of the whole run"), figures(metrics)) + QStringLiteral("</body></html>\n");
}

} // namespace sg::load
