// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_archive.h"

namespace sg::app {

/// By its id, or the number that `runs list` shows before it (1: the newest).
history::HistoryResult<history::RunRecord> keptRunNamed(history::RunArchive& archive, const QString& name);

} // namespace sg::app
