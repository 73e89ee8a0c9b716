// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/rows_table.h"

#include <QTimer>

namespace sg::ui {

/// Rows of a RowsModel whose texts go on in the next line where one is not enough, at any character: values of headers
/// have few blanks. Very long ones end with "…"; all of them is in the tip.
class WrappedRows : public RowsDelegate
{
    Q_OBJECT
public:
    WrappedRows(ThemeContext& context, QTableView& table, int rowHeight);

    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void fitRows();
    QRectF textBox(const QRectF& cell, const QModelIndex& index) const;
    QFont fontOf(const QModelIndex& index) const;

    ThemeContext& context_;
    QTableView& table_;
    int rowHeight_;
    QTimer fit_;
};

} // namespace sg::ui
