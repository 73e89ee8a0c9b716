// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/latency_histogram.h"
#include "ui/format/format.h"
#include "ui/overview/histogram_bars.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/tip_frame.h"

#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <cmath>

namespace sg::ui {

using observe::LatencyBin;

namespace {

constexpr double kLeft = 45, kRight = 14, kTop = 34, kBottom = 24, kFlagTop = 8, kFlagRow = 15;
constexpr double kFlagWide = 76; ///< a percentile's name and value

/// Where a marker's label stands: beside its line, a row lower while others are in the way.
QRectF freePlace(const std::vector<QRectF>& taken, double x, double wide, bool prefersLeft, double chartWidth)
{
    for (int row = 0;; ++row) {
        for (const bool isLeft : {prefersLeft, !prefersLeft}) {
            const QRectF place(isLeft ? x - 5 - wide : x + 5, kFlagTop + row * kFlagRow, wide, kFlagRow);
            const bool fits = place.left() > 2 && place.right() < chartWidth - 4;
            const bool isFree = std::ranges::none_of(
                taken, [&](const QRectF& other) { return other.adjusted(-6, 1, 6, -1).intersects(place); });
            if ((fits && isFree) || row > 5)
                return place;
        }
    }
}

} // namespace

LatencyHistogram::LatencyHistogram(ThemeContext& context, QWidget* parent)
    : QChartView(new QChart, parent)
    , context_(context)
    , answeredTop_(new QLineSeries(this))
    , cachedTop_(new QLineSeries(this))
    , answered_(new QAreaSeries(answeredTop_))
    , cached_(new QAreaSeries(cachedTop_))
    , xAxis_(new QValueAxis)
    , yAxis_(new QValueAxis)
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(160);
    setMouseTracking(true);
    setSubject({tr("Latency distribution"),
                tr("How long answers took, from the client's send to the last byte, waits and fallbacks included. Each "
                   "bar counts the answers of one span of time; the axis is logarithmic. p50, p95 and p99 are the "
                   "times within which 50, 95 and 99 of 100 answers came. Failed requests are hatched and in none of "
                   "the three. Arrow keys read a bar, T shows all of them as a table."),
                tr("No request in this window")});
    auto* plot = chart();
    plot->setAnimationOptions(QChart::NoAnimation);
    plot->legend()->hide();
    plot->setBackgroundVisible(false);
    plot->layout()->setContentsMargins(0, 0, 0, 0);
    plot->setMargins({});
    plot->addSeries(answered_);
    plot->addSeries(cached_);
    plot->addAxis(xAxis_, Qt::AlignBottom);
    plot->addAxis(yAxis_, Qt::AlignLeft);
    for (auto* series : {answered_, cached_}) {
        series->attachAxis(xAxis_);
        series->attachAxis(yAxis_);
    }
    for (auto* axis : {xAxis_, yAxis_})
        axis->setVisible(false); // labels are written by drawForeground: units and thin spaces
    connect(&context, &ThemeContext::changed, this, &LatencyHistogram::applyTheme);
    applyTheme();
}

void LatencyHistogram::setSubject(Subject subject)
{
    subject_ = std::move(subject);
    setAccessibleName(subject_.name);
    setWhatsThis(subject_.about);
    applyTheme();
}

void LatencyHistogram::applyTheme()
{
    const Tokens& c = context_.c();
    const auto dress = [](QAreaSeries* series, QColor colour, double alpha) {
        colour.setAlphaF(static_cast<float>(alpha));
        series->setPen(Qt::NoPen);
        series->setBrush(colour);
    };
    dress(answered_, c.*subject_.bars, 0.78);
    dress(cached_, c.accent, 0.42);
    viewport()->update();
}

void LatencyHistogram::setSnapshot(const observe::SnapshotPtr& snapshot)
{
    snapshot_ = snapshot;
    bars_ = histogram::bars(snapshot->latency);
    const auto& bins = bars_;
    if (!bins.empty()) {
        lowMs_ = histogram::lowestMs(bins);
        highMs_ = bins.back().highMs;
    }
    answeredTop_->replace(histogram::outline(bins, [](const LatencyBin& b) { return b.answered; }));
    cachedTop_->replace(histogram::outline(bins, [](const LatencyBin& b) { return b.cached; }));
    double top = 0;
    for (const LatencyBin& bin : bins)
        top = std::max({top, static_cast<double>(bin.answered), static_cast<double>(bin.cached)});
    if (cursor_ && *cursor_ >= bins.size())
        cursor_.reset();
    // The axis grows at once and shrinks only when half of it is empty: a scale that jumps cannot be read.
    if (top * 1.06 > top_ || top < top_ / 2) {
        top_ = std::max(4.0, top * 1.12);
        step_ = histogram::niceStep(top_);
    }
    fitAxes();
    showCursor();
    viewport()->update();
}

void LatencyHistogram::fitAxes()
{
    // Labels of the high percentiles stand on the right of their lines: the axis goes on until they have room there.
    const double room = std::max(1.0, width() - kLeft - kRight);
    const auto& tiles = snapshot_->tiles;
    if (const auto highest = tiles.p99Ms ? tiles.p99Ms : tiles.p95Ms; highest && room > 3 * kFlagWide) {
        const double share = 1 - kFlagWide / room;
        const double from = std::log10(std::max(0.01, lowMs_)), at = std::log10(std::max(0.01, *highest));
        const double needed = std::pow(10, from + (at - from) / share);
        // In coarse steps, or it would move with each new p99.
        highMs_ = std::max(highMs_, histogram::niceStep(std::min(needed, *highest * 20) * 4.5));
    }
    const double low = std::log10(std::max(0.01, lowMs_)), high = std::log10(std::max(1.0, highMs_));
    if (xAxis_->min() != low || xAxis_->max() != high)
        xAxis_->setRange(low, high);
    if (yAxis_->max() != top_)
        yAxis_->setRange(0, top_);
}

void LatencyHistogram::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    chart()->setPlotArea(QRectF(kLeft, kTop, width() - kLeft - kRight, height() - kTop - kBottom));
    if (snapshot_)
        fitAxes();
}

void LatencyHistogram::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void LatencyHistogram::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    setCursor(std::nullopt);
    viewport()->update();
}

double LatencyHistogram::xOf(double ms) const
{
    const QRectF area = chart()->plotArea();
    const double low = std::log10(std::max(0.01, lowMs_)), high = std::log10(std::max(1.0, highMs_));
    return area.left() + (std::log10(std::max(lowMs_, ms)) - low) / std::max(1e-9, high - low) * area.width();
}

double LatencyHistogram::yOf(double count) const
{
    const QRectF area = chart()->plotArea();
    return area.bottom() - count / top_ * area.height();
}

void LatencyHistogram::paintAxes(QPainter& p, const Theme& theme) const
{
    const QRectF area = chart()->plotArea();
    const QFont font = theme.font(10.5);
    for (double v = 0; v <= top_; v += step_) {
        const double y = std::round(yOf(v));
        p.fillRect(QRectF(area.left(), y, area.width(), 1), v == 0 ? theme.c.outline : theme.c.line);
        paint::text(p, area.left() - 6, y + 4, format::shortCount(v), font, theme.c.text3, Qt::AlignRight, 36);
    }
    double labelEnd = 0; // so that labels of a long axis do not run into each other
    for (double decade = std::pow(10, std::floor(std::log10(lowMs_))); decade <= highMs_; decade *= 10) {
        for (double factor : {1.0, 2.0, 5.0}) {
            const double ms = decade * factor;
            if (ms < lowMs_ * 0.999 || ms > highMs_ * 1.001)
                continue;
            const double x = std::round(xOf(ms));
            if (factor > 1) {
                p.fillRect(QRectF(x, area.bottom(), 1, 3), theme.c.outline);
                continue;
            }
            p.fillRect(QRectF(x, area.top(), 1, area.height()), theme.c.line);
            const QString label = ms < 1000 ? format::number(ms, ms < 0.1 ? 2
                                                                 : ms < 1 ? 1
                                                                          : 0) +
                                                  format::thin() + tr("ms")
                                            : format::number(ms / 1000, 0) + format::thin() + tr("s");
            const double half = QFontMetricsF(font).horizontalAdvance(label) / 2;
            const double middle = std::clamp(x, half + 2, width() - half - 8);
            if (middle - half < labelEnd + 6)
                continue;
            labelEnd = middle + half;
            paint::text(p, middle, area.bottom() + 16, label, font, theme.c.text3, Qt::AlignHCenter);
        }
    }
}

// On a ground of its own: percentile lines and bars pass behind it.
void LatencyHistogram::paintLabel(QPainter& p, double x, double baseline, const QString& words, const QFont& font,
                                  const QColor& ink) const
{
    QColor ground = context_.c().card;
    ground.setAlphaF(0.85F);
    const double wide = QFontMetricsF(font).horizontalAdvance(words);
    p.fillRect(QRectF(x - wide / 2 - 2, baseline - 11, wide + 4, 14), ground);
    paint::text(p, x, baseline, words, font, ink, Qt::AlignHCenter);
}

void LatencyHistogram::paintFailures(QPainter& p, const Theme& theme) const
{
    std::int64_t failed = 0;
    QRectF tallest;
    const auto& bins = bars_;
    const QBrush hatch = paint::failedHatch(theme.c);
    for (const LatencyBin& bin : bins) {
        if (bin.failed == 0)
            continue;
        const double left = xOf(bin.lowMs), right = xOf(bin.highMs);
        // At least 9 px: four failures beside ten thousand answers must be seen.
        const double high = std::max(9.0, yOf(0) - yOf(static_cast<double>(bin.failed)));
        const QRectF bar(left + 0.5, yOf(0) - high, std::max(4.0, right - left - 1), high);
        p.fillRect(bar, hatch);
        p.setPen(QPen(theme.c.open, 0.8));
        p.setBrush(Qt::NoBrush);
        p.drawRect(bar);
        failed += bin.failed;
        if (bar.height() > tallest.height())
            tallest = bar;
    }
    if (failed == 0)
        return;
    const QString label = tr("%1 failed").arg(format::count(failed));
    const QFont bold = theme.font(10.5, true);
    const double half = QFontMetricsF(bold).horizontalAdvance(label) / 2;
    const double x = std::clamp(tallest.center().x(), kLeft + half, width() - kRight - half);
    // Over the bars it would stand on, not across them.
    double top = tallest.top();
    for (const LatencyBin& bin : bins)
        if (xOf(bin.highMs) > x - half && xOf(bin.lowMs) < x + half)
            top = std::min(top, yOf(static_cast<double>(std::max(bin.answered, bin.cached))));
    paintLabel(p, x, std::max(kTop + 24.0, top - 6), label, bold, theme.c.open);
}

void LatencyHistogram::paintPercentiles(QPainter& p, const Theme& theme) const
{
    struct Flag
    {
        QString name;
        std::optional<double> ms;
        QColor colour;
        QVector<qreal> dashes;
        bool prefersLeft;
    };
    const auto& t = snapshot_->tiles;
    const auto named = [](const char* name, std::optional<double> ms) {
        return QLatin1String(name) + QLatin1Char(' ') + format::latency(ms).text();
    };
    std::vector<Flag> flags{{named("p50", t.p50Ms), t.p50Ms, theme.c.p50, {}, true},
                            {named("p95", t.p95Ms), t.p95Ms, theme.c.p95, {3.3, 1.3}, false},
                            {named("p99", t.p99Ms), t.p99Ms, theme.c.p99, {1.3, 1.3}, false}};
    for (const auto& [words, ms] : limits_)
        if (ms >= lowMs_ && ms <= highMs_) // beyond the axis it would stand where it is not
            flags.push_back({words, ms, theme.c.text3, {1.5, 2.5}, false});
    const QFont plain = theme.font(10.5);
    QColor ground = theme.c.card;
    ground.setAlphaF(0.85F);
    std::vector<QRectF> taken;
    QStringList labels;
    for (const Flag& flag : flags) {
        if (!flag.ms)
            continue;
        const double x = std::clamp(xOf(*flag.ms), kLeft, width() - kRight);
        const QString& label = flag.name;
        const QRectF place =
            freePlace(taken, x, QFontMetricsF(plain).horizontalAdvance(label), flag.prefersLeft, width());
        taken.push_back(place);
        labels.append(label);
        QPen pen(flag.colour, 1.5, Qt::SolidLine, Qt::FlatCap);
        if (!flag.dashes.isEmpty())
            pen.setDashPattern(flag.dashes);
        p.setPen(pen);
        p.drawLine(QPointF(x, place.top()), QPointF(x, yOf(0)));
    }
    // Over all lines: where space is short a label stands across its neighbour's line.
    for (std::size_t i = 0; i < taken.size(); ++i) {
        p.fillRect(taken[i].adjusted(-1, 0, 1, -3), ground);
        paint::runs(p, taken[i].left(), taken[i].top() + 8, {{labels[static_cast<qsizetype>(i)], false, theme.c.text}},
                    plain, plain);
    }
}

void LatencyHistogram::paintCacheLabel(QPainter& p, const Theme& theme) const
{
    const LatencyBin* peak = nullptr;
    for (const LatencyBin& bin : bars_) {
        if (bin.cached > 0 && (!peak || bin.cached > peak->cached))
            peak = &bin;
    }
    if (!peak)
        return;
    const double x = std::max(kLeft + 28, (xOf(peak->lowMs) + xOf(peak->highMs)) / 2);
    const double y = std::max(kTop - 2.0, yOf(static_cast<double>(peak->cached)) - 7);
    paintLabel(p, x, y, tr("cache hits"), theme.font(10.5), theme.c.text2);
}

bool LatencyHistogram::hasData() const
{
    return snapshot_ && snapshot_->tiles.answered + snapshot_->tiles.failed > 0;
}

void LatencyHistogram::drawBackground(QPainter* painter, const QRectF&)
{
    if (!hasData())
        return;
    painter->save();
    paintAxes(*painter, context_.theme());
    painter->restore();
}

void LatencyHistogram::drawForeground(QPainter* painter, const QRectF&)
{
    if (!snapshot_)
        return;
    const Theme& theme = context_.theme();
    QPainter& p = *painter;
    p.save();
    if (!hasData()) {
        paint::text(p, width() / 2.0, height() / 2.0, subject_.empty, theme.font(12), theme.c.text3, Qt::AlignHCenter);
    } else {
        p.fillRect(QRectF(kLeft, std::round(yOf(0)), width() - kLeft - kRight, 1), theme.c.outline);
        paintPercentiles(p, theme);
        paintFailures(p, theme);
        paintCacheLabel(p, theme);
        paintCursor(p, theme);
    }
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(1, 0, -1, -1), theme);
    p.restore();
}

QString LatencyHistogram::textOf(const LatencyBin& bin) const
{
    QString words = tr("%1: %2 answered").arg(histogram::spanWords(bin), format::count(bin.answered + bin.cached));
    if (bin.cached > 0)
        words += tr(", %1 of them from the cache").arg(format::count(bin.cached));
    if (bin.failed > 0)
        words += tr(", %1 failed").arg(format::count(bin.failed));
    return words;
}

QString LatencyHistogram::summary() const
{
    const auto& tiles = snapshot_->tiles;
    if (!tiles.p99Ms && tiles.p95Ms)
        return tr("%1 answers; half within %2, 95 percent within %3")
            .arg(format::count(tiles.answered), format::latency(tiles.p50Ms).text(),
                 format::latency(tiles.p95Ms).text());
    return tr("%1 answered, %2 failed; half within %3, 99 percent within %4")
        .arg(format::count(tiles.answered), format::count(tiles.failed), format::latency(tiles.p50Ms).text(),
             format::latency(tiles.p99Ms).text());
}

void LatencyHistogram::setCursor(std::optional<std::size_t> bar)
{
    if (cursor_ == bar)
        return;
    cursor_ = bar;
    showCursor();
    viewport()->update();
}

void LatencyHistogram::showCursor()
{
    if (!snapshot_)
        return;
    if (!cursor_) {
        if (tip_)
            tip_->hide();
        setAccessibleDescription(summary());
        return;
    }
    const LatencyBin& bar = bars_[*cursor_];
    if (!tip_)
        tip_ = new TipFrame(context_, window());
    const Tokens& c = context_.c();
    TipFrame::Content content;
    content.title = {{histogram::spanWords(bar), true, c.text}};
    content.lines.push_back({{tr("%1 answered").arg(format::count(bar.answered + bar.cached)), false, c.text2}});
    if (bar.cached > 0)
        content.lines.push_back({{tr("%1 of them from the cache").arg(format::count(bar.cached)), false, c.text2}});
    if (bar.failed > 0)
        content.lines.push_back({{tr("%1 failed").arg(format::count(bar.failed)), false, c.open}});
    const double top = yOf(static_cast<double>(std::max(bar.answered, bar.cached)));
    const QPointF at((xOf(bar.lowMs) + xOf(bar.highMs)) / 2, std::max(top, kTop));
    tip_->showAt(mapTo(window(), at.toPoint()), std::move(content));
    setAccessibleDescription(textOf(bar));
}

void LatencyHistogram::paintCursor(QPainter& p, const Theme& theme) const
{
    if (!cursor_)
        return;
    const LatencyBin& bar = bars_[*cursor_];
    QPen dashed(theme.c.text, 1);
    dashed.setDashPattern({2, 2});
    p.setPen(dashed);
    const double x = std::round((xOf(bar.lowMs) + xOf(bar.highMs)) / 2) + 0.5;
    p.drawLine(QPointF(x, kTop), QPointF(x, yOf(0)));
}

// The next bar from `from` on with something in it: a log axis has long empty stretches.
void LatencyHistogram::stepTo(int from, int step)
{
    for (int i = from; i >= 0 && i < static_cast<int>(bars_.size()); i += step) {
        const LatencyBin& bar = bars_[static_cast<std::size_t>(i)];
        if (bar.answered + bar.cached + bar.failed > 0)
            return setCursor(static_cast<std::size_t>(i));
    }
}

void LatencyHistogram::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(bars_.size()) - 1;
    const int at = cursor_ ? static_cast<int>(*cursor_) : -1;
    switch (event->key()) {
    case Qt::Key_Left:
        return stepTo(cursor_ ? at - 1 : last, -1);
    case Qt::Key_Right:
        return stepTo(at + 1, 1);
    case Qt::Key_Home:
        return stepTo(0, 1);
    case Qt::Key_End:
        return stepTo(last, -1);
    case Qt::Key_Escape:
        if (cursor_)
            return setCursor(std::nullopt);
        [[fallthrough]];
    default:
        event->ignore(); // not to the chart's own scrolling
    }
}

void LatencyHistogram::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    const auto hit =
        std::ranges::find_if(bars_, [&](const LatencyBin& bar) { return x >= xOf(bar.lowMs) && x < xOf(bar.highMs); });
    const bool isInside = hasData() && hit != bars_.end() && event->position().y() < yOf(0);
    setCursor(isInside ? std::optional(static_cast<std::size_t>(hit - bars_.begin())) : std::nullopt);
}

bool LatencyHistogram::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave || event->type() == QEvent::Hide)
        setCursor(std::nullopt);
    return QChartView::viewportEvent(event);
}

void LatencyHistogram::setLimits(std::vector<std::pair<QString, double>> limits)
{
    if (limits == limits_)
        return;
    limits_ = std::move(limits);
    viewport()->update();
}

DataTable LatencyHistogram::dataTable() const
{
    return histogram::tableOf(bars_, subject_.name);
}

} // namespace sg::ui
