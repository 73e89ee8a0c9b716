// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/state_lanes.h"
#include "ui/format/format.h"
#include "ui/widgets/lane_bar.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/tip_frame.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

namespace sg::ui {

using observe::Lane;
using observe::LaneSegment;
using policy::BreakerState;

namespace {

constexpr int kLeft = 138, kRight = 14, kTop = 4, kAxis = 21;
constexpr double kOpenBar = 18;
constexpr std::int64_t kLeastSpanMs = 10'000, kInSecondsBelowMs = 180'000;

} // namespace

StateLanes::StateLanes(ThemeContext& context, TipFrame& tip, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , tip_(tip)
    , scroll_(new QScrollBar(Qt::Vertical, this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setSingleStep(kLane);
    connect(scroll_, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    setAccessibleName(tr("Breaker states over time"));
    setWhatsThis(
        tr("One lane per endpoint. Closed: requests pass. Open: none passes until the wait is over, they go to "
           "the next tier. Half-open: single requests try whether the endpoint is back. Locked: a person "
           "decided. Arrow keys move the cursor, T shows all stretches as a table."));
}

int StateLanes::wantedHeight() const
{
    const int lanes = snapshot_ ? static_cast<int>(snapshot_->lanes.size()) : 0;
    return kTop + kLane * std::clamp(lanes, kFewestLanes, kMostLanes) + kAxis;
}

void StateLanes::setSnapshot(const observe::SnapshotPtr& snapshot)
{
    const int before = wantedHeight();
    snapshot_ = snapshot;
    const int all = kLane * static_cast<int>(snapshot_->lanes.size());
    scroll_->setRange(0, std::max(0, all - plot().height()));
    scroll_->setPageStep(plot().height());
    scroll_->setVisible(scroll_->maximum() > 0);
    if (before != wantedHeight())
        Q_EMIT wantedHeightChanged();
    int tripped = 0;
    for (const auto& endpoint : snapshot_->endpoints)
        tripped += endpoint.state == BreakerState::Open ? 1 : 0;
    const QString words = tr("%1 endpoints, %2 open now").arg(snapshot_->lanes.size()).arg(tripped);
    if (accessibleDescription() != words)
        setAccessibleDescription(words);
    if (cursor_)
        moveCursor(*cursor_);
    update();
}

TimeAxis StateLanes::axis() const
{
    // A young recording fills the width, as it does in the heatmap: nothing happened in what it has not seen.
    const std::int64_t to = snapshot_->takenUnixMs, begun = std::min(snapshot_->startedUnixMs, to - kLeastSpanMs);
    return {std::max(to - snapshot_->windowMs, begun), to, double(kLeft), double(width() - kRight)};
}

QRect StateLanes::plot() const
{
    return QRect(0, kTop, width(), height() - kTop - kAxis);
}

int StateLanes::scrollOffset() const
{
    return scroll_->value();
}

void StateLanes::resizeEvent(QResizeEvent*)
{
    scroll_->setGeometry(width() - 11, kTop, 10, plot().height());
    if (snapshot_)
        setSnapshot(snapshot_);
}

std::optional<StateLanes::Hit> StateLanes::hitAt(const QPoint& pos) const
{
    if (!snapshot_ || !plot().contains(pos) || pos.x() < kLeft || pos.x() > width() - kRight)
        return std::nullopt;
    const auto row = static_cast<std::size_t>((pos.y() - kTop + scrollOffset()) / kLane);
    if (row >= snapshot_->lanes.size())
        return std::nullopt;
    const Lane& lane = snapshot_->lanes[row];
    const TimeAxis time = axis();
    const std::int64_t at = time.timeAt(pos.x());
    // A probe of half a second is a hair on a lane of 15 minutes: the nearest segment within 2 px counts.
    const std::int64_t reach = time.timeAt(pos.x() + 2) - at;
    const LaneSegment* best = nullptr;
    for (const LaneSegment& segment : lane.segments) {
        if (segment.fromUnixMs > at + reach || segment.toUnixMs < at - reach)
            continue;
        const bool isShorter = !best || segment.toUnixMs - segment.fromUnixMs < best->toUnixMs - best->fromUnixMs;
        if (isShorter)
            best = &segment;
    }
    return best ? std::optional(Hit{&lane, best, at}) : std::nullopt;
}

QString StateLanes::textAt(const QPoint& pos) const
{
    const auto hit = hitAt(pos);
    if (!hit)
        return {};
    return tr("%1 at %2: %3. %4")
        .arg(QString::fromStdString(hit->lane->endpoint), format::clock(hit->at), paint::stateWord(hit->segment->state),
             QString::fromStdString(hit->segment->cause));
}

DataTable StateLanes::dataTable() const
{
    DataTable table{tr("Breaker states over time"),
                    {{tr("endpoint"), false},
                     {tr("state"), false},
                     {tr("from"), true},
                     {tr("to"), true},
                     {tr("for"), true},
                     {tr("cause"), false}},
                    {}};
    if (!snapshot_)
        return table;
    for (const Lane& lane : snapshot_->lanes) {
        for (auto segment = lane.segments.rbegin(); segment != lane.segments.rend(); ++segment)
            table.rows.push_back(
                DataTable::row({QString::fromStdString(lane.endpoint), paint::stateWord(segment->state),
                                format::clock(segment->fromUnixMs), format::clock(segment->toUnixMs),
                                format::duration(static_cast<double>(segment->toUnixMs - segment->fromUnixMs)),
                                QString::fromStdString(segment->cause)}));
    }
    return table;
}

void StateLanes::moveCursor(const QPoint& pos)
{
    cursor_ = pos;
    update();
    const auto hit = hitAt(pos);
    if (!hit) {
        tip_.hide();
        return;
    }
    const Tokens& c = context_.c();
    TipFrame::Content content;
    content.title = {{QString::fromStdString(hit->lane->endpoint), true, c.text},
                     {tr(" at %1").arg(format::clock(hit->at)), false, c.text2}};
    content.tag = hit->segment->state;
    const QString cause = QString::fromStdString(hit->segment->cause);
    for (const QString& sentence : cause.split(QStringLiteral(". "), Qt::SkipEmptyParts))
        content.lines.push_back({{sentence, false, c.text2}});
    const bool isNow = hit->segment->toUnixMs >= snapshot_->takenUnixMs;
    const double span = static_cast<double>(hit->segment->toUnixMs - hit->segment->fromUnixMs);
    content.lines.push_back(
        {{isNow ? tr("Since %1, for %2").arg(format::clock(hit->segment->fromUnixMs), format::duration(span))
                : tr("%1 to %2, %3")
                      .arg(format::clock(hit->segment->fromUnixMs), format::clock(hit->segment->toUnixMs),
                           format::duration(span)),
          false, c.text3}});
    tip_.showAt(mapTo(tip_.parentWidget(), pos), std::move(content));
}

void StateLanes::hideCursor()
{
    cursor_.reset();
    tip_.hide();
    update();
}

void StateLanes::mouseMoveEvent(QMouseEvent* event)
{
    moveCursor(event->pos());
}

void StateLanes::leaveEvent(QEvent*)
{
    hideCursor();
}

void StateLanes::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    hideCursor();
}

void StateLanes::wheelEvent(QWheelEvent* event)
{
    if (scroll_->maximum() == 0)
        return event->ignore();
    QCoreApplication::sendEvent(scroll_, event);
}

void StateLanes::keyPressEvent(QKeyEvent* event)
{
    QPoint at = cursor_.value_or(QPoint(width() - kRight, kTop + kLane / 2));
    switch (event->key()) {
    case Qt::Key_Left:
        at.rx() = std::max(kLeft, at.x() - 4);
        break;
    case Qt::Key_Right:
        at.rx() = std::min(width() - kRight, at.x() + 4);
        break;
    case Qt::Key_Home:
        at.rx() = kLeft;
        break;
    case Qt::Key_End:
        at.rx() = width() - kRight;
        break;
    case Qt::Key_Up:
        if (at.y() - kLane >= kTop)
            at.ry() -= kLane;
        else
            scroll_->setValue(scroll_->value() - kLane);
        break;
    case Qt::Key_Down:
        if (at.y() + kLane <= plot().bottom())
            at.ry() += kLane;
        else
            scroll_->setValue(scroll_->value() + kLane);
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    moveCursor(at);
}

void StateLanes::paintGrid(QPainter& p, const Theme& theme) const
{
    const TimeAxis time = axis();
    const QFont font = theme.font(10.5);
    const bool isShort = time.toMs - time.fromMs < kInSecondsBelowMs;
    const auto label = isShort ? format::clock : format::clockShort;
    const auto labels = time.ticks(6);
    const double bottom = plot().bottom() + 1.0;
    for (std::int64_t tick : time.ticks(16))
        p.fillRect(QRectF(std::round(time.xOf(tick)), kTop, 1, bottom - kTop), theme.c.line);
    const double half = QFontMetricsF(font).horizontalAdvance(label(0)) / 2;
    for (std::int64_t tick : labels) {
        const double x = std::clamp(time.xOf(tick), kLeft + half, width() - kRight - half);
        paint::text(p, x, height() - 8, label(tick), font, theme.c.text3, Qt::AlignHCenter);
    }
}

void StateLanes::paintSegment(QPainter& p, const Theme& theme, const LaneSegment& segment, double middle) const
{
    const TimeAxis time = axis();
    const double left = std::max(time.left, time.xOf(segment.fromUnixMs));
    const double right = std::min(time.right, time.xOf(segment.toUnixMs));
    if (right < time.left || left > time.right)
        return;
    paint::laneBar(p, left, right, middle, kOpenBar, segment.state, theme.c);
    if (segment.state != BreakerState::Open || segment.cause.empty())
        return;
    const QString cause = QString::fromStdString(segment.cause);
    const QFont small = theme.font(9.5, true);
    if (QFontMetricsF(small).horizontalAdvance(cause) + 16 <= right - left)
        paint::text(p, (left + right) / 2, middle + 3.5, cause, small, theme.c.window, Qt::AlignHCenter);
}

void StateLanes::paintLane(QPainter& p, const Theme& theme, const Lane& lane, double middle) const
{
    paint::text(p, 12, middle + 4, QString::fromStdString(lane.endpoint), theme.font(10.5), theme.c.text, Qt::AlignLeft,
                102, Qt::ElideMiddle);
    if (!lane.segments.empty())
        paint::stateMark(p, QPointF(123, middle), 10, lane.segments.back().state, theme.c);
    p.setRenderHint(QPainter::Antialiasing, false);
    for (const LaneSegment& segment : lane.segments)
        paintSegment(p, theme, segment, middle);
}

void StateLanes::paintEvent(QPaintEvent*)
{
    if (!snapshot_)
        return;
    const Theme& theme = context_.theme();
    QPainter p(this);
    paintGrid(p, theme);
    p.setClipRect(plot());
    const auto count = static_cast<int>(snapshot_->lanes.size());
    const int first = scrollOffset() / kLane;
    const int last = std::min(count - 1, (scrollOffset() + plot().height()) / kLane);
    for (int row = first; row <= last; ++row)
        paintLane(p, theme, snapshot_->lanes[static_cast<std::size_t>(row)],
                  kTop + row * kLane - scrollOffset() + kLane / 2);
    if (cursor_ && cursor_->x() >= kLeft && cursor_->x() <= width() - kRight) {
        QPen dashed(theme.c.text, 1);
        dashed.setDashPattern({2, 2});
        p.setPen(dashed);
        p.drawLine(QPointF(cursor_->x() + 0.5, kTop), QPointF(cursor_->x() + 0.5, plot().bottom()));
    }
    p.setClipping(false);
    if (hasFocus())
        paint::focusRing(p, rect().adjusted(1, 0, -1, -1), theme);
}

StateLegend::StateLegend(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

namespace {

constexpr BreakerState kLegendStates[] = {BreakerState::Closed, BreakerState::HalfOpen, BreakerState::Open,
                                          BreakerState::ForcedOpen};

}

QSize StateLegend::sizeHint() const
{
    double width = -12;
    for (BreakerState state : kLegendStates)
        width += 23 + 12 + QFontMetricsF(context_.theme().font(10.5)).horizontalAdvance(paint::stateWord(state));
    return {static_cast<int>(width) + 1, 20};
}

void StateLegend::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    double x = 0;
    for (BreakerState state : kLegendStates) {
        const double thick = state == BreakerState::Closed ? 5 : state == BreakerState::HalfOpen ? 12 : 14;
        const QRectF box(x, std::round(height() / 2.0 - thick / 2), 18, thick);
        const QBrush fill = state == BreakerState::HalfOpen     ? paint::halfStripes(theme.c)
                            : state == BreakerState::ForcedOpen ? paint::lockedHatch(theme.c)
                                                                : QBrush(stateColours(theme.c, state).ink);
        p.fillRect(box, fill);
        x += 23 + paint::text(p, x + 23, height() / 2.0 + 4, paint::stateWord(state), theme.font(10.5), theme.c.text2);
        x += 12;
    }
}

} // namespace sg::ui
