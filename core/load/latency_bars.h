// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/tally.h"

namespace sg::load {

/// Response times of answers and failures in bars whose bounds grow by the same factor; none without a request.
std::vector<LatencyBar> latencyOf(const Tally& tally);

} // namespace sg::load
