// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/cost/cost.h"

#include <functional>

namespace sg::engine {

/// What one request cost, all its attempts together.
struct Bill
{
    std::int64_t nanoUsd = 0;
    bool hasUnknown = false; ///< something may have been billed that nobody can put a figure to
};

using PriceLookup = std::function<std::optional<cost::Price>(const std::string& endpoint)>;

/// An attempt costs what its usage says. One that was refused (HTTP 400 and above) or never sent costs nothing; one that
/// was sent and ended without usage (a timeout, a broken stream, a cancel) may have been billed: unknown.
Bill billOf(const chain::RunRecord& record, const PriceLookup& priceOf);

} // namespace sg::engine
