// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

/// Delays as people configure them: in the unit that suits the longest.
namespace sg::ui::delaywords {

struct Unit
{
    double ms = 1000; ///< of one
    QString name;     ///< "s"
};
Unit unitFor(double longestMs);                      ///< ms below 0.1 s, s to 2 min, min to 2 h, then h
QString number(double ms, const Unit& unit);         ///< "0.50", "8.0", "15"
QString text(double ms);                             ///< "8.0 s", "24 h"
double roundTop(double longestMs, const Unit& unit); ///< a round upper end of an axis, in ms

} // namespace sg::ui::delaywords
