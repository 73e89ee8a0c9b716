// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMetaObject>
#include <QObject>

#include <atomic>
#include <utility>

/// Work for the thread in which an object lives. Qt's event queue orders what both threads do with memory, but by locks
/// inside a library that ThreadSanitizer does not see; the counter says the same in operations that it does see.
namespace sg::http {

namespace detail {
inline std::atomic<unsigned> handedOver{0};
inline void handOver()
{
    handedOver.fetch_add(1, std::memory_order_release);
}
inline void takeOver()
{
    (void)handedOver.load(std::memory_order_acquire);
}
} // namespace detail

/// Runs `work` in the thread of `context` and waits for its end. Not from that thread itself.
template <typename Work>
void runIn(QObject* context, Work&& work)
{
    detail::handOver();
    QMetaObject::invokeMethod(
        context,
        [&work] {
            detail::takeOver();
            work();
            detail::handOver();
        },
        Qt::BlockingQueuedConnection);
    detail::takeOver();
}

/// Runs `work` in the thread of `context` when its event loop comes to it; never when `context` has gone before.
template <typename Work>
void postIn(QObject* context, Work work)
{
    detail::handOver();
    QMetaObject::invokeMethod(
        context,
        [work = std::move(work)]() mutable {
            detail::takeOver();
            work();
        },
        Qt::QueuedConnection);
}

} // namespace sg::http
