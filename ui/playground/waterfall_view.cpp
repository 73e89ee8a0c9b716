// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/waterfall_view.h"

#include "ui/format/format.h"
#include "ui/playground/waterfall_paint.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/tip_frame.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kPlotInset = 16, kPlotEnd = 58; ///< px; the end holds the total's text

} // namespace

WaterfallView::WaterfallView(ThemeContext& context, QWidget* parent)
    : QTableView(parent)
    , context_(context)
{
    setModel(&model_);
    setItemDelegate(new WaterfallDelegate(*this));
    auto* head = new WaterfallHead(*this);
    setHorizontalHeader(head);
    head->setSectionResizeMode(QHeaderView::Fixed);
    head->setMinimumSectionSize(10);
    head->setSectionsClickable(false);
    head->setHighlightSections(false);
    head->setFixedHeight(kHead);
    dressTable(*this, kRow);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    // The delegate says what is chosen; the style's own colour would hide the bars.
    QPalette palette = this->palette();
    palette.setColor(QPalette::Highlight, Qt::transparent);
    setPalette(palette);
    setAccessibleName(tr("Attempts"));
    setWhatsThis(
        tr("What this request went through, from the record that it kept. Bars are attempts: connecting, "
           "waiting for the first token, streaming, or failed. Dotted lines are waits with where they come "
           "from. A bent line is a move to the next tier with its reason. The dashed line is the commit point: "
           "after the first words nothing is tried again. Up and Down choose an attempt, T shows a table."));
    connect(&context, &ThemeContext::changed, viewport(), qOverload<>(&QWidget::update));
}

void WaterfallView::setScene(waterfall::Scene scene)
{
    const bool isOther = scene.id != model_.scene().id;
    const bool wasSilent = std::exchange(isSilent_, true);
    if (isOther)
        setCurrentIndex({});
    model_.setScene(std::move(scene));
    if (isOther)
        axis_.end = 0;
    isSilent_ = wasSilent;
    fitAxis();
    fitColumns();
    viewport()->update();
    horizontalHeader()->viewport()->update();
}

// While a request runs the axis grows in strides: one that moved with each beat could not be read.
void WaterfallView::fitAxis()
{
    const waterfall::Scene& scene = model_.scene();
    const int ticks = std::max(2, static_cast<int>((plotRight() - plotLeft()) / 84));
    waterfall::Axis axis = waterfall::axisFor(scene.total, ticks);
    if (scene.running) {
        double stride = 1000;
        while (stride < scene.total * 1.1)
            stride *= 2;
        for (const waterfall::Row& row : scene.rows)
            while (row.wait && stride < row.wait->to)
                stride *= 2;
        axis = waterfall::axisFor(std::max(stride, axis_.end) / 1.06, ticks);
    }
    if (axis == axis_)
        return;
    axis_ = axis;
    Q_EMIT axisChanged();
}

double WaterfallView::plotLeft() const
{
    return columnViewportPosition(WaterfallModel::Time) + kPlotInset;
}

double WaterfallView::plotRight() const
{
    return std::max(plotLeft() + 40, viewport()->width() - kPlotEnd);
}

double WaterfallView::xOf(double ms) const
{
    return plotLeft() + (plotRight() - plotLeft()) * std::clamp(ms / std::max(1e-9, axis_.end), 0.0, 1.0);
}

void WaterfallView::fitColumns()
{
    const int width = viewport()->width();
    const QFontMetricsF bold(context_.theme().font(11.5, true)), plain(context_.theme().font(11.5));
    double step = 96, provider = 58, outcome = 112;
    for (const waterfall::Row& row : model_.scene().rows) {
        step = std::max(step, bold.horizontalAdvance(row.step) + 14);
        provider = std::max(provider, plain.horizontalAdvance(row.provider) + 14);
        outcome = std::max(outcome, bold.horizontalAdvance(row.outcome) + 14);
    }
    const bool isNarrow = width < 900;
    const double most = width * 0.16;
    const auto set = [this](int column, double wanted) {
        if (columnWidth(column) != static_cast<int>(wanted))
            setColumnWidth(column, static_cast<int>(wanted));
    };
    set(WaterfallModel::Number, 34);
    set(WaterfallModel::Step, std::ceil(std::min(step, std::max(96.0, most))));
    set(WaterfallModel::Provider, isNarrow ? 0 : std::ceil(std::min(provider, 130.0)));
    setColumnHidden(WaterfallModel::Provider, isNarrow);
    set(WaterfallModel::Outcome, std::ceil(std::min(outcome, std::max(112.0, most * 1.15))));
    set(WaterfallModel::Took, 66);
    const int used = columnViewportPosition(WaterfallModel::Time) + horizontalOffset();
    set(WaterfallModel::Time, std::max(60, width - used));
}

void WaterfallView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
    fitAxis();
    if (currentIndex().isValid())
        scrollTo(currentIndex());
    Q_EMIT axisChanged();
}

void WaterfallView::selectAttempt(int number)
{
    const int row = model_.rowOfAttempt(number);
    const bool wasSilent = std::exchange(isSilent_, true);
    if (row >= 0 && row != currentIndex().row())
        setCurrentIndex(model_.index(row, WaterfallModel::Step));
    if (row >= 0)
        scrollTo(model_.index(row, WaterfallModel::Step));
    isSilent_ = wasSilent;
}

void WaterfallView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!isSilent_ && current.isValid() && current.row() != previous.row())
        if (const int number = model_.row(current.row()).number; number > 0)
            Q_EMIT attemptSelected(number);
}

void WaterfallView::paintEvent(QPaintEvent* event)
{
    {
        QPainter p(viewport());
        paintGrid(p);
    }
    QTableView::paintEvent(event);
    QPainter p(viewport());
    p.setRenderHint(QPainter::Antialiasing);
    paintCommit(p);
    paintMoves(p);
    if (hasFocus() && currentIndex().isValid()) {
        const int y = rowViewportPosition(currentIndex().row());
        paint::focusRing(p, QRectF(1, y, viewport()->width() - 2, kRow), context_.theme(), 3);
    }
}

void WaterfallView::paintGrid(QPainter& p) const
{
    if (model_.scene().rows.empty())
        return;
    p.setPen(context_.theme().c.line);
    for (double ms = 0; ms <= axis_.end + 1e-6; ms += axis_.step) {
        const double x = std::round(xOf(ms)) + 0.5;
        p.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
    }
}

void WaterfallView::paintCommit(QPainter& p) const
{
    const auto& commit = model_.scene().commit;
    if (!commit)
        return;
    const double x = std::round(xOf(*commit)) + 0.5;
    QPen pen(context_.theme().c.accent, 1);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
}

void WaterfallView::paintMoves(QPainter& p) const
{
    const Theme& theme = context_.theme();
    const auto& rows = model_.scene().rows;
    const QFont font = theme.font(10.5);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].movedAt)
            continue;
        const double x = xOf(*rows[i].movedAt), y = rowViewportPosition(static_cast<int>(i)) + kRow / 2.0;
        const bool hasNext = rows[i].movesOn && i + 1 < rows.size();
        const double elbow = hasNext ? x + 8 : x;
        p.setPen(QPen(theme.c.accent, 1.6));
        p.setBrush(Qt::NoBrush);
        if (hasNext)
            p.drawPolyline(QPolygonF{QPointF(x + 1, y), QPointF(elbow, y), QPointF(elbow, y + kRow - 8)});
        const double words = QFontMetricsF(font).horizontalAdvance(rows[i].move), width = words + 14;
        double left = elbow + 8;
        if (left + width > viewport()->width() - 6) {
            const double begin = rows[i].bars.empty() ? x : xOf(rows[i].bars.front().from);
            left = std::max(plotLeft(), begin - 8 - width);
        }
        const double room = std::min(width, viewport()->width() - 6 - left);
        const QRectF box(left, y - 9.5, room, 19);
        paint::frame(p, box, theme.c.accentTint, theme.c.accent, 3);
        paint::text(p, box.left() + 7, y + 4, rows[i].move, font, theme.c.text, Qt::AlignLeft, room - 12);
    }
}

bool WaterfallView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::MouseMove)
        showTip(static_cast<QMouseEvent*>(event)->pos());
    else if (event->type() == QEvent::Leave || event->type() == QEvent::Wheel)
        hideTip();
    return QTableView::viewportEvent(event);
}

void WaterfallView::showTip(const QPoint& pos)
{
    const QModelIndex index = indexAt(pos);
    if (!index.isValid())
        return hideTip();
    const waterfall::Row& row = model_.row(index.row());
    const Tokens& c = context_.c();
    TipFrame::Content content;
    const QString title = row.number > 0 ? tr("Try %1: %2").arg(row.number).arg(row.step) : row.step;
    content.title = {{title, true, c.text}};
    content.lines.push_back({{row.outcome, false, c.text}});
    for (const QString& fact : row.facts)
        content.lines.push_back({{fact, false, c.text2}});
    if (row.wait) {
        content.lines.push_back({{row.wait->words, false, row.wait->isAsked ? c.half : c.text}});
        for (const QString& line : {row.wait->detail, row.wait->kind})
            if (!line.isEmpty())
                content.lines.push_back({{line, false, c.text2}});
    }
    if (!row.move.isEmpty())
        content.lines.push_back({{row.move, false, c.text}});
    if (!tip_ || tip_->parentWidget() != window()) {
        delete tip_.data();
        tip_ = new TipFrame(context_, window());
    }
    tip_->showAt(viewport()->mapTo(window(), pos), std::move(content));
}

void WaterfallView::hideTip()
{
    if (tip_)
        tip_->hide();
}

void WaterfallView::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    hideTip();
}

DataTable WaterfallView::dataTable() const
{
    DataTable table;
    table.title = tr("Attempts");
    table.columns = {
        {tr("try"), true}, {tr("step"), false}, {tr("outcome"), false}, {tr("took"), true}, {tr("then"), false}};
    for (const waterfall::Row& row : model_.scene().rows) {
        const QString then = row.wait ? row.wait->words : row.move;
        table.rows.push_back(DataTable::row(
            {row.number > 0 ? QString::number(row.number) : QString(), row.step, row.outcome, row.took, then}));
    }
    return table;
}

PartsBand::PartsBand(ThemeContext& context, WaterfallView& view, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , view_(view)
{
    setFixedHeight(58);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    connect(&view, &WaterfallView::axisChanged, this, qOverload<>(&QWidget::update));
}

void PartsBand::refresh()
{
    QStringList words;
    for (const waterfall::Part& part : view_.scene().parts)
        words << QStringLiteral("%1 %2").arg(part.name, part.text);
    const QString sentence =
        words.isEmpty() ? QString() : tr("Total %1: %2").arg(view_.scene().totalText, words.join(QStringLiteral(", ")));
    setAccessibleName(sentence);
    setToolTip(sentence);
    update();
}

void PartsBand::paintEvent(QPaintEvent*)
{
    const waterfall::Scene& scene = view_.scene();
    if (scene.rows.empty())
        return;
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(theme.c.line);
    p.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    const double left = view_.plotLeft(), end = view_.xOf(scene.total);
    paint::text(p, 13, 22, tr("Where the time went"), theme.font(11, true), theme.c.text2, Qt::AlignLeft, left - 26);
    p.setPen(QPen(theme.c.outline, 1));
    p.drawPolyline(QPolygonF{QPointF(left, 14), QPointF(left, 8), QPointF(end, 8), QPointF(end, 14)});
    paint::text(p, end + 7, 15, scene.totalText, theme.font(11.5, true), theme.c.text);

    const QFont name = theme.font(9.5), value = theme.font(11, true);
    std::vector<std::pair<double, double>> places; // x, width of a label
    double x = left, after = left;
    for (const waterfall::Part& part : scene.parts) {
        const double wide = std::max(1.5, (end - left) * part.ms / std::max(1e-9, scene.total));
        p.fillRect(QRectF(x, 14, wide, 8), partBrush(part.kind, theme.c));
        const double label = std::max(QFontMetricsF(name).horizontalAdvance(part.name),
                                      QFontMetricsF(value).horizontalAdvance(part.text));
        places.emplace_back(std::max(x, after), label);
        after = places.back().first + label + 12;
        x += wide;
    }
    // What ran over the right edge moves back, neighbours with it.
    double limit = width() - 8;
    for (auto i = places.rbegin(); i != places.rend(); ++i) {
        i->first = std::min(i->first, limit - i->second);
        limit = i->first - 12;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        paint::text(p, places[i].first, 35, scene.parts[i].name, name, theme.c.text3);
        paint::text(p, places[i].first, 50, scene.parts[i].text, value, theme.c.text);
    }
}

} // namespace sg::ui
