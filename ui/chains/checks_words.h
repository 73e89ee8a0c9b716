// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "core/workspace/worst_case.h"
#include "ui/widgets/chart_data.h"

namespace sg::ui::checkswords {

/// What it is about: "prod-chat, tier gpt-4.1"; empty: the whole workspace.
QString subject(const workspace::Finding& finding, const workspace::Workspace& workspace);
/// "gpt-4.1, breaker max open: is shorter than …".
QString title(const workspace::Finding& finding, const workspace::Workspace& workspace);
QString detail(const workspace::Finding& finding); ///< why it hurts and what mends it, as sentences
QString level(workspace::FindingLevel level);      ///< "error"
RowsModel::Tone tone(workspace::FindingLevel level);

struct Worst
{
    QString title, detail;
    bool isTooLong = false; ///< beyond what the caller waits for or pays
    bool operator==(const Worst&) const = default;
};
Worst worst(const workspace::WorstCase& worst, const workspace::Chain& chain);
/// Tier after tier, with the sum at the end.
DataTable pathTable(const workspace::WorstCase& worst, const workspace::Chain& chain);

} // namespace sg::ui::checkswords
