// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/provider/chat.h"

#include <list>
#include <memory>
#include <string>
#include <unordered_map>

namespace sg::chain {

/// SHA-256 (hex) over everything of a request that changes the answer, wherever it goes: messages, tools, sampling,
/// response format. Any thread; 30 MiB take 0.2 s.
std::string contentDigest(const provider::ChatRequest& request);
/// SHA-256 (hex) over that, the chain and the tier asked for. `digest`: the request's, where it is known.
std::string cacheKey(const std::string& chain, const provider::ChatRequest& request, const std::string& digest = {});

/// LRU with a time to live; complete successes only. Equal requests in flight share one call: the first to look up
/// becomes the leader, the others follow it. Not thread-safe.
class ResponseCache
{
public:
    explicit ResponseCache(const CacheSpec& spec);

    using Entry = std::shared_ptr<const provider::Answer>;
    enum class Role { Hit, Leader, Follower };
    struct Found { Role role = Role::Leader; Entry entry; };
    Found lookup(const std::string& key, Instant now);
    /// The leader's end: with an answer it is stored; either way the key is free for a new leader.
    void leaderDone(const std::string& key, Entry answer, Instant now);

    /// Other sizes and another time to live; what is kept stays as far as it has room, and as long as it was to stay.
    void resize(const CacheSpec& spec);

    struct Figures { std::size_t entries = 0, bytes = 0; std::int64_t hits = 0, misses = 0, shared = 0, evicted = 0; };
    const Figures& figures() const { return figures_; }

private:
    struct Slot { Entry entry; Instant expires; std::size_t bytes = 0; std::list<std::string>::iterator used; };
    void evict(std::unordered_map<std::string, Slot>::iterator slot);
    void makeRoom(std::size_t entries, std::size_t bytes);
    CacheSpec spec_;
    std::unordered_map<std::string, Slot> slots_;
    std::unordered_map<std::string, int> leaders_;
    std::list<std::string> order_; ///< most recently used first
    Figures figures_;
};

} // namespace sg::chain
