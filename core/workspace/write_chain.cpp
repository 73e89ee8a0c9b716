// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_write.h"

namespace sg::workspace {

namespace {

QJsonArray rulesJson(const std::vector<chain::CannedRule>& rules)
{
    QJsonArray list;
    for (const chain::CannedRule& rule : rules) {
        list.append(
            QJsonObject{{QStringLiteral("words"), wordsJson(rule.words)}, {QStringLiteral("reply"), text(rule.reply)}});
    }
    return list;
}

/// Only what is other than usual: what is not said stays the chain's plain order.
QJsonObject movesOnJson(const chain::MovesOn& moves)
{
    const chain::MovesOn usual;
    QJsonObject object;
    const auto put = [&](const char* field, bool value, bool otherwise) {
        if (value != otherwise)
            object.insert(QLatin1String(field), value);
    };
    put("rate_limited", moves.rateLimited, usual.rateLimited);
    put("server_error", moves.serverError, usual.serverError);
    put("timeout", moves.timeout, usual.timeout);
    put("open_breaker", moves.openBreaker, usual.openBreaker);
    put("context_too_long", moves.contextTooLong, usual.contextTooLong);
    put("content_policy", moves.contentPolicy, usual.contentPolicy);
    return object;
}

QJsonObject routerJson(const chain::RouterSpec& router)
{
    QJsonArray classes;
    for (const chain::RouteClass& one : router.classes)
        classes.append(QJsonObject{{QStringLiteral("name"), text(one.name)},
                                   {QStringLiteral("words"), wordsJson(one.words)},
                                   {QStringLiteral("at_least"), one.atLeast},
                                   {QStringLiteral("counts_earlier"), one.countsEarlier},
                                   {QStringLiteral("tier"), text(one.tier)}});
    return {{QStringLiteral("classes"), classes}};
}

QJsonObject callerJson(const Caller& caller)
{
    QJsonObject object;
    putMs(object, "waits_ms", caller.waits);
    put(object, "retries", caller.retries);
    if (caller.pays)
        object.insert(QStringLiteral("pays_usd"), number(caller.pays->toUsd()));
    return object;
}

/// A tier keeps also what its kind has no use for: the kind may be changed back.
QJsonObject tierJson(const chain::TierSpec& tier, const Workspace& workspace)
{
    const bool calls = tier.kind == chain::TierKind::Endpoint;
    const chain::TierSpec usual;
    QJsonObject object{
        {QStringLiteral("name"), text(tier.name)},
        {QStringLiteral("enabled"), tier.enabled},
        {QStringLiteral("kind"), calls ? QStringLiteral("endpoint") : QStringLiteral("canned_reply")},
    };
    if (!calls || !tier.rules.empty())
        object.insert(QStringLiteral("rules"), rulesJson(tier.rules));
    if (calls || !tier.endpoint.empty())
        object.insert(QStringLiteral("endpoint"), text(tier.endpoint));
    if (calls || tier.maxAttempts != usual.maxAttempts)
        object.insert(QStringLiteral("max_attempts"), tier.maxAttempts);
    if (calls || tier.backoff != usual.backoff || !tier.backoffPolicy.empty())
        object.insert(QStringLiteral("backoff"), backoffJson(tier, workspace));
    if (tier.movesOn != usual.movesOn)
        object.insert(QStringLiteral("moves_on"), movesOnJson(tier.movesOn));
    if (!tier.split.empty())
        object.insert(QStringLiteral("split"), text(tier.split));
    if (!tier.split.empty() || tier.weight != usual.weight)
        object.insert(QStringLiteral("weight"), number(tier.weight));
    putMs(object, "attempt_timeout_ms", tier.attemptTimeout);
    return object;
}

} // namespace

QJsonValue chainJson(const Chain& chain, const Workspace& workspace)
{
    const chain::ChainSpec& spec = chain.spec;
    QJsonArray tiers;
    for (const chain::TierSpec& tier : spec.tiers)
        tiers.append(tierJson(tier, workspace));
    QJsonObject object{{QStringLiteral("name"), text(spec.name)},
                       {QStringLiteral("tiers"), tiers},
                       {QStringLiteral("deadline_ms"), ms(spec.deadline)},
                       {QStringLiteral("attempt_budget"), spec.attemptBudget},
                       {QStringLiteral("max_server_wait_ms"), ms(spec.maxServerWait)}};
    if (spec.limiter)
        object.insert(QStringLiteral("limiter"), limiterJson(spec, workspace));
    if (spec.cache)
        object.insert(QStringLiteral("cache"),
                      QJsonObject{{QStringLiteral("max_entries"), qint64(spec.cache->maxEntries)},
                                  {QStringLiteral("max_bytes"), qint64(spec.cache->maxBytes)},
                                  {QStringLiteral("ttl_ms"), ms(spec.cache->ttl)}});
    if (spec.router)
        object.insert(QStringLiteral("router"), routerJson(*spec.router));
    if (chain.caller != Caller())
        object.insert(QStringLiteral("caller"), callerJson(chain.caller));
    return withUnknown(object, chain.unknown);
}

} // namespace sg::workspace
