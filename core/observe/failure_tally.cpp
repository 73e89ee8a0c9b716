// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/failure_tally.h"

#include <algorithm>

namespace sg::observe {

namespace {

constexpr std::int64_t kMostSlots = 900;
constexpr int kMostCalls = 10'000;
constexpr std::uint8_t kSuccess = 255;

// What lines are counted by; the rest differs from attempt to attempt.
Failure kindOnly(const Failure& failure)
{
    if (tellsOfFailure(failure.status))
        return {failure.status, provider::ErrorClass::None, {}, {}, false};
    return {0, failure.error, {}, {}, false};
}

void sortByCount(FailureCounts& counts)
{
    std::stable_sort(counts.begin(), counts.end(),
                     [](const FailureCount& a, const FailureCount& b) { return a.count > b.count; });
}

} // namespace

FailureTally::Counts& FailureTally::Counts::operator+=(const Counts& other)
{
    for (std::size_t i = 0; i < kKinds; ++i)
        n[i] += other.n[i];
    return *this;
}

FailureTally::Counts& FailureTally::Counts::operator-=(const Counts& other)
{
    for (std::size_t i = 0; i < kKinds; ++i)
        n[i] -= other.n[i];
    return *this;
}

FailureTally::FailureTally(const policy::BreakerConfig& config)
{
    if (const auto* count = std::get_if<policy::CountWindow>(&config.window)) {
        lastMost_ = static_cast<std::size_t>(std::clamp(count->size, 1, kMostCalls));
        return;
    }
    const auto& time = std::get<policy::TimeWindow>(config.window);
    const Nanos slot = std::max({time.bucket, Nanos(time.window.count() / kMostSlots), Nanos(Millis(1))});
    slots_ = std::max(1, stats::slotsFor(std::max(time.window, slot), slot));
    ring_.emplace(stats::WindowLevel{slot, slots_});
}

std::size_t FailureTally::kindOf(const Failure& failure)
{
    const Failure kind = kindOnly(failure);
    const auto known = std::find(kinds_.begin(), kinds_.end(), kind);
    if (known != kinds_.end())
        return static_cast<std::size_t>(known - kinds_.begin());
    if (kinds_.size() + 1 < kKinds)
        kinds_.push_back(kind);
    else
        return kKinds - 1;
    return kinds_.size() - 1;
}

void FailureTally::remember(std::uint8_t kind)
{
    if (lastMost_ == 0)
        return;
    last_.push_back(kind);
    if (kind != kSuccess)
        ++lastCounts_.n[kind];
    if (last_.size() <= lastMost_)
        return;
    if (last_.front() != kSuccess)
        --lastCounts_.n[last_.front()];
    last_.pop_front();
}

void FailureTally::success(Instant now)
{
    if (ring_)
        ring_->advance(now);
    streak_ = {};
    remember(kSuccess);
}

void FailureTally::failure(const Failure& failure, Instant now)
{
    const std::size_t kind = kindOf(failure);
    Counts one;
    one.n[kind] = 1;
    streak_ += one;
    if (ring_)
        ring_->add(one, now);
    remember(static_cast<std::uint8_t>(kind));
}

FailureCounts FailureTally::listed(const Counts& counts) const
{
    FailureCounts list;
    for (std::size_t i = 0; i < kKinds; ++i) {
        if (counts.n[i] > 0)
            list.push_back({i < kinds_.size() ? kinds_[i] : Failure{}, counts.n[i]});
    }
    sortByCount(list);
    return list;
}

FailureCounts FailureTally::inWindow(Instant now)
{
    return listed(ring_ ? ring_->total(slots_, now) : lastCounts_);
}

FailureCounts FailureTally::inStreak() const
{
    return listed(streak_);
}

void FailureTally::clear()
{
    if (ring_)
        ring_->clear();
    last_.clear();
    lastCounts_ = streak_ = {};
}

void addTo(FailureCounts& counts, const Failure& failure)
{
    const Failure kind = kindOnly(failure);
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&kind](const FailureCount& entry) { return entry.failure == kind; });
    if (known != counts.end())
        ++known->count;
    else
        counts.push_back({kind, 1});
    sortByCount(counts);
}

std::int64_t sumOf(const FailureCounts& counts)
{
    std::int64_t sum = 0;
    for (const FailureCount& entry : counts)
        sum += entry.count;
    return sum;
}

} // namespace sg::observe
