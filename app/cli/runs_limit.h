// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_archive.h"

class QCommandLineParser;

namespace sg::app {

void addLimitOptions(QCommandLineParser& parser);
/// `runs limit`: shows the limits, or sets what is given.
int limitRuns(history::RunArchive& archive, const QCommandLineParser& parser);
/// "37 of 500 runs, 2.1 GB of 5 GB."
QString roomWords(const history::HistoryState& state);

} // namespace sg::app
