// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace sg::ui {

/// Letters alone that are larger (QT_FONT_DPI) would not fit into what is laid out in px, much of it painted: then the
/// whole program is larger by as much. Desktops with one text scale for all do that by themselves: Qt 6 takes Xft.dpi
/// for the scale of everything. Once, before the application object; a QT_SCALE_FACTOR that is set counts too.
void scaleWithLetters();

} // namespace sg::ui
