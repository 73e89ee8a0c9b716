// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/loop_lag.h"

namespace sg::load {

LoopLag::LoopLag()
{
    QObject::connect(&notifier_, &QSocketNotifier::activated, &notifier_, [this] { ticks_.take(); });
    if (ticks_.descriptor() >= 0)
        notifier_.setSocket(ticks_.descriptor());
}

void LoopLag::start()
{
    if (!notifier_.isValid())
        return;
    ticks_.start();
    notifier_.setEnabled(true);
}

void LoopLag::stop()
{
    notifier_.setEnabled(false);
    ticks_.stop();
}

} // namespace sg::load
