// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/waterfall_paint.h"

#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {

namespace {

using waterfall::BarKind;
using waterfall::Row;
using waterfall::Tone;

constexpr double kBar = 15;       ///< height
constexpr double kLeastBar = 2.5; ///< a bar that took no time is still to be seen

QColor toneInk(Tone tone, const Tokens& c)
{
    switch (tone) {
    case Tone::Good:
        return c.closed;
    case Tone::Bad:
        return c.open;
    case Tone::Warned:
        return c.half;
    case Tone::Faint:
        return c.text3;
    case Tone::Plain:
        break;
    }
    return c.text2;
}

QColor rowTint(const Row& row, const Tokens& c)
{
    QColor tint = row.isOfAnsweringTier ? c.closedTint : row.tone == Tone::Bad ? c.openTint : c.halfTint;
    const bool isTinted = row.isOfAnsweringTier || row.tone == Tone::Bad || row.tone == Tone::Warned;
    tint.setAlphaF(isTinted && row.number > 0 ? 0.42 : 0);
    return tint;
}

} // namespace

QBrush barBrush(BarKind kind, const Tokens& c)
{
    switch (kind) {
    case BarKind::Queue:
        return paint::lockedHatch(c);
    case BarKind::Connect:
    case BarKind::Cache:
        return c.series[4];
    case BarKind::FirstToken:
        return c.series[1];
    case BarKind::Streaming:
        return c.closed;
    case BarKind::Failed:
        return paint::failedHatch(c);
    case BarKind::RateLimited:
        return paint::halfStripes(c);
    }
    return {};
}

QBrush partBrush(waterfall::Part::Kind kind, const Tokens& c)
{
    using Kind = waterfall::Part::Kind;
    switch (kind) {
    case Kind::Queue:
        return barBrush(BarKind::Queue, c);
    case Kind::Failed:
        return barBrush(BarKind::Failed, c);
    case Kind::Backoff:
        return c.series[5];
    case Kind::Asked:
        return barBrush(BarKind::RateLimited, c);
    case Kind::Connect:
        return barBrush(BarKind::Connect, c);
    case Kind::FirstToken:
        return barBrush(BarKind::FirstToken, c);
    case Kind::Streaming:
        return barBrush(BarKind::Streaming, c);
    case Kind::Other:
        break;
    }
    return c.selected;
}

WaterfallDelegate::WaterfallDelegate(WaterfallView& view)
    : QStyledItemDelegate(&view)
    , view_(view)
{
}

void WaterfallDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = view_.context().theme();
    const Row& row = view_.rows().row(index.row());
    const QRectF box = option.rect;
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    p->fillRect(option.rect, rowTint(row, theme.c));
    const bool isSelected = option.state & QStyle::State_Selected;
    const int column = index.column();
    if (isSelected && column != WaterfallModel::Time)
        p->fillRect(option.rect, theme.c.selected);
    if (isSelected && column == WaterfallModel::Number)
        p->fillRect(QRectF(box.left(), box.top(), 2, box.height()), theme.c.accent);
    if (column == WaterfallModel::Time) {
        QColor chosen = theme.c.selected;
        chosen.setAlphaF(isSelected ? 0.6 : 0);
        p->fillRect(option.rect, chosen);
        paintTime(*p, box, row);
        p->restore();
        return;
    }
    const bool isFaint = row.tone == Tone::Faint;
    QColor ink = isFaint && !isSelected ? theme.c.text3 : theme.c.text2;
    bool isBold = false;
    if (column == WaterfallModel::Step && !isFaint) {
        ink = theme.c.text;
        isBold = true;
    } else if (column == WaterfallModel::Outcome && !isFaint) {
        ink = toneInk(row.tone, theme.c);
        isBold = row.tone != Tone::Plain;
    } else if (column == WaterfallModel::Took) {
        ink = theme.c.text;
    }
    const bool isRight = column == WaterfallModel::Took;
    const double left = box.left() + (column == WaterfallModel::Number ? 13 : 4), right = box.right() - 4;
    paint::text(*p, isRight ? right : left, box.center().y() + 4.5, index.data().toString(), theme.font(11.5, isBold),
                ink, isRight ? Qt::AlignRight : Qt::AlignLeft, right - left);
    p->restore();
}

void WaterfallDelegate::paintTime(QPainter& p, const QRectF& box, const Row& row) const
{
    const Theme& theme = view_.context().theme();
    p.setClipRect(box);
    for (const waterfall::Bar& bar : row.bars)
        paintBar(p, box, bar);
    if (row.firstByte && !row.bars.empty()) {
        const double x = std::round(view_.xOf(*row.firstByte)) + 0.5;
        const double top = std::floor(box.center().y() - kBar / 2) + 0.5;
        p.setPen(QPen(theme.c.text, 1.4)); // beside the bar, so that it crosses no words
        p.drawLine(QPointF(x, top - 3), QPointF(x, top + 1));
    }
    if (row.wait)
        paintWait(p, box, row);
}

void WaterfallDelegate::paintBar(QPainter& p, const QRectF& box, const waterfall::Bar& bar) const
{
    const Theme& theme = view_.context().theme();
    const double left = view_.xOf(bar.from);
    const double width = std::max(kLeastBar, view_.xOf(bar.to) - left);
    const QRectF at(left, std::floor(box.center().y() - kBar / 2) + 0.5, width, kBar);
    p.setPen(Qt::NoPen);
    const bool isHatch = bar.kind == BarKind::Failed || bar.kind == BarKind::RateLimited;
    if (isHatch)
        p.setPen(QPen(bar.kind == BarKind::Failed ? theme.c.open : theme.c.half, 1));
    p.setBrush(barBrush(bar.kind, theme.c));
    p.drawRect(isHatch && width > 3 ? at.adjusted(0.5, 0, -0.5, 0) : at);
    if (bar.words.isEmpty())
        return;
    const QFont font = theme.font(10.5, true);
    if (QFontMetricsF(font).horizontalAdvance(bar.words) + 10 <= width)
        paint::text(p, at.center().x(), at.center().y() + 4, bar.words, font, theme.c.card, Qt::AlignHCenter);
}

void WaterfallDelegate::paintWait(QPainter& p, const QRectF& box, const Row& row) const
{
    const Theme& theme = view_.context().theme();
    const waterfall::Wait& wait = *row.wait;
    const double left = view_.xOf(wait.from), right = view_.xOf(wait.to), middle = box.center().y() + 0.5;
    const QColor ink = wait.isAsked ? theme.c.half : theme.c.text2;
    p.setPen(QPen(wait.isAsked ? theme.c.half : theme.c.text3, 1.4, Qt::DotLine));
    p.drawLine(QPointF(left + 2, middle), QPointF(right, middle));
    p.setPen(QPen(wait.isAsked ? theme.c.half : theme.c.text3, 1.2));
    p.drawLine(QPointF(right, middle - 5), QPointF(right, middle + 5));
    const QFont font = theme.font(10), small = theme.font(9.5);
    const double words = QFontMetricsF(font).horizontalAdvance(wait.words);
    const double detail = wait.detail.isEmpty() ? 0 : QFontMetricsF(small).horizontalAdvance(wait.detail);
    const double span = right - left, edge = view_.plotRight();
    const bool fitsIn = std::max(words, detail) + 8 <= span;
    const double widest = std::max(words, detail);
    const double begin = row.bars.empty() ? left : view_.xOf(row.bars.front().from);
    if (fitsIn) {
        const double x = (left + right) / 2;
        paint::text(p, x, middle - 4, wait.words, font, ink, Qt::AlignHCenter);
        paint::text(p, x, middle + 12, wait.detail, small, theme.c.text3, Qt::AlignHCenter);
    } else if (right + 5 + widest <= edge || right < (begin + edge) / 2) {
        const double x = right + 5;
        paint::text(p, x, middle - 2.5, wait.words, font, ink, Qt::AlignLeft, edge - x);
        paint::text(p, x, middle + 10, wait.detail, small, theme.c.text3, Qt::AlignLeft, edge - x);
    } else {
        const double x = begin - 6;
        paint::text(p, x, middle - 2.5, wait.words, font, ink, Qt::AlignRight, x - view_.plotLeft());
        paint::text(p, x, middle + 10, wait.detail, small, theme.c.text3, Qt::AlignRight, x - view_.plotLeft());
    }
}

WaterfallHead::WaterfallHead(WaterfallView& view)
    : QHeaderView(Qt::Horizontal, &view)
    , view_(view)
{
}

void WaterfallHead::paintSection(QPainter* p, const QRect& rect, int section) const
{
    const Theme& theme = view_.context().theme();
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    if (section == WaterfallModel::Time) {
        paintTicks(*p, rect);
    } else {
        const QString name = model()->headerData(section, Qt::Horizontal).toString();
        const bool isRight = section == WaterfallModel::Took;
        const double left = rect.left() + (section == WaterfallModel::Number ? 13 : 4), right = rect.right() - 4;
        paint::text(*p, isRight ? right : left, rect.center().y() + 5, name, theme.font(10.5), theme.c.text2,
                    isRight ? Qt::AlignRight : Qt::AlignLeft, right - left);
    }
    p->restore();
}

void WaterfallHead::paintTicks(QPainter& p, const QRectF& box) const
{
    const Theme& theme = view_.context().theme();
    if (view_.scene().rows.empty())
        return;
    const waterfall::Axis& axis = view_.axis();
    for (double ms = 0; ms <= axis.end + 1e-6; ms += axis.step) {
        const QString text = ms == 0 ? waterfall::tickText(0, axis.step) : waterfall::tickText(ms, axis.step);
        const double half = QFontMetricsF(theme.font(10.5)).horizontalAdvance(text) / 2;
        const double x = std::clamp(view_.xOf(ms), box.left() + half, box.right() - half - 2);
        paint::text(p, x, box.center().y() + 5, text, theme.font(10.5), theme.c.text2, Qt::AlignHCenter);
    }
    if (const auto& commit = view_.scene().commit) {
        const double x = view_.xOf(*commit);
        p.setPen(Qt::NoPen);
        p.setBrush(theme.c.accent);
        p.drawPolygon(QPolygonF{QPointF(x - 4.5, box.bottom() - 6), QPointF(x + 4.5, box.bottom() - 6),
                                QPointF(x, box.bottom() + 1)});
    }
}

} // namespace sg::ui
