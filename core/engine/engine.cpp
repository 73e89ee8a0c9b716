// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/http/in_thread.h"

namespace sg::engine {

namespace {
constexpr int kPublishEveryMs = 66;
constexpr int kStopAfterUnread = 30; ///< two seconds without a reader: a hidden window costs nothing
} // namespace

Engine::Engine(const EngineOptions& options)
    : windowNs_(Nanos(std::chrono::minutes(15)).count())
{
    thread_.setObjectName(QStringLiteral("engine"));
    auto* context = new QObject; // the core's sockets and timers must be born in the thread they live in
    context->moveToThread(&thread_);
    thread_.start();
    http::runIn(context, [&] {
        core_ = new EngineCore(options);
        auto* timer = new QTimer(core_);
        QObject::connect(timer, &QTimer::timeout, core_, [this] { publish(); });
        timer->start(kPublishEveryMs);
    });
    context->deleteLater();
}

Engine::~Engine()
{
    http::runIn(core_, [this] { delete core_; });
    thread_.quit();
    thread_.wait();
}

void Engine::post(std::function<void(EngineCore&)> work)
{
    http::postIn(core_, [this, work = std::move(work)] { work(*core_); });
}

void Engine::run(const std::function<void(EngineCore&)>& work)
{
    http::runIn(core_, [&] { work(*core_); });
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

void Engine::setWindow(Nanos window)
{
    windowNs_ = window.count();
}

void Engine::publish()
{
    if (unread_ > kStopAfterUnread)
        return;
    ++unread_;
    auto fresh = core_->recorder().snapshot(Nanos(windowNs_.load()), http::steadyNow());
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(fresh);
}

} // namespace sg::engine
