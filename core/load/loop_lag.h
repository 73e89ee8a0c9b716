// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/histogram.h"

#include <QTimer>

namespace sg::load {

/// How late the event loop of a generator is, sampled every 10 ms: a generator that is late measures itself.
class LoopLag
{
public:
    LoopLag();
    void start();
    void stop();
    const stats::Histogram& samples() const { return samples_; }

private:
    void sample();
    QTimer timer_;
    Instant due_{};
    stats::Histogram samples_{3};
};

} // namespace sg::load
