// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/worst_case.h"

#include "core/policy/backoff_envelope.h"
#include "core/workspace/edits.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sg::workspace {

namespace {

/// Settings of a draft may add up to more than the range holds.
Nanos plus(Nanos a, Nanos b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.count(), b.count(), &sum) ? Nanos::max() : Nanos(sum);
}

Nanos times(Nanos span, int count)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(span.count(), std::int64_t(count), &product) ? Nanos::max() : Nanos(product);
}

/// Many tiers ask for the same few endpoints, and the book is searched entry by entry.
class Known
{
public:
    Known(const Workspace& workspace, const cost::PriceBook* prices, const TypicalRequest& request)
        : prices_(prices)
        , request_(request)
    {
        for (const Endpoint& endpoint : workspace.endpoints)
            endpoints_.try_emplace(endpoint.spec.name, Entry{&endpoint, {}, false});
    }

    const Endpoint* endpointOf(const chain::TierSpec& tier) const
    {
        const auto found = endpoints_.find(tier.endpoint);
        return tier.kind == chain::TierKind::Endpoint && found != endpoints_.end() ? found->second.endpoint : nullptr;
    }

    /// Of one attempt.
    std::optional<cost::NanoDollars> costOf(const chain::TierSpec& tier)
    {
        Entry& entry = endpoints_.at(tier.endpoint);
        if (!entry.judged) {
            const auto price = prices_ ? priceOf(*entry.endpoint, *prices_) : entry.endpoint->price;
            const auto cost =
                price ? cost::worstCase(request_.inputTokens, request_.outputTokens, *price) : std::nullopt;
            entry.cost = cost ? std::optional(cost->total) : std::nullopt;
            entry.judged = true;
        }
        return entry.cost;
    }

private:
    struct Entry
    {
        const Endpoint* endpoint = nullptr;
        std::optional<cost::NanoDollars> cost;
        bool judged = false;
    };
    const cost::PriceBook* prices_;
    TypicalRequest request_;
    std::unordered_map<std::string, Entry> endpoints_;
};

struct Tries
{
    int attempts = 0;
    Nanos waiting{0};
};

/// As many as there are, until a wait is longer than the chain puts up with.
Tries triesOf(const chain::ChainSpec& chain, const chain::TierSpec& tier, int most)
{
    Tries tries{std::min(most, 1), Nanos::zero()};
    policy::Backoff least(tier.backoff), longest(tier.backoff);
    for (int retry = 0; tries.attempts < most; ++retry, ++tries.attempts) {
        if (fromMs(least.delayMs(retry, 0)) > chain.maxServerWait)
            break;
        tries.waiting = plus(tries.waiting, std::min(fromMs(longest.delayMs(retry, 1)), chain.maxServerWait));
    }
    return tries;
}

Nanos limiterWaitOf(const chain::ChainSpec& chain)
{
    const bool limits = chain.limiter && (chain.limiter->ratePerSecond > 0 || chain.limiter->windowLimit);
    return limits ? std::max(chain.limiter->maxWait, Nanos::zero()) : Nanos::zero();
}

/// Tiers that come first for a class of requests, wherever they stand.
std::unordered_set<std::string> routedTiers(const chain::ChainSpec& chain)
{
    std::unordered_set<std::string> names;
    if (chain.router)
        for (const chain::RouteClass& each : chain.router->classes)
            names.insert(each.tier);
    return names;
}

cost::NanoDollars times(cost::NanoDollars each, int count)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(each.count(), std::int64_t(count), &product) ? cost::NanoDollars::max()
                                                                               : cost::NanoDollars(product);
}

} // namespace

bool answersAlways(const chain::TierSpec& tier)
{
    return tier.enabled && tier.kind == chain::TierKind::CannedReply &&
           std::any_of(tier.rules.begin(), tier.rules.end(),
                       [](const chain::CannedRule& rule) { return rule.words.empty(); });
}

bool neverMovesOn(const chain::TierSpec& tier)
{
    const chain::MovesOn& on = tier.movesOn;
    return tier.enabled && tier.kind == chain::TierKind::Endpoint && !on.rateLimited && !on.serverError &&
           !on.timeout && !on.openBreaker && !on.contextTooLong && !on.contentPolicy;
}

std::vector<Reach> reachOf(const chain::ChainSpec& chain)
{
    const std::unordered_set<std::string> routed = routedTiers(chain);
    std::vector<Reach> reach(chain.tiers.size());
    std::optional<std::size_t> over;
    for (const TierGroup& group : splitGroups(chain)) {
        const auto ends = [&](std::size_t i) { return answersAlways(chain.tiers[i]) || neverMovesOn(chain.tiers[i]); };
        const auto isDrawn = [&](std::size_t i) { return chain.tiers[i].weight > 0; };
        const std::size_t end = group.first + group.count;
        // Whoever is not drawn comes after all that may be.
        std::optional<std::size_t> endsGroup;
        for (std::size_t i = end; i-- > group.first;)
            if (isDrawn(i) && ends(i))
                endsGroup = i;
        for (std::size_t i = group.first; i < end; ++i) {
            reach[i].endedBy = over || isDrawn(i) ? over : endsGroup;
            const bool comes = !reach[i].endedBy || routed.contains(chain.tiers[i].name);
            reach[i].isReached = chain.tiers[i].enabled && comes;
            if (!endsGroup && ends(i))
                endsGroup = i;
        }
        over = over ? over : endsGroup;
    }
    return reach;
}

Nanos longestAttempt(const chain::ChainSpec& chain, const chain::TierSpec& tier, const Endpoint* endpoint)
{
    Nanos longest = std::min(tier.attemptTimeout.value_or(chain.deadline), chain.deadline);
    if (!endpoint)
        return longest;
    longest = std::min(longest, endpoint->timeouts.total);
    if (endpoint->timeouts.byTask)
        longest = std::min(longest,
                           policy::totalFor(*endpoint->timeouts.byTask, endpoint->model.toStdString(), std::nullopt));
    return longest;
}

WorstCase worstCaseOf(const chain::ChainSpec& chain, const Workspace& workspace, const cost::PriceBook* prices,
                      const TypicalRequest& request)
{
    Known known(workspace, prices, request);
    WorstCase worst;
    worst.limiterWait = limiterWaitOf(chain);
    worst.wall = worst.limiterWait;
    const std::vector<Reach> reach = reachOf(chain);
    for (std::size_t i = 0; i < chain.tiers.size(); ++i) {
        const chain::TierSpec& tier = chain.tiers[i];
        if (!tier.enabled)
            continue;
        TierWorst one;
        one.tier = int(i);
        if (tier.kind == chain::TierKind::CannedReply)
            one.cost = cost::NanoDollars();
        if (const Endpoint* endpoint = reach[i].isReached ? known.endpointOf(tier) : nullptr) {
            const Tries tries = triesOf(chain, tier, std::min(tier.maxAttempts, chain.attemptBudget - worst.attempts));
            one.attempts = std::max(tries.attempts, 0);
            one.calling = times(longestAttempt(chain, tier, endpoint), one.attempts);
            one.waiting = tries.waiting;
            if (const auto each = known.costOf(tier))
                one.cost = times(*each, one.attempts);
            if (one.attempts > 0 && one.cost)
                worst.cost = worst.cost.value_or(cost::NanoDollars()) + *one.cost;
            worst.costIsLowerBound = worst.costIsLowerBound || (one.attempts > 0 && !one.cost);
        }
        worst.attempts += one.attempts;
        worst.wall = plus(worst.wall, plus(one.calling, one.waiting));
        worst.tiers.push_back(one);
    }
    worst.bounded = std::min(worst.wall, chain.deadline);
    return worst;
}

} // namespace sg::workspace
