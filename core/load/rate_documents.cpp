// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/rate_documents.h"

#include "core/load/html_parts.h"
#include "core/load/report_words.h"
#include "core/load/svg_plot.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

using namespace htmlparts;

QString numberWords(std::optional<double> value, const QString& unit)
{
    return valueWords(value ? QJsonValue(*value) : QJsonValue(), unit);
}

/// Rounded down: 99.99… % is not 100 %.
QString successWords(const RateStep& step)
{
    return step.successShare ? plainNumber(std::floor(*step.successShare * 10000) / 100, 2) + QStringLiteral(" %")
                             : QStringLiteral("–");
}

QString timeWords(const RateStep& step)
{
    return QStringLiteral("%1 to %2 s")
        .arg(plainNumber(toMs(step.from) / 1000, 1), plainNumber(toMs(step.to) / 1000, 1));
}

const QStringList& heads()
{
    static const QStringList all{QStringLiteral("Time"),     QStringLiteral("Requested"), QStringLiteral("Due"),
                                 QStringLiteral("Achieved"), QStringLiteral("Answered"),  QStringLiteral("p50"),
                                 QStringLiteral("p95"),      QStringLiteral("p99"),       QStringLiteral("Success"),
                                 QStringLiteral("Step")};
    return all;
}

QStringList cellsOf(const RateStep& step)
{
    const QString rate = QStringLiteral("1/s"), ms = QStringLiteral("ms");
    return {timeWords(step),
            numberWords(step.requestedRate, rate),
            numberWords(step.dueRate > 0 ? std::optional(step.dueRate) : std::nullopt, rate),
            numberWords(step.achievedRate, rate),
            numberWords(step.answeredRate, rate),
            numberWords(step.p50Ms, ms),
            numberWords(step.p95Ms, ms),
            numberWords(step.p99Ms, ms),
            successWords(step),
            stepWord(step) + (step.isRise ? QString() : QStringLiteral(", after a higher rate"))};
}

QString tableOf(const RateCurve& curve)
{
    QString titles, rows;
    for (qsizetype i = 0; i < heads().size(); ++i)
        titles += head(heads().at(i), i > 0 && i + 1 < heads().size() ? "n" : "");
    for (const RateStep& step : curve.steps) {
        const QStringList cells = cellsOf(step);
        rows += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < cells.size(); ++i)
            rows += cell(cells.at(i), i > 0 && i + 1 < cells.size() ? "n" : "");
        rows += QStringLiteral("</tr>");
    }
    return table(titles, rows);
}

struct Span
{
    double lowest = 0, highest = 0, fastest = 0;
};

Span spanOf(const RateCurve& curve)
{
    Span span;
    for (const RateStep& step : curve.steps) {
        span.fastest = std::max(span.fastest, step.requestedRate);
        for (const auto& ms : {step.p50Ms, step.p95Ms, step.p99Ms}) {
            if (!ms || !(*ms > 0))
                continue;
            span.lowest = span.lowest > 0 ? std::min(span.lowest, *ms) : *ms;
            span.highest = std::max(span.highest, *ms);
        }
    }
    return span;
}

void addLines(SvgPlot& plot, const RateCurve& curve)
{
    constexpr std::pair<std::optional<double> RateStep::*, const char*> kLines[] = {
        {&RateStep::p50Ms, "a"}, {&RateStep::p95Ms, "b"}, {&RateStep::p99Ms, "c"}};
    const QString names[] = {QStringLiteral("p50"), QStringLiteral("p95"), QStringLiteral("p99")};
    for (std::size_t line = 0; line < std::size(kLines); ++line) {
        const auto& [value, cssClass] = kLines[line];
        std::vector<double> rates;
        SvgPlot::Values values;
        for (const RateStep& step : curve.steps)
            if (step.isRise) {
                rates.push_back(step.requestedRate);
                values.push_back(step.*value);
            }
        plot.line(rates, values, QLatin1String(cssClass), names[line]);
        for (const RateStep& step : curve.steps)
            if (step.*value && (!step.isRise || !step.held() || !step.invalidBecause.isEmpty()))
                plot.dot(step.requestedRate, *(step.*value), QLatin1String(cssClass));
    }
}

} // namespace

QString stepWord(const RateStep& step)
{
    if (!step.invalidBecause.isEmpty())
        return QStringLiteral("INVALID");
    return step.held() ? QStringLiteral("held") : QStringLiteral("did not hold");
}

QString ratesHtml(const RateCurve& curve)
{
    const Span span = spanOf(curve);
    if (!curve.isCurve())
        return {};
    QString html;
    if (span.highest > 0) {
        SvgPlot plot(QStringLiteral("Response time against the requested rate: p50, p95 and p99. ") + kneeWords(curve),
                     {span.fastest * 1.05, QStringLiteral("requested rate, 1/s")},
                     {span.highest * 1.3, QStringLiteral("ms, logarithmic"), {}, span.lowest / 1.3});
        if (curve.beyond)
            plot.shade(curve.lastHeld ? curve.steps[*curve.lastHeld].requestedRate : 0, span.fastest * 1.05,
                       QStringLiteral("beyond the knee"));
        addLines(plot, curve);
        if (curve.lastHeld && curve.beyond)
            plot.mark(curve.steps[*curve.lastHeld].requestedRate, QStringLiteral("knee: the last step that held"), 1);
        if (curve.bend)
            plot.mark(curve.steps[*curve.bend].requestedRate, QStringLiteral("p99 bends"), 2);
        html = plot.svg();
    }
    return html + QStringLiteral("<p>") + kneeWords(curve).toHtmlEscaped() +
           QStringLiteral("</p><p class=\"soft\">Rings are steps that did not hold, came after a higher rate (whose "
                          "backlog they may bear) or are INVALID. Achieved are answers that came within the step and "
                          "the first step's p99 on top; answered are all of its answers.</p>\n") +
           tableOf(curve);
}

QString ratesMarkdown(const RateCurve& curve)
{
    if (!curve.isCurve())
        return {};
    QString text = QStringLiteral("\n| ") + heads().join(QStringLiteral(" | ")) + QStringLiteral(" |\n|---") +
                   QStringLiteral("|---:").repeated(heads().size() - 2) + QStringLiteral("|---|\n");
    for (const RateStep& step : curve.steps)
        text += QStringLiteral("| ") + cellsOf(step).join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    return text + QLatin1Char('\n') + kneeWords(curve) + QLatin1Char('\n');
}

} // namespace sg::load
