// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

namespace sg::chain {

/// `at` + `span`, at most the end of the time line: an operator may configure a span of "practically for ever".
constexpr Instant addSaturating(Instant at, Nanos span)
{
    if (span > Nanos::zero() && at.time_since_epoch() > Nanos::max() - span)
        return Instant::max();
    return at + span;
}

} // namespace sg::chain
