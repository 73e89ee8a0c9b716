// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"

#include <QString>

namespace sg::ui::breakerwords {

/// A finding in the words of the form, without the names that files use.
QString problem(const policy::ConfigFinding& finding, const policy::BreakerConfig& config);
/// "trips at 50 % failures in 60 s"; "never trips" without a rule.
QString rules(const policy::BreakerConfig& config);
/// What the form does not show unless asked: how many of the rarer settings are not at their default.
int rareSettings(const policy::BreakerConfig& config);
QString span(Nanos span); ///< "8 s", "0.5 s"

} // namespace sg::ui::breakerwords
