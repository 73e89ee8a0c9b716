// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/waterfall_model.h"

namespace sg::ui {

WaterfallModel::WaterfallModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void WaterfallModel::setScene(waterfall::Scene scene)
{
    const auto before = static_cast<int>(scene_.rows.size());
    const auto after = static_cast<int>(scene.rows.size());
    std::vector<waterfall::Row> rows = std::move(scene.rows);
    scene.rows = std::move(scene_.rows);
    scene_ = std::move(scene);
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        scene_.rows.resize(rows.size());
        endRemoveRows();
    }
    for (int i = 0; i < std::min(before, after); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (scene_.rows[at] == rows[at])
            continue;
        scene_.rows[at] = std::move(rows[at]);
        Q_EMIT dataChanged(index(i, 0), index(i, ColumnCount - 1));
    }
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        std::move(rows.begin() + before, rows.end(), std::back_inserter(scene_.rows));
        endInsertRows();
    }
}

int WaterfallModel::rowOfAttempt(int number) const
{
    for (int i = 0; i < rowCount(); ++i)
        if (row(i).number == number && number > 0)
            return i;
    return -1;
}

int WaterfallModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(scene_.rows.size());
}

int WaterfallModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WaterfallModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const waterfall::Row& row = this->row(index.row());
    if (role == Qt::AccessibleTextRole)
        return row.sentence;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(index.column() == Took ? Qt::AlignRight | Qt::AlignVCenter
                                                                        : Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Number:
        return row.number > 0 ? QString::number(row.number) : QString();
    case Step:
        return row.step;
    case Provider:
        return row.provider;
    case Outcome:
        return row.outcome;
    case Took:
        return row.took;
    default:
        return {};
    }
}

QVariant WaterfallModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(section == Took ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {QStringLiteral("#"), tr("Step"), tr("Provider"), tr("Outcome"), tr("Took"), tr("Time")};
    return names[section];
}

} // namespace sg::ui
