// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/tier_order.h"

#include "core/chain/words.h"

#include <algorithm>
#include <cmath>

namespace sg::chain {

namespace {

double weightOf(const TierSpec& tier)
{
    return std::isfinite(tier.weight) ? std::max(tier.weight, 0.0) : 0.0;
}

int found(const std::unordered_map<std::string, int>& map, const std::string& name)
{
    const auto at = map.find(name);
    return at == map.end() ? -1 : at->second;
}

} // namespace

TierOrder::TierOrder(const ChainSpec& spec)
{
    for (const bool enabled : {true, false}) {
        for (std::size_t i = 0; i < spec.tiers.size(); ++i) {
            const TierSpec& tier = spec.tiers[i];
            if (tier.enabled != enabled)
                continue;
            byName_.try_emplace(tier.name, static_cast<int>(i));
            if (tier.kind == TierKind::Endpoint)
                byEndpoint_.try_emplace(tier.endpoint, static_cast<int>(i));
        }
    }
    if (spec.router)
        addClasses(*spec.router);
    addGroups(spec.tiers);
}

void TierOrder::addClasses(const RouterSpec& router)
{
    std::vector<std::size_t> earlier;
    for (const RouteClass& c : router.classes) {
        Class made{c.name, c.words.empty(), {}, c.atLeast, found(byName_, c.tier)};
        const auto add = [](std::vector<std::size_t>& to, std::size_t word) {
            if (std::find(to.begin(), to.end(), word) == to.end())
                to.push_back(word);
        };
        if (c.countsEarlier)
            made.words = earlier;
        for (const std::string& word : c.words) {
            const std::size_t place = placeOfWord(comparable(QString::fromStdString(word)));
            add(made.words, place);
            add(earlier, place);
        }
        classes_.push_back(std::move(made));
    }
}

std::size_t TierOrder::placeOfWord(const QString& word)
{
    const auto known = std::find(words_.begin(), words_.end(), word);
    const auto place = static_cast<std::size_t>(known - words_.begin());
    if (known == words_.end())
        words_.push_back(word);
    return place;
}

void TierOrder::addGroups(const std::vector<TierSpec>& tiers)
{
    const int count = static_cast<int>(tiers.size());
    const auto at = [&](int i) -> const TierSpec& { return tiers[static_cast<std::size_t>(i)]; };
    for (int begin = 0, end = 0; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && !at(begin).split.empty() && at(end).split == at(begin).split)
            ++end;
        groups_.push_back({begin, end});
        splits_ = splits_ || end - begin > 1;
        double most = 0;
        for (int i = begin; i < end; ++i)
            most = std::max(most, at(i).enabled ? weightOf(at(i)) : 0.0);
        for (int i = begin; i < end; ++i) {
            shares_.push_back(at(i).enabled && most > 0 ? weightOf(at(i)) / most : 0.0);
            goesLast_.push_back(weightOf(at(i)) <= 0);
        }
    }
}

Route TierOrder::routeFor(const provider::ChatRequest& request, policy::RandomSource& random) const
{
    Route route;
    int first = tierAskedFor(request.preferredTier);
    if (first < 0) {
        if (const Class* c = classOf(request)) {
            route.name = c->name;
            first = c->tier;
        }
    }
    if (first >= 0 || splits_)
        route.tiers = orderWith(first, random);
    return route;
}

int TierOrder::tierAskedFor(const std::string& name) const
{
    if (name.empty())
        return -1;
    const int byName = found(byName_, name);
    return byName >= 0 ? byName : found(byEndpoint_, name);
}

const TierOrder::Class* TierOrder::classOf(const provider::ChatRequest& request) const
{
    if (classes_.empty())
        return nullptr;
    const QString text = words_.empty() ? QString() : comparable(lastUserText(request));
    std::vector<std::optional<bool>> occurring(words_.size());
    const auto says = [&](std::size_t word) {
        std::optional<bool>& known = occurring[word];
        if (!known)
            known = occurs(text, words_[word]);
        return *known;
    };
    for (const Class& c : classes_) {
        int missing = c.takesAll ? 0 : c.atLeast;
        for (std::size_t i = 0; missing > 0 && i < c.words.size(); ++i)
            missing -= says(c.words[i]) ? 1 : 0;
        if (missing <= 0)
            return &c;
    }
    return nullptr;
}

std::vector<int> TierOrder::orderWith(int first, policy::RandomSource& random) const
{
    std::vector<int> order;
    order.reserve(shares_.size());
    if (first >= 0)
        order.push_back(first);
    for (const Group& group : groups_) {
        const int drawn = firstOf(group, first, random);
        if (drawn >= 0)
            order.push_back(drawn);
        for (const bool last : {false, true}) {
            for (int i = group.begin; i < group.end; ++i) {
                if (i != first && i != drawn && goesLast_[static_cast<std::size_t>(i)] == last)
                    order.push_back(i);
            }
        }
    }
    return order;
}

/// Who leads the group; -1: its order decides.
int TierOrder::firstOf(const Group& group, int without, policy::RandomSource& random) const
{
    double total = 0;
    int choices = 0, lastChoice = -1;
    const auto share = [&](int i) { return i == without ? 0.0 : shares_[static_cast<std::size_t>(i)]; };
    for (int i = group.begin; i < group.end; ++i) {
        if (share(i) <= 0)
            continue;
        total += share(i);
        ++choices;
        lastChoice = i;
    }
    if (choices < 2)
        return lastChoice;
    double left = random.uniform() * total;
    for (int i = group.begin; i < lastChoice; ++i) {
        if (share(i) > 0 && left < share(i))
            return i;
        left -= share(i);
    }
    return lastChoice;
}

} // namespace sg::chain
