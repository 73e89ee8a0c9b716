// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/deadlines.h"
#include "core/http/transport.h"

#include <algorithm>

#include <sys/timerfd.h>
#include <unistd.h>

namespace sg::simulator {

namespace {

/// A function of its own for tests/tsan.supp.
void readTimer(int fd)
{
    std::uint64_t expirations = 0;
    const auto ignored = ::read(fd, &expirations, sizeof expirations);
    static_cast<void>(ignored); // nothing to read only means that the timer was set anew meanwhile
}

} // namespace

Deadlines::Deadlines(QObject* parent)
    : QObject(parent)
    , fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC))
{
    if (fd_ < 0)
        return;
    notifier_ = std::make_unique<QSocketNotifier>(fd_, QSocketNotifier::Read);
    connect(notifier_.get(), &QSocketNotifier::activated, this, &Deadlines::fire);
}

Deadlines::~Deadlines()
{
    notifier_.reset();
    if (fd_ >= 0)
        ::close(fd_);
}

bool Deadlines::later(const Entry& a, const Entry& b)
{
    return a.when != b.when ? a.when > b.when : a.order > b.order;
}

void Deadlines::at(Instant when, std::shared_ptr<Due> due)
{
    heap_.push_back({when, order_++, std::move(due)});
    std::push_heap(heap_.begin(), heap_.end(), later);
    arm();
}

void Deadlines::clear()
{
    heap_.clear();
    arm();
}

void Deadlines::fire()
{
    readTimer(fd_);
    armed_.reset();
    // What becomes due while this runs waits for the next turn, so that sockets get theirs.
    const Instant now = http::steadyNow();
    std::vector<std::shared_ptr<Due>> due;
    while (!heap_.empty() && heap_.front().when <= now) {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        due.push_back(std::move(heap_.back().due));
        heap_.pop_back();
    }
    for (const auto& one : due)
        one->onDue();
    arm();
}

void Deadlines::arm()
{
    if (fd_ < 0)
        return;
    std::optional<Instant> next;
    if (!heap_.empty())
        next = heap_.front().when;
    if (next == armed_)
        return;
    armed_ = next;
    itimerspec spec{};
    if (next) {
        // Relative, because the steady clock's origin is not the kernel's; zero would disarm.
        const auto wait = std::max<std::int64_t>(1, (*next - http::steadyNow()).count());
        spec.it_value.tv_sec = wait / 1000000000;
        spec.it_value.tv_nsec = wait % 1000000000;
    }
    timerfd_settime(fd_, 0, &spec, nullptr);
}

} // namespace sg::simulator
