// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/lint.h"

#include <QJsonObject>

/// Workspaces for the linter: one without a fault, and what spoils it.
namespace sg::test {

struct LintCase
{
    QString rule, place;
    std::function<void(workspace::Workspace&, workspace::LintFacts&)> spoil;
    QString words; ///< in the problem or the reason
    bool hasFix = false;
    QString fixWords{}; ///< on its button
};

struct FineCase
{
    const char* name;
    std::function<void(workspace::Workspace&, workspace::LintFacts&)> change;
};

/// Endpoints "a", "b" (remote, priced, with breakers and quotas of their own) and chain "c" over both.
workspace::Workspace soundWorkspace();
/// Knows gpt-4.1.
cost::PriceBook somePrices();
const std::vector<LintCase>& lintCases();
const std::vector<FineCase>& fineCases();
/// One chain, canned rules in every tenth tier, something to find in many.
workspace::Workspace largeWorkspace(int tiers, int endpoints);
policy::BreakerConfig breakerFrom(const QJsonObject& vector);

} // namespace sg::test
