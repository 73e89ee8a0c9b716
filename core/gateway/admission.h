// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/policy/priority_queue.h"
#include "core/policy/time.h"

#include <functional>

namespace sg::gateway {

struct AdmissionLimits
{
    int maxInFlight = 0, maxQueued = 0;
    Nanos maxQueueWait{0};
};

/// Lets so many requests in at once; the others wait by priority (header x-switchgear-priority, larger first, default
/// 0), and those for whom there is no room or no time are refused with 503 and Retry-After. Pure: time comes in.
class Admission
{
public:
    using Id = quint64;
    explicit Admission(AdmissionLimits limits);
    void setLimits(AdmissionLimits limits);

    /// Exactly one of the two is called, perhaps before this returns; unless leave() comes first.
    void enter(Id id, int priority, Instant now, std::function<void()> admitted, std::function<void(Failure)> refused);
    void leave(Id id, Instant now); ///< has ended, or its client has gone while it waited
    void expire(Instant now);       ///< those who have waited too long
    std::optional<Instant> nextExpiry() const;

    int inFlight() const;
    int queued() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

} // namespace sg::gateway
