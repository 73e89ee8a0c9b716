// SPDX-License-Identifier: GPL-3.0-or-later
// Which words and codes mean what is taken from the vendors' error pages and clients; tests/data/vectors/errors.json
// holds one case and its evidence for nearly every row.
#include "core/provider/error_rules.h"

#include <algorithm>
#include <cctype>

namespace sg::provider {

namespace {
using policy::CallOutcome;
using enum ErrorClass;

/// A row's meaning: its class's defaults, with what differs.
struct Meaning
{
    ErrorClass error;
    std::optional<RetryAdvice> retry{};
    std::optional<CallOutcome> breaker{};
    std::optional<FallbackKind> fallback{};

    Disposition disposition() const
    {
        Disposition d = dispositionOf(error);
        d.retry = retry.value_or(d.retry);
        d.breaker = breaker.value_or(d.breaker);
        d.fallback = fallback.value_or(d.fallback);
        return d;
    }
};

struct CodeRule
{
    std::string_view code;
    Meaning means;
    std::string_view provider{}; ///< only there; empty = anywhere
};

const CodeRule kCodes[] = {
    // OpenAI and Azure. invalid_request_error, rate_limit_exceeded and server_error are too broad to decide alone.
    {"context_length_exceeded", {ContextTooLong}},
    {"content_filter", {ContentFiltered}},
    {"content_policy_violation", {ContentFiltered}},
    {"ResponsibleAIPolicyViolation", {ContentFiltered}},
    {"invalid_api_key", {Authentication}},
    {"ip_not_authorized", {Authentication}},
    {"unsupported_country_region_territory", {Permission}},
    {"model_not_found", {NotFound}},
    {"DeploymentNotFound", {NotFound}},
    {"insufficient_quota", {QuotaExhausted}},
    {"billing_hard_limit_reached", {QuotaExhausted}},
    {"billing_not_active", {QuotaExhausted}},
    {"moderation_blocked", {ContentFiltered}},
    {"credit_balance_exhausted", {QuotaExhausted}},
    {"organization_spend_limit_exceeded", {QuotaExhausted}},
    {"project_spend_limit_exceeded", {QuotaExhausted}},
    {"organization_usage_limit_exceeded", {QuotaExhausted}},
    {"slow_down", {Overloaded}},
    // Anthropic
    {"enforced_spend_limit_reached", {QuotaExhausted}},
    {"billing_error", {QuotaExhausted}},
    {"authentication_error", {Authentication}},
    {"permission_error", {Permission}},
    {"not_found_error", {NotFound}},
    {"request_too_large", {PayloadTooLarge}},
    {"overloaded_error", {Overloaded}},
    {"timeout_error", {Timeout, RetryAdvice::Once}}, // the work may have been done and billed
    // Gemini: google.rpc codes. 400 FAILED_PRECONDITION is billing or region, not the request.
    {"API_KEY_INVALID", {Authentication}},
    {"UNAUTHENTICATED", {Authentication}},
    {"PERMISSION_DENIED", {Permission}},
    {"FAILED_PRECONDITION", {Permission}},
    {"NOT_FOUND", {NotFound}},
    {"CANCELLED", {Cancelled}},
    {"UNAVAILABLE", {Overloaded}},
    {"DEADLINE_EXCEEDED", {Timeout}},
    {"INTERNAL", {ServerError, RetryAdvice::Once}}, // the vendor: perhaps the context is too long
    // Mistral, OpenRouter, Groq
    {"service_tier_capacity_exceeded", {RateLimited}},
    {"openrouter_in_flight_budget", {RateLimited, {}, {}, FallbackKind::None}}, // comes back when running calls end
    {"unprocessable_entity", {BadResponse, RetryAdvice::Once, CallOutcome::Neutral, FallbackKind::None}, "groq"},
    {"tool_use_failed", {BadResponse, RetryAdvice::Once, CallOutcome::Neutral, FallbackKind::None}, "groq"},
    {"json_validate_failed", {BadResponse, RetryAdvice::Once, CallOutcome::Neutral, FallbackKind::None}, "groq"},
    {"model_decommissioned", {NotFound}},
    {"capacity_exceeded", {Overloaded, {}, CallOutcome::RateLimited}},
    // llama.cpp, Moonshot, and the gateways built on one-api (402 and 403 there)
    {"exceed_context_size_error", {ContextTooLong}},
    {"exceeded_current_quota_error", {QuotaExhausted}},
    {"insufficient_user_quota", {QuotaExhausted}},
    {"pre_consume_token_quota_failed", {QuotaExhausted}},
    {"engine_overloaded_error", {Overloaded}},
    // Bedrock
    {"ThrottlingException", {RateLimited}},
    {"TooManyRequestsException", {RateLimited}},
    {"ServiceQuotaExceededException", {RateLimited, RetryAdvice::No}},
    {"ExpiredTokenException", {Authentication}},
    {"UnrecognizedClientException", {Authentication}},
    {"InvalidSignatureException", {Authentication}},
    {"AccessDeniedException", {Permission}},
    {"ResourceNotFoundException", {NotFound}},
    {"ModelTimeoutException", {Timeout, RetryAdvice::Once}},
    {"ModelErrorException", {ServerError}},
    {"ModelStreamErrorException", {ServerError}},
    {"ModelNotReadyException", {Overloaded, {}, CallOutcome::Neutral}},
    {"InternalServerException", {ServerError}},
    {"ServiceUnavailableException", {Overloaded}},
};

enum class At { Request, TooLarge, Limit, Account, Server };

bool holds(At at, int status)
{
    switch (at) {
    case At::Request:
        return status == 400 || status == 413 || status == 422;
    case At::TooLarge:
        return status == 413;
    case At::Limit:
        return status == 429;
    case At::Account:
        return status == 400 || status == 402 || status == 403 || status == 429;
    case At::Server:
        break;
    }
    return status == 500 || status == 503;
}

struct TextRule
{
    At at;
    QLatin1String words; ///< small letters
    Meaning means;
};

const TextRule kTexts[] = {
    // Size. At 429 "too many tokens" is throttling (Bedrock), so the words about the window count only for bad
    // requests.
    {At::TooLarge, QLatin1String("tokens per min"), {PayloadTooLarge, {}, {}, FallbackKind::LargerContext}},
    {At::Limit, QLatin1String("request too large"), {ContextTooLong}},
    {At::Limit, QLatin1String("exceeds the token budget"), {ContextTooLong}},
    {At::Request, QLatin1String("maximum context length"), {ContextTooLong}},
    {At::Request, QLatin1String("context window"), {ContextTooLong}},
    {At::Request, QLatin1String("context length"), {ContextTooLong}},
    {At::Request, QLatin1String("context limit"), {ContextTooLong}},
    {At::Request, QLatin1String("context size"), {ContextTooLong}},
    {At::Request, QLatin1String("maximum model length"), {ContextTooLong}},
    {At::Request, QLatin1String("prompt is too long"), {ContextTooLong}},
    {At::Request, QLatin1String("input is too long"), {ContextTooLong}},
    {At::Request, QLatin1String("too many tokens"), {ContextTooLong}},
    {At::Request, QLatin1String("exceeds the maximum number of tokens"), {ContextTooLong}},
    {At::Request, QLatin1String("violating our usage policy"), {ContentFiltered}},
    // Quota: what no wait within the minute brings back.
    {At::Account, QLatin1String("credit balance is too low"), {QuotaExhausted}},
    {At::Account, QLatin1String("spend limit"), {QuotaExhausted}},
    {At::Account, QLatin1String("insufficient balance"), {QuotaExhausted}},
    {At::Limit, QLatin1String("per-day"), {QuotaExhausted}},
    {At::Limit, QLatin1String("per day"), {QuotaExhausted}},
    {At::Limit, QLatin1String("per month"), {QuotaExhausted}},
    {At::Limit, QLatin1String("/ month"), {QuotaExhausted}},
    // Capacity
    {At::Limit, QLatin1String("high demand"), {Overloaded}},
    {At::Limit, QLatin1String("temporary rate limit adjustment"), {RateLimited, RetryAdvice::Once}}, // lasts hours
    {At::Server, QLatin1String("overloaded"), {Overloaded}},
    {At::Server, QLatin1String("meets your routing requirements"), {NotFound}}, // the same routing will not work
};

/// "limit: 0" and no more digits: this model has no quota at all.
bool saysLimitZero(const QString& message)
{
    const QLatin1String words("limit: 0");
    const qsizetype at = message.indexOf(words);
    if (at < 0)
        return false;
    const QStringView rest = QStringView(message).sliced(at + words.size());
    if (rest.isEmpty())
        return true;
    const bool point = rest.front() == QLatin1Char('.') && rest.size() > 1 && rest.at(1).isDigit();
    return !rest.front().isDigit() && !point;
}

bool sameCode(std::string_view rule, std::string_view code)
{
    if (rule == code)
        return true;
    return rule.ends_with("Exception") && rule.size() == code.size() && rule.substr(1) == code.substr(1) &&
           std::tolower(static_cast<unsigned char>(rule[0])) == code[0];
}

struct CodeStatus
{
    std::string_view code;
    int status;
};

constexpr CodeStatus kCodeStatus[] = {
    {"rate_limit_exceeded", 429},
    {"rate_limit_error", 429},
    {"rate_limit", 429},
    {"rate_limit_reached_error", 429},
    {"requests", 429},
    {"tokens", 429},
    {"RESOURCE_EXHAUSTED", 429},
    {"too_many_requests", 429},
    {"server_error", 500},
    {"internal_error", 500},
    {"internal_server_error", 500},
    {"api_error", 500},
    {"timeout", 408},
    {"overloaded", 503},
    {"invalid_request_error", 400},
    {"INVALID_ARGUMENT", 400},
    {"BadRequestError", 400},
    {"ValidationException", 400},
    {"InternalServerError", 500},
    {"ServiceUnavailable", 503},
    {"conflict_error", 409},
};

/// Answers that say nothing about what the caller wrote: the address is not (or no longer) the one, or what stands in
/// front of it does not take requests of this form. The operator's to mend, and another endpoint may do.
std::optional<Meaning> aboutTheAddress(int status)
{
    if (status >= 300 && status < 400)
        return Meaning{NotFound};
    switch (status) {
    case 405: // the method, which is always the same
    case 410:
    case 421: // another server's
    case 426: // another protocol
    case 451: // not to be had there
        return Meaning{NotFound};
    case 407: // a proxy that nobody named
        return Meaning{Connection, RetryAdvice::No, CallOutcome::Neutral};
    case 406:
    case 411:
    case 412:
    case 414:
    case 415:
    case 416:
    case 417:
    case 428:
    case 431: // headers are the operator's: none of the caller's are passed on
        return Meaning{BadResponse, RetryAdvice::No, CallOutcome::Neutral};
    default:
        return std::nullopt;
    }
}

Meaning meaningOf(int status)
{
    if (const auto address = aboutTheAddress(status))
        return *address;
    switch (status) {
    case 401:
        return {Authentication};
    case 402:
        return {QuotaExhausted};
    case 403:
        return {Permission};
    case 404:
        return {NotFound};
    case 408:
    case 504:
        return {Timeout};
    case 409: // a lock on the vendor's side; another endpoint would not know the resource
        return {ServerError, {}, CallOutcome::Neutral, FallbackKind::None};
    case 413:
        return {PayloadTooLarge};
    case 429:
        return {RateLimited};
    case 499:
        return {Cancelled};
    case 501:
    case 505:
        return {ServerError, RetryAdvice::No, CallOutcome::Neutral};
    case 503:
    case 529:
        return {Overloaded};
    // Cloudflare: the front end cannot reach, or cannot trust, what is behind it.
    case 521:
    case 522:
    case 523:
        return {Connection};
    case 524: // the request may have run and be billed
        return {Timeout, RetryAdvice::Once};
    case 525:
    case 526:
        return {Tls, RetryAdvice::No};
    case 530:
        return {Connection, RetryAdvice::No};
    default:
        break;
    }
    if (status >= 500)
        return {ServerError};
    return {status >= 400 ? BadRequest : BadResponse};
}
} // namespace

std::optional<Disposition> byCode(std::string_view provider, std::string_view code)
{
    const auto* const it = std::ranges::find_if(kCodes, [&](const CodeRule& rule) {
        return (rule.provider.empty() || rule.provider == provider) && sameCode(rule.code, code);
    });
    if (it == std::end(kCodes))
        return std::nullopt;
    return it->means.disposition();
}

std::optional<Disposition> byText(int status, const QString& message)
{
    const QString text = message.toLower();
    for (const TextRule& rule : kTexts) {
        if (holds(rule.at, status) && text.contains(rule.words))
            return rule.means.disposition();
    }
    if (status == 429 && saysLimitZero(text))
        return dispositionOf(QuotaExhausted);
    return std::nullopt;
}

int statusOfCode(std::string_view code)
{
    const auto* const it = std::ranges::find(kCodeStatus, code, &CodeStatus::code);
    return it == std::end(kCodeStatus) ? 0 : it->status;
}

int statusOfWords(const QString& message)
{
    static constexpr std::pair<QLatin1String, int> words[] = {
        {QLatin1String("rate limit"), 429},      {QLatin1String("too many requests"), 429},
        {QLatin1String("overloaded"), 503},      {QLatin1String("no capacity"), 503},
        {QLatin1String("context length"), 400},  {QLatin1String("timed out"), 408},
        {QLatin1String("timeout"), 408},         {QLatin1String("not found"), 404},
        {QLatin1String("api key"), 401},         {QLatin1String("unauthorized"), 401},
        {QLatin1String("internal server"), 500}, {QLatin1String("internal error"), 500}};
    const QString text = message.left(1000).toLower();
    const auto* const known = std::ranges::find_if(words, [&](const auto& row) { return text.contains(row.first); });
    return known == std::end(words) ? 0 : known->second;
}

Disposition byStatus(int status)
{
    return meaningOf(status).disposition();
}

} // namespace sg::provider
