// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/stats/histogram.h"

#include <QStringList>

#include <cstdint>
#include <optional>

namespace sg::measure {

/// Of how late it was: the larger of median and mean, see below. Empty: nothing was counted.
std::optional<Nanos> typicalLateness(const stats::Histogram& lateness);

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
    std::int64_t unresolved{}; ///< requests for whose target this machine found no address
    // How late the generator itself was, in what it measured: with sending (it set about a request after its time), and
    // with reading (its threads came to bytes, or to ticks that stand for them, after these were there). Typically: the
    // larger of the median and the mean.
    std::optional<Nanos> sendLateTypical{}, sendLateP99{};
    std::optional<Nanos> readLateTypical{}, readLateP99{};
    /// The threads of the program were ready and had no processor: the part of the time that they wanted, 0..1, and how
    /// long on average at each of their turns.
    std::optional<double> starvedShare{};
    std::optional<Nanos> waitPerTurn{};
};

/// A response time is measured from the moment it was due to the moment its last byte was read: whatever the generator
/// is late at either end is in the figure and is not the target's. Where all answers take the same, their median moves
/// by the median of what is added; where they are spread, by its mean (each quantile of a sum does, to the first
/// order): so the larger counts, of both ends together, against `ofMedian` of the median response. The highest percent
/// moves by no more than the highest percent of what is added: `ofP99`. Adding percentiles errs on the safe side.
/// - Figures are trusted to 2 % and 5 %. At the median half of that, since the generator sees only its own half: what
///   holds its threads up holds up as well what delivers to them, and the target if it is on the same machine (measured
///   beside two programs that only compute: p50 off by 10 ms, of which the generator knew the half).
/// - 2 ms and 5 ms: a timer of whole milliseconds and one or two slices of a scheduler, which a quiet machine has too.
///   Answers of less than 200 and 100 ms are measured to that and no better.
/// - Percentiles need values to be of: `fewest` for the highest percent, of which one stall would otherwise be all.
/// - A transport whose threads tell nothing is judged by the scheduler's account: to be sent and to be read a request
///   needs two turns of a thread, each of which waits `waitPerTurn` on average over all threads, idle ones too: the
///   wider bound of the two is for it.
/// - A program that waits for a processor more than twice as long as it runs shares each with two others or more, and
///   so do what it asks on this machine and what it cannot watch. Measured: waiting for half of the time that its
///   threads wanted, p50 was off by 0.7 % at most; for 73 to 94 %, by 1.3 to 2.6 %. Of a program that hardly runs it
///   says nothing, and nothing either where its waits are short beside the median: 0.1 ms a turn of 830 ms was seen for
///   71 % of the time.
/// The coarse limits are for what these do not see: a loop that was late without a request, a long upload.
struct ValidityLimits
{
    double ofMedian = 0.01, ofP99 = 0.05;
    Nanos medianGrain{Millis(2)}, p99Grain{Millis(5)};
    std::int64_t fewest = 100;
    double mostStarved = 0.7, leastCpu = 0.005; ///< of the time that the threads wanted; of all processors
    /// Waits of a starved program, at the two turns of a request, that its figures feel.
    Nanos feltGrain{std::chrono::microseconds(500)};
    double feltOfMedian = 0.002;
    Nanos grain{Millis(20)};       ///< coarse: lateness below it is a timer's own
    double ofMeasured = 0.1;       ///< coarse: lateness above this share of what was measured is measured too
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
