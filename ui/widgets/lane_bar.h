// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/tokens.h"

class QPainter;

namespace sg::ui::paint {

/// One stretch of a breaker's lane in the look of its state: thickness and pattern, not colour alone. `fullHeight` is
/// what an open breaker takes; 18 px in the design. Never narrower than 2 px: a short trip is what one looks for.
void laneBar(QPainter& p, double left, double right, double middle, double fullHeight, policy::BreakerState state,
             const Tokens& tokens);

} // namespace sg::ui::paint
