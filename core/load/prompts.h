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
    QString freshPrompt();
    std::vector<QString> given_;
    double repeatShare_;
    int maxTokens_;
    bool stream_;
    policy::SeededRandom random_;
    std::int64_t made_ = 0;
    std::vector<QString> asked_; ///< what a repeat may repeat; bounded
};

} // namespace sg::load
