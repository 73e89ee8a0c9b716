// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/keep_limits.h"
#include "core/history/run_comparison.h"
#include "core/history/run_record.h"
#include "core/load/comparison_documents.h"
#include "ui/load/compare/comparison.h"
#include "ui/load/history/run_list.h"

/// Runs of the history as the list and the comparison show them. Pure.
namespace sg::ui::keptruns {

RunRow rowOf(const history::RunSummary& run);

/// A kept run and, where its requests were kept, too, what they came to.
struct Kept
{
    history::RunRecord record;
    std::optional<measure::Tally> rows{};
};
/// `kept` from the oldest; the baseline among them, or the first, is what the others are compared with.
Comparison comparisonOf(const std::vector<Kept>& kept);
/// The same runs for a document: what the others are compared with comes first.
std::vector<load::DocumentRun> documentRunsOf(const std::vector<Kept>& kept);

/// "37 of 500 runs, 2.1 GB of 5 GB"; empty: not known.
QString roomWords(const history::HistoryState& state);

/// Where in a run its figures come from, since its start; for history::tallyOfRows().
std::pair<Nanos, Nanos> measuredPartOf(const QJsonObject& report);

} // namespace sg::ui::keptruns
