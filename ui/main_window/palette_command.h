// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>

namespace sg::ui {

/// One line of the command palette.
struct PaletteCommand
{
    QString words, hint;
    std::function<void()> run;
};

} // namespace sg::ui
