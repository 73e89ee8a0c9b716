// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/deadlines.h"

#include "core/http/transport.h"

namespace sg::http {

Deadlines::Deadlines()
{
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { fire(); });
}

void Deadlines::arm(Client& client, Instant at)
{
    queue_.arm(client, at);
    if (!wound_ || at < *wound_)
        wind();
}

void Deadlines::wind()
{
    wound_ = queue_.next();
    if (!wound_)
        return;
    const Nanos left = *wound_ - steadyNow();
    constexpr Millis longest{24 * 3600 * 1000};
    timer_.start(std::clamp(std::chrono::ceil<Millis>(left), Millis(0), longest));
}

void Deadlines::fire()
{
    queue_.fire(steadyNow());
    wind();
}

} // namespace sg::http
