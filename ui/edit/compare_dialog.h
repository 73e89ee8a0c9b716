// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/apply_flow.h"
#include "ui/widgets/rows_model.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace sg::ui {

/// What is other in the draft than in a version, line by line, with the ways on: apply it with a note, or go back.
class CompareDialog : public QDialog
{
    Q_OBJECT
public:
    CompareDialog(ThemeContext& context, Draft& draft, ServingControl& serving, ApplyFlow& flow, QWidget* parent);

    const RowsModel& rows() const { return *rows_; }

private:
    QLayout* makeHead();
    QLayout* makeFoot();
    void fillVersions();
    void showDifferences();
    int chosen() const; ///< a version's number; 0: what serves
    workspace::WorkspacePtr other() const;
    QString alsoChanged() const; ///< other environments, a sentence after a blank

    ThemeContext& context_;
    Draft& draft_;
    ServingControl& serving_;
    ApplyFlow& flow_;
    QComboBox* versions_;
    QLabel* words_;
    RowsModel* rows_;
    QTableView* table_;
    QLineEdit* note_;
    QPushButton *apply_, *back_;
};

} // namespace sg::ui
