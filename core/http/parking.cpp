// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/parking.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::http {

Parking::Parking(Wake wake)
    : wake_(std::move(wake))
    , set_([this](quint64 id) { onReady(id); })
{
}

Parking::~Parking()
{
    closeAll();
}

void Parking::park(quint64 id, int descriptor, Instant idleSince)
{
    if (set_.add(id, descriptor, EPOLLIN | EPOLLRDHUP))
        parked_.emplace(id, Place{descriptor, idleSince});
    else
        ::close(descriptor);
}

void Parking::onReady(quint64 id)
{
    const auto place = parked_.find(id);
    if (place == parked_.end())
        return; // a handler closed it meanwhile
    const Place parked = place->second;
    parked_.erase(place);
    set_.remove(parked.descriptor);
    char byte = 0;
    if (::recv(parked.descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
        ::close(parked.descriptor); // the client has left
    else
        wake_(id, parked.descriptor);
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
