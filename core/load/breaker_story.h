// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"

#include <QJsonObject>

#include <optional>
#include <string>
#include <vector>

namespace sg::load {

/// What a breaker did during a run, from its report. Seconds since the run's start.
struct BreakerStory
{
    struct Span
    {
        policy::BreakerState state = policy::BreakerState::Closed;
        double from = 0, to = 0;
    };
    std::string endpoint;
    std::vector<Span> spans;         ///< in order, to the end of the run
    std::optional<double> firstOpen; ///< empty: it never opened
    double openSeconds = 0;          ///< all of its time open, by itself or by a person; half-open is none of it
    int trips = 0;                   ///< from closed or half-open to open
};
std::vector<BreakerStory> breakerStoriesIn(const QJsonObject& report);

} // namespace sg::load
