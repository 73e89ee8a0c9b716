// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

namespace sg::observe {

/// One rule of a breaker against what it has counted.
struct Gauge
{
    TripRule rule = TripRule::None;
    std::optional<double> value; ///< share 0..1 or streak; empty: nothing counted
    double limit = 0;
};

/// Of the configured rules the one nearest to tripping.
Gauge nearestGauge(const policy::BreakerConfig& config, const policy::BreakerFigures& figures);
/// None for a rule that is not configured.
Gauge gaugeOf(TripRule rule, const policy::BreakerConfig& config, const policy::BreakerFigures& figures);
TripRule ruleOf(policy::TransitionCause cause);

} // namespace sg::observe
