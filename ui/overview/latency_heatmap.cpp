// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/latency_heatmap.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QToolTip>

#include <cmath>

namespace sg::ui {

LatencyHeatmap::LatencyHeatmap(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFocusPolicy(Qt::TabFocus);
    setMinimumHeight(160);
    setAccessibleName(tr("Latency over time"));
    connect(&context, &ThemeContext::changed, this, [this] {
        renderCells();
        update();
    });
}

int LatencyHeatmap::heatStep(std::uint32_t count, std::uint32_t most)
{
    const double share = std::sqrt(static_cast<double>(count) / std::max<std::uint32_t>(1, most));
    return std::clamp(static_cast<int>(std::ceil(share * 8)) - 1, 0, 7);
}

void LatencyHeatmap::setSnapshot(const observe::SnapshotPtr& snapshot)
{
    snapshot_ = snapshot;
    fitRows();
    renderCells();
    const QString words = tr("Densest cell: %1 requests in %2")
                              .arg(format::count(snapshot->heatmap.maxCount),
                                   format::duration(static_cast<double>(snapshot->heatmap.columnMs)));
    if (words != accessibleDescription())
        setAccessibleDescription(words);
    update();
}

void LatencyHeatmap::fitRows()
{
    const auto& map = snapshot_->heatmap;
    const int rows = static_cast<int>(map.rowEdgesMs.size()) - 1;
    int low = rows, high = 0;
    for (std::size_t cell = 0; cell < map.counts.size(); ++cell) {
        if (map.counts[cell] == 0)
            continue;
        const int row = static_cast<int>(cell) % rows;
        low = std::min(low, row);
        high = std::max(high, row + 1);
    }
    if (low >= high)
        return;
    low = std::max(0, low - 1);
    high = std::min(rows, high + 1);
    // Grows at once, shrinks only when half of it is empty: an axis that moves cannot be read.
    const bool isOutside = low < lowRow_ || high > highRow_ || highRow_ > rows;
    if (isOutside || (high - low) * 2 < highRow_ - lowRow_) {
        const bool keep = highRow_ <= rows && (high - low) * 2 >= highRow_ - lowRow_ && highRow_ > 0;
        lowRow_ = keep ? std::min(low, lowRow_) : low;
        highRow_ = keep ? std::max(high, highRow_) : high;
    }
}

QRectF LatencyHeatmap::plot() const
{
    return QRectF(45, 6, width() - 45 - 40, height() - 6 - 24);
}

TimeAxis LatencyHeatmap::axis() const
{
    const auto& map = snapshot_->heatmap;
    return {map.firstColumnUnixMs, map.firstColumnUnixMs + map.columnMs * std::max(1, map.columns), plot().left(),
            plot().right()};
}

double LatencyHeatmap::lowestMs() const
{
    return snapshot_->heatmap.rowEdgesMs[static_cast<std::size_t>(lowRow_)];
}

double LatencyHeatmap::highestMs() const
{
    const auto& edges = snapshot_->heatmap.rowEdgesMs;
    return highRow_ > lowRow_ ? edges[static_cast<std::size_t>(highRow_)] : edges.back();
}

double LatencyHeatmap::yOf(double ms) const
{
    const double low = std::log(lowestMs()), high = std::log(highestMs());
    return plot().bottom() - (std::log(ms) - low) / (high - low) * plot().height();
}

void LatencyHeatmap::renderCells()
{
    cells_ = {};
    const bool isEmpty = !snapshot_ || snapshot_->heatmap.columns == 0 || snapshot_->heatmap.rowEdgesMs.size() < 2;
    if (isEmpty || width() < 120 || height() < 60)
        return;
    const auto& map = snapshot_->heatmap;
    const QRectF area = plot();
    const double ratio = devicePixelRatioF();
    cells_ = QPixmap((area.size() * ratio).toSize());
    cells_.setDevicePixelRatio(ratio);
    cells_.fill(Qt::transparent);
    QPainter p(&cells_);
    p.setRenderHint(QPainter::Antialiasing);
    const auto rows = map.rowEdgesMs.size() - 1;
    const double wide = area.width() / map.columns;
    const double gap = wide > 3 ? 0.5 : 0;
    const Tokens& c = context_.c();
    for (int column = 0; column < map.columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            const std::uint32_t count = map.counts[static_cast<std::size_t>(column) * rows + row];
            if (count == 0)
                continue;
            const double top = yOf(map.rowEdgesMs[row + 1]) - area.top();
            const double bottom = yOf(map.rowEdgesMs[row]) - area.top();
            p.fillRect(QRectF(column * wide, top, wide - gap, bottom - top - gap),
                       c.heat[static_cast<std::size_t>(heatStep(count, map.maxCount))]);
        }
    }
}

void LatencyHeatmap::resizeEvent(QResizeEvent*)
{
    renderCells();
}

void LatencyHeatmap::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void LatencyHeatmap::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void LatencyHeatmap::paintAxes(QPainter& p, const Theme& theme) const
{
    const QRectF area = plot();
    const QFont small = theme.font(9.5), font = theme.font(10.5);
    for (double ms = std::pow(10, std::ceil(std::log10(lowestMs()) - 1e-6)); ms <= highestMs() * 1.001; ms *= 10) {
        const double y = yOf(ms);
        p.fillRect(QRectF(area.left() - 4, std::round(y), 4, 1), theme.c.outline);
        const QString label = ms < 1000 ? format::number(ms, 0) + format::thin() + tr("ms")
                                        : format::number(ms / 1000, 0) + format::thin() + tr("s");
        paint::text(p, area.left() - 6, std::clamp(y + 3.5, 10.0, height() - 22.0), label, small, theme.c.text3,
                    Qt::AlignRight);
    }
    p.setPen(QPen(theme.c.line, 1));
    p.setBrush(Qt::NoBrush);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.drawRect(area.toRect());
    const TimeAxis time = axis();
    const bool isShort = time.toMs - time.fromMs < 4 * 60 * 1000; // minutes alone would repeat themselves
    const auto label = isShort ? format::clock : format::clockShort;
    const double half = QFontMetricsF(font).horizontalAdvance(label(time.fromMs)) / 2;
    for (std::int64_t tick : time.ticks(isShort ? 4 : 6)) {
        const double x = std::clamp(time.xOf(tick), area.left() + half, area.right() - half + 12);
        paint::text(p, x, area.bottom() + 16, label(tick), font, theme.c.text3, Qt::AlignHCenter);
    }
}

void LatencyHeatmap::paintTrip(QPainter& p, const Theme& theme) const
{
    // The first trip in view explains most steps in the picture; all of them are in the lanes above.
    const observe::Event* trip = nullptr;
    for (const auto& event : snapshot_->events) {
        const bool isTrip = event.kind == observe::EventKind::BreakerChanged &&
                            event.state == policy::BreakerState::Open && event.severity == observe::Severity::Bad;
        if (isTrip && event.unixMs >= snapshot_->heatmap.firstColumnUnixMs)
            trip = &event;
    }
    if (!trip)
        return;
    const QRectF area = plot();
    const double x = std::round(axis().xOf(trip->unixMs)) + 0.5;
    if (x > area.right())
        return;
    QPen dashed(theme.c.open, 1.5, Qt::SolidLine, Qt::FlatCap);
    dashed.setDashPattern({2.7, 2});
    p.setPen(dashed);
    p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.open);
    p.drawPolygon(QPolygonF{QPointF(x - 4, area.top()), QPointF(x + 4, area.top()), QPointF(x, area.top() + 6)});
    const QString label = tr("%1 tripped %2").arg(QString::fromStdString(trip->subject), format::clock(trip->unixMs));
    const QFont font = theme.font(10.5);
    const double wide = std::min(QFontMetricsF(font).horizontalAdvance(label), 200.0);
    const bool isLeft = x + 7 + wide > area.right() - 2;
    const double y = area.top() + area.height() * 0.665, left = isLeft ? x - 11 - wide : x + 3;
    QColor ground = theme.c.card;
    ground.setAlphaF(0.85F);
    p.setBrush(ground);
    p.drawRoundedRect(QRectF(left, y - 12, wide + 8, 17), 3, 3);
    paint::text(p, left + 4, y, label, font, theme.c.text, Qt::AlignLeft, 200);
}

void LatencyHeatmap::paintScale(QPainter& p, const Theme& theme) const
{
    const QFont small = theme.font(9.5);
    const double x = width() - 30, step = 14, middle = x + 5;
    const double top = std::max(22.0, plot().center().y() - 45);
    for (int i = 0; i < 8; ++i)
        p.fillRect(QRectF(x, top + (7 - i) * step, 10, step), theme.c.heat[static_cast<std::size_t>(i)]);
    paint::text(p, middle, top - 6, format::shortCount(snapshot_->heatmap.maxCount), small, theme.c.text3,
                Qt::AlignHCenter);
    paint::text(p, middle, top + 8 * step + 12, QStringLiteral("1"), small, theme.c.text3, Qt::AlignHCenter);
    paint::text(p, middle, top + 8 * step + 24, tr("req"), small, theme.c.text3, Qt::AlignHCenter);
}

void LatencyHeatmap::paintEvent(QPaintEvent*)
{
    if (!snapshot_)
        return;
    const Theme& theme = context_.theme();
    QPainter p(this);
    if (cells_.isNull() || snapshot_->heatmap.maxCount == 0) {
        paint::text(p, width() / 2.0, height() / 2.0, tr("No request in this window"), theme.font(12), theme.c.text3,
                    Qt::AlignHCenter);
    } else {
        p.drawPixmap(plot().topLeft(), cells_);
        paintAxes(p, theme);
        paintTrip(p, theme);
        paintScale(p, theme);
    }
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(1, 0, -1, -1), theme);
}

QString LatencyHeatmap::textAt(const QPointF& pos) const
{
    if (!snapshot_ || cells_.isNull() || !plot().contains(pos))
        return {};
    const auto& map = snapshot_->heatmap;
    const auto rows = map.rowEdgesMs.size() - 1;
    const auto column =
        std::min(map.columns - 1, static_cast<int>((pos.x() - plot().left()) / plot().width() * map.columns));
    for (std::size_t row = 0; row < rows; ++row) {
        if (pos.y() > yOf(map.rowEdgesMs[row]) || pos.y() < yOf(map.rowEdgesMs[row + 1]))
            continue;
        const auto count = map.counts[static_cast<std::size_t>(column) * rows + row];
        return tr("%1, %2 to %3: %4 requests")
            .arg(format::clock(map.firstColumnUnixMs + column * map.columnMs),
                 format::latency(map.rowEdgesMs[row]).text(), format::latency(map.rowEdgesMs[row + 1]).text(),
                 format::count(count));
    }
    return {};
}

bool LatencyHeatmap::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
    return true;
}

} // namespace sg::ui
