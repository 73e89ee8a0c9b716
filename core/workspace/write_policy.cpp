// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_write.h"

#include <cmath>

namespace sg::workspace {

namespace {

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

QJsonObject windowJson(const policy::BreakerConfig& breaker)
{
    if (const auto* count = std::get_if<policy::CountWindow>(&breaker.window))
        return {{QStringLiteral("type"), QStringLiteral("count")}, {QStringLiteral("size"), count->size}};
    const auto& time = std::get<policy::TimeWindow>(breaker.window);
    return {{QStringLiteral("type"), QStringLiteral("time")},
            {QStringLiteral("window_ms"), ms(time.window)},
            {QStringLiteral("bucket_ms"), ms(time.bucket)}};
}

QJsonObject writtenOut(const policy::BreakerConfig& breaker)
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

QJsonObject writtenOut(const policy::BackoffPolicy& backoff)
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

QJsonObject writtenOut(const chain::LimiterSpec& limiter)
{
    QJsonObject object{{QStringLiteral("max_wait_ms"), ms(limiter.maxWait)},
                       {QStringLiteral("window_ms"), ms(limiter.window)}};
    if (limiter.ratePerSecond > 0) {
        object.insert(QStringLiteral("rate_per_second"), number(limiter.ratePerSecond));
        object.insert(QStringLiteral("burst"), number(limiter.burst));
    }
    put(object, "window_limit", limiter.windowLimit);
    return object;
}

template <typename Policy>
QJsonValue namedOrWritten(const Policy& policy, const std::string& name, const Policy* known)
{
    return !name.empty() && known && *known == policy ? QJsonValue(text(name)) : QJsonValue(writtenOut(policy));
}

template <typename Policy>
void putKind(QJsonObject& object, const char* kind, const std::map<std::string, Policy>& policies)
{
    QJsonObject list;
    for (const auto& [name, policy] : policies)
        list.insert(text(name), writtenOut(policy));
    if (!list.isEmpty())
        object.insert(QLatin1String(kind), list);
}

} // namespace

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

QJsonArray wordsJson(const std::vector<std::string>& words)
{
    QJsonArray list;
    for (const std::string& word : words)
        list.append(text(word));
    return list;
}

QJsonValue breakerJson(const Endpoint& endpoint, const Workspace& workspace)
{
    return namedOrWritten(endpoint.spec.breaker, endpoint.breakerPolicy, workspace.findBreaker(endpoint.breakerPolicy));
}

QJsonValue backoffJson(const chain::TierSpec& tier, const Workspace& workspace)
{
    return namedOrWritten(tier.backoff, tier.backoffPolicy, workspace.findBackoff(tier.backoffPolicy));
}

QJsonValue limiterJson(const chain::ChainSpec& spec, const Workspace& workspace)
{
    return namedOrWritten(*spec.limiter, spec.limiterPolicy, workspace.findLimiter(spec.limiterPolicy));
}

QJsonObject policiesJson(const PolicyLibrary& policies)
{
    QJsonObject object;
    putKind(object, "backoffs", policies.backoffs);
    putKind(object, "breakers", policies.breakers);
    putKind(object, "limiters", policies.limiters);
    return object;
}

} // namespace sg::workspace
