// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/directory.h"
#include "core/engine/engine_core.h"

#include <QThread>

#include <atomic>
#include <memory>
#include <mutex>

namespace sg::http {
class Mailbox;
class MailSlot;
}

namespace sg::engine {

/// The engine with its thread, as other threads see it: commands go in as queued calls, snapshots come out.
class Engine final : public observe::Commands
{
public:
    explicit Engine(const EngineOptions& options);
    ~Engine() override; ///< cancels what runs and waits for the thread

    /// Runs `work` in the engine thread; returns at once. Work posted earlier runs earlier.
    void post(std::function<void(EngineCore&)> work);
    /// Runs `work` in the engine thread and waits for it. Not from the GUI thread, not from the engine thread.
    void run(const std::function<void(EngineCore&)>& work);

    /// A way to post that may outlive the engine: work given after its end, or not done before it, is dropped.
    using Poster = std::function<void(std::function<void(EngineCore&)> work)>;
    Poster poster() const;

    void breaker(const std::string& endpoint, observe::BreakerCommand command, const std::string& reason) override;

    /// The newest picture; null before the first. The engine makes them 15 times a second while somebody asks.
    observe::SnapshotPtr latest();
    /// Where requests can go by the newest applied workspace; never null.
    DirectoryPtr directory() const;
    void setWindow(Nanos window);

private:
    void publish();

    QThread thread_;
    http::Mailbox* mailbox_;   ///< into thread_, where it dies
    std::shared_ptr<http::MailSlot> slot_; ///< into mailbox_, until it goes
    EngineCore* core_;         ///< lives and dies in thread_
    mutable std::mutex mutex_; ///< guards what follows; held for a pointer copy only
    observe::SnapshotPtr snapshot_;
    DirectoryPtr directory_ = std::make_shared<const Directory>();
    Instant nextPublish_ = Instant::max(); ///< engine thread only
    std::atomic<std::int64_t> windowNs_;
    std::atomic<int> unread_{0}; ///< pictures published since the last look
};

} // namespace sg::engine
