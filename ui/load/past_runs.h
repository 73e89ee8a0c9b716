// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/widgets/rows_table.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

/// The runs since the program began, newest first, to compare at a glance. Enter or a double click takes the plan of
/// one again.
class PastRuns : public QWidget
{
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 50;

    PastRuns(ThemeContext& context, QWidget* parent = nullptr);

    /// `run` has ended: Finished or Failed.
    void add(int number, const load::RunProgress& run);
    const RowsModel& model() const { return *model_; }

Q_SIGNALS:
    void planWanted(const sg::load::LoadPlan& plan);

private:
    RowsModel* model_;
    QTableView* table_;
    QLabel* note_;
    std::vector<load::LoadPlan> plans_; ///< one a row
};

} // namespace sg::ui
