// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_record.h"

#include <QIODevice>

namespace sg::history {

inline const QString kCutOff = QStringLiteral("cut off"); ///< the verdict of such a run

/// What is left of a run whose program ended before it: a report of what its rows tell (switchgear-load/2, with what
/// only the program knew left out), from warm-up's end to the last row's. A last row that is not whole is left out and
/// counted. `begun`: what was written when it began. `csv` is open for reading, or null: there are no rows. Blocks.
RunRecord cutOffRun(const RunRecord& begun, QIODevice* csv);

/// Of a run whose beginning was not written down: its time is in its id.
RunRecord unknownRun(const QString& id);

} // namespace sg::history
