// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/packed_histogram.h"

#include <algorithm>

namespace sg::stats {

PackedHistogram::PackedHistogram(const Histogram& source)
    : outOfRange_(source.outOfRange_)
    , minNs_(source.minNs_)
    , maxNs_(source.maxNs_)
    , sumNs_(source.sumNs_)
{
    constexpr std::uint32_t most = 0xffff;
    if (source.empty())
        return;
    std::size_t needed = 0;
    for (const std::uint32_t count : source.buckets_)
        needed += count / most + (count % most != 0 ? 1 : 0);
    entries_.reserve(needed);
    for (std::size_t i = 0; i < source.buckets_.size(); ++i) {
        for (std::uint32_t left = source.buckets_[i]; left > 0;) {
            const std::uint32_t part = std::min(left, most);
            entries_.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(part)});
            left -= part;
        }
    }
}

void PackedHistogram::addTo(Histogram& target) const
{
    if (empty())
        return;
    const bool wasEmpty = target.empty();
    for (const Entry& entry : entries_)
        target.addToBucket(entry.index, entry.count);
    target.addExtremes(minNs_, maxNs_, wasEmpty);
    target.sumNs_ += sumNs_;
    target.outOfRange_ += outOfRange_;
}

void PackedHistogram::subtractFrom(Histogram& target) const
{
    if (empty())
        return;
    for (const Entry& entry : entries_)
        target.takeFromBucket(entry.index, entry.count);
    target.sumNs_ = target.empty() ? 0 : target.sumNs_ - sumNs_;
    target.outOfRange_ = target.empty() ? 0 : std::max<std::int64_t>(0, target.outOfRange_ - outOfRange_);
}

} // namespace sg::stats
