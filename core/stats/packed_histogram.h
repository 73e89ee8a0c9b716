// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/histogram.h"

namespace sg::stats {

/// A histogram that no longer changes, four bytes for each bucket in use: what a slot of a ring keeps. Adding it to and
/// subtracting it from a histogram of the same digits is exact and costs O(buckets in use).
class PackedHistogram
{
public:
    PackedHistogram() = default;
    explicit PackedHistogram(const Histogram& source);

    void addTo(Histogram& target) const;
    void subtractFrom(Histogram& target) const;
    bool empty() const { return entries_.empty(); }
    std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

private:
    /// A bucket with more than 65535 has several entries.
    struct Entry
    {
        std::uint16_t index = 0, count = 0;
    };
    std::vector<Entry> entries_;
    std::int64_t outOfRange_ = 0, minNs_ = 0, maxNs_ = 0;
    double sumNs_ = 0;
};

} // namespace sg::stats
