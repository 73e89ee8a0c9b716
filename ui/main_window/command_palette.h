// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/main_window/palette_command.h"
#include "ui/theme/theme.h"

#include <QDialog>

#include <vector>

class QLineEdit;
class QListWidget;

namespace sg::ui {

/// Type a few letters, press Enter. Every word typed must occur somewhere in a command's words.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    CommandPalette(ThemeContext& context, std::vector<PaletteCommand> commands, QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& typed);
    void runCurrent();

    std::vector<PaletteCommand> commands_;
    QLineEdit* field_;
    QListWidget* list_;
};

} // namespace sg::ui
