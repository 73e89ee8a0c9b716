// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/load/prompts.h"

#include <QUrl>

namespace sg::app {

/// Applications as the gateway meets them, for pictures: requests over loopback, most of them in order, a few that are
/// turned away, a few that do not wait for their answer. Lives in the engine thread until it is destroyed.
class PracticeCallers
{
public:
    /// `base` as applications have it: "http://127.0.0.1:8787/v1"; `plan` gives prompts, seed and the model's name.
    PracticeCallers(engine::EngineCore& core, const QString& base, const load::LoadPlan& plan,
                    double requestsPerSecond);
    ~PracticeCallers();
    PracticeCallers(const PracticeCallers&) = delete;
    PracticeCallers& operator=(const PracticeCallers&) = delete;

private:
    void arrive();
    void send();

    engine::EngineCore& core_;
    std::unique_ptr<http::Transport> transport_; ///< callers share no connections with what the engine asks
    QUrl url_;
    load::PromptSource prompts_;
    std::string model_;
    policy::SeededRandom random_;
    double rate_;
    int sent_ = 0;
    Instant next_{};
    engine::TimerQueue::Id timer_{};
};

} // namespace sg::app
