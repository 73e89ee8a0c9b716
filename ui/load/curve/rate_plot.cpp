// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/curve/rate_plot.h"

#include "ui/format/format.h"
#include "ui/load/curve/step_sign.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/load/strip/strip_lane.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

using load::RateStep;

constexpr double kLeft = 58, kRight = 44, kTop = 40, kFoot = 52;
constexpr double kLogFrom = 10; ///< times the lowest rate

struct Percentile
{
    const char* name;
    std::optional<double> RateStep::*value;
};
constexpr Percentile kPercentiles[] = {{"p50", &RateStep::p50Ms}, {"p95", &RateStep::p95Ms}, {"p99", &RateStep::p99Ms}};

QPen penOf(std::size_t which, const Tokens& tokens)
{
    const QColor colours[] = {tokens.p50, tokens.p95, tokens.p99};
    static const QVector<qreal> dashes[] = {{}, {3.2, 1.6}, {1.4, 1.6}};
    QPen pen(colours[which], 1.8, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dashes[which].isEmpty())
        pen.setDashPattern(dashes[which]);
    return pen;
}

QString msWords(std::optional<double> ms)
{
    return ms ? format::latency(*ms).text() : format::unknown();
}

QString rateOrUnknown(std::optional<double> rate)
{
    return rate ? ratewords::rate(*rate) : format::unknown();
}

QString successWords(const RateStep& step)
{
    return step.successShare ? format::success(*step.successShare) + format::thin() + QLatin1Char('%')
                             : format::unknown();
}

QString timeWords(const RateStep& step)
{
    return QStringLiteral("%1\u2013%2")
        .arg(loadwords::span(toMs(step.from) / 1000), loadwords::span(toMs(step.to) / 1000));
}

QString rateTitle(const RateStep& step)
{
    return RatePlot::tr("at %1 requested").arg(ratewords::rate(step.requestedRate));
}

std::optional<double> dueOf(const RateStep& step)
{
    return step.dueRate > 0 ? std::optional(step.dueRate) : std::nullopt;
}

/// Name and value of what a step came to.
std::vector<std::pair<QString, QString>> factsOf(const RateStep& step)
{
    std::vector<std::pair<QString, QString>> facts{{RatePlot::tr("due"), rateOrUnknown(dueOf(step))},
                                                   {RatePlot::tr("achieved"), ratewords::rate(step.achievedRate)},
                                                   {RatePlot::tr("answered"), rateOrUnknown(step.answeredRate)}};
    for (const Percentile& percentile : kPercentiles)
        facts.emplace_back(QLatin1String(percentile.name), msWords(step.*percentile.value));
    facts.emplace_back(RatePlot::tr("success"), successWords(step));
    if (step.dropped > 0)
        facts.emplace_back(RatePlot::tr("not sent"), format::count(step.dropped));
    return facts;
}

} // namespace

namespace ratewords {

QString rate(double perSecond)
{
    return format::rate(perSecond) + format::thin() + QStringLiteral("/s");
}

QString state(const RateStep& step)
{
    if (!step.invalidBecause.isEmpty())
        return RatePlot::tr("INVALID: %1").arg(step.invalidBecause.join(QStringLiteral("; ")));
    const QString after = step.isRise ? QString() : RatePlot::tr(", after a higher rate");
    return (step.held() ? RatePlot::tr("held") : RatePlot::tr("did not hold: %1").arg(load::signWords(step.sign))) +
           after;
}

QString knees(const load::RateCurve& curve)
{
    if (!curve.isCurve())
        return {};
    const QString last =
        curve.lastHeld ? rate(curve.steps[*curve.lastHeld].requestedRate) : RatePlot::tr("below the first step");
    QString words = RatePlot::tr("Knee, the last step that held: %1.").arg(last);
    if (curve.lastHeld && !curve.steps[*curve.lastHeld].invalidBecause.isEmpty())
        words += RatePlot::tr(" In that step the generator was late itself (INVALID).");
    if (!curve.beyond) {
        words += RatePlot::tr(" Every step held, so it may lie higher.");
    } else {
        const RateStep& beyond = curve.steps[*curve.beyond];
        words += RatePlot::tr(" At %1 %2.").arg(rate(beyond.requestedRate), load::signWords(beyond.sign));
        if (!beyond.invalidBecause.isEmpty())
            words += RatePlot::tr(" That step is INVALID: it may be the generator that did not keep up.");
    }
    return words + RatePlot::tr(" Where p99 bends: %1.")
                       .arg(curve.bend ? rate(curve.steps[*curve.bend].requestedRate) : RatePlot::tr("nowhere"));
}

} // namespace ratewords

RatePlot::RatePlot(ThemeContext& context, QWidget* parent)
    : CursorChart(context, parent)
{
    setAccessibleName(tr("Latency against rate"));
}

void RatePlot::setCurve(load::RateCurve curve)
{
    if (curve == curve_)
        return;
    curve_ = std::move(curve);
    order_.resize(curve_.steps.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
        order_[i] = i;
    std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return curve_.steps[i].requestedRate; });
    fitScales();
    dataChanged();
}

void RatePlot::fitScales()
{
    std::vector<double> values;
    double lowest = 0, highest = 0;
    for (const RateStep& step : curve_.steps) {
        lowest = lowest > 0 ? std::min(lowest, step.requestedRate) : step.requestedRate;
        highest = std::max(highest, step.requestedRate);
        for (const Percentile& percentile : kPercentiles)
            if (const auto ms = step.*percentile.value)
                values.push_back(*ms);
    }
    const runaxes::LogScale scale = runaxes::latencyScale(values);
    lowMs_ = scale.low;
    highMs_ = scale.high;
    isLogRate_ = lowest > 0 && highest >= lowest * kLogFrom;
    fromRate_ = isLogRate_ ? lowest / 1.15 : 0;
    toRate_ = std::max(1e-3, isLogRate_ ? highest * 1.15 : highest * 1.05);
}

QRectF RatePlot::plot() const
{
    return QRectF(kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kFoot));
}

double RatePlot::xOf(double rate) const
{
    const QRectF box = plot();
    const double share = isLogRate_ ? std::log(std::max(rate, fromRate_) / fromRate_) / std::log(toRate_ / fromRate_)
                                    : (rate - fromRate_) / (toRate_ - fromRate_);
    return box.left() + box.width() * share;
}

double RatePlot::yOf(double ms) const
{
    const QRectF box = plot();
    return box.bottom() - box.height() * runaxes::LogScale{lowMs_, highMs_}.share(ms);
}

std::vector<double> RatePlot::rateMarks() const
{
    std::vector<double> marks;
    if (isLogRate_) {
        for (double power = std::pow(10, std::floor(std::log10(fromRate_))); power <= toRate_; power *= 10)
            for (const int step : {1, 2, 5})
                if (power * step >= fromRate_ && power * step <= toRate_)
                    marks.push_back(power * step);
        return marks;
    }
    const double step = runaxes::niceCeil(toRate_ / 8);
    for (double rate = 0; rate <= toRate_; rate += step)
        marks.push_back(rate);
    return marks;
}

void RatePlot::paintEvent(QPaintEvent*)
{
    const Theme& theme = this->theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (!curve_.steps.empty()) {
        paintKnees(p, theme);
        paintAxes(p, theme);
        double labelFree = plot().top() - 20;
        for (const std::size_t which : {2, 1, 0}) // p99 stands highest: labels go from the top down
            paintPercentile(p, theme, which, labelFree);
        if (const auto under = stepUnderCursor()) {
            QPen pen(theme.c.text2, 1.2);
            pen.setDashPattern({1.6, 2});
            p.setPen(pen);
            const double x = xOf(curve_.steps[*under].requestedRate);
            p.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
        }
        paintSigns(p, theme);
    }
    paintFocus(p);
}

void RatePlot::paintAxes(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    const int most = std::max(2, static_cast<int>(box.height() / 34));
    for (const double mark : runaxes::LogScale{lowMs_, highMs_}.marks(most)) {
        const double y = std::round(yOf(mark)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        paint::text(p, box.left() - 6, y + 3.5, strip::axisLatency(mark), theme.font(10.5), theme.c.text3,
                    Qt::AlignRight);
    }
    double free = -1;
    for (const double mark : rateMarks()) {
        const double x = std::round(xOf(mark)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        const QString words = strip::axisCount(mark);
        const double half = QFontMetricsF(theme.font(10.5), this).horizontalAdvance(words) / 2;
        if (x - half < free)
            continue;
        free = x + half + 8;
        paint::text(p, x, box.bottom() + 15, words, theme.font(10.5), theme.c.text3, Qt::AlignHCenter);
    }
    paint::text(p, box.center().x(), box.bottom() + 30,
                isLogRate_ ? tr("requested rate, requests a second (by factor)")
                           : tr("requested rate, requests a second"),
                theme.font(10.5), theme.c.text3, Qt::AlignHCenter, box.width());
}

void RatePlot::paintKnees(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    if (curve_.beyond) {
        const double x = curve_.lastHeld ? xOf(curve_.steps[*curve_.lastHeld].requestedRate) : box.left();
        p.fillRect(QRectF(QPointF(x, box.top()), box.bottomRight()), theme.c.raised);
    }
    const auto mark = [&](std::optional<std::size_t> step, const QString& words, const QPen& pen, int row) {
        if (!step)
            return;
        const double x = std::round(xOf(curve_.steps[*step].requestedRate)) + 0.5;
        const double baseline = 14 + 15 * row;
        p.setPen(pen);
        p.drawLine(QPointF(x, baseline - 9), QPointF(x, box.bottom()));
        const bool isRight = x > box.center().x();
        paint::text(p, x + (isRight ? -6 : 6), baseline, words, theme.font(11, row == 0), pen.color(),
                    isRight ? Qt::AlignRight : Qt::AlignLeft, (isRight ? x - 8 : width() - x - 8));
    };
    QPen bend(theme.c.text2, 1.2);
    bend.setDashPattern({4, 2.5});
    // Where every step held, the last of them is no knee.
    if (curve_.beyond && curve_.lastHeld)
        mark(curve_.lastHeld,
             tr("Knee %1: the last step that held").arg(ratewords::rate(curve_.steps[*curve_.lastHeld].requestedRate)),
             QPen(theme.c.text, 1.4), 0);
    if (curve_.bend)
        mark(curve_.bend, tr("p99 bends at %1").arg(ratewords::rate(curve_.steps[*curve_.bend].requestedRate)), bend,
             1);
}

void RatePlot::paintPercentile(QPainter& p, const Theme& theme, std::size_t which, double& labelFree) const
{
    QPainterPath path;
    bool isDrawing = false;
    std::optional<QPointF> last;
    const auto& percentile = kPercentiles[which];
    for (const RateStep& step : curve_.steps) {
        const auto ms = step.*percentile.value;
        if (!step.isRise)
            continue;
        if (!ms) {
            isDrawing = false;
            continue;
        }
        last = QPointF(xOf(step.requestedRate), yOf(*ms));
        isDrawing ? path.lineTo(*last) : path.moveTo(*last);
        isDrawing = true;
    }
    const QPen pen = penOf(which, theme.c);
    p.setBrush(Qt::NoBrush);
    p.setPen(pen);
    p.drawPath(path);
    for (std::size_t i = 0; i < curve_.steps.size(); ++i)
        if (const auto ms = curve_.steps[i].*percentile.value)
            stepsign::paint(p, {xOf(curve_.steps[i].requestedRate), yOf(*ms)}, stepsign::lookOf(curve_.steps[i]),
                            pen.color(), theme.c.card, stepUnderCursor() == i);
    if (!last)
        return;
    labelFree = std::max(labelFree + 13, last->y() + 3.5);
    paint::text(p, plot().right() + 6, labelFree, QLatin1String(percentile.name), theme.font(10.5, true), pen.color());
}

/// What the signs mean: of those that are there.
void RatePlot::paintSigns(QPainter& p, const Theme& theme) const
{
    double x = plot().left();
    const double baseline = height() - 7;
    for (const auto look : {stepsign::Look::NotHeld, stepsign::Look::After, stepsign::Look::Invalid}) {
        if (std::ranges::none_of(curve_.steps, [look](const RateStep& step) { return stepsign::lookOf(step) == look; }))
            continue;
        stepsign::paint(p, {x + 4, baseline - 4}, look, theme.c.text2, theme.c.card, false);
        x += 13;
        x += paint::text(p, x, baseline, stepsign::words(look), theme.font(10.5), theme.c.text2) + 16;
    }
}

std::optional<std::size_t> RatePlot::stepUnderCursor() const
{
    return cursor() && !order_.empty() ? std::optional(order_[static_cast<std::size_t>(*cursor())]) : std::nullopt;
}

bool RatePlot::hasData() const
{
    return !order_.empty();
}

RatePlot::Reach RatePlot::reach() const
{
    return {0, static_cast<double>(order_.empty() ? 0 : order_.size() - 1), 1};
}

QString RatePlot::sentence() const
{
    const auto under = stepUnderCursor();
    if (!under)
        return ratewords::knees(curve_);
    const RateStep& step = curve_.steps[*under];
    QStringList words{rateTitle(step)};
    for (const auto& [name, value] : factsOf(step))
        words << name + QLatin1Char(' ') + value;
    words << ratewords::state(step);
    return words.join(QStringLiteral(", "));
}

TipFrame::Content RatePlot::tip() const
{
    const Tokens& c = theme().c;
    const RateStep& step = curve_.steps[*stepUnderCursor()];
    TipFrame::Content content;
    content.title = {{rateTitle(step), true, c.text}, {QStringLiteral("   ") + timeWords(step), false, c.text3}};
    for (const auto& [name, value] : factsOf(step))
        content.lines.push_back({{name + QStringLiteral("  "), false, c.text2}, {value, true, c.text}});
    content.lines.push_back({{ratewords::state(step), false, c.text2}});
    return content;
}

QPointF RatePlot::anchor() const
{
    return {xOf(curve_.steps[*stepUnderCursor()].requestedRate), plot().center().y()};
}

DataTable RatePlot::dataTable() const
{
    DataTable table{accessibleName(), {{tr("time"), false}}, {}};
    for (const QString& column :
         {tr("requested"), tr("due"), tr("achieved"), tr("answered"), QStringLiteral("p50"), QStringLiteral("p95"),
          QStringLiteral("p99"), tr("success"), tr("requests"), tr("not sent")})
        table.columns.push_back({column, true});
    table.columns.push_back({tr("step"), false});
    for (const RateStep& step : curve_.steps)
        table.rows.push_back(
            DataTable::row({timeWords(step), ratewords::rate(step.requestedRate), rateOrUnknown(dueOf(step)),
                            ratewords::rate(step.achievedRate), rateOrUnknown(step.answeredRate), msWords(step.p50Ms),
                            msWords(step.p95Ms), msWords(step.p99Ms), successWords(step), format::count(step.requests),
                            format::count(step.dropped), ratewords::state(step)}));
    return table;
}

std::optional<double> RatePlot::cursorAt(const QPointF& point) const
{
    const QRectF box = plot();
    if (point.x() < box.left() - 8 || point.x() > box.right() + 8)
        return std::nullopt;
    // Of steps at one rate the one that is nearer in height.
    const auto far = [&](std::size_t i) {
        const RateStep& step = curve_.steps[i];
        double near = box.height();
        for (const Percentile& percentile : kPercentiles)
            if (const auto ms = step.*percentile.value)
                near = std::min(near, std::abs(yOf(*ms) - point.y()));
        return std::pair(std::abs(xOf(step.requestedRate) - point.x()), near);
    };
    return static_cast<double>(std::ranges::min_element(order_, {}, far) - order_.begin());
}

} // namespace sg::ui
