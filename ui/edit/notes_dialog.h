// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "ui/theme/theme.h"

#include <QDialog>

namespace sg::ui {

/// What could not be carried over from another program's file, to read and to copy.
class NotesDialog : public QDialog
{
    Q_OBJECT
public:
    NotesDialog(ThemeContext& context, const QString& heading, const QString& summary, const workspace::Findings& notes,
                QWidget* parent);

private:
    void copy(const QString& file) const;
    workspace::Findings notes_;
};

} // namespace sg::ui
