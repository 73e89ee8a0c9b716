// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_lock.h"
#include "core/load/plan.h"
#include "core/load/rate_curve.h"

#include <QDateTime>
#include <QJsonObject>

namespace sg::load {

enum class RunState { Idle, Starting, Running, Stopping, Finished, Failed };

enum class RunPart { WarmUp, Measured, CoolDown };

/// One slot of a run's time axis.
struct RunSecond
{
    double second = 0; ///< since start
    double width = 1;  ///< s; more in long runs, whose time axis gets coarser
    int answered = 0, failed = 0, attempts = 0, attemptsFailed = 0;
    std::optional<float> p50Ms, p95Ms, p99Ms;
    int requested = 0, dispatched = 0, dropped = 0, good = 0; ///< arrivals by the time they were intended for
    std::int64_t outputTokens = 0;
    int mostInFlight{};                   ///< requests at a time
    std::vector<std::int32_t> statuses{}; ///< how many ended with each of RunProgress::secondStatuses
    std::vector<std::uint32_t> heat{};    ///< answers between RunProgress::heatEdgesMs; empty: none
    std::vector<std::int32_t> causes{};   ///< attempts that failed by each of RunProgress::attemptCauses
};

struct StatusRow
{
    QString status; ///< "200", "429", "timeout"
    QString words;  ///< "from a model", "from cache", "canned reply", "returned to client", "broke off or empty"
    std::int64_t count = 0;
    bool good = true;
};

struct BreakerSpan
{
    std::string endpoint;
    int state = 0; ///< policy::BreakerState
    double fromSecond = 0, toSecond = 0;
};

struct LatencyBar
{
    double lowMs = 0, highMs = 0;
    std::int64_t answered = 0, failed = 0;
};

/// A time that only streamed answers have.
struct TokenTimes
{
    std::vector<LatencyBar> bars;
    std::int64_t answers = 0; ///< that have it
    std::optional<double> p50Ms, p95Ms;
};

struct SlowAnswer
{
    double atSecond = 0;
    QString path; ///< "gpt-4.1 → claude-sonnet-4.5", "shared call"; nobody was asked: why, "no tier usable"
    int tries = 0;
    double tookMs = 0;
};

/// Live picture of a run, immutable, taken 4–10 times a second by the screen.
struct RunProgress
{
    RunState state = RunState::Idle;
    QString error;
    LoadPlan plan;
    double elapsedSeconds = 0;
    std::optional<double> etaSeconds;
    double share = 0; ///< done, 0..1
    std::int64_t started = 0, answered = 0, failed = 0, cancelled = 0, attempts = 0;
    int inFlight = 0;
    std::optional<double> p50Ms, p95Ms, p99Ms;
    std::optional<double> costUsd; ///< empty: unknown
    bool costIsLowerBound = false;
    bool costIsEstimated = false;   ///< a part of it, from characters
    std::vector<RunSecond> seconds; ///< whole ones while running; at most 900
    std::vector<StatusRow> statuses;
    std::vector<BreakerSpan> breakers;
    std::vector<std::string> endpoints; ///< lanes, in order
    std::vector<LatencyBar> latency;
    std::vector<SlowAnswer> slowest; ///< at most 12
    QJsonObject report;              ///< when Finished
    // Figures are of the measured part; `started`, `inFlight`, cost and seconds of the whole run.
    RunPart part = RunPart::Measured;
    std::optional<double> rateNow; ///< requests a second asked for at this moment; closed loops: empty
    std::int64_t dropped = 0;
    std::optional<double> scheduleDelayP99Ms;
    std::vector<measure::ObjectiveVerdict> objectives; ///< so far
    StopReason stopReason = StopReason::None;
    QString id{};                         ///< history::newRunId(), where the run is to be kept; empty: nowhere
    QDateTime began{};                    ///< UTC, with `id`
    QString rowsProblem{};                ///< sentences: its requests cannot be written, which does not end it
    std::vector<int> secondStatuses{};    ///< HTTP; 0, the last one: without an answer
    std::vector<double> heatEdgesMs{};    ///< rows + 1, rising; the end rows hold what lies outside
    std::vector<QString> attemptCauses{}; ///< "503", "timeout", "stream broken"; the most frequent first
    QString transport{};                  ///< which one serves the run: "qnam", "curl"
    std::optional<double> askedRate{};    ///< requests a second, see LoadRun::askedRate()
    std::optional<double> dueRate{};      ///< what chance, or the schedule, made of it
    RateCurve rates{};                    ///< of steps that are over; at most a second old
    TokenTimes firstToken{};              ///< measure::Metric::Ttft
    TokenTimes betweenTokens{};           ///< measure::Metric::Tpot: the mean gap of each answer
    /// When Finished, of its files: see SeriesRun::lock.
    std::shared_ptr<history::RunLock> lock{};
};
using RunProgressPtr = std::shared_ptr<const RunProgress>;

} // namespace sg::load
