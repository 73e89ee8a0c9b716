// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

namespace sg::ui {

class FieldRows;
class TextLine;

/// What holds for the chain as a whole, and what is known of those who call it.
class ChainForm : public QWidget
{
    Q_OBJECT
public:
    ChainForm(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);
    void refresh(); ///< only while there is a chain

private:
    void buildLimits();
    void buildCaller();
    QString nameProblem() const;
    void rename();
    void showName();

    ChainEditor& editor_;
    BoundFields<workspace::Chain> fields_;
    FieldRows* rows_;
    TextLine* name_;
};

} // namespace sg::ui
