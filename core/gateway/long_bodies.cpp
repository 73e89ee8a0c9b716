// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/long_bodies.h"

namespace sg::gateway {

namespace {
constexpr qsizetype kShort = 256 * 1024; // 1.3 ms
constexpr std::size_t kMostWaiting = 8;
} // namespace

LongBodies::LongBodies()
    : slot_(std::make_shared<http::MailSlot>(mailbox_))
{
    pool_.setMaxThreadCount(1);
}

LongBodies::~LongBodies()
{
    slot_->close();
    pool_.clear();
    pool_.waitForDone();
}

bool LongBodies::isAside(qsizetype size) const
{
    return size > kShort && waiting_.size() < kMostWaiting;
}

void LongBodies::start(std::function<void()> work, std::function<void()> then)
{
    const quint64 number = ++next_;
    waiting_.emplace(number, std::move(then));
    pool_.start([this, number, slot = slot_, work = std::move(work)] {
        work();
        slot->post([this, number] {
            const auto done = waiting_.extract(number);
            done.mapped()();
        });
    });
}

} // namespace sg::gateway
