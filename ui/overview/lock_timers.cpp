// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/lock_timers.h"

namespace sg::ui {

void LockTimers::start(const QString& endpoint, std::chrono::minutes after)
{
    auto timer = std::make_shared<QTimer>();
    timer->setSingleShot(true);
    QObject::connect(timer.get(), &QTimer::timeout, timer.get(), [this, endpoint, after] {
        // Taken out first, but kept alive until its signal has been delivered.
        const auto keep = timers_.take(endpoint);
        release_(endpoint, after);
    });
    timer->start(after);
    timers_.insert(endpoint, std::move(timer));
}

} // namespace sg::ui
