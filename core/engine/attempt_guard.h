// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/timer_queue.h"
#include "core/policy/attempt_limits.h"
#include "core/provider/error.h"

#include <functional>
#include <optional>
#include <string>

namespace sg::engine {

/// Keeps the limits about tokens for one attempt. Says at most once that one is broken; may be destroyed meanwhile.
class AttemptGuard
{
public:
    using Broken = std::function<void(provider::TransportError, std::string detail)>;
    using SentAt = std::function<std::optional<Instant>()>; ///< when the request was out; empty: not yet
    AttemptGuard(TimerQueue& timers, const policy::TokenLimits& limits, Broken broken);
    ~AttemptGuard() { lift(); }
    AttemptGuard(const AttemptGuard&) = delete;
    AttemptGuard& operator=(const AttemptGuard&) = delete;

    void expectFirstToken(SentAt sentAt); ///< of a streamed request
    void answerBegins(bool asStream, Instant at);
    void bodyCame(qsizetype bytes);
    void committed();
    void said(qsizetype characters);
    void setPaused(bool paused); ///< while the answer is not taken the limits stand still
    void lift();                 ///< the end: nothing is watched any more

private:
    void firstTokenDue();
    void windowOver();
    void wakeForFirstToken(Instant at);
    void wakeForWindow();
    void stop(std::optional<TimerQueue::Id>& timer);
    void endFirstToken();
    void endWindow();
    void breakOff(provider::TransportError error, std::string detail);

    TimerQueue& timers_;
    policy::TokenLimits limits_;
    Broken broken_;
    SentAt sentAt_;
    std::optional<policy::RateWatch> rate_;
    std::optional<TimerQueue::Id> firstToken_, window_;
    std::optional<Instant> pausedAt_;
    Nanos stoodStill_{0};                         ///< in pauses that are over
    bool awaitsToken_ = false, inWindow_ = false; ///< what is watched, also while it stands still
    bool countsBytes_ = false;
};

} // namespace sg::engine
