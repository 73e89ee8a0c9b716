// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"
#include "core/provider/error.h"

#include <cstdint>
#include <string>

namespace sg::observe {

/// Steady time to wall clock, taken once at start.
struct WallAnchor
{
    Instant steady{};
    std::int64_t unixMs = 0;
    std::int64_t toUnixMs(Instant at) const { return unixMs + std::chrono::duration_cast<Millis>(at - steady).count(); }
};

enum class EventKind { BreakerChanged, AttemptFailed, RequestFailed, CannedReply, CredentialOut, Manual, Workspace };
enum class Severity { Info, Good, Warning, Bad };

/// One line of the activity list. `subject` is an endpoint or chain name; `text` a sentence in plain words with the
/// figures ("Tripped: 54 % failed (429 × 31, 500 × 2)"). Lines that differ in figures only and begin within a minute of
/// each other are one line: it keeps its time and its words and counts.
struct Event
{
    std::uint64_t sequence = 0;
    std::int64_t unixMs = 0;
    EventKind kind = EventKind::Workspace;
    Severity severity = Severity::Info;
    std::string subject;
    std::string text;
    policy::BreakerState state = policy::BreakerState::Closed; ///< after the event, BreakerChanged only
    std::int64_t repeats = 1;                                  ///< how often it happened
};

} // namespace sg::observe
