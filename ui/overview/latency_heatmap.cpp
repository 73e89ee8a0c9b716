// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/latency_heatmap.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/tip_frame.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>

#include <cmath>

namespace sg::ui {

LatencyHeatmap::LatencyHeatmap(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(160);
    setAccessibleName(tr("Latency over time"));
    setWhatsThis(tr("Each cell counts the requests of one span of time (across) and one span of latency (upwards, "
                    "logarithmic). The shade rises with the square root of the count, so that few slow requests are "
                    "seen beside many fast ones. The dashed line marks the first trip in view. Arrow keys read a cell, "
                    "T shows all of them as a table."));
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
    showCursor();
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
    setCursor(std::nullopt);
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
    if (!hasData()) {
        paint::text(p, width() / 2.0, height() / 2.0, tr("No request in this window"), theme.font(12), theme.c.text3,
                    Qt::AlignHCenter);
    } else {
        p.drawPixmap(plot().topLeft(), cells_);
        paintAxes(p, theme);
        paintTrip(p, theme);
        paintScale(p, theme);
        paintCursor(p, theme);
    }
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(1, 0, -1, -1), theme);
}

int LatencyHeatmap::rows() const
{
    return static_cast<int>(snapshot_->heatmap.rowEdgesMs.size()) - 1;
}

bool LatencyHeatmap::hasData() const
{
    return snapshot_ && !cells_.isNull() && snapshot_->heatmap.maxCount > 0;
}

std::uint32_t LatencyHeatmap::countAt(const Cell& cell) const
{
    return snapshot_->heatmap.counts[static_cast<std::size_t>(cell.column * rows() + cell.row)];
}

QRectF LatencyHeatmap::boxOf(const Cell& cell) const
{
    const auto& edges = snapshot_->heatmap.rowEdgesMs;
    const double wide = plot().width() / snapshot_->heatmap.columns;
    const double top = yOf(edges[static_cast<std::size_t>(cell.row) + 1]);
    return QRectF(plot().left() + cell.column * wide, top, wide, yOf(edges[static_cast<std::size_t>(cell.row)]) - top);
}

QString LatencyHeatmap::textOf(const Cell& cell) const
{
    const auto& map = snapshot_->heatmap;
    const auto row = static_cast<std::size_t>(cell.row);
    const std::int64_t from = map.firstColumnUnixMs + cell.column * map.columnMs;
    return tr("%1 to %2, %3 to %4: %5 requests")
        .arg(format::clock(from), format::clock(from + map.columnMs), format::latency(map.rowEdgesMs[row]).text(),
             format::latency(map.rowEdgesMs[row + 1]).text(), format::count(countAt(cell)));
}

void LatencyHeatmap::setCursor(std::optional<Cell> cell)
{
    if (cursor_ == cell)
        return;
    cursor_ = cell;
    showCursor();
    update();
}

void LatencyHeatmap::showCursor()
{
    if (!snapshot_)
        return;
    const auto& map = snapshot_->heatmap;
    if (cursor_ && (!hasData() || cursor_->column >= map.columns || cursor_->row < lowRow_ || cursor_->row >= highRow_))
        cursor_.reset();
    if (!cursor_) {
        if (tip_)
            tip_->hide();
        setAccessibleDescription(
            tr("Densest cell: %1 requests in %2")
                .arg(format::count(map.maxCount), format::duration(static_cast<double>(map.columnMs))));
        return;
    }
    if (!tip_)
        tip_ = new TipFrame(context_, window());
    const QString words = textOf(*cursor_);
    const Tokens& c = context_.c();
    TipFrame::Content content;
    content.title = {{words.section(QStringLiteral(": "), 1), true, c.text}};
    for (const QString& part : words.section(QStringLiteral(": "), 0, 0).split(QStringLiteral(", ")))
        content.lines.push_back({{part, false, c.text2}});
    tip_->showAt(mapTo(window(), boxOf(*cursor_).center().toPoint()), std::move(content));
    setAccessibleDescription(words);
}

void LatencyHeatmap::paintCursor(QPainter& p, const Theme& theme) const
{
    if (!cursor_)
        return;
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    // Two rims: one of them stands out from any shade.
    p.setPen(QPen(theme.c.card, 3));
    p.drawRect(boxOf(*cursor_));
    p.setPen(QPen(theme.c.text, 1.5));
    p.drawRect(boxOf(*cursor_));
}

void LatencyHeatmap::keyPressEvent(QKeyEvent* event)
{
    if (!hasData())
        return QWidget::keyPressEvent(event);
    const int lastColumn = snapshot_->heatmap.columns - 1;
    Cell at = cursor_.value_or(Cell{lastColumn + 1, lowRow_});
    if (!cursor_) {
        // Begin where the requests are.
        for (int row = lowRow_; row < highRow_; ++row)
            if (countAt({lastColumn, row}) > countAt({lastColumn, at.row}))
                at.row = row;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        at.column = std::max(0, at.column - 1);
        break;
    case Qt::Key_Right:
        at.column = std::min(lastColumn, at.column + 1);
        break;
    case Qt::Key_Up:
        at.row = std::min(highRow_ - 1, at.row + 1);
        break;
    case Qt::Key_Down:
        at.row = std::max(lowRow_, at.row - 1);
        break;
    case Qt::Key_Home:
        at.column = 0;
        break;
    case Qt::Key_End:
        at.column = lastColumn;
        break;
    case Qt::Key_Escape:
        if (cursor_)
            return setCursor(std::nullopt);
        [[fallthrough]];
    default:
        return QWidget::keyPressEvent(event);
    }
    at.column = std::min(at.column, lastColumn);
    setCursor(at);
}

void LatencyHeatmap::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF pos = event->position();
    if (!hasData() || !plot().contains(pos))
        return setCursor(std::nullopt);
    const int columns = snapshot_->heatmap.columns;
    const int column = std::min(columns - 1, static_cast<int>((pos.x() - plot().left()) / plot().width() * columns));
    for (int row = lowRow_; row < highRow_; ++row) {
        if (pos.y() >= boxOf({column, row}).top())
            return setCursor(Cell{column, row});
    }
}

void LatencyHeatmap::leaveEvent(QEvent*)
{
    setCursor(std::nullopt);
}

void LatencyHeatmap::hideEvent(QHideEvent*)
{
    setCursor(std::nullopt);
}

DataTable LatencyHeatmap::dataTable() const
{
    DataTable table{tr("Latency over time"),
                    {{tr("time"), false}, {tr("from"), true}, {tr("to"), true}, {tr("requests"), true}},
                    {}};
    if (!hasData())
        return table;
    const auto& map = snapshot_->heatmap;
    for (int column = map.columns - 1; column >= 0; --column) {
        for (int row = rows() - 1; row >= 0; --row) {
            const auto edge = map.rowEdgesMs.begin() + row;
            if (const std::uint32_t count = countAt({column, row}); count > 0)
                table.rows.push_back(DataTable::row({format::clock(map.firstColumnUnixMs + column * map.columnMs),
                                                     format::latency(edge[0]).text(), format::latency(edge[1]).text(),
                                                     format::count(count)}));
        }
    }
    return table;
}

} // namespace sg::ui
