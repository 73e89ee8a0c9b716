// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/interrupt.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sg::app {

namespace {

/// By the signal's number: where its handler writes, plus one, so that 0 is nowhere.
std::array<std::atomic<int>, 32> wakeFds{};
static_assert(std::atomic<int>::is_always_lock_free, "read in a signal handler");

extern "C" void wakeUp(int signal)
{
    const int before = errno;
    const std::uint64_t one = 1;
    const int fd = wakeFds[static_cast<std::size_t>(signal)] - 1;
    [[maybe_unused]] const auto written = write(fd, &one, sizeof one);
    errno = before;
}

void setHandler(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

} // namespace

// A handler and not a blocked signal with a signalfd: a mask is inherited by the programs that the desktop starts,
// which nobody could end any more.
Interrupt::Interrupt(std::function<void()> callback, QObject* parent, std::vector<int> signalNumbers)
    : QObject(parent)
    , callback_(std::move(callback))
    , signalNumbers_(std::move(signalNumbers))
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
    for (const int signal : signalNumbers_) {
        wakeFds[static_cast<std::size_t>(signal)] = fd_ + 1;
        setHandler(signal, wakeUp);
    }
}

Interrupt::~Interrupt()
{
    for (const int signal : signalNumbers_)
        setHandler(signal, SIG_DFL);
    notifier_.reset();
    for (const int signal : signalNumbers_)
        wakeFds[static_cast<std::size_t>(signal)] = 0; // a handler still running in another thread writes nowhere
    close(fd_);
}

} // namespace sg::app
