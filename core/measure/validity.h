// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QStringList>

#include <cstdint>
#include <optional>

namespace sg::measure {

/// What is known about the generator of a run; empty: not known, or too little to say.
struct GeneratorFacts
{
    std::int64_t finished = 0;
    std::optional<Nanos> medianResponse, responseP99;
    std::optional<Nanos> scheduleDelayP99;
    std::optional<Nanos> loopLagP95;
    std::optional<Nanos> medianQueue; ///< in the client, before sending
    std::int64_t dropped = 0;
    std::int64_t localErrors = 0;                        ///< requests that this machine could not send: no free socket
    std::int64_t mostInFlight = 0;                       ///< allowed; 0: no limit
    std::optional<double> requestedRate, dispatchedRate; ///< a second
    std::optional<double> threadShare;                   ///< 0..1 of one core, the generator's thread
    std::optional<double> processShare;                  ///< 0..1 of all cores, the whole program
    /// Concurrency above the connections to one server, which therefore waited in the client.
    std::optional<int> concurrency{}, connectionLimit{};
};

struct ValidityLimits
{
    Nanos grain{Millis(20)};       ///< lateness below it is a timer's own
    double ofMeasured = 0.1;       ///< lateness above this share of what was measured is measured too
    double leastDispatched = 0.99; ///< of the requested rate
    double mostCpu = 0.95;
};

/// A run whose generator was the bottleneck has measured itself. Each reason is a sentence without its end, with the
/// remedy; none: the run is valid.
QStringList invalidBecause(const GeneratorFacts& facts, const ValidityLimits& limits = {});

enum class Verdict {
    Valid,  ///< and nothing was asked of it
    Passed, ///< every objective was met
    Missed,
    Invalid, ///< outranks what the objectives say
};
Verdict verdictOf(bool valid, bool hasObjectives, bool met);

} // namespace sg::measure
