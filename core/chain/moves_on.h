// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"

/// Which of a tier's switches a failure or a refusal belongs to.
namespace sg::chain {

/// What a failed attempt counts as where a tier says what it is left for.
enum class FailureKind { RateLimited, ServerError, Timeout, ContextTooLong, ContentPolicy, Credential, Other };

/// A 429 is the quota's whatever it is called; a 402 that takes the key out is the key's.
FailureKind kindOf(const provider::ErrorFacts& error);

/// A 429 or a quota that is used up: it concerns every endpoint of the quota group.
bool concernsQuota(const provider::ErrorFacts& error);

/// May a request leave the tier after this failure? What has no switch may: a dead key, a model that is not there.
bool mayLeave(const MovesOn& movesOn, FailureKind failure);

/// May a request that was refused before it was sent leave the tier? What has no switch may: a tier that is off, cannot
/// do what is needed, or has a dead key. A pause that a server asked for is of the rate limit, as the tier's own
/// limits are.
bool mayLeave(const MovesOn& movesOn, MoveReason refusal);

} // namespace sg::chain
