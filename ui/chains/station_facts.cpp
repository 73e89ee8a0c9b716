// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/station_facts.h"
#include "ui/format/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace sg::ui::facts {

using observe::ChainView;
using observe::MovedBy;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainCanvas)
};

void add(std::vector<Tag>& tags, bool isOn, std::int64_t count, const QString& words, const QString& shortWords,
         bool isBad = false)
{
    if (!isOn && count == 0)
        return;
    const auto tone = count == 0 ? Tag::Tone::Quiet : isBad ? Tag::Tone::Bad : Tag::Tone::Seen;
    tags.push_back({words, shortWords, tone, count});
}

/// The narrow nodes have room for five signs.
QString tight(double value)
{
    return format::shortCount(value, 1e4);
}

QString ttlWords(Nanos ttl)
{
    const double ms = toMs(ttl);
    return ms < 60'000 ? format::duration(ms) : format::range(static_cast<std::int64_t>(ms));
}

} // namespace

QString shareText(int tenths)
{
    const int decimals = tenths % 1000 == 0 ? 0 : 1;
    return format::number(tenths / 10.0, decimals) + format::thin() + QLatin1Char('%');
}

NodeFacts limiterFacts(const chain::LimiterSpec& limiter, const ChainView* view)
{
    NodeFacts f;
    f.name = Words::tr("Limiter");
    f.icon = QStringLiteral("limiter");
    if (view && view->limiterUsed && view->limiterLimit && *view->limiterLimit > 0) {
        f.gauge = std::clamp(*view->limiterUsed / *view->limiterLimit, 0.0, 1.0);
        f.lines << QStringLiteral("%1 / %2").arg(tight(*view->limiterUsed), tight(*view->limiterLimit))
                << Words::tr("per minute") << Words::tr("%1 rejected").arg(format::count(view->refusedByLimiter));
        return f;
    }
    if (limiter.ratePerSecond > 0)
        f.lines << tight(limiter.ratePerSecond * 60) << Words::tr("per minute")
                << Words::tr("bursts to %1").arg(tight(limiter.burst));
    else if (limiter.windowLimit)
        f.lines << format::count(*limiter.windowLimit)
                << Words::tr("per %1").arg(format::duration(toMs(limiter.window)));
    else
        f.lines << Words::tr("no limit");
    return f;
}

NodeFacts cacheFacts(const chain::CacheSpec& cache, const ChainView* view)
{
    NodeFacts f;
    f.name = Words::tr("Cache");
    f.icon = QStringLiteral("cache");
    if (view)
        f.lines << Words::tr("hit %1").arg(shareText(tenths({view->fromCache}, view->requests)[0]));
    f.lines << Words::tr("TTL %1").arg(ttlWords(cache.ttl));
    f.lines << (view ? Words::tr("%1 keys").arg(format::shortCount(static_cast<double>(view->cacheEntries)))
                     : Words::tr("max %1").arg(format::shortCount(double(cache.maxEntries))));
    return f;
}

NodeFacts routerFacts(const chain::RouterSpec& router)
{
    NodeFacts f;
    f.name = Words::tr("Router");
    f.icon = QStringLiteral("router");
    for (const chain::RouteClass& one : router.classes) {
        if (f.lines.size() == 2 && router.classes.size() > 3) {
            f.lines << Words::tr("and %1 more").arg(router.classes.size() - 2);
            break;
        }
        f.lines << QString::fromStdString(one.name);
    }
    if (f.lines.isEmpty())
        f.lines << Words::tr("no classes");
    return f;
}

NodeFacts cannedFacts(const chain::TierSpec& tier)
{
    NodeFacts f;
    f.name = Words::tr("Canned");
    f.icon = QStringLiteral("canned");
    const bool isAlways = std::any_of(tier.rules.begin(), tier.rules.end(),
                                      [](const chain::CannedRule& rule) { return rule.words.empty(); });
    const QString rules = tier.rules.size() == 1 ? Words::tr("1 rule") : Words::tr("%1 rules").arg(tier.rules.size());
    if (isAlways)
        f.lines << Words::tr("%1, always").arg(rules) << Words::tr("answers, 0\u202Fms");
    else
        f.lines << rules << Words::tr("else moves on");
    return f;
}

std::vector<Tag> tagsOf(const chain::ChainSpec& spec, const layout::Step& step,
                        const std::function<std::int64_t(MovedBy)>& n,
                        const std::function<bool(const chain::TierSpec&)>& isHalfOpen)
{
    std::vector<Tag> tags;
    chain::MovesOn on{false, false, false, false, false, false};
    bool isOff = false, isCanned = false, isHalf = false;
    for (std::size_t i = step.first; i < step.first + step.count; ++i) {
        const chain::TierSpec& tier = spec.tiers[i];
        isOff = isOff || !tier.enabled;
        const bool canned = tier.kind == chain::TierKind::CannedReply;
        isCanned = isCanned || (canned && tier.enabled);
        if (canned || !tier.enabled)
            continue;
        on.rateLimited = on.rateLimited || tier.movesOn.rateLimited;
        on.serverError = on.serverError || tier.movesOn.serverError;
        on.timeout = on.timeout || tier.movesOn.timeout;
        on.openBreaker = on.openBreaker || tier.movesOn.openBreaker;
        on.contextTooLong = on.contextTooLong || tier.movesOn.contextTooLong;
        on.contentPolicy = on.contentPolicy || tier.movesOn.contentPolicy;
        isHalf = isHalf || isHalfOpen(tier);
    }
    add(tags, on.rateLimited, n(MovedBy::RateLimited), QStringLiteral("429"), QStringLiteral("429"));
    add(tags, on.serverError, n(MovedBy::ServerError), QStringLiteral("5xx"), QStringLiteral("5xx"));
    add(tags, on.timeout, n(MovedBy::Timeout), Words::tr("timeout"), Words::tr("timeout"));
    const bool isProbing = isHalf && n(MovedBy::OpenBreaker) > 0;
    add(tags, on.openBreaker, n(MovedBy::OpenBreaker), isProbing ? Words::tr("half-open") : Words::tr("open breaker"),
        isProbing ? Words::tr("half-open") : Words::tr("breaker"), !isProbing);
    add(tags, on.contextTooLong, n(MovedBy::ContextTooLong), Words::tr("context too long"), Words::tr("too long"));
    add(tags, on.contentPolicy, n(MovedBy::ContentPolicy), Words::tr("content filter"), Words::tr("filter"));
    add(tags, false, n(MovedBy::Unsuited), Words::tr("cannot do it"), Words::tr("cannot"));
    add(tags, false, n(MovedBy::Credential), Words::tr("key refused"), Words::tr("key"));
    add(tags, isCanned, n(MovedBy::NoRule), Words::tr("no rule"), Words::tr("no rule"));
    add(tags, false, n(MovedBy::Other), Words::tr("other"), Words::tr("other"));
    std::stable_partition(tags.begin(), tags.end(), [](const Tag& tag) { return tag.tone != Tag::Tone::Quiet; });
    if (isOff) // switched off on purpose: first, and nothing to be warned of
        tags.insert(tags.begin(), {Words::tr("off"), Words::tr("off"), Tag::Tone::Quiet, n(MovedBy::Disabled)});
    return tags;
}

} // namespace sg::ui::facts
