// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QtGlobal>

#include <atomic>
#include <limits>
#include <optional>

namespace sg::http {

/// A moment that one thread writes once and another may look at meanwhile.
class SharedMoment
{
public:
    void set(Instant at) { nanos_.store(at.time_since_epoch().count(), std::memory_order_release); }
    std::optional<Instant> get() const
    {
        const qint64 nanos = nanos_.load(std::memory_order_acquire);
        return nanos == kNever ? std::nullopt : std::optional(Instant(Nanos(nanos)));
    }

private:
    static constexpr qint64 kNever = std::numeric_limits<qint64>::min();
    std::atomic<qint64> nanos_{kNever};
};

/// Back-pressure between the thread that reads an answer (the giver) and the one that takes it.
class TransferFlow
{
public:
    explicit TransferFlow(qint64 mostAhead)
        : most_(mostAhead)
    {
    }

    /// The giver: whether `bytes` may go to the taker. If not it waits until it is told to go on.
    bool admit(qint64 bytes)
    {
        if (!isOpen()) {
            waits_ = true;
            if (!isOpen()) // looked at again: the taker may have seen the flag or made room, and does one of them last
                return false;
            waits_ = false;
        }
        ahead_ += bytes;
        return true;
    }
    /// The taker has taken them; true: the giver waits and has to be told to go on.
    bool take(qint64 bytes)
    {
        const qint64 left = ahead_ -= bytes;
        return left <= most_ / 2 && !isPaused_ && waits_.exchange(false);
    }
    /// The taker. The giver has to be told of a pause's end.
    void setPaused(bool paused) { isPaused_ = paused; }
    bool isPaused() const { return isPaused_; }

private:
    bool isOpen() const { return !isPaused_ && ahead_ < most_; }

    const qint64 most_;
    std::atomic<qint64> ahead_{0};
    std::atomic<bool> isPaused_{false};
    std::atomic<bool> waits_{false};
};

} // namespace sg::http
