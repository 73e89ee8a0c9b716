// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/beside.h"

#include <QThread>

#include <algorithm>

namespace sg::engine {

namespace {
constexpr int kMostThreads = 2; // each may need 200 MiB; and one processor is the engine thread's
}

Beside::Beside()
    : slot_(std::make_shared<http::MailSlot>(mailbox_))
    , workers_(std::clamp(QThread::idealThreadCount() - 1, 1, kMostThreads))
{
}

Beside::~Beside()
{
    slot_->close();
    workers_.abandon();
}

void Beside::start(std::function<void()> work, std::function<void()> then)
{
    const quint64 number = ++next_;
    waiting_.emplace(number, std::move(then));
    workers_.start([this, number, slot = slot_, work = std::move(work)]() mutable {
        work();
        work = {};
        slot->post([this, number] { done(number); });
    });
}

void Beside::done(quint64 number)
{
    auto node = waiting_.extract(number);
    node.mapped()();
}

} // namespace sg::engine
