// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <QTableView>

namespace sg::ui {

/// Figures of the compared runs: a row a metric, a column a run, then the change of one of them against the reference,
/// its interval drawn, and the word for it.
class ChangeModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { IntervalRole = Qt::UserRole, WordRole };
    explicit ChangeModel(QObject* parent = nullptr);

    /// `run`: whose change is shown.
    void setComparison(const Comparison& comparison, std::size_t run);
    std::size_t run() const { return run_; }
    const Comparison& comparison() const { return comparison_; }
    int changeColumn() const { return 1 + static_cast<int>(comparison_.runs.size()); }
    /// The largest distance from 0 of all intervals, so that they share a scale; at least 0.1, at most 1.
    double reach() const { return reach_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const ComparedMetric& metricAt(int row) const { return comparison_.metrics[static_cast<std::size_t>(row)]; }
    MetricChange changeAt(int row) const;
    ChangeWord wordAt(int row) const;

private:
    Comparison comparison_;
    std::size_t run_ = 0;
    double reach_ = 0.1;
};

class ChangeTable : public QTableView
{
    Q_OBJECT
public:
    explicit ChangeTable(ThemeContext& context, QWidget* parent = nullptr);
    void setComparison(const Comparison& comparison, std::size_t run);
    ChangeModel& model() { return *model_; }

private:
    ChangeModel* model_;
};

} // namespace sg::ui
