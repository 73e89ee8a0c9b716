// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/timer_queue.h"

#include "core/http/transport.h"

namespace sg::engine {

TimerQueue::TimerQueue(QObject* parent)
    : QObject(parent)
    , timer_(this)
{
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &TimerQueue::fire);
}

TimerQueue::Id TimerQueue::at(Instant due, std::function<void()> callback)
{
    const Id id{due, next_++};
    const auto where = entries_.emplace(id, std::move(callback)).first;
    if (where == entries_.begin())
        arm();
    return id;
}

void TimerQueue::cancel(const Id& id)
{
    entries_.erase(id);
    if (entries_.empty())
        timer_.stop();
}

void TimerQueue::arm()
{
    const Nanos left = entries_.begin()->first.first - http::steadyNow();
    // Rounded up: a wait a server asked for must not end a fraction of a millisecond early.
    timer_.start(std::max(Millis(0), std::chrono::ceil<Millis>(left)));
}

void TimerQueue::fire()
{
    const Instant now = http::steadyNow();
    while (!entries_.empty() && entries_.begin()->first.first <= now) {
        const auto callback = std::move(entries_.begin()->second);
        entries_.erase(entries_.begin());
        callback();
    }
    if (!entries_.empty())
        arm();
}

} // namespace sg::engine
