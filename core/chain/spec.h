// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/backoff.h"
#include "core/policy/breaker.h"
#include "core/policy/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a chain is, as the run needs it: checked, with defaults filled in. Immutable while requests use it.
namespace sg::chain {

struct Capabilities
{
    bool tools = true, images = true, jsonMode = true;
    std::optional<std::int64_t> contextWindow; ///< tokens; empty = unknown, never a reason to skip
    bool operator==(const Capabilities&) const = default;
};

struct EndpointSpec
{
    std::string name;       ///< unique in the workspace
    std::string quotaGroup; ///< endpoints of one group share the provider's quota; default: the name
    std::string credential; ///< endpoints with one key share its fate; default: the name
    Capabilities capabilities;
    policy::BreakerConfig breaker;
    std::optional<double> requestsPerMinute; ///< own limit, refused locally beyond it
    std::optional<double> tokensPerMinute;
    std::optional<int> maxInFlight; ///< bulkhead
    bool operator==(const EndpointSpec&) const = default;
};

enum class TierKind { Endpoint, CannedReply };

/// The first rule with a matching word answers; a rule without words always matches.
struct CannedRule
{
    std::vector<std::string> words; ///< compared without case, as whole words where letters are Latin
    std::string reply;
    bool operator==(const CannedRule&) const = default;
};

/// What makes a failed or refused attempt leave this tier for the next one; what is off goes straight to the caller.
struct MovesOn
{
    bool rateLimited = true; ///< 429, an empty quota, the tier's own limits
    bool serverError = true; ///< 5xx, 529, broken connections and streams
    bool timeout = true;
    bool openBreaker = true;
    bool contextTooLong = true; ///< to a tier with a larger window
    bool contentPolicy = false; ///< may another model be asked what this one refused for content?
    bool operator==(const MovesOn&) const = default;
};

struct TierSpec
{
    std::string name;
    TierKind kind = TierKind::Endpoint;
    bool enabled = true;
    std::string endpoint; ///< TierKind::Endpoint
    int maxAttempts = 1;  ///< tries on this tier for one request, >= 1
    std::optional<Nanos> attemptTimeout;
    policy::BackoffPolicy backoff;
    std::vector<CannedRule> rules; ///< TierKind::CannedReply
    MovesOn movesOn{};
    /// Neighbouring tiers with the same text here, not empty, share traffic: for each request one of them is drawn by
    /// weight to come first; the others follow in their order.
    std::string split{};
    double weight = 1;           ///< >= 0; 0: only after the others
    std::string backoffPolicy{}; ///< the library's policy that `backoff` is; empty: its own
    bool operator==(const TierSpec&) const = default;
};

struct LimiterSpec
{
    double ratePerSecond = 0; ///< token bucket; 0 = no bucket
    double burst = 0;
    Nanos maxWait{0};                        ///< longest a request may be held back; longer = refused
    std::optional<std::int64_t> windowLimit; ///< sliding window beside the bucket
    Nanos window{Millis(60000)};
    bool operator==(const LimiterSpec&) const = default;
};

struct CacheSpec
{
    std::size_t maxEntries = 1000;
    std::size_t maxBytes = 64u << 20;
    Nanos ttl{std::chrono::hours(1)};
    bool operator==(const CacheSpec&) const = default;
};

/// A class of requests, told by words of the last user message (compared as CannedRule's).
struct RouteClass
{
    std::string name;               ///< "complex"
    std::vector<std::string> words; ///< without words it takes every request
    int atLeast = 1;                ///< different words that must occur
    bool countsEarlier = false;     ///< words of the classes before it count here too
    std::string tier; ///< name of the tier that comes first; the others follow in their order. Empty: the chain's order
    bool operator==(const RouteClass&) const = default;
};
/// The first class that fits decides; without one the order is the chain's.
struct RouterSpec
{
    std::vector<RouteClass> classes;
    bool operator==(const RouterSpec&) const = default;
};

struct ChainSpec
{
    std::string name;
    std::optional<LimiterSpec> limiter;
    std::optional<CacheSpec> cache;
    std::vector<TierSpec> tiers;
    Nanos deadline{std::chrono::seconds(60)};      ///< for the whole request, waits included
    int attemptBudget = 6;                         ///< over all tiers
    Nanos maxServerWait{std::chrono::seconds(60)}; ///< the longest wait a server may ask for before traffic moves on
    std::optional<RouterSpec> router{};
    std::string limiterPolicy{}; ///< the library's policy that `limiter` is; empty: its own
    bool operator==(const ChainSpec&) const = default;
};

} // namespace sg::chain
