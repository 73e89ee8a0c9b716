// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/comparison_documents.h"
#include "core/load/target_settings.h"

/// What the page and the Markdown of a comparison both say, as texts. Internal to them. Pure.
namespace sg::load::comparison {

QString letter(std::size_t run); ///< "A", "B", …
QString title(const DocumentRun& run);
QString heading(const std::vector<DocumentRun>& runs); ///< "Comparison with Run 35, outage"

/// One line of a table: texts for its cells, the first a name.
using Row = QStringList;
std::vector<Row> runRows(const std::vector<DocumentRun>& runs); ///< letter, name, target, started, verdict, note
/// Name, then of each run its value, with the change against the first and what it means.
std::vector<Row> figureRows(const std::vector<DocumentRun>& runs);
std::vector<Row> breakerRows(const std::vector<DocumentRun>& runs); ///< endpoint, run, first open, open in all, times

struct Settings : SettingComparison
{
    QString note; ///< what is not known of them; may be empty
};
Settings settings(const std::vector<DocumentRun>& runs);

inline const QString kIntervals = QStringLiteral(
    "Changes are against A, in brackets their 95 % interval; where that holds 0 there is no clear change. "
    "Of twenty figures compared one will look clear by chance.");

} // namespace sg::load::comparison
