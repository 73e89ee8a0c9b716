// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sg::stats {

namespace {

/// Box and Muller's cosine half; 1 - u keeps the logarithm away from 0.
double normal(policy::RandomSource& random)
{
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

} // namespace

Distribution Distribution::constant(double value)
{
    Distribution result;
    result.value = value;
    return result;
}

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

} // namespace sg::stats
