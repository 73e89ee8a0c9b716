// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine.h"
#include "core/load/series.h"

#include <QJsonObject>

#include <functional>
#include <memory>
#include <tl/expected.hpp>

namespace sg::load {

/// What one run of a series goes through, made for it and gone with it: so no breaker, limiter, cache, quota pause,
/// connection or draw is what an earlier run left, and the order of the runs does not matter.
struct SeriesBench
{
    std::shared_ptr<void> beside;                        ///< what the engine calls, such as a simulator; goes after it
    std::unique_ptr<engine::Engine> engine;              ///< the variant's workspace is applied
    std::function<void(QJsonObject& report)> addFacts{}; ///< before it goes; may be empty
};

/// Called in the series' own thread; may block. The error is a sentence with its remedy.
using MakeBench = std::function<tl::expected<SeriesBench, QString>(const SeriesVariant& variant)>;

/// What an engine has to be like for the plan: its seed, and as many connections as requests in flight.
engine::EngineOptions engineFor(const LoadPlan& plan, engine::EngineOptions options);

} // namespace sg::load
