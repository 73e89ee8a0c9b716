// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/random.h"

#include <optional>

namespace sg::stats {

/// Where a number comes from: milliseconds for times, tokens for lengths. Never below 0. A plain value.
struct Distribution
{
    enum class Kind { Constant, Uniform, Lognormal, TwoHumped };
    Kind kind = Kind::Constant;
    double value = 0;           ///< Constant
    double low = 0, high = 0;   ///< Uniform, both ends included
    double median = 0;          ///< Lognormal; first hump
    double sigma = 0;           ///< of the logarithm, for both humps
    double secondMedian = 0;    ///< second hump
    double secondShare = 0;     ///< 0..1, how many belong to the second hump
    std::optional<double> most; ///< nothing above it

    static Distribution constant(double value);
    double draw(policy::RandomSource& random) const;
    bool operator==(const Distribution&) const = default;
};

} // namespace sg::stats
