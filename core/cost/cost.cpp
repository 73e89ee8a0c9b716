// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"

#include "core/cost/rate_fields.h"

#include <algorithm>

namespace sg::cost {

namespace {
// 2^63 tokens times 2^63 nano-dollars is below 2^126; limited to 2^120 a line, eight of them still fit.
__extension__ typedef __int128 Wide;
constexpr Wide kMostOfLine = static_cast<Wide>(1) << 120;
constexpr std::int64_t kTokensPerPrice = 1'000'000;

std::optional<NanoDollars> dearer(std::optional<NanoDollars> usual, std::optional<NanoDollars> special)
{
    return usual && special ? std::max(*usual, *special) : usual;
}

std::optional<NanoDollars> ownOr(std::optional<NanoDollars> own, std::optional<NanoDollars> other)
{
    return own ? own : other;
}

std::int64_t countOf(std::optional<std::int64_t> tokens)
{
    return std::max<std::int64_t>(tokens.value_or(0), 0);
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b)
{
    return (NanoDollars(a) + NanoDollars(b)).count();
}

/// What is left of a whole after its parts; the whole itself when they do not fit into it.
std::int64_t rest(std::int64_t whole, std::int64_t part, bool& inconsistent)
{
    if (part <= whole)
        return whole - part;
    inconsistent = true;
    return whole;
}

const LongContextRates* tierOf(const Price& price, std::int64_t inputTokens)
{
    const LongContextRates* last = nullptr;
    for (const LongContextRates& tier : price.tiers) {
        if (inputTokens > tier.above)
            last = &tier;
    }
    return last;
}

bool isZero(const Rates& rates)
{
    return std::ranges::all_of(kRateFields, [&](const RateField& field) {
        return (rates.*field.member).value_or(NanoDollars()).count() == 0;
    });
}
} // namespace

Rates ratesFor(const Price& price, std::int64_t inputTokens)
{
    Rates rates = price;
    for (const LongContextRates& tier : price.tiers) {
        if (inputTokens <= tier.above)
            continue;
        for (const RateField& field : kRateFields)
            rates.*field.member = ownOr(tier.rates.*field.member, rates.*field.member);
    }
    return rates;
}

bool isFree(const Price& price)
{
    return price.input && price.output && isZero(price) &&
           std::ranges::all_of(price.tiers, [](const LongContextRates& tier) { return isZero(tier.rates); });
}

std::optional<Invoice> invoiceOf(const TokenCounts& tokens, const Price& price)
{
    if (!tokens.input || !tokens.output || *tokens.input < 0 || *tokens.output < 0)
        return std::nullopt;
    const std::int64_t cached = countOf(tokens.cachedInput);
    const std::int64_t written = countOf(tokens.cacheWrite);
    const std::int64_t hour = std::min(countOf(tokens.cacheWriteHour), written);
    const std::int64_t reasoning = countOf(tokens.reasoning);

    Invoice invoice;
    const std::int64_t freshInput = rest(*tokens.input, saturatingAdd(cached, written), invoice.inconsistentUsage);
    const std::int64_t spoken = rest(*tokens.output, reasoning, invoice.inconsistentUsage);
    const std::int64_t audioIn = std::min(countOf(tokens.audioInput), freshInput);
    const std::int64_t audioOut = std::min(countOf(tokens.audioOutput), spoken);
    if (countOf(tokens.audioInput) > *tokens.input || countOf(tokens.audioOutput) > *tokens.output ||
        countOf(tokens.cacheWriteHour) > written)
        invoice.inconsistentUsage = true;

    const Rates rates = ratesFor(price, *tokens.input);
    if (const LongContextRates* tier = tierOf(price, *tokens.input))
        invoice.above = tier->above;
    const auto writeRate = ownOr(rates.cacheWrite, rates.input);
    invoice.lines = {{
        {Kind::Input, freshInput - audioIn, rates.input},
        {Kind::CachedInput, cached, ownOr(rates.cachedInput, rates.input)},
        {Kind::CacheWrite, written - hour, writeRate},
        {Kind::CacheWriteHour, hour, ownOr(rates.cacheWriteHour, writeRate)},
        {Kind::AudioInput, audioIn, ownOr(rates.audioInput, rates.input)},
        {Kind::Output, spoken - audioOut, rates.output},
        {Kind::Reasoning, reasoning, ownOr(rates.reasoning, rates.output)},
        {Kind::AudioOutput, audioOut, ownOr(rates.audioOutput, rates.output)},
    }};
    return invoice;
}

std::optional<NanoDollars> totalOf(const Invoice& invoice)
{
    Wide parts = 0;
    for (const Line& line : invoice.lines) {
        if (line.tokens == 0)
            continue;
        if (line.tokens < 0 || !line.perMillion || line.perMillion->count() < 0)
            return std::nullopt;
        parts += std::min(static_cast<Wide>(line.tokens) * line.perMillion->count(), kMostOfLine);
    }
    const Wide nanos = (parts + kTokensPerPrice / 2) / kTokensPerPrice;
    return NanoDollars(static_cast<std::int64_t>(std::min<Wide>(nanos, NanoDollars::max().count())));
}

std::optional<Cost> costOf(const TokenCounts& tokens, const Price& price)
{
    const auto invoice = invoiceOf(tokens, price);
    const auto total = invoice ? totalOf(*invoice) : std::nullopt;
    if (!total)
        return std::nullopt;
    return Cost{*total, invoice->inconsistentUsage};
}

std::optional<Cost> worstCase(std::int64_t inputTokens, std::int64_t maxOutputTokens, const Price& price)
{
    const Rates rates = ratesFor(price, inputTokens);
    Price worst;
    worst.input = dearer(dearer(rates.input, rates.cacheWrite), rates.cacheWriteHour);
    worst.output = dearer(rates.output, rates.reasoning);
    return costOf({inputTokens, maxOutputTokens, {}, {}, {}}, worst);
}

} // namespace sg::cost
