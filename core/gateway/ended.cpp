// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ended.h"

#include "core/engine/call.h"
#include "core/engine/pass_call.h"
#include "core/gateway/service.h"

#include <algorithm>

namespace sg::gateway {

namespace {

Ended begunBy(const Exchange& exchange)
{
    Ended ended;
    ended.requestId = exchange.requestId;
    ended.method = exchange.request.method;
    ended.path = exchange.request.path;
    if (exchange.request.received != Instant()) // a head that was refused has not come whole
        ended.took = http::steadyNow() - exchange.request.received;
    return ended;
}

/// Of an answer that was not begun before its end was known.
int sentFor(int status)
{
    return status == kClientLeft ? 0 : status;
}

Ended withRecord(const Exchange& exchange, const chain::RunRecord& record)
{
    Ended ended = begunBy(exchange);
    ended.record = &record;
    ended.chain = record.chain;
    ended.source = record.source;
    ended.endpoint = record.endpoint;
    if (const auto* attempt = chain::lastAttempt(record); attempt && ended.endpoint.empty())
        ended.endpoint = attempt->endpoint;
    if (record.ending == chain::Ending::Answered) {
        ended.status = 200;
    } else if (record.ending == chain::Ending::Cancelled) {
        ended.status = kClientLeft;
    } else {
        const Failure failure = failureOf(record);
        ended.status = failure.status;
        ended.code = failure.code;
    }
    ended.sentStatus = sentFor(ended.status);
    return ended;
}

bool wasSent(const chain::Step& step)
{
    const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
    return attempt && (attempt->error.disposition.error != provider::ErrorClass::LocalReject || attempt->timing.sent);
}

bool nobodyWasAsked(const chain::RunRecord& record)
{
    return record.error.disposition.error == provider::ErrorClass::LocalReject &&
           std::ranges::none_of(record.steps, wasSent);
}

} // namespace

bool isRefused(const Ended& ended)
{
    if (ended.isCutOff || ended.status < 400 || ended.status == kClientLeft)
        return false;
    return !ended.record || nobodyWasAsked(*ended.record);
}

Ended endedOf(const Exchange& exchange, const Failure& failure)
{
    Ended ended = begunBy(exchange);
    ended.status = ended.sentStatus = failure.status;
    ended.code = failure.code;
    return ended;
}

Ended endedOf(const Exchange& exchange, const engine::CallResult& result)
{
    Ended ended = withRecord(exchange, result.record);
    ended.usage = result.usage;
    ended.costNanoUsd = result.costNanoUsd;
    ended.costIsLowerBound = result.costIsLowerBound;
    ended.costIsEstimated = result.estimatedNanoUsd > 0;
    return ended;
}

Ended endedOf(const Exchange& exchange, const engine::PassResult& result)
{
    Ended ended = withRecord(exchange, result.record);
    ended.chain.clear(); // it goes to one endpoint
    if (const auto* attempt = chain::lastAttempt(result.record))
        ended.usage = attempt->usage;
    ended.costNanoUsd = result.costNanoUsd;
    ended.costIsLowerBound = result.costIsLowerBound;
    return ended;
}

Ended leftOf(const Exchange& exchange)
{
    Ended ended = begunBy(exchange);
    ended.status = kClientLeft;
    return ended;
}

Ended cutOff(Ended ended)
{
    const Failure told = stopping();
    if (ended.sentStatus != 200) // a stream that has begun keeps what it began with
        ended.sentStatus = told.status;
    ended.status = told.status;
    ended.code = told.code;
    ended.isCutOff = true;
    return ended;
}

void Exchange::tell(const Ended& ended) const
{
    if (onEnded && *onEnded)
        (*onEnded)(ended);
}

void Exchange::refuse(const Failure& failure) const
{
    send(*responder, failure, headers());
    tell(endedOf(*this, failure));
}

} // namespace sg::gateway
