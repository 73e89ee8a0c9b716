// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QDialog>

namespace sg::ui {

/// How to add an endpoint by hand: names the workspace file, shows what to put there, opens its folder, reads it again.
class AddEndpointDialog : public QDialog
{
    Q_OBJECT
public:
    AddEndpointDialog(ThemeContext& context, const QString& file, QWidget* parent);

    /// The fields "endpoints" and "chains" of a workspace file.
    static QString example();

Q_SIGNALS:
    void folderRequested();
    void reloadRequested();
};

} // namespace sg::ui
