// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/deadline_queue.h"

#include <QTimer>

namespace sg::http {

/// A queue of deadlines with one timer of the thread's event loop, to the millisecond. Lives in one thread.
class Deadlines
{
public:
    using Client = DeadlineQueue::Client;

    Deadlines();
    void arm(Client& client, Instant at); ///< as the queue does
    void disarm(Client& client)
    {
        queue_.disarm(client);
    } ///< leaves the timer: finding nothing is cheaper than winding

private:
    void fire();
    void wind();

    DeadlineQueue queue_;
    std::optional<Instant> wound_;
    QTimer timer_;
};

} // namespace sg::http
