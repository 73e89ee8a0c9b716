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
};

/// The slowest and dearest way a request can take through a chain, by its settings.
struct WorstCase
{
    std::vector<TierWorst> tiers; ///< those that are on, in order
    int attempts = 0;             ///< at most the attempt budget
    Nanos limiterWait{0};
    Nanos wall{0};                         ///< what the tiers add up to, limiter included
    Nanos bounded{0};                      ///< the same, cut at the chain's deadline
    std::optional<cost::NanoDollars> cost; ///< empty: nothing is priced
    bool costIsLowerBound = false;         ///< a tier has no price
};

/// The request whose cost is judged.
struct TypicalRequest
{
    std::int64_t inputTokens = 500, outputTokens = 200; ///< as the seeds' cost comparison
};

WorstCase worstCaseOf(const chain::ChainSpec& chain, const Workspace& workspace, const cost::PriceBook* prices,
                      const TypicalRequest& request = {});

} // namespace sg::workspace
