// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/metric.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::measure {

namespace {

constexpr std::array<MetricInfo, kMetricCount> kMetrics{{
    {Metric::Response, "response", "response time", Unit::Milliseconds, Better::Lower,
     "end − intended: what the user waited; retries, waits, fallbacks and a late generator are in it"},
    {Metric::Service, "service", "service time", Unit::Milliseconds, Better::Lower,
     "last token − sent, of the attempt that answered"},
    {Metric::ClientQueue, "queue", "client queue", Unit::Milliseconds, Better::Lower,
     "sent − intended of the first attempt, without the waits that a limiter asked for"},
    {Metric::ScheduleDelay, "schedule_delay", "schedule delay", Unit::Milliseconds, Better::Lower,
     "dispatched − intended: how late the generator was"},
    {Metric::Headers, "headers", "time to headers", Unit::Milliseconds, Better::Lower,
     "headers − sent, of the attempt that answered"},
    {Metric::Ttft, "ttft", "time to first token", Unit::Milliseconds, Better::Lower,
     "first non-empty token of any kind − sent; an answer that was not streamed has none"},
    {Metric::Tpot, "tpot", "time per output token", Unit::Milliseconds, Better::Lower,
     "(last token − first token) / (N − 1), N from the provider's usage; none below 2 tokens"},
    {Metric::Itl, "itl", "inter-token latency", Unit::Milliseconds, Better::Lower,
     "gap before a piece / its tokens, once for each of its tokens; tokens by share of characters in N from usage; the "
     "first piece has no gap"},
    {Metric::ChunkGap, "chunk_gap", "chunk gap", Unit::Milliseconds, Better::Lower,
     "time between two pieces of a stream that did not come together"},
    {Metric::UserTokenRate, "user_tokens", "tokens per second and user", Unit::TokensPerSecond, Better::Higher,
     "N / (last token − sent), N from the provider's usage"},
    {Metric::Attempts, "attempts", "attempts", Unit::Count, Better::Lower,
     "attempts of a request that no cache answered"},
    {Metric::Waited, "waited", "waits inside", Unit::Milliseconds, Better::Lower,
     "sum of a request's backoffs, server hints and limiter waits, where it had any"},
    {Metric::InputTokens, "input_tokens", "input tokens", Unit::Tokens, Better::Neither, "of a request, from usage"},
    {Metric::OutputTokens, "output_tokens", "output tokens", Unit::Tokens, Better::Neither, "of a request, from usage"},
    {Metric::SuccessRate, "success", "success rate", Unit::Percent, Better::Higher,
     "success / (success + failed + cut off)"},
    {Metric::FailureRate, "failed", "failure rate", Unit::Percent, Better::Lower,
     "(failed + cut off) / (success + failed + cut off)"},
    {Metric::RequestedRate, "requested", "due rate", Unit::PerSecond, Better::Neither,
     "scheduled arrivals / measured span, what chance made of the rate that was asked for; closed loops have none"},
    {Metric::DispatchedRate, "dispatched", "dispatched rate", Unit::PerSecond, Better::Higher,
     "requests that left the generator / measured span"},
    {Metric::AchievedRate, "rate", "achieved rate", Unit::PerSecond, Better::Higher,
     "finished requests / time from the start of measuring to the last end"},
    {Metric::Goodput, "goodput", "goodput", Unit::PerSecond, Better::Higher,
     "successes that kept the bound of every latency objective / time from the start of measuring to the last end"},
    {Metric::GoodShare, "good", "good requests", Unit::Percent, Better::Higher,
     "successes that kept the bound of every latency objective / (success + failed + cut off)"},
    {Metric::TokenRate, "tokens", "output tokens per second", Unit::TokensPerSecond, Better::Higher,
     "sum of N over successes / time from the start of measuring to the last end; at least that, where N of some is "
     "not known"},
    {Metric::Dropped, "dropped", "dropped arrivals", Unit::Count, Better::Lower,
     "scheduled arrivals that were not sent because too many requests were in flight"},
    {Metric::Cost, "cost", "cost", Unit::UsDollars, Better::Lower,
     "sum over all attempts of all requests, also those outside the measured span"},
}};

double msBetween(Instant from, Instant to)
{
    return toMs(to - from);
}

std::optional<double> since(const std::optional<Instant>& from, const std::optional<Instant>& to)
{
    return from && to ? std::optional(msBetween(*from, *to)) : std::nullopt;
}

/// N where the provider counted it.
std::optional<std::int64_t> counted(const Sample& sample)
{
    return sample.tokensAreEstimated ? std::nullopt : sample.outputTokens;
}

/// Those of one moment as one.
std::vector<Chunk> arrivalsOf(const Sample& sample)
{
    std::vector<Chunk> arrivals;
    for (const Chunk& chunk : sample.chunks) {
        if (!arrivals.empty() && arrivals.back().at == chunk.at)
            arrivals.back().characters += chunk.characters;
        else
            arrivals.push_back(chunk);
    }
    return arrivals;
}

template <typename Take>
void chunkGaps(const Sample& sample, const Take& take)
{
    const auto arrivals = arrivalsOf(sample);
    for (std::size_t i = 1; i < arrivals.size(); ++i)
        take(msBetween(arrivals[i - 1].at, arrivals[i].at), 1);
}

/// A piece too small for a token of its own leaves its gap to the next one, so that gaps and tokens both add up.
template <typename Take>
void tokenGaps(const Sample& sample, const Take& take)
{
    const auto n = counted(sample);
    const auto arrivals = arrivalsOf(sample);
    std::int64_t characters = 0;
    for (const Chunk& arrival : arrivals)
        characters += arrival.characters;
    if (!n || *n < 2 || characters == 0)
        return;
    std::int64_t seen = 0, tokens = 0;
    Instant from = arrivals.front().at;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        seen += arrivals[i].characters;
        const auto upTo = static_cast<std::int64_t>(
            std::llround(static_cast<double>(*n) * static_cast<double>(seen) / static_cast<double>(characters)));
        const std::int64_t here = (i == 0 ? std::max<std::int64_t>(1, upTo) : upTo) - tokens;
        if (here <= 0)
            continue;
        tokens += here;
        if (i > 0)
            take(msBetween(from, arrivals[i].at) / static_cast<double>(here), here);
        from = arrivals[i].at;
    }
}

std::optional<double> tpotOf(const Sample& sample)
{
    const auto n = counted(sample);
    const auto span = since(sample.firstToken, sample.lastToken);
    if (!n || *n < 2 || !span)
        return std::nullopt;
    return *span / static_cast<double>(*n - 1);
}

std::optional<double> userRateOf(const Sample& sample)
{
    const auto n = counted(sample);
    const auto span = since(sample.sent, sample.lastToken);
    if (!n || !span || *span <= 0)
        return std::nullopt;
    return static_cast<double>(*n) * 1000 / *span;
}

std::optional<double> queueOf(const Sample& sample)
{
    const auto& sent = sample.firstSent ? sample.firstSent : sample.sent;
    return sent ? std::optional(msBetween(sample.intended, *sent) - toMs(sample.waitedBeforeSent)) : std::nullopt;
}

std::optional<double> number(const std::optional<std::int64_t>& count)
{
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

} // namespace

std::string_view toString(Outcome outcome)
{
    constexpr std::array<std::string_view, kOutcomeCount> kWords{"success", "failed", "cancelled", "cut_off"};
    return kWords[static_cast<std::size_t>(outcome)];
}

std::string_view toString(CostIs cost)
{
    constexpr std::array<std::string_view, kCostIsCount> kWords{"exact", "estimated", "at_least"};
    return kWords[static_cast<std::size_t>(cost)];
}

std::string_view toString(Unit unit)
{
    constexpr std::array<std::string_view, 7> kWords{"ms", "%", "1/s", "tokens/s", "", "tokens", "$"};
    return kWords[static_cast<std::size_t>(unit)];
}

std::span<const MetricInfo> metrics()
{
    return kMetrics;
}

const MetricInfo& infoOf(Metric metric)
{
    return kMetrics[static_cast<std::size_t>(metric)];
}

std::optional<Metric> metricNamed(std::string_view name)
{
    const auto found = std::ranges::find_if(kMetrics, [&](const MetricInfo& info) { return info.name == name; });
    return found == kMetrics.end() ? std::nullopt : std::optional(found->metric);
}

std::optional<double> valueOf(const Sample& sample, Metric metric)
{
    switch (metric) {
    case Metric::Response:
        return msBetween(sample.intended, sample.end);
    case Metric::Service:
        return since(sample.sent, sample.lastToken);
    case Metric::ClientQueue:
        return queueOf(sample);
    case Metric::ScheduleDelay:
        return since(sample.intended, sample.dispatched);
    case Metric::Headers:
        return since(sample.sent, sample.headers);
    case Metric::Ttft:
        return since(sample.sent, sample.firstToken);
    case Metric::Tpot:
        return tpotOf(sample);
    case Metric::UserTokenRate:
        return userRateOf(sample);
    case Metric::Attempts:
        return sample.attempts > 0 ? std::optional<double>(sample.attempts) : std::nullopt;
    case Metric::Waited:
        return sample.waited > Nanos(0) ? std::optional(toMs(sample.waited)) : std::nullopt;
    case Metric::InputTokens:
        return sample.tokensAreEstimated ? std::nullopt : number(sample.inputTokens);
    case Metric::OutputTokens:
        return number(counted(sample));
    default:
        return std::nullopt;
    }
}

void valuesOf(const Sample& sample, Metric metric, const std::function<void(double, std::int64_t)>& take)
{
    if (metric == Metric::Itl)
        return tokenGaps(sample, take);
    if (metric == Metric::ChunkGap)
        return chunkGaps(sample, take);
    if (const auto value = valueOf(sample, metric))
        take(*value, 1);
}

} // namespace sg::measure
