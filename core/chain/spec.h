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
    bool operator==(const TierSpec&) const = default;
};

struct LimiterSpec
{
    double ratePerSecond = 0; ///< token bucket; 0 = no bucket
    double burst = 0;
    Nanos maxWait{0};         ///< longest a request may be held back; longer = refused
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

struct ChainSpec
{
    std::string name;
    std::optional<LimiterSpec> limiter;
    std::optional<CacheSpec> cache;
    std::vector<TierSpec> tiers;
    Nanos deadline{std::chrono::seconds(60)}; ///< for the whole request, waits included
    int attemptBudget = 6;                    ///< over all tiers
    Nanos maxServerWait{std::chrono::seconds(60)}; ///< the longest wait a server may ask for before traffic moves on
    bool contentPolicyFallback = false;       ///< may another model be asked what one refused for content?
    bool operator==(const ChainSpec&) const = default;
};

} // namespace sg::chain
