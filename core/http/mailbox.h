// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

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

} // namespace sg::http
