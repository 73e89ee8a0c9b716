// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"

/// The rules of the linter, as docs/lint.md lists them.
namespace sg::workspace {

struct LintRule
{
    QString id; ///< Finding::rule; stable, scripts may filter by it
    FindingLevel level = FindingLevel::Error;
    QString line; ///< what it finds
    bool operator==(const LintRule&) const = default;
};
std::vector<LintRule> lintRules();

} // namespace sg::workspace
