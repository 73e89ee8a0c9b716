// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/sentences.h"
#include "core/stats/slot_ring.h"

#include <array>
#include <deque>
#include <optional>

namespace sg::observe {

/// By what an endpoint's attempts failed, over the same window as its breaker counts. Not thread-safe.
class FailureTally
{
public:
    explicit FailureTally(const policy::BreakerConfig& config);
    void success(Instant now);
    void failure(const Failure& failure, Instant now);
    FailureCounts inWindow(Instant now); ///< most frequent first
    FailureCounts inStreak() const;      ///< since the last success
    void clear();

private:
    static constexpr std::size_t kKinds = 12; ///< the last one stands for all that found no place
    struct Counts
    {
        std::array<std::int32_t, kKinds> n{};
        Counts& operator+=(const Counts& other);
        Counts& operator-=(const Counts& other);
    };
    std::size_t kindOf(const Failure& failure);
    FailureCounts listed(const Counts& counts) const;
    void remember(std::uint8_t kind);

    std::vector<Failure> kinds_;
    std::optional<stats::SlotRing<Counts>> ring_; ///< time window
    int slots_ = 0;
    std::deque<std::uint8_t> last_; ///< count window
    std::size_t lastMost_ = 0;
    Counts lastCounts_, streak_;
};

/// Counts one failure in a list that exists.
void addTo(FailureCounts& counts, const Failure& failure);
std::int64_t sumOf(const FailureCounts& counts);

} // namespace sg::observe
