// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/deadline_queue.h"

namespace sg::http {

void DeadlineQueue::arm(Client& client, Instant at)
{
    if (client.armed_ && *client.armed_ <= at)
        return;
    if (client.armed_) {
        auto node = queue_.extract({*client.armed_, &client});
        node.value().first = at;
        queue_.insert(std::move(node));
    } else {
        queue_.emplace(at, &client);
    }
    client.armed_ = at;
}

void DeadlineQueue::disarm(Client& client)
{
    if (!client.armed_)
        return;
    queue_.erase({*client.armed_, &client});
    client.armed_.reset();
}

std::optional<Instant> DeadlineQueue::next() const
{
    return queue_.empty() ? std::nullopt : std::optional(queue_.begin()->first);
}

void DeadlineQueue::fire(Instant now)
{
    while (!queue_.empty() && queue_.begin()->first <= now) {
        Client& client = *queue_.begin()->second;
        queue_.erase(queue_.begin());
        client.armed_.reset();
        client.onDeadline(now);
    }
}

} // namespace sg::http
