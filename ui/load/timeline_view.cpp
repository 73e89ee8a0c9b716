// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/timeline_view.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/widgets/lane_bar.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainterPath>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeastLeft = 52, kMostLeft = 124, kRight = 14, kTop = 28, kAxis = 28, kGap = 31;

QString percentText(std::optional<double> share)
{
    return format::failure(share);
}

QString axisLatency(double ms)
{
    if (ms >= 1000)
        return format::number(ms / 1000, 0) + QStringLiteral("\u202Fs");
    return format::number(ms, ms < 1 ? 1 : 0) + QStringLiteral("\u202Fms");
}

QString axisRate(double rate)
{
    return rate >= 1e4 ? format::shortCount(rate) : format::number(rate, rate < 1 && rate > 0 ? 1 : 0);
}

void mix(std::size_t& hash, double value)
{
    hash ^= std::hash<double>{}(value) + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
}

} // namespace

TimelineView::TimelineView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleName(tr("Timeline of the run. Left and right arrows move the cursor."));
    setWhatsThis(
        tr("Four charts of the run under one time axis. Answered: requests whose client got an answer. Attempts "
           "sent: calls to endpoints, retries and fallbacks included, cache hits not. Latency: percentiles of "
           "the answers of each second. Below: the share of attempts that failed, and what the breakers did. "
           "Arrow keys move the cursor, T shows all seconds as a table."));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void TimelineView::setProgress(load::RunProgressPtr progress)
{
    const bool isNewRun = progress && progress_ && progress->elapsedSeconds < progress_->elapsedSeconds;
    progress_ = std::move(progress);
    if (isNewRun)
        cursor_.reset();
    if (progress_)
        fitAxes(isNewRun);
    const std::size_t now = picture();
    if (now == picture_)
        return;
    picture_ = now;
    setAccessibleDescription(cursorWords());
    update();
}

void TimelineView::fitAxes(bool isNewRun)
{
    end_ = runaxes::timeEnd(*progress_, isNewRun ? 0 : end_);
    latency_ = runaxes::latencyScale(*progress_);
    rateEnd_ = runaxes::rateEnd(*progress_);
    left_ = kLeastLeft;
    const QFontMetricsF metrics(context_.theme().font(9.5));
    for (const std::string& name : progress_->endpoints)
        left_ = std::clamp(metrics.horizontalAdvance(QString::fromStdString(name)) + 20, left_, kMostLeft);
    // Bars of 6 px: thinner ones show neither their height nor their hatch.
    const double slot = progress_->seconds.empty() ? 1 : progress_->seconds.back().width;
    const double slotPx = slot / end_ * std::max(1.0, width() - kRight - left_);
    failed_ = runaxes::failedBars(*progress_, static_cast<int>(std::ceil(6 / std::max(0.01, slotPx))));
    failedEnd_ = runaxes::failedShareEnd(failed_);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    if (progress_)
        fitAxes(false);
}

// What the picture depends on, in pixels where the eye sees no more.
std::size_t TimelineView::picture() const
{
    if (!progress_)
        return 0;
    std::size_t hash = progress_->seconds.size();
    mix(hash, static_cast<double>(progress_->state));
    mix(hash, end_);
    mix(hash, std::round(nowX()));
    for (const load::RunSecond& s : progress_->seconds)
        for (const double value :
             {double(s.answered), double(s.attempts), double(s.attemptsFailed), double(s.p50Ms.value_or(-1)),
              double(s.p95Ms.value_or(-1)), double(s.p99Ms.value_or(-1))})
            mix(hash, value);
    for (const load::BreakerSpan& span : progress_->breakers) {
        mix(hash, span.state);
        mix(hash, std::round(xOf(span.toSecond)));
    }
    mix(hash, static_cast<double>(progress_->endpoints.size()));
    return hash;
}

TimelineView::Bands TimelineView::bands() const
{
    Bands b;
    b.left = left_;
    b.right = width() - kRight;
    b.top = kTop;
    b.bottom = height() - kAxis;
    const int lanes = progress_ ? static_cast<int>(progress_->endpoints.size()) : 0;
    const double most = std::max(18.0, (b.bottom - b.top) * 0.3);
    b.lanePitch = lanes > 0 ? std::clamp(most / lanes, 11.0, 18.0) : 18;
    b.lanesShown = std::min(lanes, std::max(1, static_cast<int>(most / b.lanePitch)));
    const double lanesHeight = b.lanesShown * b.lanePitch;
    const double gaps = lanes > 0 ? 3 * kGap : 2 * kGap;
    const double room = std::max(60.0, b.bottom - b.top - lanesHeight - gaps);
    const double width = b.right - b.left;
    // The shares of the design: 93, 128 and 56 of 277.
    b.rate = QRectF(b.left, b.top, width, room * 0.335);
    b.latency = QRectF(b.left, b.rate.bottom() + kGap, width, room * 0.46);
    b.failed = QRectF(b.left, b.latency.bottom() + kGap, width, room * 0.205);
    b.lanes = QRectF(b.left, b.bottom - lanesHeight, width, lanesHeight);
    return b;
}

double TimelineView::xOf(double second) const
{
    const double width = std::max(1.0, this->width() - kRight - left_);
    return left_ + width * std::clamp(second / end_, 0.0, 1.0);
}

double TimelineView::nowX() const
{
    return xOf(progress_ ? progress_->elapsedSeconds : 0);
}

void TimelineView::paintEvent(QPaintEvent*)
{
    ++paints_;
    if (!progress_)
        return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const Bands b = bands();
    paintGrid(p, b);
    paintRate(p, b.rate);
    paintLatency(p, b.latency);
    paintFailed(p, b.failed);
    paintLanes(p, b);
    paintNow(p, b);
    paintTitles(p, b); // over the veil of what is yet to come
    paintCursor(p, b);
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(2, 0, -2, -2), context_.theme(), 4);
}

void TimelineView::paintGrid(QPainter& p, const Bands& b) const
{
    const Theme& theme = context_.theme();
    const double step = runaxes::timeStep(end_, std::max(2, static_cast<int>((b.right - b.left) / 90)));
    p.setRenderHint(QPainter::Antialiasing, false);
    for (double second = 0; second <= end_ + 1e-6; second += step) {
        const double x = std::round(xOf(second));
        p.setPen(theme.c.line);
        p.drawLine(QPointF(x, b.top), QPointF(x, b.bottom));
    }
    p.setRenderHint(QPainter::Antialiasing);
    const double labelWidth = QFontMetricsF(theme.font(10.5)).horizontalAdvance(loadwords::span(end_));
    const bool endHasMark = std::abs(std::remainder(end_, step)) < step * 0.01;
    for (double second = 0; second <= end_ + 1e-6; second += step) {
        const bool isNearEnd = !endHasMark && xOf(end_) - xOf(second) < labelWidth * 1.6 + 4;
        if (!isNearEnd)
            paint::text(p, second == 0 ? left_ : std::min(xOf(second), width() - 8 - labelWidth / 2), b.bottom + 18,
                        loadwords::span(second), theme.font(10.5), theme.c.text3, Qt::AlignHCenter);
    }
    if (!endHasMark)
        paint::text(p, width() - 8.0, b.bottom + 18, loadwords::span(end_), theme.font(10.5), theme.c.text3,
                    Qt::AlignRight);
}

void TimelineView::paintAxisMark(QPainter& p, const QRectF& band, double y, const QString& text) const
{
    const Theme& theme = context_.theme();
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(theme.c.line);
    p.drawLine(QPointF(band.left(), std::round(y)), QPointF(band.right(), std::round(y)));
    p.setRenderHint(QPainter::Antialiasing);
    paint::text(p, band.left() - 5, y + 3.5, text, theme.font(9.5), theme.c.text3, Qt::AlignRight);
}

void TimelineView::paintRate(QPainter& p, const QRectF& band) const
{
    const Theme& theme = context_.theme();
    for (const double part : {0.0, 0.5, 1.0})
        paintAxisMark(p, band, band.bottom() - part * band.height(), axisRate(rateEnd_ * part));
    QPolygonF answered, attempts;
    for (const load::RunSecond& s : progress_->seconds) {
        const double x = xOf(std::min(s.second + s.width / 2, progress_->elapsedSeconds));
        answered << QPointF(x, band.bottom() - band.height() * std::min(1.0, runaxes::answeredRate(s) / rateEnd_));
        attempts << QPointF(x, band.bottom() - band.height() * std::min(1.0, runaxes::attemptsRate(s) / rateEnd_));
    }
    if (answered.isEmpty())
        return;
    QPolygonF area = answered;
    area << QPointF(answered.last().x(), band.bottom()) << QPointF(answered.first().x(), band.bottom());
    QColor fill = theme.c.accent;
    fill.setAlphaF(0.2);
    p.setPen(Qt::NoPen);
    p.setBrush(fill);
    p.drawPolygon(area);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.c.series[3], 1.3));
    p.drawPolyline(attempts);
    p.setPen(QPen(theme.c.accent, 1.6));
    p.drawPolyline(answered);
    if (answered.size() == 1) {
        p.setPen(QPen(theme.c.accent, 4, Qt::SolidLine, Qt::RoundCap));
        p.drawPoint(answered.first());
    }
}

void TimelineView::paintLatency(QPainter& p, const QRectF& band) const
{
    const Theme& theme = context_.theme();
    for (const double mark : latency_.marks(std::min(6, static_cast<int>(band.height() / 16))))
        paintAxisMark(p, band, band.bottom() - latency_.share(mark) * band.height(), axisLatency(mark));
    const struct
    {
        std::optional<float> load::RunSecond::*value;
        QColor colour;
        QVector<qreal> dashes;
    } lines[] = {{&load::RunSecond::p99Ms, theme.c.p99, {1.4, 1.6}},
                 {&load::RunSecond::p95Ms, theme.c.p95, {3.4, 1.6}},
                 {&load::RunSecond::p50Ms, theme.c.p50, {}}};
    for (const auto& line : lines) {
        QPainterPath path;
        bool isDrawing = false; // a second without answers is a gap, not a line across it
        for (const load::RunSecond& s : progress_->seconds) {
            const auto& value = s.*line.value;
            if (!value) {
                isDrawing = false;
                continue;
            }
            const QPointF at(xOf(std::min(s.second + s.width / 2, progress_->elapsedSeconds)),
                             band.bottom() - latency_.share(*value) * band.height());
            if (!isDrawing) {
                path.moveTo(at - QPointF(0.7, 0));
                isDrawing = true;
            }
            path.lineTo(at);
        }
        QPen pen(line.colour, 1.5);
        if (!line.dashes.isEmpty())
            pen.setDashPattern(line.dashes);
        p.setPen(pen);
        p.setBrush(Qt::NoBrush);
        p.drawPath(path);
    }
}

void TimelineView::paintFailed(QPainter& p, const QRectF& band) const
{
    const Theme& theme = context_.theme();
    for (const double part : {0.0, 0.5, 1.0})
        paintAxisMark(p, band, band.bottom() - part * band.height(),
                      format::number(failedEnd_ * part * 100, failedEnd_ < 0.1 && part == 0.5 ? 1 : 0) +
                          QStringLiteral("\u202F%"));
    p.setPen(Qt::NoPen);
    p.setBrush(paint::failedHatch(theme.c));
    for (const runaxes::FailedBar& failed : failed_) {
        const double left = xOf(failed.from);
        const double right = xOf(std::min(failed.to, std::max(progress_->elapsedSeconds, failed.from)));
        const double bar = std::max(1.0, band.height() * std::min(1.0, failed.share / failedEnd_));
        p.drawRect(QRectF(left, band.bottom() - bar, std::max(1.0, right - left - (right - left > 4 ? 1 : 0)), bar));
    }
}

void TimelineView::paintLanes(QPainter& p, const Bands& b) const
{
    if (progress_->endpoints.empty())
        return;
    const Theme& theme = context_.theme();
    for (int i = 0; i < b.lanesShown; ++i) {
        const std::string& name = progress_->endpoints[static_cast<std::size_t>(i)];
        const double middle = b.lanes.top() + (i + 0.5) * b.lanePitch;
        paint::text(p, left_ - 6, middle + 3.5, QString::fromStdString(name), theme.font(9.5), theme.c.text2,
                    Qt::AlignRight, left_ - 18);
        for (const load::BreakerSpan& span : progress_->breakers)
            if (span.endpoint == name)
                paint::laneBar(p, xOf(span.fromSecond), xOf(span.toSecond), middle, b.lanePitch - 3,
                               static_cast<policy::BreakerState>(span.state), theme.c);
    }
}

void TimelineView::paintTitles(QPainter& p, const Bands& b) const
{
    const Theme& theme = context_.theme();
    const QFont font = theme.font(11, true);
    const auto title = [&](double baseline, const QString& words) {
        // On a ground of its own: early in a run the line of now passes there.
        const QRectF ground(10, baseline - 11, QFontMetricsF(font).horizontalAdvance(words) + 4, 14);
        p.fillRect(ground, theme.c.card);
        paint::text(p, 12, baseline, words, font, theme.c.text);
    };
    title(b.rate.top() - 11, tr("Requests\u202F/s"));
    title(b.latency.top() - 11, tr("Latency"));
    title(b.failed.top() - 11, tr("Attempts that failed"));
    if (b.lanesShown == 0)
        return;
    const int hidden = static_cast<int>(progress_->endpoints.size()) - b.lanesShown;
    title(b.lanes.top() - 6,
          hidden > 0 ? tr("Breakers (first %1, %2 more)").arg(b.lanesShown).arg(hidden) : tr("Breakers"));
}

void TimelineView::paintNow(QPainter& p, const Bands& b) const
{
    if (!loadwords::isActive(progress_->state))
        return;
    const Theme& theme = context_.theme();
    const double x = nowX();
    QColor veil = theme.c.window;
    veil.setAlphaF(0.45);
    p.fillRect(QRectF(x, b.top, b.right - x, b.bottom - b.top), veil);
    p.setPen(QPen(theme.c.text, 1.2));
    p.drawLine(QPointF(x, b.top - 12), QPointF(x, b.bottom));
    p.setBrush(theme.c.text);
    p.setPen(Qt::NoPen);
    p.drawPolygon(QPolygonF({QPointF(x - 5, b.top - 12), QPointF(x + 5, b.top - 12), QPointF(x, b.top - 5)}));
    const bool isLate = x > b.right - 70;
    paint::text(p, isLate ? x - 9 : x + 9, b.top - 3, tr("now %1").arg(loadwords::span(progress_->elapsedSeconds)),
                theme.font(9.5, true), theme.c.text, isLate ? Qt::AlignRight : Qt::AlignLeft);
}

void TimelineView::paintTip(QPainter& p, double y, const std::vector<std::tuple<QString, QColor, QString>>& rows) const
{
    const Theme& theme = context_.theme();
    const double x = xOf(*cursor_);
    const double boxWidth = 122, boxHeight = 7 + 13.0 * static_cast<double>(rows.size());
    const double left = x - 6 - boxWidth > left_ ? x - 6 - boxWidth : x + 6;
    paint::frame(p, QRectF(left, y, boxWidth, boxHeight), theme.c.raised, theme.c.outline, 3);
    double baseline = y + 14;
    for (const auto& [name, colour, value] : rows) {
        paint::text(p, left + 7, baseline, name, theme.font(10.5), colour);
        paint::text(p, left + boxWidth - 7, baseline, value, theme.font(10.5, true), theme.c.text, Qt::AlignRight);
        baseline += 13;
    }
}

void TimelineView::paintCursor(QPainter& p, const Bands& b) const
{
    if (!cursor_)
        return;
    const Theme& theme = context_.theme();
    const double x = xOf(*cursor_);
    p.setPen(QPen(theme.c.accent, 1, Qt::DashLine));
    p.drawLine(QPointF(x, b.top), QPointF(x, b.bottom));
    const QRectF flag(std::clamp(x - 22, 2.0, width() - 46.0), b.bottom + 4, 44, 17);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.accent);
    p.drawRoundedRect(flag, 3, 3);
    paint::text(p, flag.center().x(), flag.top() + 12.5, loadwords::span(*cursor_), theme.font(10.5, true),
                theme.c.onAccent, Qt::AlignHCenter);
    const load::RunSecond* slot = runaxes::slotAt(*progress_, *cursor_);
    if (!slot)
        return;
    const QString perSecond = QStringLiteral("\u202F/s");
    paintTip(p, b.rate.center().y() - 16,
             {{tr("answered"), theme.c.text2, format::rate(runaxes::answeredRate(*slot)) + perSecond},
              {tr("attempts"), theme.c.text2, format::rate(runaxes::attemptsRate(*slot)) + perSecond}});
    const auto ms = [](std::optional<float> value) {
        return format::latency(value ? std::optional<double>(*value) : std::nullopt).text();
    };
    paintTip(p, b.latency.center().y() - 23,
             {{QStringLiteral("p50"), theme.c.p50, ms(slot->p50Ms)},
              {QStringLiteral("p95"), theme.c.p95, ms(slot->p95Ms)},
              {QStringLiteral("p99"), theme.c.p99, ms(slot->p99Ms)}});
    paintTip(p, b.failed.center().y() - 10, {{tr("failed"), theme.c.open, percentText(runaxes::failedShare(*slot))}});
}

void TimelineView::setCursor(std::optional<double> second)
{
    if (second && progress_)
        second = std::clamp(*second, 0.0, std::max(0.0, progress_->elapsedSeconds));
    if (cursor_ == second)
        return;
    cursor_ = second;
    setAccessibleDescription(cursorWords());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    update();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (!progress_ || x < left_ || x > nowX() + 1)
        return setCursor(std::nullopt);
    setCursor((x - left_) / std::max(1.0, width() - kRight - left_) * end_);
}

void TimelineView::leaveEvent(QEvent*)
{
    if (!hasFocus())
        setCursor(std::nullopt);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (!progress_ || progress_->seconds.empty())
        return QWidget::keyPressEvent(event);
    const load::RunSecond& last = progress_->seconds.back();
    const double width = last.width;
    const double newest = last.second + width / 2;
    const double step = event->modifiers() & Qt::ShiftModifier ? 10 * width : width;
    // Always the middle of a slot: halves of a second away from its edges, where rounding would pick the neighbour.
    const auto snapped = [&](double second) { return (std::floor(second / width) + 0.5) * width; };
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursor(std::max(width / 2, snapped(cursor_ ? *cursor_ - step : newest)));
    case Qt::Key_Right:
        return setCursor(std::min(newest, snapped(cursor_ ? *cursor_ + step : width / 2)));
    case Qt::Key_Home:
        return setCursor(width / 2);
    case Qt::Key_End:
        return setCursor(newest);
    case Qt::Key_Escape:
        if (cursor_)
            return setCursor(std::nullopt);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimelineView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    setCursor(std::nullopt);
    update();
}

} // namespace sg::ui
