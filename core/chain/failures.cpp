// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/failures.h"

namespace sg::chain {

using provider::ErrorClass;
using provider::ErrorFacts;

namespace {

constexpr std::size_t kLongestMessage = 300; // as ErrorFacts promises

ErrorFacts factsOf(ErrorClass error, std::string code, std::string message)
{
    ErrorFacts facts;
    facts.disposition = provider::dispositionOf(error);
    facts.code = std::move(code);
    facts.message = std::move(message);
    return facts;
}

} // namespace

ErrorFacts factsOf(const AttemptResult& result, bool committed)
{
    ErrorFacts facts = result.error;
    provider::Disposition& disposition = facts.disposition;
    if (disposition.error == ErrorClass::None && !result.answer)
        return factsOf(ErrorClass::BadResponse, "no_answer", "The endpoint reported success without an answer");
    if (disposition.error == ErrorClass::None || disposition.error == ErrorClass::Cancelled || !committed)
        return facts;
    disposition = provider::dispositionOf(ErrorClass::StreamBroken);
    disposition.retry = provider::RetryAdvice::No;
    disposition.fallback = provider::FallbackKind::None;
    return facts;
}

ErrorFacts localReject(std::string code, std::string message)
{
    return factsOf(ErrorClass::LocalReject, std::move(code), std::move(message));
}

ErrorFacts noTierUsable(const RunRecord& record)
{
    std::string reasons;
    for (const Step& step : record.steps) {
        const auto* move = std::get_if<MoveRecord>(&step);
        if (!move)
            continue;
        const std::string name = move->endpoint.empty() ? "tier " + std::to_string(move->tier + 1) : move->endpoint;
        std::string reason = name + ": " + std::string(toString(move->reason));
        if (reasons.size() + reason.size() + 2 > kLongestMessage - 40)
            break;
        reasons += (reasons.empty() ? "" : "; ") + reason;
    }
    if (reasons.empty())
        return localReject("no_tiers", "The chain has no tiers");
    return localReject("no_tier_usable", "No tier could be used (" + reasons + ")");
}

ErrorFacts deadlinePast(const std::optional<ErrorFacts>& lastError)
{
    if (!lastError)
        return localReject("deadline", "The deadline passed before an attempt could start");
    std::string message = "The deadline passed; last error: ";
    message += provider::inWords(lastError->disposition.error);
    return factsOf(ErrorClass::Timeout, "deadline", std::move(message));
}

} // namespace sg::chain
