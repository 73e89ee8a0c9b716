// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/backoff.h"

#include <vector>

namespace sg::policy {

/// Where one retry's delay can lie, and its mean, whatever the delays before it were.
struct EnvelopeStep
{
    double fromMs = 0, toMs = 0, meanMs = 0;
    bool operator==(const EnvelopeStep&) const = default;
};
struct BackoffEnvelope
{
    std::vector<EnvelopeStep> steps; ///< one a retry
    double worstTotalMs = 0, meanTotalMs = 0;
};

/// Exact for every jitter but decorrelated, whose means come from its recursion (its bands are exact).
BackoffEnvelope envelopeOf(const BackoffPolicy& policy, int retries);

} // namespace sg::policy
