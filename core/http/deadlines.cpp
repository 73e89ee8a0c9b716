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
    if (client.armed_ && *client.armed_ <= at)
        return;
    if (client.armed_) {
        auto node = queue_.extract({*client.armed_, &client});
        node.value().first = at;
        queue_.insert(std::move(node));
    } else {
        queue_.emplace(at, &client);
    }
    client.armed_ = at;
    if (!wound_ || at < *wound_)
        wind();
}

void Deadlines::disarm(Client& client)
{
    if (!client.armed_)
        return;
    queue_.erase({*client.armed_, &client});
    client.armed_.reset(); // the timer stays wound: a call that finds nothing is cheaper than winding it each time
}

void Deadlines::wind()
{
    if (queue_.empty()) {
        wound_.reset();
        return;
    }
    wound_ = queue_.begin()->first;
    const Nanos left = *wound_ - steadyNow();
    constexpr Millis longest{24 * 3600 * 1000};
    timer_.start(std::clamp(std::chrono::ceil<Millis>(left), Millis(0), longest));
}

void Deadlines::fire()
{
    const Instant now = steadyNow();
    while (!queue_.empty() && queue_.begin()->first <= now) {
        Client& client = *queue_.begin()->second;
        queue_.erase(queue_.begin());
        client.armed_.reset();
        client.onDeadline(now);
    }
    wind();
}

} // namespace sg::http
