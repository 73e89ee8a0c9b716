// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/call.h"
#include "core/http/transport.h"

namespace sg::gateway {

/// What is known of a request's way when its answer begins.
struct Way
{
    const chain::RunRecord& record;            ///< so far
    const chain::ChainSpec* chain = nullptr;   ///< for the tier's name; null: not known
    std::optional<std::int64_t> costNanoUsd{}; ///< empty: not known, or not yet
    bool costIsLowerBound = false, costIsEstimated = false;
    QStringList leftOut{}; ///< fields that the answering endpoint's dialect could not carry
    int tier = -1;         ///< of an answer that has begun and not ended: whose it is; the record does not say it yet
    std::string endpoint{};
    Nanos queued{0}; ///< before the gateway let it in
};

/// What a request has spent on waits between its attempts and at a limiter.
Nanos waitedIn(const chain::RunRecord& record);

/// Of a request that has ended.
Way wayOf(const engine::CallResult& result, Nanos queued);

/// x-switchgear-chain, -tier, -endpoint, -attempts, -waited-ms, -cache (hit, shared, miss, none), -source (endpoint,
/// cache, shared, canned), -cost-usd (with all nine decimals), -cost-note (estimated, at-least), -left-out. What is not
/// known is left out. Names that are no plain ASCII are percent-encoded. A stream's cost is not known when its headers
/// go out.
void addWay(http::Headers& headers, const Way& way);

} // namespace sg::gateway
