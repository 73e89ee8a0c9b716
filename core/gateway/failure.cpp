// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/failure.h"

#include "core/policy/text.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace sg::gateway {

namespace {

using chain::MoveReason;
using provider::ErrorClass;

struct Told
{
    ErrorClass error;
    int status;
    const char* type;
    const char* code;
};

constexpr const char* kCallers = "invalid_request_error";
constexpr const char* kRate = "rate_limit_error";
constexpr const char* kServers = "api_error";

// In the order of ErrorClass. Whose fault it is decides: the caller's is 4xx, the operator's and the provider's is 5xx.
constexpr std::array<Told, provider::kErrorClassCount> kTold{{
    // A run that failed without an error is a slip of ours.
    {ErrorClass::None, 500, kServers, "internal_error"},
    // The quota is the operator's, but waiting is what a caller can do, and 429 is what makes clients wait.
    {ErrorClass::RateLimited, 429, kRate, "rate_limit_exceeded"},
    // OpenAI tells its own callers the same; one that is a matter of the bill (402) is told below.
    {ErrorClass::QuotaExhausted, 429, kRate, "insufficient_quota"},
    // The key is the operator's: a 401 would make the caller doubt its own.
    {ErrorClass::Authentication, 502, kServers, "provider_refuses_key"},
    {ErrorClass::Permission, 502, kServers, "provider_refuses_key"},
    // The caller named a chain that exists; the model or address behind it is the operator's.
    {ErrorClass::NotFound, 502, kServers, "provider_model_not_found"},
    // The provider understood the body and did not like it.
    {ErrorClass::BadRequest, 400, kCallers, "bad_request"},
    // OpenAI's code, which clients cut their history by.
    {ErrorClass::ContextTooLong, 400, kCallers, "context_length_exceeded"},
    {ErrorClass::ContentFiltered, 400, kCallers, "content_filter"},
    {ErrorClass::PayloadTooLarge, 413, kCallers, "request_too_large"},
    {ErrorClass::Timeout, 504, "timeout_error", "timeout"},
    // The provider says itself that it is a matter of time.
    {ErrorClass::Overloaded, 503, kServers, "provider_overloaded"},
    {ErrorClass::ServerError, 502, kServers, "provider_error"},
    {ErrorClass::BadResponse, 502, kServers, "provider_bad_response"},
    {ErrorClass::Connection, 502, kServers, "provider_unreachable"},
    {ErrorClass::Tls, 502, kServers, "provider_unreachable"},
    {ErrorClass::StreamBroken, 502, kServers, "stream_broken"},
    // nginx's number for a client that left; nobody is there to read it.
    {ErrorClass::Cancelled, kClientLeft, kCallers, "client_closed_request"},
    // Nothing was sent; why is told by the run's own code, see refusedHere().
    {ErrorClass::LocalReject, 503, kServers, "unavailable"},
}};

const Told& toldOf(ErrorClass error)
{
    return kTold[static_cast<std::size_t>(error)];
}

Failure failureWith(int status, const char* type, const char* code, QString message)
{
    return {status, std::move(message), QLatin1String(type), QLatin1String(code)};
}

/// "openai-main: The server had an error." Of what the caller did wrong only the provider's words.
QString wordsOf(const chain::RunRecord& record, bool isCallers)
{
    const provider::ErrorFacts& error = record.error;
    const QString said = error.message.empty() ? text(provider::inWords(error.disposition.error)) + QLatin1Char('.')
                                               : text(error.message);
    const chain::AttemptRecord* attempt = chain::lastAttempt(record);
    if (isCallers || !attempt)
        return said;
    return text(attempt->endpoint) + QStringLiteral(": ") + said;
}

/// What a provider says of a key it refuses is for the operator's eyes.
Failure keyRefused(const chain::RunRecord& record)
{
    const chain::AttemptRecord* attempt = chain::lastAttempt(record);
    const bool wasSent = record.error.status != 0;
    const QString who = attempt ? text(attempt->endpoint) : QStringLiteral("the provider");
    const Told& told = toldOf(ErrorClass::Authentication);
    if (!wasSent)
        return failureWith(503, told.type, "key_unusable",
                           QStringLiteral("The key of %1 cannot be used; its operator has to look at it.").arg(who));
    return failureWith(told.status, told.type, told.code,
                       QStringLiteral("%1 refuses the key it was given (HTTP %2); its operator has to look at it.")
                           .arg(who)
                           .arg(record.error.status));
}

std::optional<MoveReason> reasonNamed(const std::string& code)
{
    for (const MoveReason reason :
         {MoveReason::BreakerOpen, MoveReason::Bulkhead, MoveReason::Parked, MoveReason::RateLimited})
        if (chain::toString(reason) == code)
            return reason;
    return std::nullopt;
}

/// What would serve the request in a while, by the reason that a tier was passed over.
bool isRateLimit(MoveReason reason)
{
    return reason == MoveReason::RateLimited || reason == MoveReason::Parked;
}

bool isForAWhile(MoveReason reason)
{
    return isRateLimit(reason) || reason == MoveReason::BreakerOpen || reason == MoveReason::Bulkhead;
}

struct Passed
{
    int rateLimited = 0, otherwiseOut = 0, keys = 0;
    std::optional<MoveReason> unable; ///< the first thing that a tier cannot do
};

Passed passedOver(const chain::RunRecord& record)
{
    Passed passed;
    for (const chain::Step& step : record.steps) {
        const auto* move = std::get_if<chain::MoveRecord>(&step);
        if (!move)
            continue;
        if (isRateLimit(move->reason))
            ++passed.rateLimited;
        else if (isForAWhile(move->reason))
            ++passed.otherwiseOut;
        else if (move->reason == MoveReason::CredentialOut)
            ++passed.keys;
        else if (move->reason == MoveReason::LacksTools || move->reason == MoveReason::LacksImages ||
                 move->reason == MoveReason::LacksJsonMode || move->reason == MoveReason::WindowTooSmall)
            passed.unable = passed.unable.value_or(move->reason);
    }
    return passed;
}

/// No tier of the chain can do what was asked, today or tomorrow.
Failure unableTo(MoveReason reason, const chain::RunRecord& record)
{
    const QString chain = text(record.chain);
    const auto lacks = [&](const char* field, const char* what) {
        Failure failure = failureWith(400, kCallers, "unsupported_by_chain",
                                      QStringLiteral("No tier of \"%1\" takes %2.").arg(chain, QLatin1String(what)));
        failure.param = QLatin1String(field);
        return failure;
    };
    switch (reason) {
    case MoveReason::LacksTools:
        return lacks("tools", "tools");
    case MoveReason::LacksImages:
        return lacks("messages", "images");
    case MoveReason::LacksJsonMode:
        return lacks("response_format", "a response format of JSON");
    default:
        break;
    }
    Failure failure = failureWith(400, kCallers, toldOf(ErrorClass::ContextTooLong).code,
                                  QStringLiteral("The messages are longer than any tier of \"%1\" takes.").arg(chain));
    failure.param = QStringLiteral("messages");
    return failure;
}

Failure noTier(const chain::RunRecord& record)
{
    const Passed passed = passedOver(record);
    if (passed.otherwiseOut > 0)
        return failureWith(503, kServers, "all_tiers_out", wordsOf(record, true));
    if (passed.rateLimited > 0)
        return failureWith(429, kRate, "all_tiers_out", wordsOf(record, true));
    if (passed.keys > 0)
        return failureWith(503, kServers, "key_unusable", wordsOf(record, true));
    if (passed.unable)
        return unableTo(*passed.unable, record);
    return failureWith(503, kServers, "no_tier_usable", wordsOf(record, true));
}

/// What the chain itself refused.
Failure refusedHere(const chain::RunRecord& record)
{
    const std::string& code = record.error.code;
    if (code == "chain_limiter")
        return failureWith(429, kRate, "chain_limiter", wordsOf(record, true));
    if (code == "deadline")
        return failureWith(504, toldOf(ErrorClass::Timeout).type, "deadline", wordsOf(record, true));
    if (code == "no_tier_usable")
        return noTier(record);
    if (const auto reason = reasonNamed(code)) {
        const bool isRate = isRateLimit(*reason);
        return failureWith(isRate ? 429 : 503, isRate ? kRate : kServers, code.c_str(), wordsOf(record, true));
    }
    const Told& told = toldOf(ErrorClass::LocalReject);
    if (code == provider::kOutOfDescriptors || code == provider::kAnswersFull)
        return failureWith(told.status, told.type, code.c_str(), wordsOf(record, true));
    return failureWith(told.status, told.type, code == "no_tiers" ? "no_tiers" : told.code, wordsOf(record, false));
}

/// Redirects and what else says that this is not where to ask.
bool isMisplaced(int status)
{
    return (status >= 300 && status < 400) || status == 405 || status == 421 || status == 426;
}

Failure byClass(const chain::RunRecord& record)
{
    const provider::ErrorFacts& error = record.error;
    if (error.disposition.error == ErrorClass::LocalReject)
        return refusedHere(record);
    if (error.disposition.error == ErrorClass::Timeout && error.status == 0 && error.code == "deadline")
        return failureWith(504, toldOf(ErrorClass::Timeout).type, "deadline", wordsOf(record, false));
    const bool isBill = error.disposition.error == ErrorClass::QuotaExhausted && error.status == 402;
    if (isBill)
        return failureWith(502, kServers, "provider_refuses_key", wordsOf(record, false));
    if (error.disposition.error == ErrorClass::Authentication || error.disposition.error == ErrorClass::Permission)
        return keyRefused(record);
    if (error.disposition.error == ErrorClass::NotFound && isMisplaced(error.status))
        return failureWith(502, kServers, "provider_wrong_address", wordsOf(record, false));
    // The transport's: nobody has read the request, so there is nothing wrong with it.
    if (error.disposition.error == ErrorClass::BadRequest && error.status == 0)
        return failureWith(502, kServers, "provider_unreachable", wordsOf(record, false));
    const Told& told = toldOf(error.disposition.error);
    const bool isCallers = told.status < 500 && told.status != 429;
    Failure failure = failureWith(told.status, told.type, told.code, wordsOf(record, isCallers));
    if (error.disposition.error == ErrorClass::ContextTooLong)
        failure.param = QStringLiteral("messages");
    return failure;
}

bool mayBeWaitedFor(int status)
{
    return status == 429 || status >= 500;
}

// Clients of OpenAI's kind wait by themselves as long as they are told, up to a minute; beyond that they do not listen
// and come again within seconds.
constexpr std::chrono::seconds kLongestHeeded{60};
// Every request that ends gives some back: of descriptors, and of the memory for answers.
constexpr std::chrono::seconds kUntilSomeEnd{1};

/// Clients of OpenAI's kind try 408, 409, 429 and 5xx again by themselves. What the gateway could not do with all its
/// tiers and retries will not be done a second later: only where a wait is known the client may come again.
void addAdvice(const Failure& failure, http::Headers& headers)
{
    if (failure.retryAfter) {
        const auto wait = std::max(*failure.retryAfter, Nanos::zero());
        headers.emplace_back("Retry-After", QByteArray::number(static_cast<qint64>(
                                                std::chrono::ceil<std::chrono::seconds>(wait).count())));
        headers.emplace_back("retry-after-ms",
                             QByteArray::number(static_cast<qint64>(std::chrono::ceil<Millis>(wait).count())));
    }
    const bool wouldRetry = mayBeWaitedFor(failure.status) || failure.status == 408 || failure.status == 409;
    if (wouldRetry && (!failure.retryAfter || *failure.retryAfter > kLongestHeeded))
        headers.emplace_back("x-should-retry", "false");
}

QJsonValue orNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

} // namespace

Failure failureOf(const chain::RunRecord& record)
{
    if (record.ending == chain::Ending::Cancelled) {
        const Told& told = toldOf(ErrorClass::Cancelled);
        return failureWith(told.status, told.type, told.code, QStringLiteral("The client left."));
    }
    Failure failure = byClass(record);
    if (!mayBeWaitedFor(failure.status))
        return failure;
    failure.retryAfter = record.retryAfter;
    if (!failure.retryAfter)
        failure.retryAfter = record.error.hint.asked();
    const bool isFull = record.error.code == provider::kOutOfDescriptors || record.error.code == provider::kAnswersFull;
    if (!failure.retryAfter && isFull)
        failure.retryAfter = kUntilSomeEnd;
    return failure;
}

Failure unavailable(const char* code, QString message, Nanos retryAfter)
{
    Failure failure;
    failure.status = 503;
    failure.code = QLatin1String(code);
    failure.message = std::move(message);
    failure.retryAfter = retryAfter;
    return failure;
}

Failure stopping()
{
    return unavailable("stopping", QStringLiteral("The gateway is stopping: ask again when it serves."),
                       std::chrono::seconds(1));
}

Failure badRequest(QString message, QString param)
{
    Failure failure = failureWith(400, kCallers, "", std::move(message));
    failure.param = std::move(param);
    return failure;
}

QByteArray errorBody(const Failure& failure)
{
    const QJsonObject error{{QStringLiteral("message"), failure.message},
                            {QStringLiteral("type"), failure.type},
                            {QStringLiteral("param"), orNull(failure.param)},
                            {QStringLiteral("code"), orNull(failure.code)}};
    return QJsonDocument(QJsonObject{{QStringLiteral("error"), error}}).toJson(QJsonDocument::Compact);
}

http::Headers adviceOf(const Failure& failure)
{
    http::Headers headers = failure.headers;
    addAdvice(failure, headers);
    return headers;
}

void send(http::Responder& responder, const Failure& failure, http::Headers headers)
{
    headers.emplace_back("Content-Type", "application/json");
    const http::Headers advice = adviceOf(failure);
    headers.insert(headers.end(), advice.begin(), advice.end());
    responder.send(failure.status, headers, errorBody(failure));
}

} // namespace sg::gateway
