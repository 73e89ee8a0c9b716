// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QTimer>

#include <optional>
#include <set>

namespace sg::http {

/// One timer for many deadlines, to the millisecond. A deadline that moves later costs nothing: it stays where it
/// is, and its client, called too early, arms the new one. Lives in one thread.
class Deadlines
{
public:
    class Client
    {
    public:
        virtual ~Client() = default;
        /// The armed moment has come (and is no longer armed). May arm again, later than `now`.
        virtual void onDeadline(Instant now) = 0;

    private:
        friend class Deadlines;
        std::optional<Instant> armed_;
    };

    Deadlines();
    /// Calls the client at `at` or before; keeps an earlier moment that is armed already.
    void arm(Client& client, Instant at);
    void disarm(Client& client);

private:
    void fire();
    void wind();

    std::set<std::pair<Instant, Client*>> queue_;
    std::optional<Instant> wound_;
    QTimer timer_;
};

} // namespace sg::http
