// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/sample_of.h"

namespace sg::load {

namespace {

constexpr int kOk = 200;

bool isEmpty(const provider::Answer& answer)
{
    return answer.text.isEmpty() && answer.reasoning.isEmpty() && answer.toolCalls.isEmpty();
}

measure::Outcome outcomeOf(const engine::CallResult& result)
{
    if (result.record.ending == chain::Ending::Cancelled)
        return measure::Outcome::Cancelled;
    if (isSuccess(result))
        return measure::Outcome::Success;
    return result.record.committed ? measure::Outcome::CutOff : measure::Outcome::Failed;
}

/// The attempt whose moments the request has: none where a cache or a canned reply answered.
const chain::AttemptRecord* telling(const chain::RunRecord& record)
{
    const bool elsewhere = record.ending == chain::Ending::Answered && record.source != chain::Source::Endpoint;
    return elsewhere ? nullptr : chain::lastAttempt(record);
}

std::optional<measure::CostIs> costIsOf(const engine::CallResult& result)
{
    if (!result.costNanoUsd)
        return std::nullopt;
    if (result.costIsLowerBound)
        return measure::CostIs::AtLeast;
    return result.estimatedNanoUsd > 0 ? measure::CostIs::Estimated : measure::CostIs::Exact;
}

void readSteps(const chain::RunRecord& record, measure::Sample& sample)
{
    for (const chain::Step& step : record.steps) {
        if (const auto* wait = std::get_if<chain::WaitRecord>(&step)) {
            sample.waited += wait->until - wait->from;
            if (sample.attempts == 0)
                sample.waitedBeforeSent += wait->until - wait->from;
        } else if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step)) {
            if (sample.attempts++ > 0)
                continue;
            const chain::AttemptTiming& timing = attempt->timing;
            sample.firstSent = timing.sent;
            sample.firstBegun = timing.begun ? timing.begun : timing.connecting ? timing.connecting : timing.sent;
        }
    }
}

void readEnd(const engine::CallResult& result, measure::Sample& sample)
{
    const auto* attempt = telling(result.record);
    sample.endpoint = attempt ? attempt->endpoint : std::string();
    if (result.record.ending == chain::Ending::Answered) {
        sample.status = attempt ? kOk : 0;
        sample.source = chain::toString(result.record.source);
    } else {
        sample.status = result.record.error.status;
    }
    if (result.record.ending != chain::Ending::Cancelled && !isSuccess(result))
        sample.error = provider::toString(failureOf(result).disposition.error);
}

} // namespace

bool isSuccess(const engine::CallResult& result)
{
    return result.record.ending == chain::Ending::Answered && !(result.answer && isEmpty(*result.answer));
}

provider::ErrorFacts failureOf(const engine::CallResult& result)
{
    if (result.record.ending != chain::Ending::Answered)
        return result.record.error;
    provider::ErrorFacts empty;
    empty.disposition = provider::dispositionOf(provider::ErrorClass::BadResponse);
    empty.message = "the answer was empty";
    empty.status = kOk;
    return empty;
}

measure::Sample sampleOf(const engine::CallResult& result, Instant dispatched, std::vector<measure::Chunk> chunks)
{
    const chain::RunRecord& record = result.record;
    measure::Sample sample;
    sample.intended = result.intended;
    sample.dispatched = dispatched;
    sample.end = record.ended;
    sample.outcome = outcomeOf(result);
    sample.inputTokens = result.usage.inputTokens;
    sample.outputTokens = result.usage.outputTokens;
    sample.tokensAreEstimated = result.usage.estimated;
    sample.costNanoUsd = result.costNanoUsd;
    sample.costIs = costIsOf(result);
    sample.chunks = std::move(chunks);
    readSteps(record, sample);
    readEnd(result, sample);
    if (const auto* attempt = telling(record)) {
        sample.sent = attempt->timing.sent;
        sample.headers = attempt->timing.headers;
        sample.firstByte = attempt->timing.firstByte;
        sample.firstToken = attempt->timing.firstToken;
        sample.lastToken = attempt->timing.lastToken;
    }
    return sample;
}

} // namespace sg::load
