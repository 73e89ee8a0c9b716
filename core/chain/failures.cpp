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

/// What a person can do something about is told in words; the rest by the reason's name.
std::string reasonOf(const MoveRecord& move)
{
    std::string reason = move.endpoint.empty() ? "tier " + std::to_string(move.tier + 1) : move.endpoint;
    reason += ": ";
    reason += move.because.empty() ? std::string(toString(move.reason)) : move.because;
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

ErrorFacts tierRefused(MoveReason reason, const std::string& endpoint)
{
    const auto told = [&](LocalEvent event, const char* what) {
        return withCode(provider::classifyLocal(event, endpoint + what + "; the chain does not move on here"),
                        std::string(toString(reason)));
    };
    switch (reason) {
    case MoveReason::BreakerOpen:
        return told(LocalEvent::BreakerOpen, " is paused by its circuit breaker");
    case MoveReason::Bulkhead:
        return told(LocalEvent::BulkheadFull, " has as many requests under way as it may");
    case MoveReason::Parked:
        return told(LocalEvent::HintOverCap, " has asked to be left alone");
    default:
        return told(LocalEvent::LimiterRefused, " has reached its own limit");
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
