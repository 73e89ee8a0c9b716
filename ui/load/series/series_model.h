// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series_table.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace sg::ui {

/// The runs of a series, a row each: what it was, its figures with units, and its verdict. Updates by difference.
class SeriesModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    /// The number of a cell, or its text where it has none; invalid: unknown. Beside it the roles of RowsModel.
    static constexpr int kSortRole = Qt::UserRole + 64;

    explicit SeriesModel(QObject* parent = nullptr);

    void setTable(const load::SeriesTable& table);
    const load::SeriesTable& table() const { return table_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int kNameColumn = 0;
    load::SeriesColumn columnAt(int section) const; ///< of those after the name

private:
    void setShape(const load::SeriesTable& table);

    load::SeriesTable table_;
    std::vector<load::SeriesColumn> columns_;
};

/// Sorts by number, what is unknown last in both directions.
class SeriesSorter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit SeriesSorter(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace sg::ui
