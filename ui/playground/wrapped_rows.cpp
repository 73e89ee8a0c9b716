// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/wrapped_rows.h"

#include <QFontMetricsF>
#include <QHeaderView>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

constexpr qsizetype kMostCharacters = 600;
constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWrapAnywhere;

QString shownText(const QModelIndex& index)
{
    const QString text = index.data().toString();
    return text.size() <= kMostCharacters ? text : text.left(kMostCharacters) + QChar(0x2026);
}

} // namespace

WrappedRows::WrappedRows(ThemeContext& context, QTableView& table, int rowHeight)
    : RowsDelegate(context, &table)
    , context_(context)
    , table_(table)
    , rowHeight_(rowHeight)
{
    // Once all columns have their widths: rows that were fitted to some in between would keep those heights.
    fit_.setSingleShot(true);
    fit_.setInterval(0);
    connect(&fit_, &QTimer::timeout, &table, &QTableView::resizeRowsToContents);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &WrappedRows::fitRows);
    connect(table.model(), &QAbstractItemModel::rowsInserted, this, &WrappedRows::fitRows);
    connect(table.model(), &QAbstractItemModel::dataChanged, this, &WrappedRows::fitRows);
}

void WrappedRows::fitRows()
{
    fit_.start();
}

QFont WrappedRows::fontOf(const QModelIndex& index) const
{
    const bool isBold = index.data(RowsModel::BoldRole).toBool();
    return index.data(RowsModel::MonoRole).toBool() ? context_.theme().mono(10.5, isBold)
                                                    : context_.theme().font(11, isBold);
}

QRectF WrappedRows::textBox(const QRectF& cell, const QModelIndex& index) const
{
    const bool isLast = index.column() == index.model()->columnCount() - 1;
    const double margin = (rowHeight_ - std::ceil(QFontMetricsF(fontOf(index)).height())) / 2;
    return cell.adjusted(index.column() == 0 ? 12 : 4, margin, isLast ? -11 : -4, 0);
}

void WrappedRows::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = context_.theme();
    const bool isSelected = option.state & QStyle::State_Selected;
    p->save();
    if (isSelected)
        p->fillRect(option.rect, theme.c.selected);
    p->setFont(fontOf(index));
    p->setPen(inkOf(static_cast<RowsModel::Tone>(index.data(RowsModel::ToneRole).toInt()), isSelected, theme.c));
    p->drawText(textBox(option.rect, index), kWrapped, shownText(index));
    paintRowFocus(*p, option, index, theme);
    p->restore();
}

QSize WrappedRows::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const int wide = table_.columnWidth(index.column());
    const QRectF box = textBox(QRectF(0, 0, wide, rowHeight_), index);
    const double high = QFontMetricsF(fontOf(index))
                            .boundingRect(QRectF(0, 0, std::max(20.0, box.width()), 1e6), kWrapped, shownText(index))
                            .height();
    return {wide, std::max(rowHeight_, static_cast<int>(std::ceil(high + 2 * box.top())))};
}

} // namespace sg::ui
