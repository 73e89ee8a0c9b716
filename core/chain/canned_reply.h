// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/provider/chat.h"

#include <memory>

namespace sg::chain {

/// The rule that answers this request: the first whose words occur in the last user message, or that has none.
/// Null when no rule matches.
const CannedRule* matchingRule(const std::vector<CannedRule>& rules, const provider::ChatRequest& request);

/// True when `word` occurs in `text`, without regard to case. Where the word begins or ends with a Latin letter it
/// must begin or end there in the text too ("how" is not in "show"); scripts that write without spaces match anywhere.
bool containsWord(const QString& text, const QString& word);

/// Is the reply what a request for JSON may be answered with?
bool isJson(const CannedRule& rule);

/// The reply as an answer. Its usage stays unknown: nothing was metered.
std::shared_ptr<const provider::Answer> answerOf(const CannedRule& rule);

} // namespace sg::chain
