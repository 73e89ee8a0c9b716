// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/load_words.h"

namespace sg::ui {

/// What is asked before a run begins. Pure.
struct StartQuestion
{
    QString words, button;
    bool operator==(const StartQuestion&) const = default;
};

/// Nothing: the run may begin. `limitUsd`: above it a run asks.
std::optional<StartQuestion> questionBefore(const load::LoadPlan& plan, const load::CostEstimate& estimate,
                                            const loadwords::EstimateWords& estimateWords, double limitUsd);

} // namespace sg::ui
