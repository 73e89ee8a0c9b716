// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"
#include "core/policy/random.h"

namespace sg::load {

/// The prompts of a run, in an order that only the plan's seed decides.
class PromptSource
{
public:
    explicit PromptSource(const LoadPlan& plan);
    provider::ChatRequest next();

private:
    Prompt freshPrompt();
    Prompt syntheticPrompt(std::int64_t number);
    Prompt choose();

    PromptList given_;
    std::optional<SyntheticPrompts> synthetic_;
    QString sharedPrefix_;
    double repeatShare_;
    int maxTokens_;
    bool stream_;
    policy::SeededRandom random_;
    std::int64_t made_ = 0;
    std::vector<Prompt> asked_; ///< what a repeat may repeat; bounded
};

} // namespace sg::load
