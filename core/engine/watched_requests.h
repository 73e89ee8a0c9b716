// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watched_request.h"

#include <atomic>
#include <map>
#include <mutex>

namespace sg::engine {

/// Where a picture lies between the engine thread, which makes it, and the screen, which takes it. Any thread.
struct WatchSlot
{
    void put(WatchViewPtr fresh)
    {
        const std::lock_guard lock(mutex);
        view = std::move(fresh);
    }
    WatchViewPtr newest()
    {
        const std::lock_guard lock(mutex);
        return view;
    }

    std::atomic<bool> wanted{false}; ///< somebody has looked since the last picture
    std::mutex mutex;                ///< guards view; held for a pointer copy only
    WatchViewPtr view;
};

/// The watched requests that run, and the beat of their pictures. Engine thread.
class WatchedRequests : public std::enable_shared_from_this<WatchedRequests>
{
public:
    void start(EngineCore& core, std::uint64_t id, Call call, std::shared_ptr<WatchSlot> slot);
    void cancel(EngineCore& core, std::uint64_t id);
    void forget(EngineCore& core, std::uint64_t id); ///< cancels it; no picture is made any more
    void forgetAll(EngineCore& core);

private:
    struct Entry
    {
        CallId call = 0;
        std::shared_ptr<WatchedRequest> request;
        std::shared_ptr<WatchSlot> slot;
    };
    void finished(EngineCore& core, std::uint64_t id, const CallResult& result);
    void beat(EngineCore& core);
    void beatLater(EngineCore& core);

    std::map<std::uint64_t, Entry> entries_;
    bool beating_ = false;
};

} // namespace sg::engine
