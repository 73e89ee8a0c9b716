// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine.h"
#include "core/engine/watch.h"

#include <deque>
#include <map>

namespace sg::engine {

class WatchedRequests;
struct WatchSlot;

/// Sends single requests and shows them, for one engine. GUI thread.
class Watcher final : public WatchControl
{
public:
    static constexpr std::size_t kMostKept = 32; ///< requests that are over; running ones are kept beyond it
    explicit Watcher(Engine& engine);            ///< which must outlive this
    ~Watcher() override;                         ///< cancels what still runs
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    std::vector<WatchTarget> targets() const override;
    std::uint64_t send(const CallTarget& target, const provider::ChatRequest& request) override;
    void cancel(std::uint64_t id) override;
    WatchViewPtr view(std::uint64_t id) const override;
    void forget(std::uint64_t id) override;
    std::vector<WatchEstimate> estimate(const CallTarget& target, const provider::ChatRequest& request) const override;

private:
    void dropOldest();

    Engine& engine_;
    std::shared_ptr<WatchedRequests> requests_; ///< used in the engine thread only
    std::map<std::uint64_t, std::shared_ptr<WatchSlot>> slots_;
    std::uint64_t nextId_ = 1;
};

} // namespace sg::engine
