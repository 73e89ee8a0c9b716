// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/breaker_story.h"
#include "core/load/comparison_parts.h"
#include "core/load/html_parts.h"
#include "core/load/svg_plot.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::load {

namespace {

using namespace htmlparts;
using comparison::letter;
using comparison::Row;

constexpr std::array kClasses{"a", "b", "c", "d", "e"};
constexpr int kPoints = 200;  ///< of a curve
constexpr double kRarest = 4; ///< 99.99 %

QString tableOf(const QStringList& titles, const std::vector<Row>& rows)
{
    QString heads, body;
    for (const QString& title : titles)
        heads += head(title);
    for (const Row& row : rows) {
        body += QStringLiteral("<tr>");
        for (const QString& text : row)
            body += cell(text);
        body += QStringLiteral("</tr>");
    }
    return table(heads, body);
}

QString runName(const std::vector<DocumentRun>& runs, std::size_t run)
{
    return runs.size() > 1 ? letter(run) : QString();
}

/// Curves over one axis; `values` of a run by `xs` of its own.
struct Curves
{
    std::vector<std::vector<double>> xs;
    std::vector<SvgPlot::Values> values;

    double lowest() const { return bound(true); }
    double highest() const { return bound(false); }
    double bound(bool isLowest) const
    {
        double found = 0;
        for (const SvgPlot::Values& of : values)
            for (const auto& value : of)
                if (value && *value > 0)
                    found = found == 0 ? *value : isLowest ? std::min(found, *value) : std::max(found, *value);
        return found;
    }
    void draw(SvgPlot& plot, const std::vector<DocumentRun>& runs) const
    {
        for (std::size_t i = 0; i < xs.size(); ++i)
            plot.line(xs[i], values[i], QLatin1String(kClasses[i % kClasses.size()]), runName(runs, i));
    }
};

/// Each step right is ten times rarer. From the requests, or the few percentiles that a report tells.
QString percentilePlot(const std::vector<DocumentRun>& runs)
{
    Curves curves;
    for (const DocumentRun& run : runs) {
        std::vector<double> xs;
        SvgPlot::Values values;
        if (run.compared.rows) {
            const stats::Histogram& response = run.compared.rows->of(measure::Metric::Response);
            for (int i = 0; i <= kPoints && !response.empty(); ++i) {
                const double x = kRarest * i / kPoints;
                xs.push_back(x);
                values.push_back(toMs(*response.percentile(std::clamp((1 - std::pow(10, -x)) * 100, 1e-6, 100.0))));
            }
        } else {
            const QJsonObject told = run.compared.report.value(QLatin1String("response_ms")).toObject();
            constexpr std::pair<const char*, double> kTold[] = {
                {"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}};
            for (const auto& [name, share] : kTold)
                if (const QJsonValue value = told.value(QLatin1String(name)); value.isDouble()) {
                    xs.push_back(-std::log10(1 - share));
                    values.push_back(value.toDouble());
                }
        }
        curves.xs.push_back(std::move(xs));
        curves.values.push_back(std::move(values));
    }
    if (!(curves.highest() > 0))
        return {};
    SvgPlot::Axis x{kRarest, QStringLiteral("share of requests answered at least this fast")};
    for (const double share : {0.0, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999})
        x.ticks.emplace_back(-std::log10(1 - share), plainNumber(share * 100, 2) + QStringLiteral(" %"));
    SvgPlot plot(QStringLiteral("Response time by percentile, a line a run"), std::move(x),
                 {curves.highest() * 1.2, QStringLiteral("ms, logarithmic"), {}, curves.lowest() / 1.2});
    curves.draw(plot, runs);
    return plot.svg();
}

QString timePlot(const std::vector<DocumentRun>& runs)
{
    Curves curves;
    double end = 0;
    for (const DocumentRun& run : runs) {
        const QJsonObject axis = run.compared.report.value(QLatin1String("seconds")).toObject();
        const double width = axis.value(QLatin1String("slot_ms")).toDouble() / 1000;
        const QJsonArray p95 = axis.value(QLatin1String("p95_ms")).toArray();
        std::vector<double> xs;
        SvgPlot::Values values;
        for (qsizetype i = 0; i < p95.size(); ++i) {
            xs.push_back((static_cast<double>(i) + 0.5) * width);
            values.push_back(p95.at(i).isDouble() ? std::optional(p95.at(i).toDouble()) : std::nullopt);
        }
        end = std::max(end, static_cast<double>(p95.size()) * width);
        curves.xs.push_back(std::move(xs));
        curves.values.push_back(std::move(values));
    }
    if (!(curves.highest() > 0))
        return {};
    SvgPlot plot(QStringLiteral("p95 of the response time over time, all runs from their own start"),
                 {end, QStringLiteral("seconds since the start")},
                 {curves.highest() * 1.2, QStringLiteral("p95, ms, logarithmic"), {}, curves.lowest() / 1.2});
    curves.draw(plot, runs);
    return plot.svg();
}

struct Lane
{
    QString words;
    BreakerStory story;
};

/// A lane for each breaker that did not stay closed in all of the runs.
std::vector<Lane> lanesOf(const std::vector<DocumentRun>& runs)
{
    std::vector<Lane> lanes;
    QStringList moved;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (BreakerStory& story : breakerStoriesIn(runs[i].compared.report)) {
            const QString endpoint = QString::fromStdString(story.endpoint);
            if (story.spans.size() > 1 || story.firstOpen)
                moved << endpoint;
            lanes.push_back({letter(i) + QLatin1Char(' ') + endpoint, std::move(story)});
        }
    std::erase_if(lanes,
                  [&](const Lane& lane) { return !moved.contains(QString::fromStdString(lane.story.endpoint)); });
    std::ranges::stable_sort(lanes, {}, [](const Lane& lane) { return lane.story.endpoint; });
    return lanes;
}

QString breakerPlot(const std::vector<DocumentRun>& runs)
{
    const std::vector<Lane> lanes = lanesOf(runs);
    if (lanes.empty())
        return {};
    double end = 0;
    SvgPlot::Axis y{static_cast<double>(lanes.size()), {}};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        y.ticks.emplace_back(static_cast<double>(lanes.size() - i) - 0.5, lanes[i].words.left(9));
        end = std::max(end, lanes[i].story.spans.back().to);
    }
    SvgPlot plot(QStringLiteral("Breakers over time, a lane a run: thin closed, half high half-open, high open"),
                 {end, QStringLiteral("seconds since the start")}, std::move(y));
    for (std::size_t i = 0; i < lanes.size(); ++i)
        for (const BreakerStory::Span& span : lanes[i].story.spans) {
            const bool isOpen =
                span.state == policy::BreakerState::Open || span.state == policy::BreakerState::ForcedOpen;
            const double half = isOpen ? 0.36 : span.state == policy::BreakerState::HalfOpen ? 0.22 : 0.08;
            const double middle = static_cast<double>(lanes.size() - i) - 0.5;
            plot.bar(span.from, span.to, middle - half, middle + half,
                     half > 0.1 ? QStringLiteral("ko") : QStringLiteral("ok"));
        }
    return plot.svg();
}

QString settingsHtml(const std::vector<DocumentRun>& runs)
{
    const comparison::Settings settings = comparison::settings(runs);
    QString html;
    for (const auto& difference : settings.differences) {
        html += QStringLiteral("<p class=\"soft\">") + difference.name.toHtmlEscaped() + QStringLiteral("</p><pre>");
        for (std::size_t i = 0; i < difference.values.size(); ++i)
            html += QStringLiteral("<span class=\"%1\">%2 %3 %4</span>\n")
                        .arg(i == 0 ? QStringLiteral("bad") : QStringLiteral("good"),
                             i == 0 ? QStringLiteral("−") : QStringLiteral("+"), letter(i),
                             difference.values[i].toHtmlEscaped());
        html += QStringLiteral("</pre>");
    }
    if (settings.differences.empty())
        html += QStringLiteral("<p>Nothing that is kept of the plans.</p>");
    if (!settings.note.isEmpty())
        html += QStringLiteral("<p>") + settings.note.toHtmlEscaped() + QStringLiteral("</p>");
    if (!settings.same.isEmpty())
        html += QStringLiteral("<p class=\"soft\">The same: ") +
                settings.same.join(QStringLiteral(", ")).toHtmlEscaped() + QStringLiteral("</p>");
    return html;
}

} // namespace

QString comparisonHtml(const std::vector<DocumentRun>& runs)
{
    QStringList figureHeads{QString()};
    for (std::size_t i = 0; i < runs.size(); ++i)
        figureHeads << letter(i);
    return page(comparison::heading(runs),
                tableOf({QString(), QStringLiteral("Run"), QStringLiteral("Target"), QStringLiteral("Started"),
                         QStringLiteral("Verdict"), QStringLiteral("Note")},
                        comparison::runRows(runs)) +
                    section(QStringLiteral("What changed"),
                            tableOf(figureHeads, comparison::figureRows(runs)) + QStringLiteral("<p class=\"soft\">") +
                                comparison::kIntervals.toHtmlEscaped() + QStringLiteral("</p>")) +
                    section(QStringLiteral("Latency by percentile"), percentilePlot(runs)) +
                    section(QStringLiteral("p95 over time, aligned"), timePlot(runs)) +
                    section(QStringLiteral("Breakers, aligned"),
                            breakerPlot(runs) + tableOf({QStringLiteral("Endpoint"), QStringLiteral("Run"),
                                                         QStringLiteral("First open at"), QStringLiteral("Open in all"),
                                                         QStringLiteral("Times opened")},
                                                        comparison::breakerRows(runs))) +
                    section(QStringLiteral("What was different"), settingsHtml(runs)));
}

} // namespace sg::load
