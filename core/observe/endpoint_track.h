// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/event_log.h"
#include "core/observe/failure_tally.h"
#include "core/observe/lane_track.h"
#include "core/observe/recorder.h"
#include "core/stats/slot_ring.h"
#include "core/stats/windowed_histogram.h"

#include <map>

namespace sg::observe {

struct EndpointCounts
{
    std::int64_t answered = 0, attempts = 0, failures = 0;
    EndpointCounts& operator+=(const EndpointCounts& other);
    EndpointCounts& operator-=(const EndpointCounts& other);
};

/// How a request went on after a failed attempt.
struct Fate
{
    enum class Kind { Unknown, Retried, Moved, Canned, Failed };
    Kind kind = Kind::Unknown;
    std::string movedTo;
    Nanos responseTime{0};
};

/// What is remembered of one endpoint. Not thread-safe.
class EndpointTrack
{
public:
    EndpointTrack(EndpointInfo info, Instant now);
    /// Another state behind the same name: history stays, the breaker begins anew.
    void replace(EndpointInfo info, Instant now);

    const std::string& name() const { return info_.name; }
    chain::EndpointState* state() const { return info_.state.get(); }
    const LaneTrack& lane() const { return lane_; }
    bool tripped() const { return trip_.has_value(); }

    void attemptStarted(Instant now);
    void attemptFinished(const chain::AttemptRecord& attempt, Instant now, EventLog& log, const WallAnchor& anchor);
    void answered(Instant now);
    /// If the last error is this attempt's.
    void fate(const chain::AttemptRecord& attempt, Fate fate);
    void transition(const policy::BreakerTransition& transition, EventLog& log, const WallAnchor& anchor);
    /// A person's action on this endpoint, told before or after its transition: one line with the person's words.
    void manualNote(const std::string& text, Severity severity, Instant now, EventLog& log, const WallAnchor& anchor);

    /// A request that left this endpoint, or passed it over, was answered by `endpoint`.
    void movedOnTo(const std::string& endpoint) { ++tookOver_[endpoint]; }
    /// Who answered most of those since the latest trip; empty: nobody.
    std::string tookOver() const;

    /// Reads the breaker; may itself cause a transition, which the breaker's observer reports as any other.
    void read(Instant now);
    /// After read(). `movedTo`: who answered most since the trip.
    EndpointView view(Nanos window, Instant now, std::int64_t finished, const std::string& movedTo,
                      const WallAnchor& anchor);

private:
    struct LastFailure
    {
        Instant at;
        Failure failure;
        Fate fate;
    };
    struct Moment ///< the last transition, as long as facts that belong to it may still come
    {
        policy::BreakerTransition transition;
        std::uint64_t sequence = 0;
        FailureCounts counts;
        std::string told; ///< the operator's words for it; empty: none (yet)
    };
    struct Trip
    {
        std::int64_t unixMs = 0;
        std::string clock;
        TripRule rule = TripRule::None;
        double gauge = 0;
        Nanos firstWait{0};
    };
    struct Probe
    {
        Instant at;
        ProbeFacts facts;
    };
    struct Note ///< an operator's, whose transition may still come
    {
        Instant at;
        std::uint64_t sequence = 0; ///< of its line
    };

    void adopt(EndpointInfo info);
    std::uint64_t logTransition(const policy::BreakerTransition& transition, const std::string& text, EventLog& log,
                                const WallAnchor& anchor);
    void rewrite(EventLog& log);
    std::string textOf(const Moment& moment) const;
    void completeTrip(const Failure& failure, Instant now, EventLog& log);
    void probeFinished(const chain::AttemptRecord& attempt, bool failed, Instant now, EventLog& log,
                       const WallAnchor& anchor);
    void keepTrip(const policy::BreakerTransition& transition, const WallAnchor& anchor);
    std::optional<ProbeFacts> probeAt(Instant at) const;
    int probesNeeded() const;
    void viewBreaker(EndpointView& view, const WallAnchor& anchor) const;
    void viewGauge(EndpointView& view) const;
    void viewState(EndpointView& view, Instant now, const WallAnchor& anchor) const;
    std::string noteText(const std::string& movedTo) const;
    std::string lastErrorWords() const;

    EndpointInfo info_;
    policy::BreakerConfig config_;
    std::optional<double> rpmLimit_;
    stats::Windowed<EndpointCounts> counts_;
    stats::SlotRing<std::int64_t> started_;
    stats::WindowedHistogram latency_;
    FailureTally tally_;
    LaneTrack lane_;
    policy::BreakerStatus status_;
    std::optional<LastFailure> lastFailure_;
    std::optional<Moment> moment_;
    std::optional<Trip> trip_;
    std::optional<Probe> probe_;
    std::optional<Note> note_;
    int probesPassed_ = 0;
    std::map<std::string, std::int64_t> tookOver_; ///< since the latest trip
    std::optional<Instant> lastAttempt_;
};

} // namespace sg::observe
