// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QDialog>

namespace sg::ui {

/// What a chart draws, as rows: for those who read better than they look.
struct DataTable
{
    QString title;
    std::vector<RowsModel::Column> columns;
    std::vector<RowsModel::Row> rows;

    /// A row of plain cells.
    static RowsModel::Row row(std::initializer_list<QString> texts);
};

/// A chart that can say its data. The window opens them with T while the chart has the focus.
class ChartData
{
public:
    virtual ~ChartData() = default;
    virtual DataTable dataTable() const = 0; ///< of the moment; no rows: nothing to show yet
};

/// A chart's data in a window of its own; they stay as they were when it was opened.
class DataTableDialog : public QDialog
{
    Q_OBJECT
public:
    DataTableDialog(ThemeContext& context, DataTable table, QWidget* parent);

    void copy(); ///< all of it, cells parted by tabs

private:
    DataTable table_;
};

} // namespace sg::ui
