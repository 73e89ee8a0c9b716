// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/health.h"

#include "core/chain/tier_gate.h"
#include "core/gateway/api_reply.h"

namespace sg::gateway {

namespace {

using policy::BreakerState;

/// Of a breaker, where there is only one.
constexpr const char* kFigures[] = {"state", "failure_count", "success_count", "time_until_reset"};

struct EndpointHealth
{
    bool isOut = false; ///< may not be asked now
    bool isAsItShould = true;
    std::optional<Nanos> wait{}; ///< of one that is out, where that is known
    QString why{};               ///< it is not as it should be
    QJsonObject json{};
};

QString whyOf(const engine::ServingEndpoint& endpoint, BreakerState state, Nanos asked)
{
    if (!endpoint.route->unusable.isEmpty())
        return QStringLiteral("cannot be used: %1").arg(endpoint.route->unusable);
    if (endpoint.state->credential().out)
        return QStringLiteral("its key was refused");
    if (state == BreakerState::ForcedOpen)
        return QStringLiteral("held open by the operator");
    if (state == BreakerState::Open)
        return QStringLiteral("its breaker is open");
    if (asked > Nanos::zero())
        return QStringLiteral("its provider asked to be left alone");
    if (state == BreakerState::HalfOpen)
        return QStringLiteral("its breaker is trying it out");
    return {};
}

EndpointHealth healthOf(const engine::ServingEndpoint& endpoint, Instant now)
{
    chain::EndpointState& state = *endpoint.state;
    const policy::BreakerStatus breaker = state.breaker().status(now);
    const Nanos asked = chain::askedToWait(state, now);
    EndpointHealth health;
    health.why = whyOf(endpoint, breaker.state, asked);
    health.isAsItShould = health.why.isEmpty();
    health.isOut = !health.isAsItShould && (breaker.state != BreakerState::HalfOpen || asked > Nanos::zero() ||
                                            state.credential().out || !endpoint.route->unusable.isEmpty());
    const bool mayComeBack =
        endpoint.route->unusable.isEmpty() && !state.credential().out && breaker.state != BreakerState::ForcedOpen;
    if (health.isOut && mayComeBack)
        health.wait = chain::knownWait(state, now);
    const bool probing = breaker.state == BreakerState::HalfOpen;
    health.json = {
        {QStringLiteral("state"), text(policy::toString(breaker.state))},
        {QStringLiteral("failure_count"), qint64(breaker.figures.failures)},
        {QStringLiteral("success_count"), qint64(probing ? breaker.figures.probeSuccesses : breaker.figures.successes)},
        {QStringLiteral("consecutive_failures"), breaker.figures.streak},
        {QStringLiteral("time_until_reset"),
         breaker.nextProbe ? QJsonValue(secondsOf(std::max(*breaker.nextProbe - now, Nanos::zero()))) : QJsonValue()},
        {QStringLiteral("usable"), !health.isOut},
        {QStringLiteral("reason"), health.isAsItShould ? QJsonValue() : QJsonValue(health.why)},
    };
    return health;
}

/// What is asked of several things, the best of which counts.
struct Outlook
{
    bool canAnswer = false, isAsItShould = true;
    std::optional<Nanos> wait{};
    QStringList why{};

    void add(const std::string& name, const EndpointHealth& health)
    {
        canAnswer |= !health.isOut;
        isAsItShould &= health.isAsItShould;
        if (health.wait)
            wait = std::min(wait.value_or(*health.wait), *health.wait);
        if (!health.isAsItShould)
            why << QStringLiteral("%1: %2").arg(text(name), health.why);
    }
    HealthStatus status() const
    {
        if (!canAnswer)
            return HealthStatus::Unhealthy;
        return isAsItShould ? HealthStatus::Healthy : HealthStatus::Degraded;
    }
};

bool alwaysAnswers(const chain::TierSpec& tier)
{
    return tier.kind == chain::TierKind::CannedReply &&
           std::ranges::any_of(tier.rules, [](const chain::CannedRule& rule) { return rule.words.empty(); });
}

using Endpoints = std::map<std::string, EndpointHealth>;

Outlook outlookOf(const chain::ChainSpec& chain, const engine::Switchboard& switchboard, Endpoints& known, Instant now)
{
    Outlook outlook;
    for (const chain::TierSpec& tier : chain.tiers) {
        if (!tier.enabled)
            continue;
        outlook.canAnswer |= alwaysAnswers(tier);
        const engine::ServingEndpoint* endpoint = switchboard.endpoint(tier.endpoint);
        if (tier.kind != chain::TierKind::Endpoint || !endpoint)
            continue;
        const auto [entry, isNew] = known.try_emplace(tier.endpoint);
        if (isNew)
            entry->second = healthOf(*endpoint, now);
        outlook.add(tier.endpoint, entry->second);
    }
    return outlook;
}

QJsonValue wholeSeconds(const std::optional<Nanos>& wait)
{
    return wait ? QJsonValue(qint64(std::chrono::ceil<std::chrono::seconds>(*wait).count())) : QJsonValue();
}

} // namespace

QJsonObject Health::publicJson() const
{
    QJsonObject told = json;
    for (const char* inside : {"reason", "chains", "breakers"})
        told.remove(QLatin1String(inside));
    for (const char* figure : kFigures)
        told.remove(QLatin1String(figure));
    return told;
}

const char* toString(HealthStatus status)
{
    switch (status) {
    case HealthStatus::Healthy:
        return "healthy";
    case HealthStatus::Degraded:
        return "degraded";
    case HealthStatus::Unhealthy:
        break;
    }
    return "unhealthy";
}

tl::expected<Health, Failure> healthOf(const engine::Switchboard& switchboard, const QString& chain, Instant now)
{
    std::vector<std::string> names = switchboard.chainNames();
    if (!chain.isEmpty()) {
        if (!switchboard.chainSpec(chain.toStdString()))
            return tl::unexpected(noSuch(QStringLiteral("chain"), chain, textsOf(names)));
        names = {chain.toStdString()};
    }
    Endpoints endpoints;
    Outlook all;
    QJsonObject chains;
    for (const std::string& name : names) {
        const Outlook outlook = outlookOf(*switchboard.chainSpec(name), switchboard, endpoints, now);
        all.canAnswer |= outlook.canAnswer;
        all.isAsItShould &= outlook.isAsItShould && outlook.canAnswer;
        if (!outlook.canAnswer && outlook.wait)
            all.wait = std::min(all.wait.value_or(*outlook.wait), *outlook.wait);
        chains.insert(text(name), QJsonObject{{QStringLiteral("status"), QLatin1String(toString(outlook.status()))},
                                              {QStringLiteral("retry_after"),
                                               outlook.canAnswer ? QJsonValue() : wholeSeconds(outlook.wait)}});
    }
    QJsonObject breakers;
    for (const auto& [name, endpoint] : endpoints) {
        breakers.insert(text(name), endpoint.json);
        if (!endpoint.isAsItShould)
            all.why << QStringLiteral("%1: %2").arg(text(name), endpoint.why);
    }
    Health health;
    // Who reads one word only knows two of them; the status code tells whether there is an answer to be had.
    health.status = names.empty() ? HealthStatus::Unhealthy : std::min(all.status(), HealthStatus::Degraded);
    health.canAnswer = all.canAnswer;
    health.retryAfter = all.canAnswer ? std::nullopt : all.wait;
    if (names.empty())
        health.reason = QStringLiteral("There is no chain yet.");
    else if (health.status != HealthStatus::Healthy)
        health.reason = (all.canAnswer ? QStringLiteral("Not everything is as it should be (%1).")
                                       : QStringLiteral("No tier can be asked (%1)."))
                            .arg(all.why.join(QStringLiteral("; ")));
    health.json = {{QStringLiteral("status"), QLatin1String(toString(health.status))},
                   {QStringLiteral("reason"), health.reason.isEmpty() ? QJsonValue() : QJsonValue(health.reason)},
                   {QStringLiteral("retry_after"), wholeSeconds(health.retryAfter)},
                   {QStringLiteral("chains"), chains},
                   {QStringLiteral("breakers"), breakers}};
    if (endpoints.size() == 1)
        for (const char* figure : kFigures)
            health.json.insert(QLatin1String(figure), endpoints.begin()->second.json.value(QLatin1String(figure)));
    return health;
}

bool isOut(const engine::ServingEndpoint& endpoint, Instant now)
{
    return healthOf(endpoint, now).isOut;
}

} // namespace sg::gateway
