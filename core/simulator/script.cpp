// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/script.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sg::simulator {

Distribution Distribution::constant(double value)
{
    Distribution result;
    result.value = value;
    return result;
}

namespace {

/// Box and Muller's cosine half; 1 - u keeps the logarithm away from 0.
double normal(policy::RandomSource& random)
{
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

} // namespace

double Distribution::draw(policy::RandomSource& random) const
{
    double drawn = value;
    if (kind == Kind::Uniform)
        drawn = low + (high - low) * random.uniform();
    if (kind == Kind::Lognormal)
        drawn = median * std::exp(sigma * normal(random));
    if (kind == Kind::TwoHumped) {
        const double centre = random.uniform() < secondShare ? secondMedian : median;
        drawn = centre * std::exp(sigma * normal(random));
    }
    return std::max(0.0, most ? std::min(drawn, *most) : drawn);
}

const char* toString(FaultKind kind)
{
    switch (kind) {
    case FaultKind::Status:
        return "status";
    case FaultKind::Stall:
        return "stall";
    case FaultKind::DropBeforeHeaders:
        return "drop_before_headers";
    case FaultKind::DropAfterHeaders:
        return "drop_after_headers";
    case FaultKind::DropMidStream:
        return "drop_mid_stream";
    case FaultKind::Slow:
        return "slow";
    case FaultKind::ErrorEvent:
        return "error_event";
    case FaultKind::Garbage:
        return "garbage";
    }
    return "";
}

const Phase* EndpointScript::phaseAt(double scriptMs) const
{
    const auto found = std::find_if(phases.begin(), phases.end(), [scriptMs](const Phase& phase) {
        return scriptMs >= phase.fromMs && scriptMs < phase.toMs;
    });
    return found == phases.end() ? nullptr : &*found;
}

const Behaviour& EndpointScript::at(double scriptMs) const
{
    const Phase* phase = phaseAt(scriptMs);
    return phase ? phase->behaviour : usual;
}

double Script::scriptTime(double sinceStartMs) const
{
    return loopMs ? std::fmod(sinceStartMs, *loopMs) : sinceStartMs;
}

} // namespace sg::simulator
