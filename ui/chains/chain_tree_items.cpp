// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_tree_item.h"
#include "ui/format/format.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace sg::ui {

namespace {

using Item = ChainTreeModel::Item;
using ItemPtr = std::unique_ptr<Item>;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainTreeModel)
};

QString text(const std::string& from)
{
    return QString::fromStdString(from);
}

/// A number as it is typed: a unit behind it does not matter.
std::optional<double> numberIn(const QString& typed)
{
    static const QRegularExpression kUnit(QStringLiteral("[^\\p{Nd}]+$"));
    return format::numberIn(QString(typed).remove(kUnit));
}

struct Limits
{
    double low = 0, high = 1e9;
    bool isWhole = false;
    bool lowIncluded = true;
};

std::optional<double> numberWithin(const QString& typed, const Limits& limits)
{
    const auto value = numberIn(typed);
    const bool fits =
        value && *value <= limits.high && (limits.lowIncluded ? *value >= limits.low : *value > limits.low);
    if (!fits || (limits.isWhole && *value != std::floor(*value)))
        return std::nullopt;
    return value;
}

QString plain(double value)
{
    QLocale locale; // it is read back, and "1.500" would be 1.5
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'g', 10);
}

QString withUnit(const QString& number, const QString& unit)
{
    return unit.isEmpty() ? number : number + format::thin() + unit;
}

/// Makes the settings below one step.
class Settings
{
public:
    Settings(ChainEditor& editor, Item& step)
        : editor_(editor)
        , step_(step)
    {
    }

    Item* add(const QString& key, const QString& name, const QString& value)
    {
        auto item = std::make_unique<Item>();
        item->key = key;
        item->node = step_.node;
        item->name = name;
        item->value = value;
        item->spoken = value.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, value);
        return step_.add(std::move(item));
    }
    /// `set` is given what was typed once it is within the limits.
    Item* number(const QString& key, const QString& name, double value, const QString& unit, const Limits& limits,
                 std::function<void(workspace::Chain&, double)> set)
    {
        Item* item = add(key, name, withUnit(plain(value), unit));
        item->typed = plain(value);
        item->change = [&editor = editor_, limits, set = std::move(set), words = Words::tr("Change %1").arg(name),
                        key](const QString& typed) {
            const auto fits = numberWithin(typed, limits);
            if (fits)
                editor.editChain(words, {}, [&](workspace::Chain& chain) { set(chain, *fits); });
            return fits.has_value();
        };
        return item;
    }
    Item* seconds(const QString& key, const QString& name, Nanos value, const Limits& limits,
                  std::function<void(workspace::Chain&, Nanos)> set)
    {
        return number(
            key, name, toMs(value) / 1000, QStringLiteral("s"), limits,
            [set = std::move(set)](workspace::Chain& chain, double seconds) { set(chain, fromMs(seconds * 1000)); });
    }
    Item* flag(const QString& key, const QString& name, bool isOn, std::function<void(workspace::Chain&, bool)> set)
    {
        Item* item = add(key, name, QString());
        item->isOn = isOn;
        item->check = [&editor = editor_, set = std::move(set), words = Words::tr("Change %1").arg(name)](bool on) {
            editor.editChain(words, {}, [&](workspace::Chain& chain) { set(chain, on); });
        };
        return item;
    }

private:
    ChainEditor& editor_;
    Item& step_;
};

ItemPtr stepOf(ChainNode node, const QString& key, const QString& name, const QString& value)
{
    auto item = std::make_unique<Item>();
    item->key = key;
    item->node = node;
    item->name = name;
    item->value = value;
    item->spoken = value.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, value);
    return item;
}

ItemPtr limiterItem(ChainEditor& editor, const chain::LimiterSpec& limiter)
{
    const QString rate =
        limiter.ratePerSecond > 0
            ? Words::tr("%1 requests/s, burst %2").arg(plain(limiter.ratePerSecond), plain(limiter.burst))
            : Words::tr("no bucket");
    auto step =
        stepOf(ChainNode::of(ChainNode::Kind::Limiter), QStringLiteral("limiter"), Words::tr("Rate limiter"), rate);
    Settings settings(editor, *step);
    settings.number(QStringLiteral("rate"), Words::tr("Requests per second"), limiter.ratePerSecond,
                    QStringLiteral("/s"), {0, 1e6},
                    [](workspace::Chain& c, double v) { c.spec.limiter->ratePerSecond = v; });
    settings.number(QStringLiteral("burst"), Words::tr("Burst"), limiter.burst, {}, {0, 1e6},
                    [](workspace::Chain& c, double v) { c.spec.limiter->burst = v; });
    settings.seconds(QStringLiteral("wait"), Words::tr("Waits at most"), limiter.maxWait, {0, 3600},
                     [](workspace::Chain& c, Nanos v) { c.spec.limiter->maxWait = v; });
    Item* window = settings.add(QStringLiteral("windowLimit"), Words::tr("Requests in the window"),
                                limiter.windowLimit ? format::count(*limiter.windowLimit) : Words::tr("no limit"));
    window->typed = limiter.windowLimit ? QString::number(*limiter.windowLimit) : QString();
    window->change = [&editor](const QString& typed) {
        const bool isNone = typed.trimmed().isEmpty() || typed == Words::tr("no limit");
        const auto fits = numberWithin(typed, {1, 1e9, true});
        if (!isNone && !fits)
            return false;
        editor.editChain(Words::tr("Change %1").arg(Words::tr("Requests in the window")), {}, [&](workspace::Chain& c) {
            c.spec.limiter->windowLimit = isNone ? std::nullopt : std::optional(static_cast<std::int64_t>(*fits));
        });
        return true;
    };
    settings.seconds(QStringLiteral("window"), Words::tr("Window"), limiter.window, {0, 86400, false, false},
                     [](workspace::Chain& c, Nanos v) { c.spec.limiter->window = v; });
    return step;
}

ItemPtr cacheItem(ChainEditor& editor, const chain::CacheSpec& cache)
{
    auto step = stepOf(ChainNode::of(ChainNode::Kind::Cache), QStringLiteral("cache"), Words::tr("Cache"),
                       Words::tr("keeps answers %1").arg(format::duration(toMs(cache.ttl))));
    Settings settings(editor, *step);
    settings.seconds(QStringLiteral("ttl"), Words::tr("Keeps answers for"), cache.ttl, {0, 30 * 86400.0, false, false},
                     [](workspace::Chain& c, Nanos v) { c.spec.cache->ttl = v; });
    settings.number(QStringLiteral("entries"), Words::tr("Most entries"), static_cast<double>(cache.maxEntries), {},
                    {1, 1e7, true},
                    [](workspace::Chain& c, double v) { c.spec.cache->maxEntries = static_cast<std::size_t>(v); });
    settings.number(QStringLiteral("memory"), Words::tr("Most memory"), static_cast<double>(cache.maxBytes) / (1 << 20),
                    QStringLiteral("MiB"), {1, 65536}, [](workspace::Chain& c, double v) {
                        c.spec.cache->maxBytes = static_cast<std::size_t>(v * (1 << 20));
                    });
    return step;
}

QStringList endpointTiers(const chain::ChainSpec& chain)
{
    QStringList names;
    for (const chain::TierSpec& tier : chain.tiers)
        names.append(text(tier.name));
    return names;
}

ItemPtr routerItem(ChainEditor& editor, const chain::ChainSpec& chain)
{
    const chain::RouterSpec& router = *chain.router;
    auto step =
        stepOf(ChainNode::of(ChainNode::Kind::Router), QStringLiteral("router"), Words::tr("Complexity router"),
               router.classes.size() == 1 ? Words::tr("1 class") : Words::tr("%1 classes").arg(router.classes.size()));
    Settings settings(editor, *step);
    for (std::size_t i = 0; i < router.classes.size(); ++i) {
        const chain::RouteClass& route = router.classes[i];
        Item* item = settings.add(QStringLiteral("class %1").arg(i), Words::tr("Class %1").arg(text(route.name)),
                                  route.tier.empty() ? format::unknown() : text(route.tier));
        item->spoken = Words::tr("Requests of class %1 begin at %2").arg(text(route.name), item->value);
        item->choices = endpointTiers(chain);
        item->change = [&editor, i](const QString& tier) {
            editor.editChain(Words::tr("Change where a class begins"), {}, [&](workspace::Chain& c) {
                if (c.spec.router && i < c.spec.router->classes.size())
                    c.spec.router->classes[i].tier = tier.toStdString();
            });
            return true;
        };
    }
    return step;
}

void addMovesOn(ChainEditor& editor, Item& step, int tier, const chain::MovesOn& moves)
{
    Settings settings(editor, step);
    const std::pair<bool chain::MovesOn::*, QString> all[] = {
        {&chain::MovesOn::rateLimited, Words::tr("Moves on when 429")},
        {&chain::MovesOn::serverError, Words::tr("Moves on when 5xx, 529")},
        {&chain::MovesOn::timeout, Words::tr("Moves on when timeout")},
        {&chain::MovesOn::openBreaker, Words::tr("Moves on when open breaker")},
        {&chain::MovesOn::contextTooLong, Words::tr("Moves on when context too long")},
        {&chain::MovesOn::contentPolicy, Words::tr("Moves on when content filter")},
    };
    for (std::size_t i = 0; i < std::size(all); ++i) {
        const auto member = all[i].first;
        settings.flag(QStringLiteral("moves %1").arg(i), all[i].second, moves.*member,
                      [tier, member](workspace::Chain& c, bool on) {
                          c.spec.tiers[static_cast<std::size_t>(tier)].movesOn.*member = on;
                      });
    }
}

void addRules(ChainEditor& editor, Item& step, int tier, const std::vector<chain::CannedRule>& rules)
{
    Settings settings(editor, step);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        QStringList words;
        for (const std::string& word : rules[i].words)
            words.append(text(word));
        Item* item = settings.add(QStringLiteral("rule %1").arg(i),
                                  words.isEmpty() ? Words::tr("Always")
                                                  : Words::tr("When %1").arg(words.join(QStringLiteral(", "))),
                                  text(rules[i].reply));
        item->typed = text(rules[i].reply);
        item->change = [&editor, tier, i](const QString& typed) {
            if (typed.trimmed().isEmpty())
                return false;
            editor.editTier(tier, Words::tr("Change a canned reply"), {}, [&](chain::TierSpec& edited) {
                if (i < edited.rules.size())
                    edited.rules[i].reply = typed.toStdString();
            });
            return true;
        };
    }
}

void addEndpointSettings(ChainEditor& editor, Item& step, int tier, const chain::TierSpec& spec)
{
    Settings settings(editor, step);
    Item* endpoint = settings.add(QStringLiteral("endpoint"), Words::tr("Endpoint"), text(spec.endpoint));
    for (const workspace::Endpoint& known : editor.draft().workspace().endpoints)
        endpoint->choices.append(text(known.spec.name));
    endpoint->change = [&editor, tier](const QString& name) {
        editor.editTier(tier, Words::tr("Change the endpoint"), {},
                        [&](chain::TierSpec& edited) { edited.endpoint = name.toStdString(); });
        return true;
    };
    const auto at = static_cast<std::size_t>(tier);
    settings.number(QStringLiteral("tries"), Words::tr("Tries"), spec.maxAttempts, {}, {1, 100, true},
                    [at](workspace::Chain& c, double v) { c.spec.tiers[at].maxAttempts = static_cast<int>(v); });
    if (!spec.split.empty())
        settings.number(QStringLiteral("weight"), Words::tr("Weight"), spec.weight, {}, {0, 1e6},
                        [at](workspace::Chain& c, double v) { c.spec.tiers[at].weight = v; });
    Item* within =
        settings.add(QStringLiteral("within"), Words::tr("One try within"),
                     spec.attemptTimeout ? withUnit(plain(toMs(*spec.attemptTimeout) / 1000), QStringLiteral("s"))
                                         : Words::tr("as the endpoint says"));
    within->typed = spec.attemptTimeout ? plain(toMs(*spec.attemptTimeout) / 1000) : QString();
    within->change = [&editor, tier](const QString& typed) {
        const auto fits = numberWithin(typed, {0, 86400, false, false});
        if (!fits && !typed.trimmed().isEmpty())
            return false;
        editor.editTier(tier, Words::tr("Change the timeout of a try"), {}, [&](chain::TierSpec& edited) {
            edited.attemptTimeout = fits ? std::optional(fromMs(*fits * 1000)) : std::nullopt;
        });
        return true;
    };
}

/// Where a tier goes, in what its name does not say already.
QString targetOf(const workspace::Workspace& workspace, const chain::TierSpec& tier)
{
    const workspace::Endpoint* endpoint = workspace.endpoint(tier.endpoint);
    if (!endpoint || tier.endpoint != tier.name)
        return text(tier.endpoint);
    const bool isModelNew = !endpoint->model.isEmpty() && endpoint->model != text(tier.name);
    return isModelNew ? endpoint->model : workspace.profileOf(*endpoint).title;
}

ItemPtr tierItem(ChainEditor& editor, int index, const chain::TierSpec& tier, std::size_t count)
{
    const bool isEndpoint = tier.kind == chain::TierKind::Endpoint;
    const QString value = isEndpoint               ? targetOf(editor.draft().workspace(), tier)
                          : tier.rules.size() == 1 ? Words::tr("1 rule")
                                                   : Words::tr("%1 rules").arg(tier.rules.size());
    auto step = stepOf(ChainNode::ofTier(index), QStringLiteral("tier ") + text(tier.name), text(tier.name), value);
    step->spoken = Words::tr("Tier %1 of %2, %3, %4")
                       .arg(index + 1)
                       .arg(count)
                       .arg(text(tier.name),
                            isEndpoint ? Words::tr("endpoint %1").arg(text(tier.endpoint)) : Words::tr("canned reply"));
    if (!tier.split.empty())
        step->spoken += Words::tr(", shares traffic with its neighbours, weight %1").arg(plain(tier.weight));
    if (!tier.enabled)
        step->spoken += Words::tr(", switched off");
    step->typed = text(tier.name);
    step->isOn = tier.enabled;
    step->isOff = !tier.enabled;
    step->check = [&editor, index](bool on) { editor.setEnabled(index, on); };
    step->rename = [&editor, index](const QString& typed) {
        const QString name = typed.trimmed();
        const workspace::Chain* chain = editor.chain();
        const bool isTaken = std::ranges::any_of(chain->spec.tiers, [&](const chain::TierSpec& other) {
            return &other != editor.tier(index) && other.name == name.toStdString();
        });
        if (name.isEmpty() || isTaken)
            return false;
        editor.editTier(index, Words::tr("Rename tier"), {},
                        [&](chain::TierSpec& edited) { edited.name = name.toStdString(); });
        return true;
    };
    if (isEndpoint)
        addEndpointSettings(editor, *step, index, tier);
    else
        addRules(editor, *step, index, tier.rules);
    if (isEndpoint)
        addMovesOn(editor, *step, index, tier.movesOn);
    return step;
}

} // namespace

std::vector<ItemPtr> chainTreeItems(ChainEditor& editor)
{
    std::vector<ItemPtr> items;
    const workspace::Chain* chain = editor.chain();
    if (!chain)
        return items;
    const chain::ChainSpec& spec = chain->spec;
    if (spec.limiter)
        items.push_back(limiterItem(editor, *spec.limiter));
    if (spec.cache)
        items.push_back(cacheItem(editor, *spec.cache));
    if (spec.router)
        items.push_back(routerItem(editor, spec));
    for (std::size_t i = 0; i < spec.tiers.size(); ++i)
        items.push_back(tierItem(editor, static_cast<int>(i), spec.tiers[i], spec.tiers.size()));
    return items;
}

} // namespace sg::ui
