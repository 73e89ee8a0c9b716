// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/sentences.h"

#include <QDateTime>

#include <charconv>
#include <cmath>

namespace sg::observe {

using policy::BreakerTransition;
using policy::TransitionCause;
using provider::ErrorClass;

namespace {

// Not printf: Qt switches the C locale to the user's.
std::string fixed(double value, int decimals)
{
    char text[48];
    const auto result = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
    return result.ec == std::errc{} ? std::string(text, result.ptr) : std::string("?");
}

std::string listed(const FailureCounts& counts)
{
    std::string text;
    for (const FailureCount& entry : counts) {
        text += text.empty() ? " (" : ", ";
        text += shortName(entry.failure) + " × " + std::to_string(entry.count);
    }
    return text.empty() ? text : text + ")";
}

std::optional<Nanos> waitOf(const BreakerTransition& transition)
{
    if (!transition.nextProbe)
        return std::nullopt;
    return *transition.nextProbe - transition.at;
}

std::string nextProbeText(const BreakerTransition& transition)
{
    const auto wait = waitOf(transition);
    return wait ? ". Next probe in " + waitText(*wait) : std::string();
}

// The first opening was the trip, so the second is the first probe's.
std::string probeName(const BreakerTransition& transition)
{
    return transition.openings > 1 ? "Probe " + std::to_string(transition.openings - 1) : std::string("Probe");
}

bool waitsAsAsked(const BreakerTransition& transition, const ProbeFacts& probe)
{
    const auto wait = waitOf(transition);
    return wait && probe.failure.asked && probe.failure.asked->count() > 0 && *wait >= *probe.failure.asked &&
           *wait - *probe.failure.asked < std::chrono::seconds(1);
}

std::string probeFailedText(const BreakerTransition& transition, const std::optional<ProbeFacts>& probe)
{
    if (!probe || !probe->failed)
        return probeName(transition) + " failed" + nextProbeText(transition);
    if (waitsAsAsked(transition, *probe))
        return "Probe got " + shortName(probe->failure) + ". Waiting " + waitText(*probe->failure.asked) + " as asked";
    return probeName(transition) + " failed (" + shortName(probe->failure) + ")" + nextProbeText(transition);
}

std::string closedText(const std::optional<ProbeFacts>& probe, int needed)
{
    if (needed > 1)
        return "Closed: " + std::to_string(needed) + " of " + std::to_string(needed) + " probes passed";
    return "Closed: the probe passed" + (probe && !probe->failed ? " in " + latencyText(probe->took) : std::string());
}

std::string retriedText(int retries)
{
    if (retries <= 1)
        return "retried once";
    return retries == 2 ? "retried twice" : "retried " + std::to_string(retries) + " times";
}

std::string triesText(int tries)
{
    return tries == 1 ? std::string("1 try") : std::to_string(tries) + " tries";
}

std::string failedRequestText(const chain::RunRecord& record, const RequestStory& story, Nanos responseTime)
{
    const Failure failure{record.error.status, record.error.disposition.error, {}, {}, record.committed};
    if (record.attempts == 0)
        return "No answer, nothing was sent: " +
               (record.error.message.empty() ? inWords(failure) : record.error.message);
    if (record.committed)
        return "Broke off after the first words, " + latencyText(responseTime) + ": " + shortName(failure);
    const Failure last = story.lastFailed ? failureOf(*story.lastFailed) : failure;
    return "No answer after " + triesText(record.attempts) + " in " + latencyText(responseTime) + ": " +
           shortName(last);
}

} // namespace

std::string_view classWord(ErrorClass error)
{
    switch (error) {
    case ErrorClass::None:
        return "unknown";
    case ErrorClass::RateLimited:
        return "rate limit";
    case ErrorClass::QuotaExhausted:
        return "quota used up";
    case ErrorClass::Authentication:
        return "key refused";
    case ErrorClass::Permission:
        return "no permission";
    case ErrorClass::NotFound:
        return "not found";
    case ErrorClass::BadRequest:
        return "bad request";
    case ErrorClass::ContextTooLong:
        return "context too long";
    case ErrorClass::ContentFiltered:
        return "content filtered";
    case ErrorClass::PayloadTooLarge:
        return "too large";
    case ErrorClass::Timeout:
        return "timeout";
    case ErrorClass::Overloaded:
        return "overloaded";
    case ErrorClass::ServerError:
        return "server error";
    case ErrorClass::BadResponse:
        return "bad response";
    case ErrorClass::Connection:
        return "no connection";
    case ErrorClass::Tls:
        return "TLS";
    case ErrorClass::StreamBroken:
        return "broken stream";
    case ErrorClass::Cancelled:
        return "cancelled";
    case ErrorClass::LocalReject:
        return "refused here";
    }
    return "unknown";
}

std::string latencyText(Nanos span)
{
    const double ms = toMs(span);
    if (ms < 9.95)
        return fixed(ms, 1) + " ms";
    if (ms < 999.5)
        return fixed(ms, 0) + " ms";
    return ms < 9995 ? fixed(ms / 1000, 2) + " s" : fixed(ms / 1000, 1) + " s";
}

std::string waitText(Nanos span)
{
    const auto ms = std::chrono::round<Millis>(span).count();
    if (ms >= 2 * 3'600'000)
        return fixed(static_cast<double>(ms) / 3'600'000, ms % 3'600'000 == 0 ? 0 : 1) + " h";
    if (ms >= 600'000)
        return std::to_string((ms + 30'000) / 60'000) + " min";
    if (ms >= 1000 && ms % 1000 == 0)
        return std::to_string(ms / 1000) + " s";
    return latencyText(span);
}

std::string percentText(double share)
{
    const double percent = share * 100;
    if (percent < 9.95)
        return fixed(percent, 1) + " %";
    if (share < 1 && percent >= 99.5)
        return fixed(std::floor(percent * 10) / 10, 1) + " %";
    return fixed(percent, 0) + " %";
}

std::string clockText(std::int64_t unixMs)
{
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("HH:mm:ss")).toStdString();
}

Nanos tookOf(const chain::AttemptRecord& attempt)
{
    return attempt.timing.end - attempt.timing.dispatched;
}

Failure failureOf(const chain::AttemptRecord& attempt)
{
    return {attempt.error.status, attempt.error.disposition.error, tookOf(attempt), attempt.error.hint.asked(),
            attempt.timing.firstToken.has_value()};
}

std::string shortName(const Failure& failure)
{
    if (tellsOfFailure(failure.status))
        return std::to_string(failure.status);
    return std::string(classWord(failure.error));
}

std::string inWords(const Failure& failure)
{
    if (failure.error == ErrorClass::Timeout && failure.status == 0 && !failure.anyToken && failure.took.count() > 0)
        return "No first token in " + waitText(std::chrono::round<Millis>(failure.took / 100) * 100);
    return std::string(provider::inWords(failure.error));
}

bool isTrip(TransitionCause cause)
{
    return cause == TransitionCause::ConsecutiveFailures || cause == TransitionCause::FailureRate ||
           cause == TransitionCause::RateLimitedShare || cause == TransitionCause::SlowRate;
}

bool isManual(TransitionCause cause)
{
    return cause == TransitionCause::ManualTrip || cause == TransitionCause::ManualHoldClosed ||
           cause == TransitionCause::ManualReset || cause == TransitionCause::ManualRelease ||
           cause == TransitionCause::ManualProbe;
}

std::string transitionText(const BreakerTransition& transition, const FailureCounts& counts,
                           const std::optional<ProbeFacts>& probe, int probesNeeded)
{
    switch (transition.cause) {
    case TransitionCause::ConsecutiveFailures:
        return "Tripped: " + std::to_string(transition.figures.streak) + " failures in a row" + listed(counts);
    case TransitionCause::FailureRate:
        return "Tripped: " + percentText(transition.figures.failureRate()) + " failed" + listed(counts);
    case TransitionCause::RateLimitedShare:
        return "Tripped: " + percentText(transition.figures.rateLimitedShare()) + " rate limited" + listed(counts);
    case TransitionCause::SlowRate:
        return "Tripped: " + percentText(transition.figures.slowRate()) + " too slow";
    case TransitionCause::ProbeFailed:
        return probeFailedText(transition, probe);
    case TransitionCause::ProbeTimedOut:
        return probeName(transition) + " got no answer in time" + nextProbeText(transition);
    case TransitionCause::ProbesSucceeded:
        return closedText(probe, probesNeeded);
    case TransitionCause::OpenElapsed:
        return "Wait over, testing with single requests";
    case TransitionCause::ManualTrip:
        return "Locked open by hand";
    case TransitionCause::ManualHoldClosed:
        return "Held closed by hand";
    case TransitionCause::ManualReset:
        return "Reset by hand, counting from zero";
    case TransitionCause::ManualRelease:
        return "Lock removed by hand";
    case TransitionCause::ManualProbe:
        return "Testing now, by hand";
    }
    return "State changed";
}

std::string beginCause(const BreakerTransition& transition, const std::string& eventText)
{
    return isTrip(transition.cause) ? eventText + nextProbeText(transition) : eventText;
}

std::string endCause(const BreakerTransition& transition, const std::optional<ProbeFacts>& probe)
{
    if (transition.cause != TransitionCause::ProbeFailed)
        return {};
    std::string text = probeName(transition) + " failed";
    if (probe && probe->failed) {
        text += " after " + latencyText(probe->took) + ": ";
        if (tellsOfFailure(probe->failure.status))
            text += std::to_string(probe->failure.status) + " ";
        text += inWords(probe->failure);
    }
    const auto wait = waitOf(transition);
    return text + ". Breaker reopened" + (wait ? ", next probe " + waitText(*wait) + " later" : std::string());
}

std::string probePassedText(int passed, int needed, Nanos took)
{
    return "Probe " + std::to_string(passed) + " of " + std::to_string(needed) + " passed in " + latencyText(took);
}

RequestStory storyOf(const chain::RunRecord& record)
{
    RequestStory story;
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (attempt == nullptr || attempt->error.disposition.error == ErrorClass::None)
            continue;
        if (story.failed == nullptr)
            story.failed = attempt;
        story.lastFailed = attempt;
        if (attempt->endpoint == record.endpoint)
            ++story.retries;
    }
    story.moved = story.failed != nullptr && story.failed->endpoint != record.endpoint;
    return story;
}

std::string requestText(const chain::RunRecord& record, const RequestStory& story, Nanos responseTime)
{
    if (record.ending != chain::Ending::Answered)
        return failedRequestText(record, story, responseTime);
    if (record.source == chain::Source::CannedReply) {
        if (story.lastFailed == nullptr)
            return "No tier could be tried. Canned reply sent";
        const Failure failure = failureOf(*story.lastFailed);
        return (tellsOfFailure(failure.status) ? shortName(failure) : inWords(failure)) + ". Canned reply sent";
    }
    if (story.failed == nullptr)
        return "Answered after " + latencyText(responseTime);
    const std::string how = story.moved ? "moved to " + record.endpoint : retriedText(story.retries);
    return shortName(failureOf(*story.failed)) + ", " + how + ", answered after " + latencyText(responseTime);
}

} // namespace sg::observe
