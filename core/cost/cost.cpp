// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"

#include <algorithm>

namespace sg::cost {

namespace {
// 2^63 tokens times 2^63 nano-dollars is below 2^126; five of them still fit.
__extension__ typedef __int128 Wide;
constexpr std::int64_t kTokensPerPrice = 1'000'000;

class Sum
{
public:
    void add(std::int64_t tokens, std::optional<NanoDollars> perMillion)
    {
        if (tokens == 0)
            return;
        if (tokens < 0 || !perMillion || perMillion->count() < 0)
            known_ = false;
        else
            parts_ += std::min(static_cast<Wide>(tokens) * perMillion->count(), kLimit);
    }

    std::optional<NanoDollars> total() const
    {
        if (!known_)
            return std::nullopt;
        const Wide nanos = (parts_ + kTokensPerPrice / 2) / kTokensPerPrice;
        return NanoDollars(static_cast<std::int64_t>(std::min<Wide>(nanos, NanoDollars::max().count())));
    }

private:
    static constexpr Wide kLimit = static_cast<Wide>(1) << 120;
    Wide parts_ = 0;
    bool known_ = true;
};

std::optional<NanoDollars> dearer(std::optional<NanoDollars> usual, std::optional<NanoDollars> special)
{
    return usual && special ? std::max(*usual, *special) : usual;
}

/// What is left of a whole after its parts; the whole itself when they do not fit into it.
std::int64_t rest(std::int64_t whole, std::int64_t part, bool& inconsistent)
{
    if (part <= whole)
        return whole - part;
    inconsistent = true;
    return whole;
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b)
{
    return (NanoDollars(a) + NanoDollars(b)).count();
}
} // namespace

std::optional<Cost> costOf(const TokenCounts& tokens, const Price& price)
{
    if (!tokens.input || !tokens.output || *tokens.input < 0 || *tokens.output < 0)
        return std::nullopt;
    const std::int64_t cached = std::max<std::int64_t>(tokens.cachedInput.value_or(0), 0);
    const std::int64_t written = std::max<std::int64_t>(tokens.cacheWrite.value_or(0), 0);
    const std::int64_t reasoning = std::max<std::int64_t>(tokens.reasoning.value_or(0), 0);

    Cost cost;
    Sum sum;
    sum.add(rest(*tokens.input, saturatingAdd(cached, written), cost.inconsistentUsage), price.input);
    sum.add(cached, price.cachedInput ? price.cachedInput : price.input);
    sum.add(written, price.cacheWrite ? price.cacheWrite : price.input);
    sum.add(rest(*tokens.output, reasoning, cost.inconsistentUsage), price.output);
    sum.add(reasoning, price.reasoning ? price.reasoning : price.output);
    const auto total = sum.total();
    if (!total)
        return std::nullopt;
    cost.total = *total;
    return cost;
}

std::optional<Cost> worstCase(std::int64_t inputTokens, std::int64_t maxOutputTokens, const Price& price)
{
    const Price worst{dearer(price.input, price.cacheWrite), dearer(price.output, price.reasoning), {}, {}, {}};
    return costOf({inputTokens, maxOutputTokens, {}, {}, {}}, worst);
}

} // namespace sg::cost
