// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sg::app {

namespace {

std::atomic<int> wakeFd{-1};
static_assert(std::atomic<int>::is_always_lock_free, "read in a signal handler");

extern "C" void wakeUp(int)
{
    const int before = errno;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(wakeFd, &one, sizeof one);
    errno = before;
}

void setHandler(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

// A handler and not a blocked signal with a signalfd: a mask is inherited by the programs that the desktop starts,
// which nobody could end any more.
Interrupt::Interrupt(std::function<void()> callback, QObject* parent)
    : QObject(parent)
    , callback_(std::move(callback))
    , fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))
{
    notifier_ = std::make_unique<QSocketNotifier>(fd_, QSocketNotifier::Read);
    connect(notifier_.get(), &QSocketNotifier::activated, this, [this] {
        std::uint64_t signals = 0;
        if (read(fd_, &signals, sizeof signals) != sizeof signals)
            return;
        for (; signals > 0; --signals)
            callback_();
    });
    wakeFd = fd_;
    setHandler(wakeUp);
}

Interrupt::~Interrupt()
{
    setHandler(SIG_DFL);
    notifier_.reset();
    wakeFd = -1; // a handler still running in another thread writes nowhere
    close(fd_);
}

} // namespace sg::app
