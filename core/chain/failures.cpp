// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/failures.h"

#include <algorithm>

namespace sg::chain {

using provider::ErrorClass;
using provider::ErrorFacts;
using provider::LocalEvent;

namespace {

constexpr std::string_view kLimiterCode = "chain_limiter";
constexpr std::size_t kRoomForReasons = 250; // ErrorFacts promises 300 characters at most

ErrorFacts withCode(ErrorFacts facts, std::string code)
{
    facts.code = std::move(code);
    return facts;
}

/// Why a tier was left, as the end of a sentence that begins with it.
std::string_view inWords(MoveReason reason)
{
    switch (reason) {
    case MoveReason::Disabled:
        return "is switched off";
    case MoveReason::LacksTools:
        return "takes no tools";
    case MoveReason::LacksImages:
        return "takes no images";
    case MoveReason::LacksJsonMode:
        return "has no JSON mode";
    case MoveReason::WindowTooSmall:
        return "has too small a context window";
    case MoveReason::CredentialOut:
        return "had its key refused";
    case MoveReason::Parked:
        return "has asked to be left alone";
    case MoveReason::BreakerOpen:
        return "is paused by its circuit breaker";
    case MoveReason::RateLimited:
        return "has reached its own limit";
    case MoveReason::Bulkhead:
        return "has as many requests under way as it may";
    case MoveReason::AttemptsUsed:
        return "was tried as often as it may be";
    case MoveReason::NotRetryable:
        return "failed in a way that trying again does not mend";
    case MoveReason::WaitTooLong:
        return "would have to be waited for too long";
    case MoveReason::AttemptBudget:
        return "came after all attempts were used";
    case MoveReason::ContextTooLong:
        return "found the messages too long";
    case MoveReason::ContentPolicy:
        return "refused the content";
    case MoveReason::NoRuleMatched:
        return "has no reply for this request";
    }
    return "";
}

/// What a person can do something about comes in its own words.
std::string reasonOf(const MoveRecord& move)
{
    std::string reason = move.endpoint.empty() ? "tier " + std::to_string(move.tier + 1) : move.endpoint;
    reason += move.because.empty() ? " " + std::string(inWords(move.reason)) : ": " + move.because;
    std::size_t length = std::min(reason.size(), kRoomForReasons);
    while (length < reason.size() && (static_cast<unsigned char>(reason[length]) & 0xC0U) == 0x80U)
        --length; // not within a character
    reason.resize(length);
    while (reason.ends_with('.'))
        reason.pop_back();
    return reason;
}

std::string reasonsOf(const RunRecord& record)
{
    std::string reasons;
    for (const Step& step : record.steps) {
        const auto* move = std::get_if<MoveRecord>(&step);
        if (!move)
            continue;
        std::string reason = (reasons.empty() ? "" : "; ") + reasonOf(*move);
        if (reasons.size() + reason.size() > kRoomForReasons)
            break;
        reasons += reason;
    }
    return reasons;
}

} // namespace

ErrorFacts factsOf(const AttemptResult& result, bool committed)
{
    ErrorFacts facts = result.error;
    if (facts.disposition.error == ErrorClass::None && !result.answer) {
        facts.disposition = provider::dispositionOf(ErrorClass::BadResponse);
        facts.message = "Success was reported without an answer";
    }
    const ErrorClass error = facts.disposition.error;
    if (committed && error != ErrorClass::None && error != ErrorClass::Cancelled)
        facts.disposition = provider::streamBroken(true, {}).disposition;
    return facts;
}

ErrorFacts limiterRefused()
{
    return withCode(provider::classifyLocal(LocalEvent::LimiterRefused, "The chain's own limit is reached"),
                    std::string(kLimiterCode));
}

bool isLimiterRefusal(const ErrorFacts& error)
{
    return error.disposition.error == ErrorClass::LocalReject && error.code == kLimiterCode;
}

ErrorFacts noTierUsable(const RunRecord& record)
{
    const std::string reasons = reasonsOf(record);
    ErrorFacts facts;
    facts.disposition = provider::dispositionOf(ErrorClass::LocalReject);
    facts.message = reasons.empty() ? "The chain has no tiers" : "No tier could be used (" + reasons + ")";
    return withCode(std::move(facts), reasons.empty() ? "no_tiers" : "no_tier_usable");
}

ErrorFacts tierRefused(MoveReason reason, const std::string& endpoint, bool isOnlyOne)
{
    const auto told = [&](LocalEvent event, MoveReason why) {
        std::string words = endpoint + ' ' + std::string(inWords(why));
        if (!isOnlyOne)
            words += "; the chain does not move on here";
        return withCode(provider::classifyLocal(event, std::move(words)), std::string(toString(reason)));
    };
    switch (reason) {
    case MoveReason::BreakerOpen:
        return told(LocalEvent::BreakerOpen, reason);
    case MoveReason::Bulkhead:
        return told(LocalEvent::BulkheadFull, reason);
    case MoveReason::Parked:
        return told(LocalEvent::HintOverCap, reason);
    default:
        return told(LocalEvent::LimiterRefused, MoveReason::RateLimited);
    }
}

ErrorFacts deadlinePast(const std::optional<ErrorFacts>& lastError)
{
    if (!lastError)
        return withCode(
            provider::classifyLocal(LocalEvent::DeadlinePast, "The deadline passed before an attempt could start"),
            "deadline");
    std::string message = "The deadline passed; last error: ";
    message += provider::inWords(lastError->disposition.error);
    return withCode(provider::classifyTransport(provider::TransportError::TotalTimeout, false, std::move(message)),
                    "deadline");
}

} // namespace sg::chain
