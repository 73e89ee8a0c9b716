// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <optional>
#include <set>

namespace sg::http {

/// Many deadlines in their order; what waits for the next one is its user's. A deadline that moves later costs nothing:
/// it stays where it is, and its client, called too early, arms the new one. Lives in one thread.
class DeadlineQueue
{
public:
    class Client
    {
    public:
        virtual ~Client() = default;
        /// The armed moment has come (and is no longer armed). May arm again, later than `now`.
        virtual void onDeadline(Instant now) = 0;

    private:
        friend class DeadlineQueue;
        std::optional<Instant> armed_;
    };

    /// Calls the client at `at` or before; keeps an earlier moment that is armed already.
    void arm(Client& client, Instant at);
    void disarm(Client& client);
    std::optional<Instant> next() const;
    void fire(Instant now); ///< calls all whose moment has come

private:
    std::set<std::pair<Instant, Client*>> queue_;
};

} // namespace sg::http
