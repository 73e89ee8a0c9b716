// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QStyledItemDelegate>
#include <QTableView>

namespace sg::ui {

QColor inkOf(RowsModel::Tone tone, bool isSelected, const Tokens& tokens);
QBrush swatchBrush(RowsModel::Swatch swatch, const Tokens& tokens);

/// The focus goes around the whole row: each cell paints its part of the frame.
void paintRowFocus(QPainter& p, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme);

/// Paints the cells of a RowsModel in the theme's colours.
class RowsDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    RowsDelegate(ThemeContext& context, QObject* parent);
    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    ThemeContext& context_;
};

/// As all tables of the program are: rows of one height, chosen as a whole, no grid, no editing.
void dressTable(QTableView& table, int rowHeight);

/// A table of a RowsModel: no grid, no editing, rows of one height; `stretched` takes the width that is left.
QTableView* makeRowsTable(ThemeContext& context, RowsModel* model, int rowHeight, int stretched,
                          const QString& accessibleName);

} // namespace sg::ui
