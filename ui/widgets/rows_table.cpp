// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rows_table.h"

#include "ui/widgets/paint.h"

#include <QHeaderView>

namespace sg::ui {

namespace {
using Tone = RowsModel::Tone;
using Swatch = RowsModel::Swatch;
} // namespace

QColor inkOf(Tone tone, bool isSelected, const Tokens& c)
{
    switch (tone) {
    case Tone::Plain:
        return c.text;
    case Tone::Accent:
        return c.accent;
    case Tone::Good:
        return c.closed;
    case Tone::Bad:
        return c.open;
    case Tone::Warned:
        return c.half;
    case Tone::Soft:
        return c.text2;
    case Tone::Faint:
        break;
    }
    return isSelected ? c.text2 : c.text3;
}

QBrush swatchBrush(Swatch swatch, const Tokens& tokens)
{
    switch (swatch) {
    case Swatch::Model:
        return tokens.closed;
    case Swatch::Cache:
        return tokens.series[4];
    case Swatch::Canned:
        return tokens.half;
    case Swatch::Refused:
    case Swatch::Failed:
        return paint::failedHatch(tokens);
    case Swatch::None:
        break;
    }
    return Qt::NoBrush;
}

void paintRowFocus(QPainter& p, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme)
{
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    if (!table || !table->hasFocus() || table->currentIndex().row() != index.row())
        return;
    const QRectF cell(option.rect);
    const QRectF row(0, cell.top(), table->viewport()->width(), cell.height());
    p.setClipRect(cell.adjusted(0, 0, 1, 0));
    paint::focusRing(p, row.adjusted(1, 1, -1, -1), theme, 3);
}

RowsDelegate::RowsDelegate(ThemeContext& context, QObject* parent)
    : QStyledItemDelegate(parent)
    , context_(context)
{
}

void RowsDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = context_.theme();
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    const QRectF box = option.rect;
    if (option.state & QStyle::State_Selected)
        p->fillRect(box, theme.c.selected);
    const auto tone = static_cast<Tone>(index.data(RowsModel::ToneRole).toInt());
    // text3 is not legible on the selection.
    const bool isSelected = option.state & QStyle::State_Selected;
    const QColor ink = inkOf(tone, isSelected, theme.c);
    double left = box.left() + (index.column() == 0 ? 12 : 4);
    const auto swatch = static_cast<Swatch>(index.data(RowsModel::SwatchRole).toInt());
    if (swatch != Swatch::None) {
        p->setPen(Qt::NoPen);
        p->setBrush(swatchBrush(swatch, theme.c));
        p->drawRoundedRect(QRectF(left, box.center().y() - 4, 8, 8), 2, 2);
        left += 14;
    }
    const bool isLast = index.column() == index.model()->columnCount() - 1;
    const double right = box.right() - (isLast ? 11 : 4);
    const auto align = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    const bool isRight = align & Qt::AlignRight;
    const bool isBold = index.data(RowsModel::BoldRole).toBool(), isMono = index.data(RowsModel::MonoRole).toBool();
    paint::text(*p, isRight ? right : left, box.center().y() + 4, index.data().toString(),
                isMono ? theme.mono(10.5, isBold) : theme.font(11, isBold), ink,
                isRight ? Qt::AlignRight : Qt::AlignLeft, right - left);
    paintRowFocus(*p, option, index, theme);
    p->restore();
}

void dressTable(QTableView& table, int rowHeight)
{
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTabKeyNavigation(false);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.verticalHeader()->hide();
    table.verticalHeader()->setMinimumSectionSize(rowHeight);
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

QTableView* makeRowsTable(ThemeContext& context, RowsModel* model, int rowHeight, int stretched,
                          const QString& accessibleName)
{
    auto* table = new QTableView;
    table->setModel(model);
    table->setItemDelegate(new RowsDelegate(context, table));
    dressTable(*table, rowHeight);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
    table->horizontalHeader()->setMinimumSectionSize(20);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionsClickable(false);
    table->setAccessibleName(accessibleName);
    QObject::connect(&context, &ThemeContext::changed, table->viewport(), qOverload<>(&QWidget::update));
    return table;
}

} // namespace sg::ui
