// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_comparison.h"
#include "core/history/run_record.h"

/// Runs side by side as a document, as htmlOf() and markdownOf() are of one. Whatever is missing is left out or shown
/// as unknown; texts from outside cannot add markup. Pure.
namespace sg::load {

struct DocumentRun
{
    history::RunSummary summary; ///< `name` or `id` is its title
    QJsonObject plan;
    history::ComparedRun compared;
};

/// Two to five runs; the first is what the others are compared with. One page that needs nothing else and asks for
/// nothing.
QString comparisonHtml(const std::vector<DocumentRun>& runs);
QString comparisonMarkdown(const std::vector<DocumentRun>& runs);

} // namespace sg::load
