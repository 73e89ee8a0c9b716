// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error.h"

#include <algorithm>
#include <array>

namespace sg::provider {

namespace {
using policy::CallOutcome;

struct Row
{
    ErrorClass error;
    std::string_view name, words;
    RetryAdvice retry;
    CallOutcome breaker;
    FallbackKind fallback;
};

using enum ErrorClass;
constexpr std::array<Row, kErrorClassCount> kRows{{
    {None, "none", "No error", RetryAdvice::No, CallOutcome::Success, FallbackKind::None},
    {RateLimited, "rate_limited", "Too many requests", RetryAdvice::Yes, CallOutcome::RateLimited, FallbackKind::Next},
    {QuotaExhausted, "quota_exhausted", "The account's quota or credit is used up", RetryAdvice::No,
     CallOutcome::Neutral, FallbackKind::Next},
    {Authentication, "authentication", "The provider does not accept the key", RetryAdvice::No, CallOutcome::Neutral,
     FallbackKind::Next},
    {Permission, "permission", "The key may not do this", RetryAdvice::No, CallOutcome::Neutral, FallbackKind::Next},
    {NotFound, "not_found", "The provider does not have this model or address", RetryAdvice::No, CallOutcome::Neutral,
     FallbackKind::Next},
    {BadRequest, "bad_request", "The provider does not understand the request", RetryAdvice::No, CallOutcome::Neutral,
     FallbackKind::Stop},
    {ContextTooLong, "context_too_long", "The request is too long for this model", RetryAdvice::No,
     CallOutcome::Neutral, FallbackKind::LargerContext},
    {ContentFiltered, "content_filtered", "The provider's content filter refused", RetryAdvice::No,
     CallOutcome::Neutral, FallbackKind::ContentPolicy},
    {PayloadTooLarge, "payload_too_large", "The request body is too large", RetryAdvice::No, CallOutcome::Neutral,
     FallbackKind::Stop},
    {Timeout, "timeout", "No answer in time", RetryAdvice::Yes, CallOutcome::Failure, FallbackKind::Next},
    {Overloaded, "overloaded", "The provider has no capacity", RetryAdvice::Yes, CallOutcome::Failure,
     FallbackKind::Next},
    {ServerError, "server_error", "The provider failed", RetryAdvice::Yes, CallOutcome::Failure, FallbackKind::Next},
    {BadResponse, "bad_response", "The answer makes no sense", RetryAdvice::Once, CallOutcome::Failure,
     FallbackKind::Next},
    {Connection, "connection", "No connection to the provider", RetryAdvice::Yes, CallOutcome::Failure,
     FallbackKind::Next},
    {Tls, "tls", "No secure connection to the provider", RetryAdvice::Yes, CallOutcome::Failure, FallbackKind::Next},
    {StreamBroken, "stream_broken", "The answer broke off", RetryAdvice::Yes, CallOutcome::Failure, FallbackKind::Next},
    {Cancelled, "cancelled", "Cancelled", RetryAdvice::No, CallOutcome::Neutral, FallbackKind::None},
    {LocalReject, "local_reject", "Refused here, never sent", RetryAdvice::No, CallOutcome::Neutral,
     FallbackKind::Next},
}};

constexpr bool rowsAreInOrder()
{
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (static_cast<std::size_t>(kRows[i].error) != i)
            return false;
    }
    return true;
}
static_assert(rowsAreInOrder());

const Row& rowOf(ErrorClass c)
{
    return kRows.at(static_cast<std::size_t>(c));
}
} // namespace

std::string_view toString(ErrorClass c)
{
    return rowOf(c).name;
}

std::string_view inWords(ErrorClass c)
{
    return rowOf(c).words;
}

std::optional<ErrorClass> errorClassFromString(std::string_view text)
{
    const auto it = std::ranges::find(kRows, text, &Row::name);
    if (it == kRows.end())
        return std::nullopt;
    return it->error;
}

Disposition dispositionOf(ErrorClass c)
{
    const Row& row = rowOf(c);
    return {row.error, row.retry, row.breaker, row.fallback};
}

bool refusesKey(const ErrorFacts& error)
{
    // By class, not by number: 402 and 403 also carry rate limits and content refusals.
    const ErrorClass c = error.disposition.error;
    return c == Authentication || c == Permission || (c == QuotaExhausted && error.status == 402);
}

std::string_view toString(RetryAdvice r)
{
    switch (r) {
    case RetryAdvice::Yes:
        return "yes";
    case RetryAdvice::No:
        return "no";
    case RetryAdvice::Once:
        break;
    }
    return "once";
}

std::string_view toString(FallbackKind f)
{
    switch (f) {
    case FallbackKind::None:
        return "none";
    case FallbackKind::Next:
        return "next";
    case FallbackKind::LargerContext:
        return "larger_context";
    case FallbackKind::ContentPolicy:
        return "content_policy";
    case FallbackKind::Stop:
        break;
    }
    return "stop";
}

} // namespace sg::provider
