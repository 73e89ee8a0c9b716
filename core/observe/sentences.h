// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/policy/breaker.h"
#include "core/provider/error.h"

#include <string>
#include <vector>

/// What happened, in plain words with the figures. Numbers are written with a point, whatever the locale.
namespace sg::observe {

/// "8.4 ms", "640 ms", "2.10 s", "12.3 s"
std::string latencyText(Nanos span);
/// As latencyText, but a wait of whole seconds has no decimals and a long one is in minutes or hours: "60 s", "15 min"
std::string waitText(Nanos span);
/// "4.2 %", "52 %"; below 1 never "100 %"
std::string percentText(double share);
/// Local time, "14:24:12"
std::string clockText(std::int64_t unixMs);

/// How a failed attempt ended, small enough to keep and to count by.
struct Failure
{
    int status = 0;
    provider::ErrorClass error = provider::ErrorClass::None;
    Nanos took{0};
    std::optional<Nanos> asked; ///< the wait the server asked for
    bool anyToken = false;
    bool operator==(const Failure&) const = default;
};
/// A good status with a bad end says nothing of it: a stream breaks after its 200.
constexpr bool tellsOfFailure(int status)
{
    return status >= 300;
}
Failure failureOf(const chain::AttemptRecord& attempt);
/// Dispatched to end.
Nanos tookOf(const chain::AttemptRecord& attempt);

/// An error class in one or two words: "overloaded", "no connection".
std::string_view classWord(provider::ErrorClass error);
/// "503" or, without an answer that says it, "timeout", "broken stream".
std::string shortName(const Failure& failure);
/// "No first token in 10 s", "The provider has no capacity"
std::string inWords(const Failure& failure);

struct FailureCount
{
    Failure failure;
    std::int64_t count = 0;
};
using FailureCounts = std::vector<FailureCount>;

/// What is known of the probe that made a transition.
struct ProbeFacts
{
    bool failed = false;
    Failure failure;
    Nanos took{0};
};

/// The line of the activity list.
std::string transitionText(const policy::BreakerTransition& transition, const FailureCounts& counts,
                           const std::optional<ProbeFacts>& probe, int probesNeeded);
/// For the hover of the state that begins.
std::string beginCause(const policy::BreakerTransition& transition, const std::string& eventText);
/// For the hover of a half-open state that a failed probe has ended; empty when it ended otherwise.
std::string endCause(const policy::BreakerTransition& transition, const std::optional<ProbeFacts>& probe);
std::string probePassedText(int passed, int needed, Nanos took);

bool isTrip(policy::TransitionCause cause);
bool isManual(policy::TransitionCause cause);

/// What became of a request that met failures.
struct RequestStory
{
    const chain::AttemptRecord* failed = nullptr; ///< the first failed attempt; null: none
    const chain::AttemptRecord* lastFailed = nullptr;
    int retries = 0;    ///< further attempts on the endpoint that answered
    bool moved = false; ///< another endpoint answered
};
RequestStory storyOf(const chain::RunRecord& record);
std::string requestText(const chain::RunRecord& record, const RequestStory& story, Nanos responseTime);

} // namespace sg::observe
