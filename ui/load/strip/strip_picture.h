// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sg::ui {

/// A stretch of a run's time, mostly a second.
struct StripMoment
{
    double second = 0, width = 1; ///< s since the start
    std::optional<float> due;     ///< arrivals of the schedule, requests a second; empty: there is none
    float sent = 0, answered = 0; ///< requests a second
    std::optional<float> p50Ms, p95Ms, p99Ms;
    float inFlight = 0;                      ///< most at a time
    std::vector<std::int64_t> statuses;      ///< how many, by StripPicture::statuses
    std::vector<std::uint32_t> heat;         ///< answers by latency, between StripPicture::heatEdgesMs
    std::int64_t tries = 0, triesFailed = 0; ///< attempts at endpoints that ended
    std::vector<std::int64_t> causes{};      ///< of those that failed, by StripPicture::causes
};

struct StripStatus
{
    enum class Look { Model, Cache, Canned, Refused, Failed };
    QString name; ///< "200", "429", "timeout"
    Look look = Look::Model;
};

/// Why attempts failed.
struct StripCause
{
    enum class Look { Server, Refused, Timeout, Connection, Other };
    QString name; ///< "503", "timeout", "stream broken"
    Look look = Look::Other;
};

struct StripBreaker
{
    struct Span
    {
        policy::BreakerState state = policy::BreakerState::Closed;
        double from = 0, to = 0; ///< s
    };
    QString endpoint;
    std::vector<Span> spans;
};

/// A stretch with a name of its own: warm-up, cool-down, a scripted outage.
struct StripPhase
{
    QString words;
    double from = 0, to = 0; ///< s
    bool isCutOut = false;   ///< its requests are not in the figures
};

/// A limit in the latency chart.
struct StripLimit
{
    QString words; ///< "p95 ≤ 4.00 s"
    double ms = 0;
};

/// What the strip shows: a run over its time. A value; whoever makes it may throw the run away.
struct StripPicture
{
    double elapsed = 0, end = 10; ///< s; the axis ends at `end`
    bool isOn = false;            ///< the run goes on after `elapsed`
    std::vector<StripStatus> statuses;
    std::vector<StripCause> causes{};               ///< the most frequent first
    std::vector<double> heatEdgesMs;                ///< rows + 1, rising; empty: no heat map
    std::vector<StripMoment> moments;               ///< by time, not overlapping
    std::vector<std::pair<double, double>> planned; ///< second, requests a second: corners of what is asked for
    std::vector<StripBreaker> breakers;
    std::vector<StripPhase> phases;
    std::vector<StripLimit> limits;
};
using StripPicturePtr = std::shared_ptr<const StripPicture>;

constexpr std::size_t kMostMoments = 400;

/// At most `most` moments: neighbours are put together. Counts add up, rates are weighed by their time, of
/// percentiles the highest stays: a percentile of percentiles would be none.
StripPicture reduced(StripPicture picture, std::size_t most = kMostMoments);

/// Requests a second that the plan asks for at that moment; empty: it asks for none.
std::optional<double> askedAt(const StripPicture& picture, double second);
/// The moment that holds `second`; null: none does.
const StripMoment* momentAt(const StripPicture& picture, double second);

} // namespace sg::ui
