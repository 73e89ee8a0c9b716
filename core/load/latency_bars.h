// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/tally.h"

namespace sg::load {

/// Response times of answers and failures in bars whose bounds grow by the same factor; none without a request.
std::vector<LatencyBar> latencyOf(const Tally& tally);
/// Of successes; `metric`: a distribution of milliseconds with one value a request.
TokenTimes tokenTimesOf(const Tally& tally, measure::Metric metric);

} // namespace sg::load
