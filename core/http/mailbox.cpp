// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/mailbox.h"

#include <QCoreApplication>
#include <QEvent>
#include <QThread>

#include <semaphore>

namespace sg::http {

namespace {

QEvent::Type workType()
{
    static const auto type = static_cast<QEvent::Type>(QEvent::registerEventType());
    return type;
}

struct WorkEvent final : QEvent
{
    explicit WorkEvent(std::function<void()> what, std::shared_ptr<std::binary_semaphore> whenDone = {})
        : QEvent(workType())
        , work(std::move(what))
        , done(std::move(whenDone))
    {
    }
    ~WorkEvent() override
    {
        work = {}; // what it holds belongs to this thread until somebody is told
        if (done)
            done->release();
    }
    std::function<void()> work;
    std::shared_ptr<std::binary_semaphore> done; ///< shared: the waiting side may be gone while this one still wakes it
};

} // namespace

void Mailbox::send(std::unique_ptr<QEvent> work)
{
    handedOver_.fetch_add(1, std::memory_order_release);
    QCoreApplication::postEvent(this, work.release());
}

void Mailbox::run(const std::function<void()>& work)
{
    Q_ASSERT(QThread::currentThread() != thread());
    const auto done = std::make_shared<std::binary_semaphore>(0);
    send(std::make_unique<WorkEvent>([&work] { work(); }, done));
    done->acquire();
}

void Mailbox::post(std::function<void()> work)
{
    send(std::make_unique<WorkEvent>(std::move(work)));
}

void MailSlot::post(std::function<void()> work)
{
    {
        const std::lock_guard lock(mutex_);
        if (mailbox_)
            return mailbox_->post(std::move(work));
    }
    work = {}; // what it holds may post when it goes
}

void MailSlot::close()
{
    const std::lock_guard lock(mutex_);
    mailbox_ = nullptr;
}

bool Mailbox::event(QEvent* event)
{
    (void)handedOver_.load(std::memory_order_acquire);
    if (event->type() != workType())
        return QObject::event(event);
    static_cast<WorkEvent*>(event)->work();
    return true;
}

} // namespace sg::http
