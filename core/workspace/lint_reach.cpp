// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/canned_reply.h"
#include "core/workspace/edits.h"
#include "core/workspace/lint_run.h"
#include "core/workspace/word_cover.h"

#include <set>

namespace sg::workspace {

namespace {

void allOff(const ChainScope& scope, const Tell& tell)
{
    const auto isOn = [](const chain::TierSpec& tier) { return tier.enabled; };
    if (!scope.spec.tiers.empty() && std::ranges::none_of(scope.spec.tiers, isOn))
        tell(QStringLiteral("tiers"),
             {QStringLiteral("every tier is switched off"), QStringLiteral("Every request fails"),
              QStringLiteral("Switch on at least one")},
             scope.tierFix(0, QStringLiteral("Switch on %1").arg(tierName(scope, 0)),
                           [](chain::TierSpec& tier) { tier.enabled = true; }));
}

bool repliesInJson(const chain::TierSpec& tier)
{
    const auto always = std::ranges::find_if(tier.rules, [](const chain::CannedRule& r) { return r.words.empty(); });
    return always != tier.rules.end() && chain::isJson(*always);
}

/// Moved up it is reached; what would itself hide the reply before it is switched off instead. Before a split it would
/// take what the split shares.
std::optional<Fix> reachFix(const ChainScope& scope, std::size_t tier, std::size_t reply)
{
    const QString name = tierName(scope, tier), before = tierName(scope, reply);
    if (answersAlways(scope.spec.tiers[tier]))
        return scope.tierFix(tier, QStringLiteral("Switch off %1").arg(name),
                             [](chain::TierSpec& changed) { changed.enabled = false; });
    if (!scope.spec.tiers[reply].split.empty())
        return std::nullopt;
    return scope.fix(QStringLiteral("Move %1 before %2").arg(name, before),
                     [tier, reply, moved = scope.spec.tiers[tier].name](chain::ChainSpec& changed) {
                         if (tier < changed.tiers.size() && changed.tiers[tier].name == moved)
                             moveTier(changed, tier, reply);
                     });
}

/// The tier that keeps traffic from this one, which is on.
std::optional<std::size_t> hiddenBy(const ChainScope& scope, std::size_t tier)
{
    return scope.spec.tiers[tier].enabled && !scope.reach[tier].isReached ? scope.reach[tier].endedBy : std::nullopt;
}

void neverReached(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const auto reply = hiddenBy(scope, i);
        if (!reply || !answersAlways(scope.spec.tiers[*reply]))
            continue;
        const bool json = repliesInJson(scope.spec.tiers[*reply]);
        tell.tier(i, {},
                  {QStringLiteral("%1 is never reached%2: %3 answers always")
                       .arg(tierName(scope, i), json ? QString() : QStringLiteral(" except by requests for JSON"),
                            tierName(scope, *reply)),
                   QStringLiteral("It looks like a fallback and is none"),
                   QStringLiteral("Move it before that canned reply")},
                  reachFix(scope, i, *reply));
    }
}

void staysHere(const ChainScope& scope, const Tell& tell)
{
    std::set<std::size_t> told;
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const auto keeper = hiddenBy(scope, i);
        if (!keeper || !neverMovesOn(scope.spec.tiers[*keeper]) || !told.insert(*keeper).second)
            continue;
        tell.tier(
            *keeper, QStringLiteral("moves_on"),
            {QStringLiteral("nothing that goes wrong at %1 leads to the tiers behind").arg(tierName(scope, *keeper)),
             QStringLiteral("They only get requests that this tier cannot do at all"),
             QStringLiteral("Switch on what traffic moves on for, or switch the tiers behind off")});
    }
}

void limitsNothing(const ChainScope& scope, const Tell& tell)
{
    const auto& limiter = scope.spec.limiter;
    if (limiter && limiter->ratePerSecond <= 0 && limiter->burst <= 0 && !limiter->windowLimit)
        tell(QStringLiteral("limiter"),
             {QStringLiteral("the limiter of %1 limits nothing").arg(quoted(scope.spec.name)),
              {},
              QStringLiteral("Give it a rate or a window's limit, or remove it")},
             scope.fix(QStringLiteral("Remove the limiter"), removeLimiter));
}

// ---- rules of canned replies

Fix removeRule(const ChainScope& scope, std::size_t tier, std::size_t rule)
{
    return scope.tierFix(tier, QStringLiteral("Remove rule %1").arg(rule + 1),
                         [rule, reply = scope.spec.tiers[tier].rules[rule]](chain::TierSpec& changed) {
                             if (rule < changed.rules.size() && changed.rules[rule] == reply)
                                 changed.rules.erase(changed.rules.begin() + std::ptrdiff_t(rule));
                         });
}

void ruleNeverFires(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const auto& rules = scope.spec.tiers[i].rules;
        if (!scope.reach[i].isReached || scope.spec.tiers[i].kind != chain::TierKind::CannedReply)
            continue;
        WordCover before;
        bool answered = false;
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
            const bool covered = !answered && !rules[rule].words.empty() && before.covers(rules[rule].words);
            if (answered || covered)
                tell.tier(i, placeOf("rules", rule),
                          {QStringLiteral("rule %1 of %2 can never fire").arg(rule + 1).arg(tierName(scope, i)),
                           answered ? QStringLiteral("A rule without words before it answers always")
                                    : QStringLiteral("Rules before it answer all of its words"),
                           QStringLiteral("Move it up, or remove it")},
                          removeRule(scope, i, rule));
            answered = answered || rules[rule].words.empty();
            before.add(rules[rule].words);
        }
    }
}

constexpr ChainRule kRules[] = {
    {"all_tiers_off", FindingLevel::Warning, "A chain whose tiers are all switched off", allOff, true},
    {"never_reached", FindingLevel::Warning, "A tier behind a canned reply that answers always", neverReached, true},
    {"never_moves_on", FindingLevel::Warning, "A tier that moves on for nothing, with others behind it", staysHere},
    {"rule_never_fires", FindingLevel::Warning, "A canned rule whose requests earlier rules answer", ruleNeverFires},
    {"limits_nothing", FindingLevel::Warning, "A limiter without a limit", limitsNothing},
};

} // namespace

std::span<const ChainRule> reachRules()
{
    return kRules;
}

} // namespace sg::workspace
