// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"

#include <QColor>

#include <array>

namespace sg::ui {

/// Every colour of the program, by role. Contrast is measured against `card`. State colours are reserved: nothing but
/// a breaker state wears them.
struct Tokens
{
    QColor window, bar, card, raised, selected; ///< from the back to the front
    QColor line, outline;                       ///< hairline; outline of controls and dead conductors
    QColor text, text2, text3;                  ///< text3 never on accentTint
    QColor accent, accentTint, onAccent;
    QColor closed, closedTint, half, halfTint, open, openTint, locked, lockedTint;
    std::array<QColor, 6> series; ///< 1-4 models and policies, 5 cache, 6 other
    QColor p50, p95, p99;
    std::array<QColor, 8> heat; ///< steps of sqrt(count)
};

Tokens darkTokens();
Tokens lightTokens();

struct StateColours
{
    QColor ink, tint;
};
StateColours stateColours(const Tokens& tokens, policy::BreakerState state);

} // namespace sg::ui
