// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Limits of one attempt that depend on what is asked of the model, or on the tokens that come. Pure values.
namespace sg::policy {

/// Total time by task: min(base, floor + per100Tokens × max_tokens / 100). A short answer is given up earlier than a
/// long one. All spans >= 0.
struct TaskTimeout
{
    std::optional<Nanos> base; ///< the longest for this model; empty: usualBase of the model
    Nanos per100Tokens{std::chrono::seconds(2)};
    Nanos floor{std::chrono::seconds(10)};
    bool operator==(const TaskTimeout&) const = default;
};

/// 30 s for gpt-4o-mini, 45 s for claude models, 60 s for gpt-4o and all others; a vendor before the name ("openai/…")
/// and a version behind it do not matter.
Nanos usualBase(std::string_view model);

/// Without an output limit (none, or not above 0) the answer may have any length: the base.
Nanos totalFor(const TaskTimeout& timeout, std::string_view model, std::optional<std::int64_t> maxTokens);

/// The slowest answer that is put up with: less than tokensPerSecond × window within one window is too slow.
struct RateFloor
{
    double tokensPerSecond = 0; ///< > 0
    Nanos window{std::chrono::seconds(5)};
    bool operator==(const RateFloor&) const = default;
};

/// Watches one answer against a floor, window after window. Events in the order of time.
class RateWatch
{
public:
    RateWatch(const RateFloor& floor, Instant start);
    void add(double tokens) { tokens_ += tokens; }
    Instant due() const { return later(start_, floor_.window); } ///< when the window ends: ask isTooSlow
    /// Judges the window when it has ended, and begins the next one at `now`; before its end it is never too slow.
    bool isTooSlow(Instant now);
    /// Nothing was taken in between, and that was not the server's doing: the window is that much longer.
    void stoodStill(Instant from, Instant to);

private:
    RateFloor floor_;
    Instant start_;
    double tokens_ = 0;
};

/// Limits about tokens, which the transport cannot keep because it knows bytes only.
struct TokenLimits
{
    /// From the request being sent to the first token of any kind. Comments and chunks without content do not end it.
    /// For streamed requests only; it ends too when the server answers whole.
    std::optional<Nanos> firstToken;
    /// From the headers of the answer to the commit point: a stream has no tokens before it, so its first must come
    /// within one window; the body of an answer sent whole is counted as 4 bytes a token.
    std::optional<RateFloor> slowest;
    /// `slowest` goes on after the commit point (4 characters a token). What is too slow then is a broken stream: the
    /// caller has had a part of it, so nothing is retried.
    bool abortsSlowStreams = false;
    bool any() const { return firstToken || slowest; }
    bool operator==(const TokenLimits&) const = default;
};

} // namespace sg::policy
