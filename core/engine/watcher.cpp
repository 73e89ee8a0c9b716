// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watcher.h"

#include "core/engine/watched_requests.h"

namespace sg::engine {

namespace {

constexpr std::int64_t kUsualLimit = 4096;

WatchEstimate estimateAt(const DirectoryEndpoint& endpoint, const provider::Needs& needs)
{
    WatchEstimate estimate;
    estimate.endpoint = endpoint.name;
    estimate.inputTokens = needs.estimatedInputTokens;
    if (!endpoint.price)
        return estimate;
    const std::int64_t limit = needs.maxOutputTokens > 0 ? needs.maxOutputTokens : kUsualLimit;
    if (const auto usual = cost::costOf({needs.estimatedInputTokens, (limit + 3) / 4, {}, {}, {}}, *endpoint.price))
        estimate.costNanoUsd = usual->total.count();
    if (needs.maxOutputTokens <= 0)
        return estimate;
    if (const auto worst = cost::worstCase(needs.estimatedInputTokens, needs.maxOutputTokens, *endpoint.price))
        estimate.worstNanoUsd = worst->total.count();
    return estimate;
}

} // namespace

Watcher::Watcher(Engine& engine)
    : engine_(engine)
    , requests_(std::make_shared<WatchedRequests>())
{
}

Watcher::~Watcher()
{
    engine_.post([requests = requests_](EngineCore& core) { requests->forgetAll(core); });
}

std::vector<WatchTarget> Watcher::targets() const
{
    const DirectoryPtr directory = engine_.directory();
    std::vector<WatchTarget> targets;
    for (const DirectoryChain& chain : directory->chains)
        targets.push_back({{TargetKind::Chain, chain.name}, {}, {}, {}});
    for (const DirectoryEndpoint& endpoint : directory->endpoints)
        targets.push_back(
            {{TargetKind::Endpoint, endpoint.name}, endpoint.provider, endpoint.model, endpoint.unusable});
    return targets;
}

std::uint64_t Watcher::send(const CallTarget& target, const provider::ChatRequest& request)
{
    dropOldest();
    const std::uint64_t id = nextId_++;
    const auto slot = std::make_shared<WatchSlot>();
    slots_[id] = slot;
    Call call;
    call.target = target;
    call.request = request;
    call.intended = http::steadyNow();
    engine_.post([requests = requests_, id, call = std::move(call), slot](EngineCore& core) mutable {
        requests->start(core, id, std::move(call), std::move(slot));
    });
    return id;
}

/// Nobody needs to forget what has ended: of that the oldest goes.
void Watcher::dropOldest()
{
    if (slots_.size() < kMostKept)
        return;
    for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
        const WatchViewPtr view = slot->second->newest();
        if (!view || view->running)
            continue;
        slots_.erase(slot);
        return;
    }
}

void Watcher::cancel(std::uint64_t id)
{
    engine_.post([requests = requests_, id](EngineCore& core) { requests->cancel(core, id); });
}

WatchViewPtr Watcher::view(std::uint64_t id) const
{
    const auto slot = slots_.find(id);
    if (slot == slots_.end())
        return nullptr;
    slot->second->wanted = true;
    return slot->second->newest();
}

void Watcher::forget(std::uint64_t id)
{
    slots_.erase(id);
    engine_.post([requests = requests_, id](EngineCore& core) { requests->forget(core, id); });
}

std::vector<WatchEstimate> Watcher::estimate(const CallTarget& target, const provider::ChatRequest& request) const
{
    const DirectoryPtr directory = engine_.directory();
    const provider::Needs needs = provider::needsOf(request);
    std::vector<WatchEstimate> estimates;
    for (const std::string& name : directory->reachedBy(target))
        if (const DirectoryEndpoint* endpoint = directory->endpoint(name))
            estimates.push_back(estimateAt(*endpoint, needs));
    return estimates;
}

} // namespace sg::engine
