// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_table.h"

#include <QWidget>

namespace sg::ui {

/// Rows of the table "answers to the client" and of "slowest answers".
std::vector<RowsModel::Row> statusRows(const load::RunProgress& progress);
std::vector<RowsModel::Row> slowestRows(const load::RunProgress& progress);

/// The answers' shares as one bar. A share that exists is at least a few pixels wide.
class SharesBar : public QWidget
{
    Q_OBJECT
public:
    SharesBar(ThemeContext& context, QWidget* parent = nullptr);
    struct Part
    {
        RowsModel::Swatch swatch;
        std::int64_t count;
        bool operator==(const Part&) const = default;
    };
    void setParts(std::vector<Part> parts);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    std::vector<Part> parts_;
};
std::vector<SharesBar::Part> statusParts(const load::RunProgress& progress);

} // namespace sg::ui
