// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_data.h"

#include "ui/format/format.h"
#include "ui/widgets/rows_table.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHeaderView>

namespace sg::ui {

RowsModel::Row DataTable::row(std::initializer_list<QString> texts)
{
    RowsModel::Row row;
    for (const QString& text : texts)
        row.push_back({text, RowsModel::Tone::Plain, false, RowsModel::Swatch::None, {}});
    return row;
}

DataTableDialog::DataTableDialog(ThemeContext& context, DataTable table, QWidget* parent)
    : QDialog(parent)
    , table_(std::move(table))
{
    setObjectName(QStringLiteral("dataTable"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(table_.title);
    context.applyTo(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    auto* heading = new QLabel(table_.title);
    heading->setProperty("role", QStringLiteral("heading"));
    column->addWidget(heading);
    const QString when = format::clock(QDateTime::currentMSecsSinceEpoch());
    auto* note = new QLabel(table_.rows.empty() ? tr("Nothing to show yet.") : tr("As it was at %1.").arg(when));
    note->setProperty("role", QStringLiteral("caption"));
    column->addWidget(note);
    auto* model = new RowsModel(table_.columns, this);
    model->setRows(table_.rows);
    auto* view = makeRowsTable(context, model, 22, 0, table_.title);
    for (int i = 1; i < model->columnCount(); ++i)
        view->horizontalHeader()->setSectionResizeMode(i, QHeaderView::ResizeToContents);
    column->addWidget(view, 1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* copyAll = new QPushButton(tr("Copy"));
    copyAll->setAutoDefault(false);
    copyAll->setToolTip(tr("Copy all rows, cells parted by tabs"));
    copyAll->setEnabled(!table_.rows.empty());
    connect(copyAll, &QPushButton::clicked, this, &DataTableDialog::copy);
    auto* close = new QPushButton(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    row->addWidget(copyAll);
    row->addWidget(close);
    column->addLayout(row);
    resize(640, 480);
    view->setFocus();
    if (!table_.rows.empty())
        view->setCurrentIndex(model->index(0, 0));
}

void DataTableDialog::copy()
{
    QStringList lines, cells;
    for (const RowsModel::Column& column : table_.columns)
        cells << column.title;
    lines << cells.join(QLatin1Char('\t'));
    for (const RowsModel::Row& row : table_.rows) {
        cells.clear();
        for (const RowsModel::Cell& cell : row)
            cells << cell.text;
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace sg::ui
