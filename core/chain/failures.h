// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"

/// The errors a run speaks of that no endpoint answered in these words.
namespace sg::chain {

/// What an attempt's result means, given whether something had reached the caller: then every failure is StreamBroken
/// and final. A success without an answer is BadResponse.
provider::ErrorFacts factsOf(const AttemptResult& result, bool committed);

provider::ErrorFacts limiterRefused();
bool isLimiterRefusal(const provider::ErrorFacts& error);
/// No tier took the request and none was tried: names the tiers' reasons.
provider::ErrorFacts noTierUsable(const RunRecord& record);
/// This tier's own limit or its open breaker, where it may not be left for the next one; the code is the reason's word.
/// `isOnlyOne`: there is no next one.
provider::ErrorFacts tierRefused(MoveReason reason, const std::string& endpoint, bool isOnlyOne = false);
/// Timeout after attempts, LocalReject before the first.
provider::ErrorFacts deadlinePast(const std::optional<provider::ErrorFacts>& lastError);

} // namespace sg::chain
