// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/loop_lag.h"

#include "core/http/transport.h"

namespace sg::load {

namespace {
constexpr Millis kEvery{10};
}

LoopLag::LoopLag()
{
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setSingleShot(true);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { sample(); });
}

void LoopLag::start()
{
    due_ = http::steadyNow() + kEvery;
    timer_.start(kEvery);
}

void LoopLag::stop()
{
    timer_.stop();
}

void LoopLag::sample()
{
    samples_.record(std::max(Nanos(0), http::steadyNow() - due_));
    start();
}

} // namespace sg::load
