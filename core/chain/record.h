// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/provider/chat.h"
#include "core/provider/error.h"

#include <QByteArray>

#include <variant>

/// The record one request keeps of its way: what a waterfall shows is this, not a reconstruction.
namespace sg::chain {

enum class WaitReason { Backoff, ServerHint, Limiter };
std::string_view toString(WaitReason reason);

struct WaitRecord
{
    Instant from, until;
    WaitReason reason = WaitReason::Backoff;
    std::string source; ///< "retry-after", "exponential backoff, full jitter", "chain limiter"
    Nanos ownBackoff{0};
    std::optional<Nanos> hint;
    std::string endpoint;                        ///< whose retry is waited for; empty for the limiter
    std::optional<Nanos> drawnFrom{}, drawnTo{}; ///< the band `ownBackoff` was drawn from; empty: nothing was drawn
};

enum class MoveReason {
    Disabled,
    LacksTools,
    LacksImages,
    LacksJsonMode,
    WindowTooSmall,
    CredentialOut,
    Parked,
    BreakerOpen,
    RateLimited,
    Bulkhead,
    AttemptsUsed,
    NotRetryable,
    WaitTooLong,
    AttemptBudget,
    ContextTooLong,
    ContentPolicy,
    NoRuleMatched,
};
std::string_view toString(MoveReason reason);

/// A tier was left or passed over.
struct MoveRecord
{
    Instant at;
    int tier = 0; ///< index of the tier that is left
    std::string endpoint;
    MoveReason reason = MoveReason::Disabled;
    std::optional<Nanos> wait; ///< how long this tier would have asked for, where that is known
    std::string because{};     ///< more than the reason says, in plain words; may be empty
};

/// Steady moments of one attempt as the transport saw them; empty = did not happen.
struct AttemptTiming
{
    Instant dispatched;
    std::optional<Instant> sent, headers, firstByte, firstToken, lastToken;
    Instant end;
    std::optional<Instant> connecting{}; ///< a new connection was begun; empty: an open one was used
    std::optional<Instant> begun{};      ///< as in http::Timing: what is before it is this side's own delay
};

struct AttemptRecord
{
    int number = 1; ///< over the whole request, from 1
    int tier = 0;
    std::string endpoint;
    bool probe = false; ///< the breaker was half-open
    AttemptTiming timing;
    provider::ErrorFacts error; ///< disposition.error None: success
    provider::Usage usage;
    bool committed = false;
};

enum class Source { None, Endpoint, Cache, SharedCall, CannedReply };
std::string_view toString(Source source);

enum class Ending { Running, Answered, Failed, Cancelled };
std::string_view toString(Ending ending);

using Step = std::variant<WaitRecord, MoveRecord, AttemptRecord>;

struct RunRecord
{
    std::uint64_t id = 0;
    std::string chain;
    Instant started, ended;
    std::vector<Step> steps; ///< in order of happening
    int attempts = 0;
    Ending ending = Ending::Running;
    Source source = Source::None;
    int tier = -1;                   ///< that answered, or -1
    std::string endpoint;            ///< that answered, or empty
    provider::ErrorFacts error;      ///< when failed
    std::optional<Nanos> retryAfter; ///< when every tier is out: the smallest wait
    bool committed = false;
    std::string route{}; ///< the router's class of this request; empty: none fitted, or it was not asked
};
/// The latest one that has ended; null: none has. It lives as long as the record does not change.
const AttemptRecord* lastAttempt(const RunRecord& record);
/// Stable JSON: the same record gives the same bytes. Times in ns since `started`.
QByteArray toJson(const RunRecord& record);

} // namespace sg::chain
