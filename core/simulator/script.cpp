// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/script.h"

#include <algorithm>
#include <cmath>

namespace sg::simulator {

const char* toString(FaultKind kind)
{
    switch (kind) {
    case FaultKind::Status:
        return "status";
    case FaultKind::Stall:
        return "stall";
    case FaultKind::DropBeforeHeaders:
        return "drop_before_headers";
    case FaultKind::DropAfterHeaders:
        return "drop_after_headers";
    case FaultKind::DropMidStream:
        return "drop_mid_stream";
    case FaultKind::Slow:
        return "slow";
    case FaultKind::ErrorEvent:
        return "error_event";
    case FaultKind::Garbage:
        return "garbage";
    }
    return "";
}

const Phase* EndpointScript::phaseAt(double scriptMs) const
{
    const auto found = std::find_if(phases.begin(), phases.end(), [scriptMs](const Phase& phase) {
        return scriptMs >= phase.fromMs && scriptMs < phase.toMs;
    });
    return found == phases.end() ? nullptr : &*found;
}

const Behaviour& EndpointScript::at(double scriptMs) const
{
    const Phase* phase = phaseAt(scriptMs);
    return phase ? phase->behaviour : usual;
}

double Script::scriptTime(double sinceStartMs) const
{
    return loopMs ? std::fmod(sinceStartMs, *loopMs) : sinceStartMs;
}

} // namespace sg::simulator
