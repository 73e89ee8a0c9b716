// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/lag_ticks.h"

#include <QSocketNotifier>

namespace sg::load {

/// How late the event loop of a generator is, sampled every 10 ms: a generator that is late measures itself.
class LoopLag
{
public:
    LoopLag();
    void start();
    void stop();
    const stats::Histogram& samples() const { return ticks_.lateness(); }

private:
    http::LagTicks ticks_;
    QSocketNotifier notifier_{QSocketNotifier::Read};
};

} // namespace sg::load
