// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/moves_on.h"

namespace sg::chain {

using provider::ErrorClass;
using provider::FallbackKind;

bool concernsQuota(const provider::ErrorFacts& error)
{
    const ErrorClass c = error.disposition.error;
    return error.status == 429 || c == ErrorClass::RateLimited || c == ErrorClass::QuotaExhausted;
}

FailureKind kindOf(const provider::ErrorFacts& error)
{
    if (error.disposition.fallback == FallbackKind::LargerContext)
        return FailureKind::ContextTooLong;
    if (error.disposition.fallback == FallbackKind::ContentPolicy)
        return FailureKind::ContentPolicy;
    if (provider::refusesKey(error))
        return FailureKind::Credential;
    if (concernsQuota(error))
        return FailureKind::RateLimited;
    switch (error.disposition.error) {
    case ErrorClass::Timeout:
        return FailureKind::Timeout;
    case ErrorClass::Overloaded:
    case ErrorClass::ServerError:
    case ErrorClass::BadResponse:
    case ErrorClass::Connection:
    case ErrorClass::Tls:
    case ErrorClass::StreamBroken:
        return FailureKind::ServerError;
    default:
        return FailureKind::Other;
    }
}

bool mayLeave(const MovesOn& movesOn, FailureKind failure)
{
    switch (failure) {
    case FailureKind::RateLimited:
        return movesOn.rateLimited;
    case FailureKind::ServerError:
        return movesOn.serverError;
    case FailureKind::Timeout:
        return movesOn.timeout;
    case FailureKind::ContextTooLong:
        return movesOn.contextTooLong;
    case FailureKind::ContentPolicy:
        return movesOn.contentPolicy;
    case FailureKind::Credential:
    case FailureKind::Other:
        return true;
    }
    return true;
}

bool mayLeave(const MovesOn& movesOn, MoveReason refusal)
{
    switch (refusal) {
    case MoveReason::BreakerOpen:
        return movesOn.openBreaker;
    case MoveReason::Parked:
    case MoveReason::RateLimited:
    case MoveReason::Bulkhead:
        return movesOn.rateLimited;
    default:
        return true;
    }
}

} // namespace sg::chain
