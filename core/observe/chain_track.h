// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/chain/record.h"
#include "core/observe/snapshot.h"
#include "core/stats/slot_ring.h"
#include "core/stats/windowed_histogram.h"

#include <unordered_map>

namespace sg::observe {

/// Why a tier was left: the last failure there where one was the cause, else the refusal. Null: nothing failed there.
MovedBy movedBy(chain::MoveReason reason, const provider::ErrorFacts* lastError);

/// Requests counted by what became of them. 32 bits hold a day at 49,000 a second.
struct ChainCounts
{
    std::uint32_t requests = 0, answered = 0, failed = 0, cancelled = 0, fromCache = 0, refused = 0, passedLimiter = 0;
    ChainCounts& operator+=(const ChainCounts& other);
    ChainCounts& operator-=(const ChainCounts& other);
};
struct TierCounts
{
    std::uint32_t entered = 0, answered = 0, failedHere = 0;
    std::array<std::uint32_t, kMovedByCount> moved{};
    TierCounts& operator+=(const TierCounts& other);
    TierCounts& operator-=(const TierCounts& other);
};

/// What is remembered of one chain and its tiers. All counts of a request are of the moment it ended, so that they add
/// up: what came to a tier was answered there, failed there, left it or was cancelled there. O(1) per step of a
/// request; a tier costs memory from its first request on. Not thread-safe.
class ChainTrack
{
public:
    ChainTrack(std::shared_ptr<chain::ChainState> state, Instant now);
    /// The chain as it serves from now on: tiers whose names stay keep what was counted, wherever they stand.
    void replace(std::shared_ptr<chain::ChainState> state);

    const std::string& name() const { return state_->spec().name; }
    /// `asRun`: the chain as this request used it, which may have been replaced since; what it tells of a tier that is
    /// gone is not kept.
    void finished(const chain::RunRecord& record, const chain::ChainSpec& asRun, Instant now);
    ChainView view(Nanos window, Instant now);

private:
    struct Traffic
    {
        Traffic();
        stats::Windowed<TierCounts> counts;
        stats::WindowedHistogram latency; ///< of the attempts that answered
    };
    struct Tier
    {
        std::string name;
        std::unique_ptr<Traffic> traffic; ///< null: no request came here
    };
    /// A request at one tier.
    struct Visit
    {
        int tier = -1; ///< -1: at none
        const provider::ErrorFacts* lastError = nullptr;
        const chain::AttemptRecord* answer = nullptr;
    };

    void walk(const chain::RunRecord& record, const chain::ChainSpec& asRun, Instant now);
    void close(Visit& visit, TierCounts counts, const chain::ChainSpec& asRun, Instant now);
    Tier* tierOf(int index, const chain::ChainSpec& asRun);
    void viewLimiter(ChainView& view, const ChainCounts& counts, Nanos covered) const;
    TierView viewTier(std::size_t index, Nanos window, Instant now);

    std::shared_ptr<chain::ChainState> state_;
    Instant begun_;
    stats::Windowed<ChainCounts> counts_;
    std::vector<Tier> tiers_; ///< as in state_
    std::unordered_map<std::string, std::size_t> byName_;
};

} // namespace sg::observe
