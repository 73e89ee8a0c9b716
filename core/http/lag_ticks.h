// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/histogram.h"

namespace sg::http {

/// How late a thread is for what comes: a clock of the kernel ticks every 10 ms in its descriptor, and the thread that
/// waits for it sees each tick as late as it would have seen bytes or a timer of that moment. Ticks that passed while
/// the thread was away count one by one, each with its own lateness: else one stall of a second would be one sample
/// among those of the seconds that went well. Not thread-safe.
class LagTicks
{
public:
    LagTicks();
    ~LagTicks();
    LagTicks(const LagTicks&) = delete;
    LagTicks& operator=(const LagTicks&) = delete;

    int descriptor() const { return descriptor_; } ///< readable when a tick is due; -1: there was none to be had
    void start();                                  ///< forgets what was seen before
    void stop();
    /// To be called when the descriptor is readable.
    void take();
    const stats::Histogram& lateness() const { return lateness_; }

private:
    void set(Nanos every);
    const int descriptor_;
    Instant due_{}; ///< of the next tick
    stats::Histogram lateness_{3};
};

} // namespace sg::http
