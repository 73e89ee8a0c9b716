// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_run.h"

namespace sg::workspace {

namespace {

/// Windows that differ by less than this part count as alike: 1 047 576 and 1 048 576 tokens are both "a million".
constexpr double kAlike = 0.9;

bool isNearly(double value, double wanted)
{
    return value >= wanted * kAlike;
}

/// What becomes of a request that no tier after `from` can take.
QString whereItGoes(const ChainScope& scope, std::size_t from)
{
    for (std::size_t i = from; i < scope.spec.tiers.size(); ++i)
        if (scope.reach[i].isReached && scope.spec.tiers[i].kind == chain::TierKind::CannedReply)
            return QStringLiteral("to the canned reply");
    return QStringLiteral("back to the caller as an error");
}

/// Of the tiers in a row: who can take over the most, and who of those behind can take over the most of it.
struct Gap
{
    std::size_t most = 0, next = 0; ///< tiers
    bool isOnlyOne = false;         ///< nobody else comes near `most`
};

/// Empty when the last tier that can do the most has nothing behind it, or something nobody knows about.
template <typename CanDo>
std::optional<Gap> gapIn(const ChainScope& scope, CanDo canDo)
{
    double most = 0;
    for (const std::size_t tier : scope.calling)
        most = std::max(most, canDo(*scope.endpoints[tier]).value_or(0));
    std::optional<Gap> gap;
    int able = 0;
    double nextBest = -1;
    for (const std::size_t tier : scope.calling) {
        const std::optional<double> can = canDo(*scope.endpoints[tier]);
        if (!can)
            return std::nullopt; // whoever may be able to do anything is no gap
        if (most > 0 && isNearly(*can, most)) {
            ++able;
            gap = Gap{tier, tier, false};
            nextBest = -1;
        } else if (gap && *can > nextBest) {
            nextBest = *can;
            gap->next = tier;
        }
    }
    if (!gap || gap->next == gap->most)
        return std::nullopt;
    gap->isOnlyOne = able == 1;
    return gap;
}

// ---- context windows

std::optional<double> windowOf(const Endpoint& endpoint)
{
    const auto window = endpoint.spec.capabilities.contextWindow;
    return window ? std::optional(double(*window)) : std::nullopt;
}

void windowGap(const ChainScope& scope, const Tell& tell, bool onlyOne)
{
    const auto gap = gapIn(scope, windowOf);
    if (!gap || gap->isOnlyOne != onlyOne)
        return;
    const QString first = tierName(scope, gap->most), next = tierName(scope, gap->next);
    const std::int64_t small = *scope.endpoints[gap->next]->spec.capabilities.contextWindow;
    tell.tier(gap->next, {},
              {QStringLiteral("%1 cannot take over long prompts of %2: %4 of %3 tokens")
                   .arg(next, first, countWords(*scope.endpoints[gap->most]->spec.capabilities.contextWindow),
                        countWords(small)),
               QStringLiteral("When %1 is out, longer prompts go straight %2")
                   .arg(onlyOne ? first : QStringLiteral("every tier before it"), whereItGoes(scope, gap->most)),
               QStringLiteral("Put a model with a larger window behind %1, or keep prompts below %2 tokens")
                   .arg(first, countWords(small))});
}

void windowWithoutFallback(const ChainScope& scope, const Tell& tell)
{
    windowGap(scope, tell, true);
}

void windowSmaller(const ChainScope& scope, const Tell& tell)
{
    windowGap(scope, tell, false);
}

// ---- tools, images, JSON mode

struct Ability
{
    bool chain::Capabilities::*member;
    const char* field;
    const char* requests;
};
constexpr Ability kAbilities[] = {{&chain::Capabilities::tools, "capabilities.tools", "requests with tools"},
                                  {&chain::Capabilities::images, "capabilities.images", "requests with images"},
                                  {&chain::Capabilities::jsonMode, "capabilities.json_mode", "requests for JSON"}};

void abilityGap(const ChainScope& scope, const Tell& tell, bool onlyOne)
{
    for (const Ability& ability : kAbilities) {
        const auto gap = gapIn(scope, [&](const Endpoint& endpoint) {
            return std::optional(endpoint.spec.capabilities.*ability.member ? 1.0 : 0.0);
        });
        if (!gap || gap->isOnlyOne != onlyOne)
            continue;
        const QString first = tierName(scope, gap->most), next = tierName(scope, gap->next);
        const QString requests = QLatin1String(ability.requests);
        tell.tier(gap->next, {},
                  {QStringLiteral("%1 cannot take over %2, which %3 can").arg(next, requests, first),
                   QStringLiteral("When %1 is out, %2 go straight %3")
                       .arg(onlyOne ? first : QStringLiteral("every tier before it"), requests,
                            whereItGoes(scope, gap->most)),
                   QStringLiteral("Put a model that can behind %1, or switch %2 on at its endpoint if it can after all")
                       .arg(first, fieldWords(QLatin1String(ability.field)))});
    }
}

void abilityWithoutFallback(const ChainScope& scope, const Tell& tell)
{
    abilityGap(scope, tell, true);
}

void abilityMissing(const ChainScope& scope, const Tell& tell)
{
    abilityGap(scope, tell, false);
}

// ---- tiers that fail together

std::string keyOf(const Endpoint& endpoint)
{
    // Where a credential is named it says so itself; else the place the key comes from.
    if (endpoint.spec.credential != endpoint.spec.name || endpoint.key.source == KeySource::None)
        return "c" + endpoint.spec.credential;
    return "k" + std::to_string(int(endpoint.key.source)) + endpoint.key.name.toStdString();
}

/// Tiers that share something, each group once, at its second tier. `already`: tiers that share more than that.
template <typename SharedOf>
std::vector<std::vector<std::size_t>> sharing(const ChainScope& scope, SharedOf sharedOf)
{
    std::unordered_map<std::string, std::size_t> known;
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t tier : scope.calling) {
        const auto [entry, isNew] = known.try_emplace(sharedOf(*scope.endpoints[tier]), groups.size());
        if (isNew)
            groups.emplace_back();
        groups[entry->second].push_back(tier);
    }
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    return groups;
}

bool differ(const ChainScope& scope, const std::vector<std::size_t>& group, std::string chain::EndpointSpec::*member)
{
    const std::string& first = scope.endpoints[group.front()]->spec.*member;
    return std::ranges::any_of(group, [&](std::size_t tier) { return scope.endpoints[tier]->spec.*member != first; });
}

QString namesOf(const ChainScope& scope, const std::vector<std::size_t>& group)
{
    QStringList names;
    for (const std::size_t tier : group)
        names << tierName(scope, tier);
    return listWords(names);
}

void sameEndpoint(const ChainScope& scope, const Tell& tell)
{
    for (const auto& group : sharing(scope, [](const Endpoint& e) { return e.spec.name; }))
        tell.tier(group[1], QStringLiteral("endpoint"),
                  {QStringLiteral("%1 call the same endpoint").arg(namesOf(scope, group)),
                   QStringLiteral("What stops one of them stops them all, so this is no fallback"),
                   QStringLiteral("Name another endpoint, or allow the first more tries instead")});
}

void sameQuota(const ChainScope& scope, const Tell& tell)
{
    for (const auto& group : sharing(scope, [](const Endpoint& e) { return e.spec.quotaGroup; }))
        if (differ(scope, group, &chain::EndpointSpec::name))
            tell.tier(group[1], {},
                      {QStringLiteral("%1 share the quota group %2")
                           .arg(namesOf(scope, group), quoted(scope.endpoints[group[0]]->spec.quotaGroup)),
                       QStringLiteral("A 429 of one pauses them all, so moving on does not help"),
                       QStringLiteral("Put a tier with a quota of its own behind them")});
}

void sameKey(const ChainScope& scope, const Tell& tell)
{
    for (const auto& group : sharing(scope, keyOf))
        if (differ(scope, group, &chain::EndpointSpec::name) && differ(scope, group, &chain::EndpointSpec::quotaGroup))
            tell.tier(group[1], {},
                      {QStringLiteral("%1 use one key").arg(namesOf(scope, group)),
                       QStringLiteral("A key that is refused or out of money takes them all out, so no tier is left"
                                      " of that provider"),
                       QStringLiteral("Have a tier with another key behind them")});
}

constexpr ChainRule kRules[] = {
    {"window_without_fallback", FindingLevel::Warning,
     "Long prompts that only one tier accepts: those behind it have a smaller context window", windowWithoutFallback},
    {"ability_without_fallback", FindingLevel::Warning,
     "Tools, images or JSON mode that only one tier can do, and those behind it cannot", abilityWithoutFallback},
    {"same_endpoint", FindingLevel::Warning, "Tiers of one chain that call one endpoint", sameEndpoint},
    {"same_quota", FindingLevel::Warning, "Tiers of one chain in one quota group", sameQuota},
    {"window_smaller", FindingLevel::Note, "A last tier with a smaller context window than what it must take over",
     windowSmaller},
    {"ability_missing", FindingLevel::Note, "A last tier without tools, images or JSON mode that those before it have",
     abilityMissing},
    {"same_key", FindingLevel::Note, "Tiers of one chain with one key", sameKey},
};

} // namespace

std::span<const ChainRule> fallbackRules()
{
    return kRules;
}

} // namespace sg::workspace
