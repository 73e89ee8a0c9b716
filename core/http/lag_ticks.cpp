// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/lag_ticks.h"

#include "core/http/transport.h"

#include <algorithm>
#include <sys/timerfd.h>
#include <unistd.h>

namespace sg::http {

namespace {

constexpr Nanos kEvery = Millis(10);
/// Of one look: a machine that slept for a day must not hold the thread up with counting.
constexpr quint64 kMostAtOnce = 10'000;

timespec timeOf(Nanos span)
{
    constexpr std::int64_t second = 1'000'000'000;
    return {static_cast<time_t>(span.count() / second), static_cast<long>(span.count() % second)};
}

} // namespace

LagTicks::LagTicks()
    : descriptor_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))
{
}

LagTicks::~LagTicks()
{
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void LagTicks::set(Nanos every)
{
    const itimerspec times{timeOf(every), timeOf(every)};
    ::timerfd_settime(descriptor_, 0, &times, nullptr);
}

void LagTicks::start()
{
    lateness_.clear();
    due_ = steadyNow() + kEvery;
    set(kEvery);
}

void LagTicks::stop()
{
    set(Nanos(0));
}

void LagTicks::take()
{
    quint64 passed = 0;
    if (::read(descriptor_, &passed, sizeof passed) != sizeof passed)
        return;
    const Nanos late = steadyNow() - due_;
    for (quint64 i = 0; i < std::min(passed, kMostAtOnce); ++i)
        lateness_.record(std::max(Nanos(0), late - kEvery * static_cast<std::int64_t>(i)));
    due_ += kEvery * static_cast<std::int64_t>(passed);
}

} // namespace sg::http
