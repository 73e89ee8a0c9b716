// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace sg::http {

/// Work for the thread in which the mailbox lives, done in the order in which it was given. Unlike
/// QMetaObject::invokeMethod it hands over in operations that ThreadSanitizer sees: Qt's own locks are inside a library
/// that is not built with it, so that it would report everything two threads do one after the other.
class Mailbox final : public QObject
{
public:
    /// Does `work` and waits for its end, or for the end of the mailbox. Not from the mailbox's own thread.
    void run(const std::function<void()>& work);
    /// Does `work` when the thread's event loop comes to it; not at all when the mailbox has gone before.
    void post(std::function<void()> work);

    bool event(QEvent* event) override;

private:
    void send(std::unique_ptr<QEvent> work);
    std::atomic<unsigned> handedOver_{0};
};

/// A way to a mailbox that may end before those who post to it: what is posted after close() is dropped. Any thread.
class MailSlot
{
public:
    explicit MailSlot(Mailbox& mailbox)
        : mailbox_(&mailbox)
    {
    }
    void post(std::function<void()> work);
    void close(); ///< before the mailbox goes

private:
    std::mutex mutex_;
    Mailbox* mailbox_;
};

} // namespace sg::http
