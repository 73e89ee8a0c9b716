// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/workspace/finding.h"
#include "core/workspace/model.h"

#include <map>

namespace sg::workspace {

/// What is known of one endpoint's key, from where keys are kept.
struct KeyFact
{
    bool isUsable = true;
    QString words, remedy; ///< a sentence each, without a key; of an odd but usable one too
};

/// What a file alone does not tell.
struct LintFacts
{
    const cost::PriceBook* prices = nullptr; ///< null: prices are not judged
    std::map<std::string, KeyFact> keys;     ///< by endpoint; one that is not there is not judged
    std::optional<KeyFact> gatewayToken{};
};

/// Everything that is wrong, doubtful or worth knowing, for `check` and for the editor alike: errors first, then
/// warnings, then notes; each in the order of the workspace. 500 tiers and 100 endpoints take well under 50 ms.
/// Works on drafts with errors too. Any thread.
Findings lint(const Workspace& workspace, const LintFacts& facts = {});

/// One list of what reading a file said and what lint() says of its workspace, each thing once; errors first.
Findings withLint(Findings read, Findings linted);

} // namespace sg::workspace
