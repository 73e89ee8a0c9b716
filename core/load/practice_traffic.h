// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/load/prompts.h"

#include <QObject>

namespace sg::load {

/// Steady open traffic for practice: Poisson arrivals at a mean rate until it is destroyed. Lives in the engine thread.
class PracticeTraffic : public QObject
{
    Q_OBJECT
public:
    /// `plan` gives chain, prompts and seed; its counts are not used. At most `mostInFlight` requests at a time: an
    /// arrival beyond that is left out, so that an outage cannot pile up memory.
    PracticeTraffic(engine::EngineCore& core, LoadPlan plan, double requestsPerSecond, int mostInFlight = 500,
                    QObject* parent = nullptr);
    ~PracticeTraffic() override;

    void start();
    std::int64_t leftOut() const { return leftOut_; }

private:
    void arrive();
    engine::EngineCore& core_;
    LoadPlan plan_;
    PromptSource prompts_;
    policy::SeededRandom random_;
    double rate_;
    int mostInFlight_;
    std::shared_ptr<int> inFlight_ = std::make_shared<int>(0);
    std::int64_t leftOut_ = 0;
    Instant next_{};
    engine::TimerQueue::Id timer_;
};

} // namespace sg::load
