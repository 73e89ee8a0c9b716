// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/waterfall.h"

#include <QAbstractTableModel>

namespace sg::ui {

/// The rows of a waterfall. Changes by difference, never by reset, so that the selection stays while a request runs.
class WaterfallModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Number, Step, Provider, Outcome, Took, Time, ColumnCount };

    explicit WaterfallModel(QObject* parent = nullptr);

    void setScene(waterfall::Scene scene);
    const waterfall::Scene& scene() const { return scene_; }
    const waterfall::Row& row(int index) const { return scene_.rows[static_cast<std::size_t>(index)]; }
    int rowOfAttempt(int number) const; ///< -1 when there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    waterfall::Scene scene_;
};

} // namespace sg::ui
