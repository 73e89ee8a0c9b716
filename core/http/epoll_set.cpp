// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/epoll_set.h"

#include <array>
#include <sys/epoll.h>
#include <unistd.h>

namespace sg::http {

EpollSet::EpollSet(Ready ready)
    : ready_(std::move(ready))
    , epoll_(::epoll_create1(EPOLL_CLOEXEC))
{
    if (!usable())
        return;
    notifier_ = std::make_unique<QSocketNotifier>(epoll_, QSocketNotifier::Read);
    QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(), [this] { onReady(); });
}

EpollSet::~EpollSet()
{
    notifier_.reset();
    if (usable())
        ::close(epoll_);
}

bool EpollSet::add(quint64 id, int descriptor, std::uint32_t events)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = id;
    return usable() && ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void EpollSet::remove(int descriptor)
{
    if (usable())
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

void EpollSet::onReady()
{
    std::array<epoll_event, 256> events{};
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i)
        ready_(events[static_cast<std::size_t>(i)].data.u64); // one of an earlier call may be gone: the callee knows
}

} // namespace sg::http
