// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/json_reader.h"
#include "core/workspace/lint_run.h"
#include "core/workspace/word_cover.h"

#include <unordered_set>

namespace sg::workspace {

namespace {

const std::vector<chain::RouteClass>& classesOf(const ChainScope& scope)
{
    static const std::vector<chain::RouteClass> none;
    return scope.spec.router ? scope.spec.router->classes : none;
}

QString place(std::size_t at, const char* field = nullptr)
{
    const QString here = QStringLiteral("router.") + placeOf("classes", at);
    return field ? here + QLatin1Char('.') + QLatin1String(field) : here;
}

const chain::TierSpec* tierOf(const ChainScope& scope, const std::string& name)
{
    const auto found = std::ranges::find(scope.spec.tiers, name, &chain::TierSpec::name);
    return found == scope.spec.tiers.end() ? nullptr : &*found;
}

void sameClassNames(const ChainScope& scope, const Tell& tell)
{
    std::unordered_set<std::string> seen;
    const auto& classes = classesOf(scope);
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (!classes[i].name.empty() && !seen.insert(classes[i].name).second)
            tell(place(i, "name"), {QStringLiteral("the name %1 is there twice").arg(quoted(classes[i].name)),
                                    QStringLiteral("Records and figures could not tell the two apart"),
                                    QStringLiteral("Give each its own name")});
}

void unknownTier(const ChainScope& scope, const Tell& tell)
{
    const auto& classes = classesOf(scope);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (classes[i].tier.empty() || tierOf(scope, classes[i].tier))
            continue;
        QStringList names;
        for (const chain::TierSpec& tier : scope.spec.tiers)
            names << QString::fromStdString(tier.name);
        const auto nearest = nearestName(QString::fromStdString(classes[i].tier), names);
        tell(place(i, "tier"), {QStringLiteral("%1 names the tier %2, which is not there")
                                    .arg(named("class", classes[i].name, i), quoted(classes[i].tier)),
                                QStringLiteral("Requests of this class go the chain's usual way"),
                                nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                                        : QStringLiteral("Name a tier of this chain")});
    }
}

void tierOff(const ChainScope& scope, const Tell& tell)
{
    const auto& classes = classesOf(scope);
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (const chain::TierSpec* tier = tierOf(scope, classes[i].tier); tier && !tier->enabled)
            tell(place(i, "tier"), {QStringLiteral("%1 names %2, which is switched off")
                                        .arg(named("class", classes[i].name, i), quoted(tier->name)),
                                    QStringLiteral("Requests of this class go the chain's usual way"),
                                    QStringLiteral("Switch it on, or name another tier")});
}

/// Words of classes before are counted here too where the class says so.
std::vector<std::string> wordsThatCount(const std::vector<chain::RouteClass>& classes, std::size_t at)
{
    std::vector<std::string> words = classes[at].words;
    for (std::size_t i = 0; classes[at].countsEarlier && i < at; ++i)
        words.insert(words.end(), classes[i].words.begin(), classes[i].words.end());
    return words;
}

QString neverBecause(const std::vector<chain::RouteClass>& classes, std::size_t at, const WordCover& single, bool taken)
{
    const std::vector<std::string> words = wordsThatCount(classes, at);
    if (taken)
        return QStringLiteral("A class without words before it takes every request");
    if (!classes[at].words.empty() && std::size_t(std::max(classes[at].atLeast, 0)) > words.size())
        return QStringLiteral("%1 words must occur and there are only %2").arg(classes[at].atLeast).arg(words.size());
    if (!classes[at].words.empty() && single.covers(words))
        return QStringLiteral("Classes before it take every request with one of its words");
    return {};
}

void classNeverFits(const ChainScope& scope, const Tell& tell)
{
    const auto& classes = classesOf(scope);
    WordCover single; // words that alone were enough for a class before
    bool taken = false;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const QString because = neverBecause(classes, i, single, taken);
        if (!because.isEmpty()) {
            // A class behind may count its words.
            const bool counted = std::any_of(classes.begin() + std::ptrdiff_t(i) + 1, classes.end(),
                                             [](const chain::RouteClass& c) { return c.countsEarlier; });
            std::optional<Fix> fix;
            if (!counted)
                fix = scope.fix(QStringLiteral("Remove the class %1").arg(quoted(classes[i].name)),
                                [i, removed = classes[i]](chain::ChainSpec& changed) {
                                    if (changed.router && i < changed.router->classes.size() &&
                                        changed.router->classes[i] == removed)
                                        changed.router->classes.erase(changed.router->classes.begin() +
                                                                      std::ptrdiff_t(i));
                                });
            tell(place(i),
                 {QStringLiteral("no request is ever of %1").arg(named("class", classes[i].name, i)), because,
                  QStringLiteral("Move it up, change its words, or remove it")},
                 std::move(fix));
        }
        if (classes[i].atLeast <= 1)
            single.add(wordsThatCount(classes, i));
        taken = taken || classes[i].words.empty();
    }
}

// ---- split

void splitOfOne(const ChainScope& scope, const Tell& tell)
{
    for (const TierGroup& group : splitGroups(scope.spec))
        if (group.isSplit && group.count == 1)
            tell.tier(group.first, QStringLiteral("split"),
                      {QStringLiteral("%1 is in a split, but no neighbour shares it").arg(tierName(scope, group.first)),
                       QStringLiteral("It simply has its place in the row"),
                       QStringLiteral("Give a neighbour the same split, or remove it")},
                      scope.tierFix(group.first, QStringLiteral("Remove the split"), [](chain::TierSpec& tier) {
                          tier.split.clear();
                          tier.weight = 1;
                      }));
}

void splitOfNothing(const ChainScope& scope, const Tell& tell)
{
    for (const TierGroup& group : splitGroups(scope.spec)) {
        double sum = 0;
        for (std::size_t i = 0; i < group.count; ++i)
            sum += scope.spec.tiers[group.first + i].weight;
        if (!group.isSplit || group.count < 2 || sum > 0)
            continue;
        tell.tier(group.first, QStringLiteral("weight"),
                  {QStringLiteral("all weights of the split at %1 are 0").arg(tierName(scope, group.first)),
                   QStringLiteral("Nothing is drawn, so the first one always comes first"),
                   QStringLiteral("Give one of them a weight above 0")},
                  scope.fix(QStringLiteral("Share equally"), [group](chain::ChainSpec& changed) {
                      for (std::size_t i = group.first; i < std::min(group.first + group.count, changed.tiers.size());
                           ++i)
                          changed.tiers[i].weight = 1;
                  }));
    }
}

void weightWithoutSplit(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i)
        if (scope.spec.tiers[i].split.empty() && scope.spec.tiers[i].weight != 1)
            tell.tier(
                i, QStringLiteral("weight"),
                {QStringLiteral("the weight of %1 does nothing outside a split").arg(tierName(scope, i)),
                 {},
                 QStringLiteral("Put the tier and its neighbour into one split, or remove the weight")},
                scope.tierFix(i, QStringLiteral("Remove the weight"), [](chain::TierSpec& tier) { tier.weight = 1; }));
}

constexpr ChainRule kRules[] = {
    {"duplicate_class_name", FindingLevel::Error, "Two classes of a router with one name", sameClassNames},
    {"class_without_tier", FindingLevel::Error, "A class that names a tier that is not there", unknownTier},
    {"class_of_tier_off", FindingLevel::Warning, "A class that names a tier that is switched off", tierOff},
    {"class_never_fits", FindingLevel::Warning,
     "A class whose requests are all taken before, or that wants too many words", classNeverFits},
    {"weight_without_split", FindingLevel::Note, "A weight where nothing is shared", weightWithoutSplit},
    {"split_of_one", FindingLevel::Note, "A split without a neighbour", splitOfOne},
    {"split_of_nothing", FindingLevel::Note, "A split whose weights are all 0", splitOfNothing},
};

} // namespace

std::span<const ChainRule> routeRules()
{
    return kRules;
}

} // namespace sg::workspace
