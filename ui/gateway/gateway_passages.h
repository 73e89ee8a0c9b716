// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/traffic.h"
#include "ui/widgets/rows_model.h"

/// Requests through the gateway as rows of a table, and its refusals in words.
namespace sg::ui::gatewaypassages {

enum Column { Time, Result, Http, Asked, Answered, Tries, Waited, Took, Cost };

std::vector<RowsModel::Column> columns();
struct Width
{
    Column column;
    int px;
    int goesAt; ///< hidden when the table is narrower; 0: never
};
/// The two that are not named share what is left.
std::vector<Width> widths();
RowsModel::Row rowOf(const gateway::Passage& passage);

/// "queue full"; a reason that has no words of its own: its code with blanks.
QString reasonWords(int status, const QString& code);
/// "Not passed on: 12 queue full, 3 no such model"; empty: none.
QString refusalsLine(const std::vector<gateway::Refusals>& refusals);

} // namespace sg::ui::gatewaypassages
