// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/replace_file.h"
#include "core/workspace/workspace_file.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <cmath>

namespace sg::workspace {

namespace {

QString text(std::string_view from)
{
    return QString::fromUtf8(from.data(), qsizetype(from.size()));
}

/// Whole numbers stay whole in the file.
QJsonValue number(double value)
{
    return value == std::floor(value) && std::abs(value) < 9e15 ? QJsonValue(qint64(value)) : QJsonValue(value);
}

QJsonValue ms(Nanos span)
{
    return number(toMs(span));
}

void putMs(QJsonObject& object, const char* field, const std::optional<Nanos>& span)
{
    if (span)
        object.insert(QLatin1String(field), ms(*span));
}

template <typename Number>
void put(QJsonObject& object, const char* field, const std::optional<Number>& value)
{
    if (value)
        object.insert(QLatin1String(field), number(double(*value)));
}

QString sourceName(KeySource source)
{
    switch (source) {
    case KeySource::Environment:
        return QStringLiteral("environment");
    case KeySource::Keychain:
        return QStringLiteral("keychain");
    case KeySource::Session:
        return QStringLiteral("session");
    case KeySource::None:
        break;
    }
    return QStringLiteral("none");
}

QString countsAsName(policy::RateLimitedCountsAs counts)
{
    switch (counts) {
    case policy::RateLimitedCountsAs::Share:
        return QStringLiteral("share");
    case policy::RateLimitedCountsAs::Neutral:
        return QStringLiteral("neutral");
    case policy::RateLimitedCountsAs::Failure:
        break;
    }
    return QStringLiteral("failure");
}

QJsonObject byTaskJson(const policy::TaskTimeout& byTask)
{
    QJsonObject object{{QStringLiteral("per_100_tokens_ms"), ms(byTask.per100Tokens)},
                       {QStringLiteral("floor_ms"), ms(byTask.floor)}};
    putMs(object, "base_ms", byTask.base);
    return object;
}

QJsonObject timeoutsJson(const Timeouts& timeouts)
{
    QJsonObject object{{QStringLiteral("connect_ms"), ms(timeouts.connect)},
                       {QStringLiteral("total_ms"), ms(timeouts.total)}};
    putMs(object, "first_byte_ms", timeouts.firstByte);
    putMs(object, "idle_ms", timeouts.idle);
    putMs(object, "first_token_ms", timeouts.tokens.firstToken);
    if (timeouts.byTask)
        object.insert(QStringLiteral("by_task"), byTaskJson(*timeouts.byTask));
    if (const auto& slowest = timeouts.tokens.slowest) {
        object.insert(QStringLiteral("min_tokens_per_s"), number(slowest->tokensPerSecond));
        object.insert(QStringLiteral("min_tokens_window_ms"), ms(slowest->window));
        object.insert(QStringLiteral("abort_slow_streams"), timeouts.tokens.abortsSlowStreams);
    }
    return object;
}

QJsonObject windowJson(const policy::BreakerConfig& breaker)
{
    if (const auto* count = std::get_if<policy::CountWindow>(&breaker.window))
        return {{QStringLiteral("type"), QStringLiteral("count")}, {QStringLiteral("size"), count->size}};
    const auto& time = std::get<policy::TimeWindow>(breaker.window);
    return {{QStringLiteral("type"), QStringLiteral("time")},
            {QStringLiteral("window_ms"), ms(time.window)},
            {QStringLiteral("bucket_ms"), ms(time.bucket)}};
}

QJsonObject breakerJson(const policy::BreakerConfig& breaker)
{
    QJsonObject object{{QStringLiteral("minimum_calls"), breaker.minimumCalls},
                       {QStringLiteral("window"), windowJson(breaker)},
                       {QStringLiteral("rate_limited_counts_as"), countsAsName(breaker.rateLimitedCountsAs)},
                       {QStringLiteral("open_ms"), ms(breaker.open)},
                       {QStringLiteral("open_multiplier"), number(breaker.openMultiplier)},
                       {QStringLiteral("max_open_ms"), ms(breaker.maxOpen)},
                       {QStringLiteral("open_jitter"), number(breaker.openJitter)},
                       {QStringLiteral("half_open_max_probes"), breaker.halfOpenMaxProbes},
                       {QStringLiteral("half_open_successes"), breaker.halfOpenSuccesses},
                       {QStringLiteral("metrics_only"), breaker.metricsOnly}};
    put(object, "consecutive_failures", breaker.consecutiveFailures);
    put(object, "failure_rate", breaker.failureRate);
    put(object, "rate_limited_share", breaker.rateLimitedShare);
    put(object, "slow_rate", breaker.slowRate);
    putMs(object, "slow_call_ms", breaker.slowCall);
    putMs(object, "call_timeout_ms", breaker.callTimeout);
    putMs(object, "half_open_deadline_ms", breaker.halfOpenDeadline);
    return object;
}

QJsonObject backoffJson(const policy::BackoffPolicy& backoff)
{
    QJsonObject jitter{{QStringLiteral("type"), text(policy::toString(backoff.jitter.type))}};
    if (backoff.jitter.r != 0)
        jitter.insert(QStringLiteral("r"), number(backoff.jitter.r));
    if (backoff.jitter.addMs != 0)
        jitter.insert(QStringLiteral("a_ms"), number(backoff.jitter.addMs));
    return {{QStringLiteral("kind"), text(policy::toString(backoff.kind))},
            {QStringLiteral("base_ms"), number(backoff.baseMs)},
            {QStringLiteral("multiplier"), number(backoff.multiplier)},
            {QStringLiteral("cap_ms"), number(backoff.capMs)},
            {QStringLiteral("jitter"), jitter}};
}

QJsonObject capabilitiesJson(const chain::Capabilities& can)
{
    QJsonObject object{{QStringLiteral("tools"), can.tools},
                       {QStringLiteral("images"), can.images},
                       {QStringLiteral("json_mode"), can.jsonMode}};
    put(object, "context_window", can.contextWindow);
    return object;
}

/// Into every object of `target` the fields of `unknown` that it lacks; lists are matched by their elements' names,
/// and by position where those have none.
QJsonValue withUnknown(const QJsonValue& target, const QJsonObject& unknown)
{
    if (target.isArray()) {
        QJsonArray merged;
        const QJsonArray list = target.toArray();
        for (qsizetype i = 0; i < list.size(); ++i) {
            const QString name = list.at(i).toObject().value(QStringLiteral("name")).toString(QString::number(i));
            merged.append(withUnknown(list.at(i), unknown.value(name).toObject()));
        }
        return merged;
    }
    if (!target.isObject())
        return target;
    QJsonObject merged = target.toObject();
    for (auto field = unknown.constBegin(); field != unknown.constEnd(); ++field) {
        const bool nested = merged.contains(field.key()) && field.value().isObject();
        if (nested)
            merged.insert(field.key(), withUnknown(merged.value(field.key()), field.value().toObject()));
        else if (!merged.contains(field.key()))
            merged.insert(field.key(), field.value());
    }
    return merged;
}

QJsonObject keyJson(const KeyRef& key)
{
    QJsonObject object{{QStringLiteral("source"), sourceName(key.source)}};
    if (!key.name.isEmpty())
        object.insert(QStringLiteral("name"), key.name);
    return object;
}

QJsonValue endpointJson(const Endpoint& endpoint)
{
    const chain::EndpointSpec& spec = endpoint.spec;
    QJsonObject object{{QStringLiteral("name"), text(spec.name)},
                       {QStringLiteral("provider"), endpoint.provider},
                       {QStringLiteral("model"), endpoint.model},
                       {QStringLiteral("timeouts"), timeoutsJson(endpoint.timeouts)},
                       {QStringLiteral("capabilities"), capabilitiesJson(spec.capabilities)},
                       {QStringLiteral("breaker"), breakerJson(spec.breaker)}};
    if (spec.quotaGroup != spec.name)
        object.insert(QStringLiteral("quota_group"), text(spec.quotaGroup));
    if (spec.credential != spec.name)
        object.insert(QStringLiteral("credential"), text(spec.credential));
    QJsonObject limits;
    put(limits, "requests_per_minute", spec.requestsPerMinute);
    put(limits, "tokens_per_minute", spec.tokensPerMinute);
    put(limits, "max_in_flight", spec.maxInFlight);
    if (!limits.isEmpty())
        object.insert(QStringLiteral("limits"), limits);
    if (!endpoint.baseUrl.isEmpty())
        object.insert(QStringLiteral("base_url"), endpoint.baseUrl);
    if (endpoint.key != KeyRef())
        object.insert(QStringLiteral("key"), keyJson(endpoint.key));
    if (endpoint.price)
        object.insert(QStringLiteral("price"), cost::toJson(*endpoint.price));
    return withUnknown(object, endpoint.unknown);
}

QJsonArray rulesJson(const std::vector<chain::CannedRule>& rules)
{
    QJsonArray list;
    for (const chain::CannedRule& rule : rules) {
        QJsonArray words;
        for (const std::string& word : rule.words)
            words.append(text(word));
        list.append(QJsonObject{{QStringLiteral("words"), words}, {QStringLiteral("reply"), text(rule.reply)}});
    }
    return list;
}

/// A tier keeps also what its kind has no use for: the kind may be changed back.
QJsonObject tierJson(const chain::TierSpec& tier)
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
    if (calls || tier.backoff != usual.backoff)
        object.insert(QStringLiteral("backoff"), backoffJson(tier.backoff));
    putMs(object, "attempt_timeout_ms", tier.attemptTimeout);
    return object;
}

QJsonValue chainJson(const Chain& chain)
{
    const chain::ChainSpec& spec = chain.spec;
    QJsonArray tiers;
    for (const chain::TierSpec& tier : spec.tiers)
        tiers.append(tierJson(tier));
    QJsonObject object{{QStringLiteral("name"), text(spec.name)},
                       {QStringLiteral("tiers"), tiers},
                       {QStringLiteral("deadline_ms"), ms(spec.deadline)},
                       {QStringLiteral("attempt_budget"), spec.attemptBudget},
                       {QStringLiteral("max_server_wait_ms"), ms(spec.maxServerWait)}};
    if (spec.limiter) {
        QJsonObject limiter{{QStringLiteral("max_wait_ms"), ms(spec.limiter->maxWait)},
                            {QStringLiteral("window_ms"), ms(spec.limiter->window)}};
        if (spec.limiter->ratePerSecond > 0) {
            limiter.insert(QStringLiteral("rate_per_second"), number(spec.limiter->ratePerSecond));
            limiter.insert(QStringLiteral("burst"), number(spec.limiter->burst));
        }
        put(limiter, "window_limit", spec.limiter->windowLimit);
        object.insert(QStringLiteral("limiter"), limiter);
    }
    if (spec.cache)
        object.insert(QStringLiteral("cache"),
                      QJsonObject{{QStringLiteral("max_entries"), qint64(spec.cache->maxEntries)},
                                  {QStringLiteral("max_bytes"), qint64(spec.cache->maxBytes)},
                                  {QStringLiteral("ttl_ms"), ms(spec.cache->ttl)}});
    return withUnknown(object, chain.unknown);
}

QString saveRemedy(const QFileInfo& info)
{
    const QFileInfo folder(info.absolutePath());
    if (!folder.exists())
        return QStringLiteral("Create the folder %1 or choose another place").arg(info.absolutePath());
    if (!folder.isDir())
        return QStringLiteral("%1 is no folder; choose another place").arg(info.absolutePath());
    if (!folder.isWritable() || (info.exists() && !info.isWritable()))
        return QStringLiteral("Choose a place you may write to, or change its permissions");
    return QStringLiteral("Free some space there, or choose another place");
}

tl::unexpected<QString> notSaved(const QString& path, const QString& why, const QString& remedy)
{
    const QString kept = QFileInfo::exists(path) ? QStringLiteral(" The file there is as it was.") : QString();
    return tl::unexpected(QStringLiteral("%1 was not saved: %2.%3 %4.").arg(path, why, kept, remedy));
}

} // namespace

QByteArray toJson(const Workspace& workspace)
{
    QJsonArray endpoints, chains;
    for (const Endpoint& endpoint : workspace.endpoints)
        endpoints.append(endpointJson(endpoint));
    for (const Chain& chain : workspace.chains)
        chains.append(chainJson(chain));
    QJsonObject object{{QStringLiteral("version"), kWorkspaceVersion},
                       {QStringLiteral("name"), workspace.name},
                       {QStringLiteral("environment"), workspace.environment},
                       {QStringLiteral("endpoints"), endpoints},
                       {QStringLiteral("chains"), chains}};
    if (!workspace.providers.isEmpty())
        object.insert(QStringLiteral("providers"), workspace.providers);
    if (!workspace.simulator.isEmpty())
        object.insert(QStringLiteral("simulator"), workspace.simulator);
    for (auto field = workspace.unknown.constBegin(); field != workspace.unknown.constEnd(); ++field)
        if (!object.contains(field.key()))
            object.insert(field.key(), field.value());
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

tl::expected<void, QString> saveWorkspace(const Workspace& workspace, const QString& path)
{
    const QFileInfo info(path);
    // Replacing a device or a folder by a file would destroy more than a workspace.
    if (info.exists() && !info.isFile())
        return notSaved(path, QStringLiteral("there is something else of that name"),
                        QStringLiteral("Choose another name"));
    const auto replaced = replaceFile(path, toJson(workspace));
    return replaced ? replaced : notSaved(path, replaced.error(), saveRemedy(info));
}

} // namespace sg::workspace
