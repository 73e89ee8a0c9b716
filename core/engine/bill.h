// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/recorder.h"
#include "core/provider/charge.h"

#include <functional>

namespace sg::engine {

/// What one request cost, all its attempts together.
struct Bill
{
    std::int64_t nanoUsd = 0;
    std::int64_t estimatedNanoUsd = 0; ///< the part of it that was estimated from characters
    bool hasUnknown = false;           ///< something may have been billed that nobody can put a figure to
};

using PriceLookup = std::function<std::optional<cost::Price>(const std::string& endpoint)>;

/// An attempt costs what its provider reports, else what its usage says (provider::chargeOf). One that was refused
/// (HTTP 400 and above) or never sent costs nothing; one that was sent and ended without a figure (no price, a timeout
/// before the first word) may have been billed: unknown.
Bill billOf(const chain::RunRecord& record, const PriceLookup& priceOf);

/// The same as the recorder is told it.
observe::RequestMoney moneyOf(const Bill& bill);

/// One line on how that is known, with the number of each attempt where several may have been billed.
QString basisOf(const chain::RunRecord& record, const PriceLookup& priceOf);

} // namespace sg::engine
