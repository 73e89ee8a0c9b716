// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/gauge.h"

namespace sg::observe {

using policy::TransitionCause;

Gauge gaugeOf(TripRule rule, const policy::BreakerConfig& config, const policy::BreakerFigures& figures)
{
    std::optional<double> limit;
    double value = 0;
    switch (rule) {
    case TripRule::None:
        break;
    case TripRule::ConsecutiveFailures:
        limit = config.consecutiveFailures;
        value = figures.streak;
        break;
    case TripRule::FailureRate:
        limit = config.failureRate;
        value = figures.failureRate();
        break;
    case TripRule::RateLimitedShare:
        limit = config.rateLimitedShare;
        value = figures.rateLimitedShare();
        break;
    case TripRule::SlowRate:
        limit = config.slowRate;
        value = figures.slowRate();
        break;
    }
    if (!limit)
        return {};
    const bool counted = figures.successes + figures.failures + figures.rateLimited > 0 || figures.streak > 0;
    return {rule, counted ? std::optional(value) : std::nullopt, *limit};
}

Gauge nearestGauge(const policy::BreakerConfig& config, const policy::BreakerFigures& figures)
{
    Gauge nearest;
    double most = -1;
    // The rate first: of rules that are equally near it says most.
    for (const TripRule rule :
         {TripRule::FailureRate, TripRule::ConsecutiveFailures, TripRule::RateLimitedShare, TripRule::SlowRate}) {
        const Gauge gauge = gaugeOf(rule, config, figures);
        if (gauge.rule == TripRule::None)
            continue;
        const double nearness = gauge.limit > 0 ? gauge.value.value_or(0) / gauge.limit : 0;
        if (nearness > most) {
            most = nearness;
            nearest = gauge;
        }
    }
    return nearest;
}

TripRule ruleOf(TransitionCause cause)
{
    switch (cause) {
    case TransitionCause::ConsecutiveFailures:
        return TripRule::ConsecutiveFailures;
    case TransitionCause::FailureRate:
        return TripRule::FailureRate;
    case TransitionCause::RateLimitedShare:
        return TripRule::RateLimitedShare;
    case TransitionCause::SlowRate:
        return TripRule::SlowRate;
    default:
        return TripRule::None;
    }
}

} // namespace sg::observe
