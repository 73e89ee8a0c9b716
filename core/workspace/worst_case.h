// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/workspace/model.h"

namespace sg::workspace {

/// The most that one tier can add to one request.
struct TierWorst
{
    int tier = 0;
    int attempts = 0;
    Nanos calling{0}, waiting{0};
    std::optional<cost::NanoDollars> cost; ///< every attempt billed in full; empty: no price
    bool operator==(const TierWorst&) const = default;
};

/// The slowest and dearest way a request can take through a chain, by its settings: every attempt runs into its time
/// limit, every wait is the longest its backoff draws, and traffic moves on until nothing is left. Assumed beside that:
/// - Tiers are taken in the chain's order. Split and router only change which comes first, and the sum stays the same.
///   What only a class of the router leads to is counted in: the sum is then a bound.
/// - A request says no max_tokens, so a limit by task is its longest.
/// - Servers ask for no wait of their own. One that does can stretch each wait up to the chain's maxServerWait; the
///   deadline holds all the same. A backoff that is longer than maxServerWait is not waited for: the tier is left.
/// - Nothing is answered by the cache or by an equal request in flight.
struct WorstCase
{
    std::vector<TierWorst> tiers; ///< those that are on, in order; what is never reached adds nothing
    int attempts = 0;             ///< at most the attempt budget
    Nanos limiterWait{0};
    Nanos wall{0};                         ///< what the tiers add up to, limiter included
    Nanos bounded{0};                      ///< the same, cut at the chain's deadline
    std::optional<cost::NanoDollars> cost; ///< empty: nothing is priced
    bool costIsLowerBound = false;         ///< a tier that can be called has no price
};

/// The request whose cost is judged.
struct TypicalRequest
{
    std::int64_t inputTokens = 500, outputTokens = 200; ///< as the seeds' cost comparison
};

WorstCase worstCaseOf(const chain::ChainSpec& chain, const Workspace& workspace, const cost::PriceBook* prices,
                      const TypicalRequest& request = {});

/// How long one attempt on this tier may take at most: the shortest of the tier's, the chain's and the endpoint's
/// limits. Without an endpoint those of tier and chain.
Nanos longestAttempt(const chain::ChainSpec& chain, const chain::TierSpec& tier, const Endpoint* endpoint);

/// Does it answer every request? (One that asks for JSON only when the reply is JSON.)
bool answersAlways(const chain::TierSpec& tier);
/// Nothing that goes wrong here leads to the next tier.
bool neverMovesOn(const chain::TierSpec& tier);

/// Whether traffic comes to a tier.
struct Reach
{
    bool isReached = false; ///< on, and not behind where traffic ends, or put first by a class of the router
    std::optional<std::size_t> endedBy{}; ///< the tier before that answers or keeps everything
};
/// By tier. Each member of a split with a weight may be the first of it, whatever the others do; behind the split comes
/// only what all of its members let through.
std::vector<Reach> reachOf(const chain::ChainSpec& chain);

} // namespace sg::workspace
