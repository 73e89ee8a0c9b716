// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"
#include "core/policy/wait_hint.h"
#include "core/provider/dialect.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sg::provider {

/// Classes after tests/data/vectors/README.md, section Errors. None = no error.
enum class ErrorClass {
    None,
    RateLimited,
    QuotaExhausted,
    Authentication,
    Permission,
    NotFound,
    BadRequest,
    ContextTooLong,
    ContentFiltered,
    PayloadTooLarge,
    Timeout,
    Overloaded,
    ServerError,
    BadResponse,
    Connection,
    Tls,
    StreamBroken,
    Cancelled,
    LocalReject,
};
constexpr int kErrorClassCount = 19;
std::string_view toString(ErrorClass c); // snake_case, as in files
std::optional<ErrorClass> errorClassFromString(std::string_view text);
/// A short sentence for people: "Too many requests", "The provider has no capacity".
std::string_view inWords(ErrorClass c);

enum class RetryAdvice { Yes, No, Once }; ///< on the same endpoint
enum class FallbackKind { None, Next, LargerContext, ContentPolicy, Stop };
std::string_view toString(RetryAdvice r);
std::string_view toString(FallbackKind f);

/// What an error means for the endpoint and for the rest of the chain.
struct Disposition
{
    ErrorClass error = ErrorClass::None;
    RetryAdvice retry = RetryAdvice::No;
    policy::CallOutcome breaker = policy::CallOutcome::Success;
    FallbackKind fallback = FallbackKind::None;
    bool operator==(const Disposition&) const = default;
};
/// The defaults of a class.
Disposition dispositionOf(ErrorClass c);

/// Everything the chain must know of one finished attempt that failed (or Disposition::error None for success).
struct ErrorFacts
{
    Disposition disposition;
    int status = 0;      ///< HTTP status, 0 when none
    std::string code;    ///< provider's code or type, "" when none
    std::string message; ///< provider's words, at most 300 characters, secrets masked
    policy::WaitHint hint;
};

/// The provider refuses the key itself, so no request with it can be answered.
bool refusesKey(const ErrorFacts& error);

/// A finished HTTP answer with its whole body, or an error event of a stream before its first delta (`status` 200
/// then). A 2xx answer without fault gives ErrorClass::None; its body may be of any known dialect. Header names ignore
/// case.
ErrorFacts classifyAnswer(std::string_view provider, int status, const policy::HeaderList& headers,
                          std::string_view body, std::int64_t nowUnixMs, Nanos maxServerWait = Millis(60000));

enum class TransportError {
    Dns,
    Refused,
    Reset,
    OutcomeUnknown,
    TlsHandshake,
    CertificateUntrusted,
    HostnameMismatch,
    BadScheme,
    Redirect,
    ConnectTimeout,
    FirstByteTimeout,
    FirstTokenTimeout,
    TooSlow,
    IdleTimeout,
    TotalTimeout,
    BodyTooLarge,
    NotHttp,
    NoDescriptors, ///< this process could not open a socket
    Cancelled,
};
/// The code of a NoDescriptors: that nothing was sent is no failure of the endpoint, and soon over.
inline constexpr std::string_view kOutOfDescriptors = "out_of_descriptors";
/// The code of an answer that was given up here because the memory for answers was full: the endpoint was asked.
inline constexpr std::string_view kAnswersFull = "answers_full";
/// The code of a Dns: no provider was reached, and none refused.
inline constexpr std::string_view kNameNotResolved = "name_not_resolved";
/// Detail is masked and cut like every message. OutcomeUnknown may have been billed, so it is retried once at most.
/// `committed`: a delta had been delivered; then everything is StreamBroken (Cancelled excepted).
ErrorFacts classifyTransport(TransportError error, bool committed, std::string detail);

/// What the product itself decided; never a failure of the endpoint.
enum class LocalEvent { UserCancelled, DeadlinePast, BreakerOpen, LimiterRefused, BulkheadFull, HintOverCap };
ErrorFacts classifyLocal(LocalEvent event, std::string detail = {});

/// A stream that ended without a terminal event.
ErrorFacts streamBroken(bool committed, std::string detail);

/// What came with the answer whose body or events are read. Without a wall clock (`nowUnixMs` 0) no hint is read:
/// a time of day in the body would be measured from 1970.
struct AnswerContext
{
    std::string provider = "openai";
    policy::HeaderList headers;
    std::int64_t nowUnixMs = 0;
    Nanos maxServerWait{Millis(60000)};
    Dialect dialect = Dialect::OpenAi;
    std::optional<Nanos> ownBackoff{}; ///< the product's own next wait, where it is known
};

/// An error event of a stream: `name` is the event or exception type ("error", "throttlingException"). Before the first
/// delta it counts as its own status, after it as StreamBroken.
ErrorFacts classifyStreamError(const AnswerContext& context, std::string_view name, std::string_view data,
                               bool committed);

} // namespace sg::provider
