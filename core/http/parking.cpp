// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/parking.h"

#include <array>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::http {

Parking::Parking(Wake wake)
    : wake_(std::move(wake))
    , epoll_(::epoll_create1(EPOLL_CLOEXEC))
{
    if (!usable())
        return;
    notifier_ = std::make_unique<QSocketNotifier>(epoll_, QSocketNotifier::Read);
    QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(), [this] { onReady(); });
}

Parking::~Parking()
{
    closeAll();
    notifier_.reset();
    if (usable())
        ::close(epoll_);
}

void Parking::park(quint64 id, int descriptor, Instant idleSince)
{
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP;
    event.data.u64 = id;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0)
        parked_.emplace(id, Place{descriptor, idleSince});
    else
        ::close(descriptor);
}

void Parking::onReady()
{
    std::array<epoll_event, 256> events{};
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
        const auto place = parked_.find(events[static_cast<std::size_t>(i)].data.u64);
        if (place == parked_.end())
            continue; // a handler closed it meanwhile
        const auto [id, parked] = *place;
        parked_.erase(place);
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, parked.descriptor, nullptr);
        char byte = 0;
        if (::recv(parked.descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
            ::close(parked.descriptor); // the client has left
        else
            wake_(id, parked.descriptor);
    }
}

void Parking::closeIdleSince(Instant before)
{
    for (auto place = parked_.begin(); place != parked_.end();) {
        const bool due = place->second.since < before;
        if (due)
            ::close(place->second.descriptor); // leaves the epoll set by itself
        place = due ? parked_.erase(place) : std::next(place);
    }
}

void Parking::closeAll()
{
    for (const auto& [id, place] : parked_)
        ::close(place.descriptor);
    parked_.clear();
}

} // namespace sg::http
