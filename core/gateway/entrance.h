// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/timer_queue.h"
#include "core/gateway/admission.h"
#include "core/gateway/service.h"

namespace sg::gateway {

/// The admission with a clock, and with clients that leave while they wait. Engine thread; may end before the places it
/// gave away.
class Entrance
{
public:
    Entrance(engine::TimerQueue& timers, AdmissionLimits limits);
    ~Entrance();
    Entrance(const Entrance&) = delete;
    Entrance& operator=(const Entrance&) = delete;

    void setLimits(AdmissionLimits limits);
    /// `go` is called with the exchange and its place, which the responder keeps until the answer has left; perhaps
    /// before this returns, or never: the client has left, or was refused, also for an "x-switchgear-priority" that is
    /// none.
    void enter(Exchange exchange, std::function<void(Exchange)> go);

    /// Those who wait, and those who come, are told that the gateway is stopping.
    void stop();
    /// Those who wait are dropped without an answer, places that come back let nobody in.
    void close();

    const Admission& admission() const { return *admission_; }
    qint64 leftWhileWaiting() const { return *left_; }

private:
    void watchTheClock();

    engine::TimerQueue& timers_;
    std::shared_ptr<Admission> admission_;
    std::shared_ptr<qint64> left_ = std::make_shared<qint64>(0);
    std::shared_ptr<bool> isStopping_ = std::make_shared<bool>(false);
    std::optional<engine::TimerQueue::Id> timer_;
    Admission::Id next_ = 0;
};

} // namespace sg::gateway
