// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/money.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// What requests cost. Unknown is not zero: without a count or a price there is no cost.
namespace sg::cost {

/// Nano-dollars per 1,000,000 tokens, each >= 0; empty = not known. Without their own rate cached, cache-written and
/// audio input cost what input costs, what is written for an hour what is written at all, and reasoning and audio
/// output what output costs.
struct Rates
{
    std::optional<NanoDollars> input, output;
    std::optional<NanoDollars> cachedInput, cacheWrite, reasoning;
    std::optional<NanoDollars> cacheWriteHour{}, audioInput{}, audioOutput{};
    bool operator==(const Rates&) const = default;
};

/// Other rates for long prompts: once the input (cached and cache-written tokens are in it) is larger than `above`,
/// they hold for the whole request. What is empty stays as below the threshold.
struct LongContextRates
{
    std::int64_t above = 0; ///< tokens
    Rates rates;
    bool operator==(const LongContextRates&) const = default;
};

struct Price : Rates
{
    std::vector<LongContextRates> tiers{}; ///< ascending by `above`
    bool operator==(const Price&) const = default;
};

/// The rates of a request with so many input tokens.
Rates ratesFor(const Price& price, std::int64_t inputTokens);
/// Every rate that is known is zero, and input and output are known: not the same as unknown.
bool isFree(const Price& price);

/// Tokens of one attempt; empty = not known. `input` includes cached input, cache writes and audio, `output` includes
/// reasoning and audio, as OpenAI counts; `cacheWriteHour` is a part of `cacheWrite`. Without a split everything is
/// plain input and output.
struct TokenCounts
{
    std::optional<std::int64_t> input, output;
    std::optional<std::int64_t> cachedInput, cacheWrite, reasoning;
    std::optional<std::int64_t> cacheWriteHour{}, audioInput{}, audioOutput{};
    bool operator==(const TokenCounts&) const = default;
};

enum class Kind { Input, CachedInput, CacheWrite, CacheWriteHour, AudioInput, Output, Reasoning, AudioOutput };

struct Line
{
    Kind kind = Kind::Input;
    std::int64_t tokens = 0;               ///< >= 0
    std::optional<NanoDollars> perMillion; ///< empty: nobody knows
    bool operator==(const Line&) const = default;
};

/// One line for each kind, in the order of Kind; every token is in one of them.
struct Invoice
{
    std::array<Line, 8> lines;
    std::optional<std::int64_t> above; ///< the threshold of the long-context rates that hold
    /// A part was larger than its whole (some relays count apart what others count in): the parts were then added.
    bool inconsistentUsage = false;
    bool operator==(const Invoice&) const = default;
};
/// Empty when input or output tokens are unknown or negative. What came from the cache is taken to be text as long as
/// there is text: usage does not say which of the cached tokens were audio.
std::optional<Invoice> invoiceOf(const TokenCounts& tokens, const Price& price);
/// All lines summed exactly and rounded once, to the nearest nano-dollar, halves up; a sum beyond the range saturates.
/// Empty when a kind that has tokens has no rate.
std::optional<NanoDollars> totalOf(const Invoice& invoice);

struct Cost
{
    NanoDollars total;
    bool inconsistentUsage = false; ///< as Invoice's
    bool operator==(const Cost&) const = default;
};

/// Tokens times price: the total of their invoice. Never negative.
std::optional<Cost> costOf(const TokenCounts& tokens, const Price& price);

/// The most that a request of text can cost: nothing comes from the cache, everything is written to it if that is
/// dearer, the whole output limit is used at the dearer of output and reasoning. Empty as for costOf.
std::optional<Cost> worstCase(std::int64_t inputTokens, std::int64_t maxOutputTokens, const Price& price);

} // namespace sg::cost
