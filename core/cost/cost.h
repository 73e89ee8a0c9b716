// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/money.h"

#include <cstdint>
#include <optional>

/// What requests cost. Unknown is not zero: without a count or a price there is no cost.
namespace sg::cost {

/// Prices in nano-dollars per 1,000,000 tokens, each >= 0; empty = not known. Without their own price cached input and
/// cache writes cost what input costs, and reasoning costs what output costs.
struct Price
{
    std::optional<NanoDollars> input, output;
    std::optional<NanoDollars> cachedInput, cacheWrite, reasoning;
    bool operator==(const Price&) const = default;
};

/// Tokens of one attempt; empty = not known. `input` includes cached input and cache writes, `output` includes
/// reasoning, as OpenAI counts. Without a split everything is plain input and output.
struct TokenCounts
{
    std::optional<std::int64_t> input, output;
    std::optional<std::int64_t> cachedInput, cacheWrite, reasoning;
    bool operator==(const TokenCounts&) const = default;
};

struct Cost
{
    NanoDollars total;
    /// A part was larger than its whole (some relays count apart what others count in): the parts were then added.
    bool inconsistentUsage = false;
    bool operator==(const Cost&) const = default;
};

/// Tokens times price. All kinds are summed exactly and rounded once, to the nearest nano-dollar, halves up; a sum
/// beyond the range saturates. Empty when input or output tokens are unknown or negative, or a kind that has tokens has
/// no price.
std::optional<Cost> costOf(const TokenCounts& tokens, const Price& price);

/// The most that a request can cost: nothing comes from the cache, everything is written to it if that is dearer, the
/// whole output limit is used at the dearer of output and reasoning. Empty as for costOf.
std::optional<Cost> worstCase(std::int64_t inputTokens, std::int64_t maxOutputTokens, const Price& price);

} // namespace sg::cost
