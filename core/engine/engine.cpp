// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/http/mailbox.h"

namespace sg::engine {

namespace {
constexpr int kPublishEveryMs = 66;
constexpr int kStopAfterUnread = 30; ///< two seconds without a reader: a hidden window costs nothing
} // namespace

Engine::Engine(const EngineOptions& options)
    : mailbox_(new http::Mailbox)
    , slot_(std::make_shared<http::MailSlot>(*mailbox_))
    , windowNs_(Nanos(std::chrono::minutes(15)).count())
{
    thread_.setObjectName(QStringLiteral("engine"));
    mailbox_->moveToThread(&thread_);
    thread_.start();
    mailbox_->run([&] { // the core's sockets and timers must be born in the thread they live in
        core_ = new EngineCore(options);
        auto* timer = new QTimer(core_);
        QObject::connect(timer, &QTimer::timeout, core_, [this] { publish(); });
        timer->start(kPublishEveryMs);
        QObject::connect(core_, &EngineCore::applied, core_, [this] {
            auto fresh = directoryOf(core_->switchboard());
            const std::lock_guard lock(mutex_);
            directory_ = std::move(fresh);
        });
    });
}

Engine::~Engine()
{
    slot_->close();
    mailbox_->run([this] { delete core_; });
    mailbox_->deleteLater();
    thread_.quit();
    thread_.wait();
}

void Engine::post(std::function<void(EngineCore&)> work)
{
    mailbox_->post([this, work = std::move(work)] { work(*core_); });
}

Engine::Poster Engine::poster() const
{
    return [this, slot = slot_](std::function<void(EngineCore&)> work) {
        slot->post([this, work = std::move(work)] { work(*core_); });
    };
}

void Engine::run(const std::function<void(EngineCore&)>& work)
{
    mailbox_->run([&] { work(*core_); });
}

void Engine::breaker(const std::string& endpoint, observe::BreakerCommand command, const std::string& reason)
{
    post([=](EngineCore& core) { core.command(endpoint, command, reason); });
}

observe::SnapshotPtr Engine::latest()
{
    unread_ = 0;
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

DirectoryPtr Engine::directory() const
{
    const std::lock_guard lock(mutex_);
    return directory_;
}

void Engine::setWindow(Nanos window)
{
    windowNs_ = window.count();
}

void Engine::publish()
{
    if (unread_ > kStopAfterUnread) {
        nextPublish_ = Instant::max(); // a pause is no delay
        return;
    }
    ++unread_;
    const Instant now = http::steadyNow();
    core_->recorder().noteLag(std::max(Nanos(0), now - nextPublish_));
    nextPublish_ = now + Millis(kPublishEveryMs);
    auto fresh = core_->recorder().snapshot(Nanos(windowNs_.load()), now);
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(fresh);
}

} // namespace sg::engine
