// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/practice_traffic.h"

#include <cmath>

namespace sg::load {

PracticeTraffic::PracticeTraffic(engine::EngineCore& core, LoadPlan plan, double requestsPerSecond, int mostInFlight,
                                 QObject* parent)
    : QObject(parent)
    , core_(core)
    , plan_(std::move(plan))
    , prompts_(plan_)
    , random_(plan_.seed)
    , rate_(requestsPerSecond)
    , mostInFlight_(mostInFlight)
{
}

PracticeTraffic::~PracticeTraffic()
{
    core_.timers().cancel(timer_);
}

void PracticeTraffic::start()
{
    next_ = http::steadyNow();
    arrive();
}

void PracticeTraffic::arrive()
{
    if (*inFlight_ < mostInFlight_) {
        engine::Call call;
        call.target = {engine::TargetKind::Chain, plan_.target};
        call.request = prompts_.next();
        call.intended = next_;
        ++*inFlight_;
        call.onFinished = [inFlight = inFlight_](const engine::CallResult&) { --*inFlight; };
        core_.start(std::move(call));
    } else {
        ++leftOut_;
    }
    // Exponential gaps from the intended time, not from now: a late loop catches up instead of slowing down.
    next_ += fromMs(-std::log(1 - random_.uniform()) * 1000 / rate_);
    timer_ = core_.timers().at(next_, [this] { arrive(); });
}

} // namespace sg::load
