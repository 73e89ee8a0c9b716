// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"
#include "core/observe/snapshot.h"

#include <QString>

#include <array>
#include <optional>

namespace sg::ui {

/// Everything a breaker card shows, as words and shares; made from the snapshot without a widget. Two equal values look
/// the same, so a card repaints only when its facts change.
struct CardFacts
{
    enum class Ring { None, Countdown, Probes };
    enum class Tone { Plain, State }; ///< colour of the error's title

    struct Action
    {
        observe::BreakerCommand command = observe::BreakerCommand::Reset;
        QString label;
        bool isEnabled = true;
        bool isKey = false; ///< what one most likely wants now
        bool operator==(const Action&) const = default;
    };

    QString name, provider, model;
    policy::BreakerState state = policy::BreakerState::Closed;
    int probesNeeded = 0, probesPassed = 0;
    QString line1, line1Bold, line2;  ///< beside the glyph; line1Bold stands before line2
    std::optional<double> gaugeShare; ///< 0..1 of the arc
    double gaugeLimit = 0.5;          ///< 0..1 of the arc; 0: no rule
    QString gaugeText, gaugeCaption, gaugeFoot;
    Ring ring = Ring::None;
    double ringShare = 0;
    QString ringMain, ringSub;
    QString inFlight, rpmUsed, rpmLimit;
    std::optional<double> rpmShare;
    Tone errorTone = Tone::Plain;
    QString errorTitle, errorWords;
    std::array<Action, 3> actions;
    QString sentence; ///< for assistive technology
    bool operator==(const CardFacts&) const = default;
};

CardFacts cardFacts(const observe::EndpointView& endpoint, std::int64_t nowUnixMs, bool reducedMotion = false);
/// "503 Overloaded", "Timeout".
QString errorTitle(const observe::LastError& error);
/// What the operator calls the command in the state it is offered in.
QString actionLabel(observe::BreakerCommand command);

} // namespace sg::ui
