// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"

namespace sg::chain {

/// One request's way past its chain's own limiter: the bucket and the sliding window together, or neither.
/// The bucket is reserved ahead (its wait is exact); the window is entered at the moment of passing, because its
/// permits cannot be given back. So someone may enter it first; then the request waits again, within the same limit.
class LimiterGate
{
public:
    enum class Kind { Passed, Wait, Refused };
    struct Verdict
    {
        Kind kind = Kind::Passed;
        Instant until{};           ///< Wait
        std::optional<Nanos> wait; ///< Refused: when it would have let the request through; empty = never
    };

    /// `latest`: the last moment at which passing is of use. A refusal leaves nothing taken.
    Verdict ask(ChainState& chain, Instant latest, Instant now);
    /// The request goes away while it waits.
    void giveBack(ChainState& chain, Instant now);

private:
    std::optional<policy::TokenBucket::Reservation> reserved_;
    Instant bucketReady_{};
};

} // namespace sg::chain
