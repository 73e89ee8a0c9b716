// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/wait_hint.h"

#include "core/policy/exact_span.h"
#include "core/policy/http_date.h"
#include "core/policy/text_scan.h"
#include "core/policy/wait_hint_body.h"

#include <algorithm>
#include <array>

namespace sg::policy {

namespace {

constexpr std::int64_t kLongestParkMs = 86'400'000;
constexpr std::int64_t kDailyQuotaParkMs = 3'600'000;
constexpr std::int64_t kAmzSpreadMs = 5'000;

using Span = std::optional<ExactSpan>;

/// All lines of a header joined with ", ", or nothing.
std::optional<std::string> header(const HeaderList& headers, std::string_view name)
{
    std::optional<std::string> joined;
    for (const auto& [key, value] : headers) {
        if (!equalsIgnoringCase(trimmed(key), name))
            continue;
        joined = joined ? *joined + ", " : std::string();
        joined->append(trimmed(value));
    }
    return joined;
}

bool isWhole(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

/// One number, or the largest of a list of whole ones.
Span parseNumbers(std::string_view text, std::int64_t nanosPerUnit)
{
    if (text.find(',') == std::string_view::npos)
        return ExactSpan::fromNumber(text, nanosPerUnit);
    Span largest;
    for (;;) {
        const std::size_t comma = text.find(',');
        const std::string_view item = trimmed(text.substr(0, comma));
        if (!isWhole(item))
            return {};
        const auto span = ExactSpan::fromNumber(item, nanosPerUnit);
        largest = largest ? std::max(*largest, *span) : *span;
        if (comma == std::string_view::npos)
            return largest;
        text.remove_prefix(comma + 1);
    }
}

/// One item of the RateLimit header (draft-ietf-httpapi-ratelimit-headers): a name, then ;parameter=value.
Span exhaustedPolicyTime(std::string_view item)
{
    Span time;
    bool exhausted = false;
    std::size_t semicolon = item.find(';');
    while (semicolon != std::string_view::npos) {
        item.remove_prefix(semicolon + 1);
        semicolon = item.find(';');
        const std::string_view parameter = trimmed(item.substr(0, semicolon));
        if (parameter.starts_with("r="))
            exhausted = readRemaining(parameter.substr(2)) == Remaining::None;
        if (parameter.starts_with("t="))
            time = ExactSpan::fromNumber(parameter.substr(2), kNanosPerSecond);
    }
    return exhausted ? time : std::nullopt;
}

/// Splits at commas outside quotes, blanks out what the quotes hold (a name may contain any of ,;=).
std::vector<std::string> structuredItems(std::string_view text)
{
    std::vector<std::string> items(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (text[i] == ',')
            items.emplace_back();
        else
            items.back().push_back(text[i]);
    }
    return items;
}

class HintReader
{
public:
    explicit HintReader(const HintInput& input)
        : input_(input)
        , body_(input.body)
        , now_(readNow())
    {
    }

    WaitHint read() const
    {
        if (auto source = stopSource())
            return {HintAction::Stop, Nanos::zero(), *source};
        const auto found = firstWait();
        if (body_.namesDailyQuota()) {
            const std::int64_t ms = found ? found->wait.ceilMs() : 0;
            return failover(std::max(ms, kDailyQuotaParkMs), ms > kDailyQuotaParkMs ? found->source : "quotaId");
        }
        if (!found)
            return {};
        const std::int64_t ms = found->wait.ceilMs();
        if (ms > INT64_MAX / kNanosPerMs || Millis(ms) > input_.maxServerWait)
            return failover(ms, found->source);
        return {HintAction::Wait, Millis(ms), found->source};
    }

private:
    static WaitHint failover(std::int64_t ms, std::string source)
    {
        return {HintAction::Failover, Millis(std::min(ms, kLongestParkMs)), std::move(source)};
    }

    std::optional<std::string> get(std::string_view name) const { return header(input_.headers, name); }

    std::int64_t nowSeconds() const
    {
        constexpr std::int64_t second = 1000;
        const std::int64_t quotient = input_.nowUnixMs / second;
        return input_.nowUnixMs % second < 0 ? quotient - 1 : quotient;
    }

    /// The server's clock where it shows one: its absolute times are told by that clock.
    ExactSpan readNow() const
    {
        if (const auto date = get("date")) {
            if (const auto seconds = parseHttpDate(trimmed(*date), nowSeconds()))
                return atSeconds(*seconds);
        }
        constexpr std::int64_t limit = INT64_MAX / kNanosPerMs;
        return ExactSpan::ofNanos(std::clamp(input_.nowUnixMs, -limit, limit) * kNanosPerMs);
    }

    static ExactSpan atSeconds(std::int64_t seconds)
    {
        constexpr std::int64_t limit = INT64_MAX / kNanosPerSecond;
        return ExactSpan::ofNanos(std::clamp(seconds, -limit, limit) * kNanosPerSecond);
    }

    std::optional<std::string> stopSource() const
    {
        const auto shouldRetry = get("x-should-retry");
        if (shouldRetry && equalsIgnoringCase(*shouldRetry, "false"))
            return "x-should-retry";
        const auto pushback = get("grpc-retry-pushback-ms");
        if (pushback && !isWhole(*pushback))
            return "grpc-retry-pushback-ms";
        return body_.stopCode();
    }

    std::optional<FoundWait> firstWait() const
    {
        using Read = Span (HintReader::*)(std::string_view) const;
        static constexpr std::array<std::pair<std::string_view, Read>, 5> sources{
            {{"retry-after-ms", &HintReader::readMs},
             {"x-ms-retry-after-ms", &HintReader::readMs},
             {"grpc-retry-pushback-ms", &HintReader::readOneMs},
             {"retry-after", &HintReader::readRetryAfter},
             {"x-amz-retry-after", &HintReader::readAmz}}};
        for (const auto& [name, read] : sources) {
            const auto value = get(name);
            const Span span = value ? (this->*read)(*value) : std::nullopt;
            if (span && span->isPositive())
                return FoundWait{*span, std::string(name)};
        }
        if (auto found = body_.wait([this](std::string_view value) { return readReset(value); }))
            return found;
        if (auto found = largestBucket())
            return found;
        return rateLimitHeader();
    }

    Span readMs(std::string_view text) const { return parseNumbers(text, kNanosPerMs); }
    Span readOneMs(std::string_view text) const { return ExactSpan::fromNumber(text, kNanosPerMs); }

    Span readRetryAfter(std::string_view text) const
    {
        if (const auto seconds = parseHttpDate(text, nowSeconds()))
            return atSeconds(*seconds).minus(now_);
        return parseNumbers(text, kNanosPerSecond);
    }

    Span readAmz(std::string_view text) const
    {
        const Span span = readOneMs(text);
        if (!span || !span->isPositive() || !input_.ownBackoff)
            return span;
        const auto least = ExactSpan::ofNanos(input_.ownBackoff->count());
        return std::clamp(*span, least, least.plus(ExactSpan::ofNanos(kAmzSpreadMs * kNanosPerMs)));
    }

    /// Nobody says which unit a bare reset has: small numbers are seconds from now, larger ones dates.
    Span readReset(std::string_view text) const
    {
        const Span plain = ExactSpan::fromNumber(text, 1);
        if (!plain)
            return {};
        if (*plain < ExactSpan::ofNanos(1'000'000'000))
            return ExactSpan::fromNumber(text, kNanosPerSecond);
        const bool seconds = *plain < ExactSpan::ofNanos(100'000'000'000);
        return ExactSpan::fromNumber(text, seconds ? kNanosPerSecond : kNanosPerMs)->minus(now_);
    }

    Span readResetSpan(std::string_view text) const
    {
        const Span span = parseDuration(text);
        return span ? span : ExactSpan::fromNumber(text, kNanosPerSecond);
    }

    Span readResetDate(std::string_view text) const
    {
        const Span date = parseRfc3339(text);
        return date ? std::optional(date->minus(now_)) : std::nullopt;
    }

    struct Bucket
    {
        std::string_view remaining, reset;
        Span (HintReader::*read)(std::string_view) const;
        bool saysRemaining; ///< speaks only when its remaining is 0; otherwise unless it is known to be something else
    };

    Span bucketWait(const Bucket& bucket) const
    {
        const auto reset = get(bucket.reset);
        if (!reset)
            return {};
        const Remaining remaining = readRemaining(get(bucket.remaining).value_or(std::string()));
        const bool exhausted =
            remaining == Remaining::None || (remaining == Remaining::Unreadable && !bucket.saysRemaining);
        return exhausted ? (this->*bucket.read)(*reset) : std::nullopt;
    }

    std::optional<FoundWait> largestBucket() const
    {
        static constexpr std::array<Bucket, 8> buckets{{
            {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", &HintReader::readResetSpan, true},
            {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", &HintReader::readResetSpan, true},
            {"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", &HintReader::readResetDate,
             true},
            {"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset", &HintReader::readResetDate,
             true},
            {"anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset",
             &HintReader::readResetDate, true},
            {"anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset",
             &HintReader::readResetDate, true},
            {"x-ratelimit-remaining", "x-ratelimit-reset", &HintReader::readReset, false},
            {"anthropic-ratelimit-unified-remaining", "anthropic-ratelimit-unified-reset", &HintReader::readReset,
             false},
        }};
        std::optional<FoundWait> largest;
        for (const Bucket& bucket : buckets) {
            const Span span = bucketWait(bucket);
            if (span && span->isPositive() && (!largest || largest->wait < *span))
                largest = FoundWait{*span, std::string(bucket.reset)};
        }
        return largest;
    }

    std::optional<FoundWait> rateLimitHeader() const
    {
        const auto value = get("ratelimit");
        std::optional<FoundWait> largest;
        for (const std::string& item : structuredItems(value.value_or(std::string()))) {
            const Span span = exhaustedPolicyTime(item);
            if (span && span->isPositive() && (!largest || largest->wait < *span))
                largest = FoundWait{*span, "ratelimit"};
        }
        return largest;
    }

    const HintInput& input_;
    const HintBody body_;
    const ExactSpan now_;
};

} // namespace

WaitHint readWaitHint(const HintInput& input)
{
    return HintReader(input).read();
}

std::string_view toString(HintAction action)
{
    switch (action) {
    case HintAction::Wait:
        return "wait";
    case HintAction::Failover:
        return "failover";
    case HintAction::Stop:
        return "stop";
    case HintAction::Backoff:
        break;
    }
    return "backoff";
}

} // namespace sg::policy
