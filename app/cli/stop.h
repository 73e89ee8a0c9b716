// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/interrupt.h"

#include <functional>

namespace sg::app {

/// SIGINT and SIGTERM from before the session to the end. What they do changes with what is going on.
class Stop
{
public:
    bool asked() const { return asked_; }
    void then(std::function<void()> action) { action_ = std::move(action); }

private:
    bool asked_ = false;
    std::function<void()> action_;
    Interrupt interrupt_{[this] {
        asked_ = true;
        if (action_)
            action_();
    }};
};

} // namespace sg::app
