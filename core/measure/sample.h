// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a run's figures mean, apart from how its requests are made. Pure: the time comes in with the facts. Values and
/// classes of this room are not thread-safe.
namespace sg::measure {

/// Every finished request is exactly one of these.
enum class Outcome {
    Success,
    Failed,    ///< nothing of an answer was seen
    Cancelled, ///< by whoever asked: nobody's failure
    CutOff,    ///< an answer had begun and did not end as promised
};
constexpr int kOutcomeCount = 4;
std::string_view toString(Outcome outcome); // snake_case: "cut_off"

/// What a request's cost is worth.
enum class CostIs {
    Exact,
    Estimated, ///< a part of it from characters
    AtLeast,   ///< an attempt's part of it is not known
};
constexpr int kCostIsCount = 3;
std::string_view toString(CostIs cost); // snake_case: "at_least"

/// A piece of a streamed answer. Those of one moment came together.
struct Chunk
{
    Instant at;
    std::int64_t characters = 0;
};

/// One finished request. Moments are those of the attempt that answered (or was the last); what did not happen is
/// empty.
struct Sample
{
    Instant intended; ///< when the schedule, or its user, wanted it
    /// When the generator handed it over; empty in results of generators that do not say it.
    std::optional<Instant> dispatched;
    std::optional<Instant> sent, headers, firstByte, firstToken, lastToken;
    Instant end;
    Outcome outcome = Outcome::Success;
    std::optional<std::int64_t> inputTokens, outputTokens;
    bool tokensAreEstimated = false;    ///< from characters: no TPOT and no gaps between tokens then
    int attempts = 0;                   ///< 0: answered without one (cache)
    Nanos waited{0};                    ///< inside the request: backoff, server hints, limiters
    Nanos waitedBeforeSent{0};          ///< the part of it before the first attempt
    std::optional<Instant> firstSent{}; ///< of the first attempt
    /// When the generator set about the first attempt; what is before it is its own delay.
    std::optional<Instant> firstBegun{};
    std::optional<std::int64_t> costNanoUsd{};
    std::vector<Chunk> chunks{}; ///< with content, in order
    // For whoever keeps one row a request.
    int status = 0;                 ///< HTTP, of the last attempt; 0: no answer came, or none was asked
    std::string endpoint{};         ///< that answered or was asked last; empty: none was
    std::string source{};           ///< of an answer: "endpoint", "cache", "shared_call", "canned_reply"
    std::string error{};            ///< class of the failure: "rate_limited"; empty: there was none
    std::optional<CostIs> costIs{}; ///< empty: there is no cost, or it is not known what it is worth
};

} // namespace sg::measure
