// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/entrance.h"

#include <optional>

namespace sg::gateway {

namespace {

constexpr int kMostPriority = 1000;

/// Larger first; 0 is what everyone has who says nothing. Nothing: what is said is no such number.
std::optional<int> priorityOf(const http::ServerRequest& request)
{
    const QByteArray said = http::headerValue(request.headers, "x-switchgear-priority").trimmed();
    if (said.isEmpty())
        return 0;
    bool isNumber = false;
    const int priority = said.toInt(&isNumber);
    const bool isWithin = priority >= -kMostPriority && priority <= kMostPriority;
    return isNumber && isWithin ? std::optional(priority) : std::nullopt;
}

Failure noPriority()
{
    Failure failure = badRequest(QStringLiteral("The header x-switchgear-priority must be a whole number from -%1 to "
                                                "%1, larger first; without it the request has 0.")
                                     .arg(kMostPriority));
    failure.code = QStringLiteral("invalid_priority");
    return failure;
}

std::shared_ptr<void> placeOf(const std::weak_ptr<Admission>& admission, Admission::Id id)
{
    const auto giveBack = [admission, id](void*) {
        if (const auto alive = admission.lock())
            alive->leave(id, http::steadyNow());
    };
    static char somewhere; // a pointer to nothing would still be given back, but would read as no place
    return {&somewhere, giveBack};
}

} // namespace

Entrance::Entrance(engine::TimerQueue& timers, AdmissionLimits limits)
    : timers_(timers)
    , admission_(std::make_shared<Admission>(limits))
{
}

Entrance::~Entrance()
{
    if (timer_)
        timers_.cancel(*timer_);
}

void Entrance::setLimits(AdmissionLimits limits)
{
    admission_->setLimits(limits);
    if (timer_) // the longest wait may be another
        timers_.cancel(*std::exchange(timer_, std::nullopt));
    watchTheClock();
}

void Entrance::stop()
{
    *isStopping_ = true;
    setLimits({0, 0, {}});
}

void Entrance::close()
{
    admission_ = std::make_shared<Admission>(AdmissionLimits{0, 0, {}});
}

void Entrance::enter(Exchange exchange, std::function<void(Exchange)> go)
{
    struct Waiter
    {
        Exchange exchange;
        bool isWaiting = true;
    };
    const auto priority = priorityOf(exchange.request);
    if (!priority)
        return exchange.refuse(noPriority());
    const Admission::Id id = ++next_;
    const auto waiter = std::make_shared<Waiter>(Waiter{std::move(exchange)});
    admission_->enter(
        id, *priority, http::steadyNow(),
        [waiter, id, go = std::move(go), weak = std::weak_ptr(admission_)] {
            waiter->isWaiting = false;
            waiter->exchange.place = placeOf(weak, id);
            waiter->exchange.responder->keepUntilSent(waiter->exchange.place);
            go(std::move(waiter->exchange));
        },
        [waiter, isStopping = isStopping_](const Failure& failure) {
            waiter->isWaiting = false;
            waiter->exchange.refuse(*isStopping ? stopping() : failure);
        });
    if (!waiter->isWaiting)
        return;
    // The line alone owns who waits in it: dropped from there, the connection is closed.
    waiter->exchange.responder->onClientGone(
        [waiting = std::weak_ptr(waiter), id, weak = std::weak_ptr(admission_), left = left_] {
            const auto admission = weak.lock();
            const auto alive = waiting.lock();
            if (!admission || !alive || !std::exchange(alive->isWaiting, false))
                return;
            ++*left;
            alive->exchange.tell(leftOf(alive->exchange));
            admission->leave(id, http::steadyNow());
        });
    watchTheClock();
}

/// One timer for all that wait: who has waited longest is the next whose time is over.
void Entrance::watchTheClock()
{
    const auto due = admission_->nextExpiry();
    if (timer_ || !due)
        return;
    timer_ = timers_.at(*due, [this] {
        timer_.reset();
        admission_->expire(http::steadyNow());
        watchTheClock();
    });
}

} // namespace sg::gateway
