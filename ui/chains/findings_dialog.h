// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "ui/chains/chain_editor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableView;

namespace sg::ui {

/// Every finding of the draft, with what it does and the ways to it. Follows the draft while it is open.
class FindingsDialog : public QDialog
{
    Q_OBJECT
public:
    FindingsDialog(ThemeContext& context, ChainEditor& editor, QWidget* parent);
    QTableView& table() { return *table_; }

Q_SIGNALS:
    void showWanted(const sg::workspace::Finding& finding);

private:
    const workspace::Finding* current() const;
    void refresh();
    void showCurrent();

    ChainEditor& editor_;
    RowsModel* model_;
    QTableView* table_;
    QLabel *count_, *detail_;
    QPushButton *fix_, *show_;
};

} // namespace sg::ui
