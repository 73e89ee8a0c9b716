// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/long_bodies.h"

#include <QThread>

#include <algorithm>
#include <malloc.h>

namespace sg::gateway {

namespace {

/// After the last of them: the allocator would keep hundreds of megabytes of small pieces.
constexpr Millis kGiveBackAfter{1000};
constexpr Millis kComeBackAfter{1000};
constexpr int kMostThreads = 2; // each may need 200 MiB while it reads; and one processor is the engine thread's

} // namespace

LongBodies::LongBodies(qsizetype mostWaiting)
    : mostWaiting_(mostWaiting)
    , slot_(std::make_shared<http::MailSlot>(mailbox_))
    , workers_(std::clamp(QThread::idealThreadCount() - 1, 1, kMostThreads))
{
    giveBack_.setSingleShot(true);
    giveBack_.setInterval(kGiveBackAfter);
    QObject::connect(&giveBack_, &QTimer::timeout, &giveBack_, [this] { workers_.start([] { ::malloc_trim(0); }); });
}

LongBodies::~LongBodies()
{
    slot_->close();
    jobs_.clear();
    workers_.abandon();
}

void LongBodies::add(Job job)
{
    if (waiting_ + job.bytes > mostWaiting_ && reading_ >= workers_.most()) {
        job.exchange.refuse(unavailable(
            "queue_full", QStringLiteral("Too many long bodies wait to be read: ask again later."), kComeBackAfter));
        if (job.over)
            job.over(false);
        return;
    }
    const quint64 number = ++next_;
    waiting_ += job.bytes;
    job.exchange.responder->onClientGone([this, number] {
        if (auto gone = take(number))
            end(std::move(*gone), true);
    });
    jobs_.emplace(number, std::move(job));
    readNext();
}

void LongBodies::readNext()
{
    while (reading_ < workers_.most()) {
        const auto next = jobs_.upper_bound(lastRead_);
        if (next == jobs_.end())
            return;
        lastRead_ = next->first;
        waiting_ -= next->second.bytes;
        ++reading_;
        workers_.start([this, number = lastRead_, slot = slot_, work = std::exchange(next->second.work, {})]() mutable {
            work();
            work = {}; // frees the body, and what was made of it for somebody who has left
            slot->post([this, number] { done(number); });
        });
    }
}

void LongBodies::done(quint64 number)
{
    --reading_;
    readNext();
    giveBack_.start();
    auto job = take(number);
    if (!job)
        return;
    if (job->exchange.responder->clientGone())
        return end(std::move(*job), true);
    job->then(std::move(job->exchange));
}

std::optional<LongBodies::Job> LongBodies::take(quint64 number)
{
    auto node = jobs_.extract(number);
    if (node.empty())
        return std::nullopt;
    if (node.mapped().work)
        waiting_ -= node.mapped().bytes;
    return std::move(node.mapped());
}

/// Its body, if it waits, is freed; what is being made of it is thrown away.
void LongBodies::end(Job job, bool clientLeft)
{
    const Ended ended = leftOf(job.exchange);
    job.exchange.tell(clientLeft ? ended : gateway::cutOff(ended));
    ++(clientLeft ? clientsLeft_ : cutOffs_);
    if (!clientLeft)
        send(*job.exchange.responder, stopping(), job.exchange.headers());
    if (!job.work)
        discard(std::exchange(job.made, nullptr));
    if (job.over)
        job.over(clientLeft);
}

void LongBodies::cutOff()
{
    std::vector<quint64> numbers; // what is told may take others off
    for (const auto& [number, job] : jobs_)
        numbers.push_back(number);
    for (const quint64 number : numbers)
        if (auto job = take(number))
            end(std::move(*job), false);
}

void LongBodies::discard(std::shared_ptr<void> value)
{
    workers_.start([value = std::move(value)]() mutable { value.reset(); });
    giveBack_.start(); // from now on: once nothing has come for so long
}

} // namespace sg::gateway
