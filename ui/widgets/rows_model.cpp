// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rows_model.h"
#include "ui/format/format.h"

namespace sg::ui {

RowsModel::RowsModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , columns_(std::move(columns))
{
}

void RowsModel::setRows(std::vector<Row> rows)
{
    const int before = static_cast<int>(rows_.size());
    const int after = static_cast<int>(rows.size());
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        rows_.resize(rows.size());
        endRemoveRows();
    }
    const int last = static_cast<int>(columns_.size()) - 1;
    for (int i = 0; i < std::min(before, after); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (rows_[at] == rows[at])
            continue;
        rows_[at] = std::move(rows[at]);
        Q_EMIT dataChanged(index(i, 0), index(i, last));
    }
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        std::move(rows.begin() + before, rows.end(), std::back_inserter(rows_));
        endInsertRows();
    }
}

int RowsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Cell& cell = rows_[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.tip.isEmpty() ? QVariant() : QVariant(format::plainTip(cell.tip));
    case Qt::TextAlignmentRole: {
        const bool isNumber = columns_[static_cast<std::size_t>(index.column())].isNumber;
        return QVariant::fromValue(Qt::Alignment(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignVCenter));
    }
    case ToneRole:
        return static_cast<int>(cell.tone);
    case BoldRole:
        return cell.bold;
    case SwatchRole:
        return static_cast<int>(cell.swatch);
    case MonoRole:
        return cell.mono;
    default:
        return {};
    }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = columns_[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(column.isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    return {};
}

} // namespace sg::ui
