// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/interrupt.h"

#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

namespace sg::app {

namespace {

sigset_t endSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

Interrupt::Interrupt(std::function<void()> callback, QObject* parent)
    : QObject(parent)
    , callback_(std::move(callback))
{
    // Blocked before any thread is started, so that every thread inherits it and only the descriptor sees the signals.
    const sigset_t set = endSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    fd_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    notifier_ = std::make_unique<QSocketNotifier>(fd_, QSocketNotifier::Read);
    connect(notifier_.get(), &QSocketNotifier::activated, this, [this] {
        signalfd_siginfo info;
        while (read(fd_, &info, sizeof info) == sizeof info)
            callback_();
    });
}

Interrupt::~Interrupt()
{
    notifier_.reset();
    close(fd_);
    const sigset_t set = endSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace sg::app
