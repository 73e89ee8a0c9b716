// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watched_requests.h"

namespace sg::engine {

namespace {
constexpr Millis kBeat{50};
} // namespace

void WatchedRequests::start(EngineCore& core, std::uint64_t id, Call call, std::shared_ptr<WatchSlot> slot)
{
    const auto request = std::make_shared<WatchedRequest>(id, call.target);
    call.watch = request;
    call.onFinished = [this, alive = weak_from_this(), &core, id](const CallResult& result) {
        if (const auto self = alive.lock())
            finished(core, id, result);
    };
    const CallId started = core.start(std::move(call));
    slot->put(request->picture(core, *core.running(started)));
    entries_[id] = {started, request, std::move(slot)};
    beatLater(core);
}

void WatchedRequests::cancel(EngineCore& core, std::uint64_t id)
{
    const auto entry = entries_.find(id);
    if (entry != entries_.end())
        core.cancel(entry->second.call);
}

void WatchedRequests::forget(EngineCore& core, std::uint64_t id)
{
    const auto entry = entries_.extract(id);
    if (entry)
        core.cancel(entry.mapped().call);
}

void WatchedRequests::forgetAll(EngineCore& core)
{
    for (const auto& [id, entry] : std::exchange(entries_, {}))
        core.cancel(entry.call);
}

void WatchedRequests::finished(EngineCore& core, std::uint64_t id, const CallResult& result)
{
    const auto entry = entries_.extract(id);
    if (entry)
        entry.mapped().slot->put(entry.mapped().request->lastPicture(core, result));
}

void WatchedRequests::beatLater(EngineCore& core)
{
    if (std::exchange(beating_, true))
        return;
    core.timers().at(http::steadyNow() + kBeat, [this, alive = weak_from_this(), &core] {
        if (const auto self = alive.lock())
            beat(core);
    });
}

void WatchedRequests::beat(EngineCore& core)
{
    beating_ = false;
    for (const auto& [id, entry] : entries_) {
        if (!entry.slot->wanted.exchange(false))
            continue;
        if (const auto running = core.running(entry.call))
            entry.slot->put(entry.request->picture(core, *running));
    }
    if (!entries_.empty())
        beatLater(core);
}

} // namespace sg::engine
