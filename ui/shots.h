// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSize>
#include <QStringList>

namespace sg::ui {

class MainWindow;

/// Writes every page of the window in both themes into `directory` as PAGE-dark.png and PAGE-light.png, and the
/// first one with the gateway's panel open as gateway-panel-dark.png and gateway-panel-light.png. Theme, page and
/// size are restored. Returns the files written; empty when the directory cannot be written.
QStringList grabPages(MainWindow& window, const QString& directory, QSize size = {1440, 900});

} // namespace sg::ui
