// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/answer_parts.h"

#include "ui/format/format.h"
#include "ui/widgets/tip_frame.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace sg::ui {

using words::Look;

QColor lookInk(Look look, const Tokens& c)
{
    switch (look) {
    case Look::Running:
        return c.accent;
    case Look::Good:
        return c.closed;
    case Look::Warned:
        return c.half;
    case Look::Failed:
        return c.open;
    case Look::Cancelled:
    case Look::Neutral:
    case Look::Idle:
        break;
    }
    return c.locked;
}

namespace {

constexpr double kWidestBar = 24;

QColor lookTint(Look look, const Tokens& c)
{
    switch (look) {
    case Look::Running:
        return c.accentTint;
    case Look::Good:
        return c.closedTint;
    case Look::Warned:
        return c.halfTint;
    case Look::Failed:
        return c.openTint;
    default:
        return c.lockedTint;
    }
}

} // namespace

void paint::lookMark(QPainter& p, const QPointF& centre, double size, Look look, const Tokens& c)
{
    using policy::BreakerState;
    switch (look) {
    case Look::Good:
        return stateMark(p, centre, size, BreakerState::Closed, c);
    case Look::Warned:
        return stateMark(p, centre, size, BreakerState::HalfOpen, c);
    case Look::Failed:
        return stateMark(p, centre, size, BreakerState::Open, c);
    case Look::Cancelled:
        return stateMark(p, centre, size, BreakerState::ForcedOpen, c);
    default:
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(lookInk(look, c), 1.8));
        p.drawEllipse(centre, size / 2 - 1, size / 2 - 1);
    }
}

StatusTag::StatusTag(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void StatusTag::setStatus(const words::Status& status)
{
    if (status == status_)
        return;
    const bool hasEnded = status_.look == Look::Running && status.look != Look::Running;
    status_ = status;
    setAccessibleName(status.word);
    setToolTip(format::plainTip(status.word));
    setVisible(status.look != Look::Idle);
    updateGeometry();
    update();
    if (hasEnded && isVisible()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

QSize StatusTag::sizeOf(const QString& word) const
{
    const double width = QFontMetricsF(context_.theme().font(10.5, true)).horizontalAdvance(word.toUpper());
    return {static_cast<int>(std::ceil(width)) + 29, 20};
}

QSize StatusTag::sizeHint() const
{
    return sizeOf(status_.word);
}

QSize StatusTag::minimumSizeHint() const
{
    return {std::min(60, sizeHint().width()), 20};
}

void StatusTag::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(lookTint(status_.look, theme.c));
    p.drawRoundedRect(rect(), 3, 3);
    paint::lookMark(p, QPointF(11.5, height() / 2.0), 9, status_.look, theme.c);
    paint::text(p, 21, 14.2, status_.word.toUpper(), theme.font(10.5, true), lookInk(status_.look, theme.c),
                Qt::AlignLeft, width() - 25);
}

FiguresStrip::FiguresStrip(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(46);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void FiguresStrip::setFigures(std::vector<words::Figure> figures)
{
    if (figures == figures_)
        return;
    figures_ = std::move(figures);
    QStringList all, tips;
    for (const words::Figure& figure : figures_) {
        all << QStringLiteral("%1 %2").arg(figure.name, figure.value);
        if (!figure.tip.isEmpty())
            tips << figure.tip;
    }
    setAccessibleName(all.join(QStringLiteral(", ")));
    setAccessibleDescription(tips.join(QStringLiteral(". ")));
    update();
}

// Each as wide as it needs; what is left or lacking is shared out evenly.
std::vector<double> FiguresStrip::edges() const
{
    const Theme& theme = context_.theme();
    const QFontMetricsF name(theme.font(10)), value(theme.font(13, true));
    std::vector<double> widths;
    double sum = 0;
    for (const words::Figure& figure : figures_)
        sum += widths.emplace_back(
            std::max(name.horizontalAdvance(figure.name), value.horizontalAdvance(figure.value)) + 22);
    // What is short of room takes it from the widest ones only.
    while (sum > width() + 0.5) {
        const double widest = *std::ranges::max_element(widths);
        double second = 40;
        for (const double wide : widths)
            second = wide < widest - 0.5 ? std::max(second, wide) : second;
        const auto count =
            static_cast<double>(std::ranges::count_if(widths, [&](double wide) { return wide >= widest - 0.5; }));
        const double cap = std::max({second, widest - (sum - width()) / count, 40.0});
        if (cap >= widest)
            break;
        sum = 0;
        for (double& wide : widths)
            sum += wide = std::min(wide, cap);
    }
    std::vector<double> edges;
    double x = 0;
    const double spare = std::max(0.0, width() - sum) / static_cast<double>(std::max<std::size_t>(1, widths.size()));
    for (const double wide : widths)
        edges.push_back(x += wide + spare);
    return edges;
}

void FiguresStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.fillRect(rect(), theme.c.raised);
    p.setPen(theme.c.line);
    p.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    double left = 0;
    const std::vector<double> all = edges();
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const double right = all[i], room = right - left - 16;
        if (i > 0) {
            p.setPen(theme.c.line);
            p.drawLine(QPointF(std::round(left) + 0.5, 1), QPointF(std::round(left) + 0.5, height()));
        }
        paint::text(p, left + 11, 18, figures_[i].name, theme.font(10), theme.c.text3, Qt::AlignLeft, room);
        paint::text(p, left + 11, 36, figures_[i].value, theme.font(13, true), theme.c.text, Qt::AlignLeft, room);
        left = right;
    }
}

bool FiguresStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<double> all = edges();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (help->pos().x() < all[i]) {
            const words::Figure& figure = figures_[i];
            const QString tip = figure.tip.isEmpty() ? QStringLiteral("%1 %2").arg(figure.name, figure.value)
                                                     : QStringLiteral("%1: %2").arg(figure.value, figure.tip);
            QToolTip::showText(help->globalPos(), format::plainTip(tip), this);
            return true;
        }
    return true;
}

TokenStrip::TokenStrip(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(72);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setWhatsThis(tr("Each bar is one piece of the answer; its height is how long the wait before it was. Even bars are "
                    "a steady stream. T shows the pieces as a table."));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void TokenStrip::setView(const engine::WatchViewPtr& view)
{
    if (view == view_)
        return;
    view_ = view;
    takeGaps();
    setAccessibleName(tr("Tokens as they arrived: %1").arg(words_));
    update();
}

void TokenStrip::takeGaps()
{
    gaps_.clear();
    mean_ = longest_ = 0;
    if (view_)
        for (std::size_t i = 1; i < view_->arrivals.size(); ++i)
            gaps_.push_back(std::max(0.0, toMs(spanBetween(view_->arrivals[i - 1].at, view_->arrivals[i].at))));
    for (const double gap : gaps_) {
        mean_ += gap / static_cast<double>(gaps_.size());
        longest_ = std::max(longest_, gap);
    }
    if (gaps_.empty()) {
        const bool isWhole = view_ && !view_->running && view_->arrivals.size() == 1;
        words_ = isWhole ? tr("in one piece") : view_ && view_->running ? tr("nothing yet") : tr("no stream");
        return;
    }
    const QString gap = tr("longest gap %1").arg(waterfall::span(longest_));
    words_ = longest_ < 8 * std::max(mean_, 1.0) ? tr("steady, %1").arg(gap) : gap;
    if (view_->arrivalsDropped > 0)
        words_ += tr(", %1 earlier ones not kept").arg(format::count(view_->arrivalsDropped));
}

QRectF TokenStrip::plot() const
{
    const double label =
        gaps_.empty() ? 0 : QFontMetricsF(context_.theme().font(9.5)).horizontalAdvance(meanWords()) + 8;
    return QRectF(13, 24, std::max(10.0, std::floor(width() - 26 - label)), height() - 31);
}

QString TokenStrip::meanWords() const
{
    return tr("mean %1").arg(waterfall::span(mean_));
}

int TokenStrip::columnsIn(const QRectF& box) const
{
    return static_cast<int>(std::min<double>(box.width(), static_cast<double>(gaps_.size())));
}

void TokenStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setPen(theme.c.line);
    p.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    const double title = paint::text(p, 13, 17, tr("Tokens as they arrived"), theme.font(10.5), theme.c.text2);
    paint::text(p, width() - 13.0, 17, words_, theme.font(10.5), theme.c.text3, Qt::AlignRight,
                std::max(0.0, width() - title - 42));
    if (!gaps_.empty()) {
        const QRectF box = plot();
        const double top = std::max(longest_, mean_ * 2.5);
        // More gaps than pixels: of those that share one the longest is drawn.
        const int columns = columnsIn(box);
        const double step = static_cast<double>(gaps_.size()) / columns, slot = box.width() / columns;
        const double wide = std::clamp(slot - (slot > 3 ? 1 : 0), 1.0, kWidestBar);
        for (int i = 0; i < columns; ++i) {
            double gap = 0;
            for (auto k = static_cast<std::size_t>(i * step); k < gaps_.size() && k < (i + 1) * step; ++k)
                gap = std::max(gap, gaps_[k]);
            const double tall = std::max(1.5, box.height() * gap / std::max(1e-9, top));
            const bool isLong = gap > 4 * mean_ && gap > 20;
            p.fillRect(QRectF(box.left() + (i + 0.5) * slot - wide / 2, box.bottom() - tall, wide, tall),
                       isLong ? theme.c.half : theme.c.closed);
        }
        const double y = std::round(box.bottom() - box.height() * mean_ / std::max(1e-9, top)) + 0.5;
        QPen dash(theme.c.text2, 1);
        dash.setDashPattern({2, 2});
        p.setPen(dash);
        p.drawLine(QPointF(box.left(), y), QPointF(box.right() + 4, y));
        paint::text(p, width() - 13.0, std::clamp(y + 3.5, box.top() + 7, box.bottom()), meanWords(), theme.font(9.5),
                    theme.c.text2, Qt::AlignRight);
    }
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(3, 2, -3, -1), theme, 4);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF box = plot();
    if (gaps_.empty() || !box.adjusted(-2, -8, 2, 4).contains(event->position()))
        return leaveEvent(event);
    const double share = (event->position().x() - box.left()) / box.width();
    const auto at = static_cast<std::size_t>(std::max(0.0, share * static_cast<double>(gaps_.size())));
    if (at >= gaps_.size())
        return leaveEvent(event);
    const engine::Arrival& arrival = view_->arrivals[at + 1];
    const Tokens& c = context_.c();
    TipFrame::Content content;
    content.title = {{tr("Piece %1").arg(format::count(static_cast<std::int64_t>(at) + 2)), true, c.text}};
    content.lines = {{{tr("%1 after the one before").arg(waterfall::span(gaps_[at])), false, c.text}},
                     {{tr("%1 after send, %2 characters")
                           .arg(waterfall::span(toMs(spanBetween(view_->record.started, arrival.at))),
                                format::count(arrival.characters)),
                       false, c.text2}}};
    if (!tip_ || tip_->parentWidget() != window()) {
        delete tip_.data();
        tip_ = new TipFrame(context_, window());
    }
    tip_->showAt(mapTo(window(), event->pos()), std::move(content));
}

void TokenStrip::leaveEvent(QEvent*)
{
    if (tip_)
        tip_->hide();
}

DataTable TokenStrip::dataTable() const
{
    DataTable table;
    table.title = tr("Tokens as they arrived");
    table.columns = {{tr("piece"), true},
                     {tr("after send"), true},
                     {tr("gap"), true},
                     {tr("characters"), true},
                     {tr("kind"), false}};
    if (!view_)
        return table;
    const std::int64_t first = view_->arrivalsDropped + 1;
    for (std::size_t i = 0; i < view_->arrivals.size(); ++i) {
        const engine::Arrival& arrival = view_->arrivals[i];
        table.rows.push_back(
            DataTable::row({format::count(first + static_cast<std::int64_t>(i)),
                            waterfall::span(toMs(spanBetween(view_->record.started, arrival.at))),
                            i > 0 ? waterfall::span(gaps_[i - 1]) : format::unknown(),
                            format::count(arrival.characters), arrival.isReasoning ? tr("reasoning") : tr("text")}));
    }
    return table;
}

} // namespace sg::ui
