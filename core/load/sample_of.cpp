// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/sample_of.h"

namespace sg::load {

namespace {

constexpr int kOk = 200;

measure::Outcome outcomeOf(const chain::RunRecord& record)
{
    if (record.ending == chain::Ending::Cancelled)
        return measure::Outcome::Cancelled;
    if (record.ending == chain::Ending::Answered)
        return measure::Outcome::Success;
    return record.committed ? measure::Outcome::CutOff : measure::Outcome::Failed;
}

/// The attempt whose moments the request has: none where a cache or a canned reply answered.
const chain::AttemptRecord* telling(const chain::RunRecord& record)
{
    const bool elsewhere = record.ending == chain::Ending::Answered && record.source != chain::Source::Endpoint;
    return elsewhere ? nullptr : chain::lastAttempt(record);
}

void readSteps(const chain::RunRecord& record, measure::Sample& sample)
{
    for (const chain::Step& step : record.steps) {
        if (const auto* wait = std::get_if<chain::WaitRecord>(&step)) {
            sample.waited += wait->until - wait->from;
            if (sample.attempts == 0)
                sample.waitedBeforeSent += wait->until - wait->from;
        } else if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step)) {
            if (sample.attempts++ == 0)
                sample.firstSent = attempt->timing.sent;
        }
    }
}

void readEnd(const chain::RunRecord& record, measure::Sample& sample)
{
    const bool answered = record.ending == chain::Ending::Answered;
    const auto* attempt = telling(record);
    sample.endpoint = attempt ? attempt->endpoint : std::string();
    sample.status = answered ? (attempt ? kOk : 0) : record.error.status;
    if (answered)
        sample.source = chain::toString(record.source);
    else if (record.ending == chain::Ending::Failed)
        sample.error = provider::toString(record.error.disposition.error);
}

} // namespace

measure::Sample sampleOf(const engine::CallResult& result, Instant dispatched, std::vector<measure::Chunk> chunks)
{
    const chain::RunRecord& record = result.record;
    measure::Sample sample;
    sample.intended = result.intended;
    sample.dispatched = dispatched;
    sample.end = record.ended;
    sample.outcome = outcomeOf(record);
    sample.inputTokens = result.usage.inputTokens;
    sample.outputTokens = result.usage.outputTokens;
    sample.tokensAreEstimated = result.usage.estimated;
    sample.costNanoUsd = result.costNanoUsd;
    sample.chunks = std::move(chunks);
    readSteps(record, sample);
    readEnd(record, sample);
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
