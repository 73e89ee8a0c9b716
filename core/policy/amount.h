// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>

namespace sg::policy {

/// Of comparisons of amounts (tests/data/vectors/limiters.json).
constexpr double kTolerance = 1e-9;
/// Far above any amount or wait, and three times it is still finite.
constexpr double kLargest = 1e300;

/// What a setting may be: negative numbers and NaN are 0.
constexpr double amount(double value)
{
    return value > 0 ? std::min(value, kLargest) : 0;
}

} // namespace sg::policy
