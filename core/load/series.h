// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"
#include "core/load/strategies.h"
#include "core/workspace/model.h"

/// One plan run several times, one run after another, each with one thing different.
namespace sg::load {

enum class SeriesKind {
    Strategies, ///< the chain's retries
    Endpoints,  ///< the target
};
std::string_view toString(SeriesKind kind); // "strategies", "endpoints"

struct SeriesPlan
{
    SeriesKind kind = SeriesKind::Strategies;
    LoadPlan plan; ///< of each run, with its budget and limits; Endpoints: its target does not count
    std::vector<Strategy> strategies{kStrategies.begin(), kStrategies.end()}; ///< in the order of running
    StrategySettings settings{};
    std::vector<std::string> endpoints{}; ///< in the order of running
};

/// One of its runs: what it sends, and the workspace it is sent through. The operator's own is never changed.
struct SeriesVariant
{
    QString key;   ///< "full", or the endpoint's name
    QString words; ///< "full jitter"
    QString about; ///< formula of the strategy; of an endpoint its model
    LoadPlan plan;
    workspace::Workspace workspace;
};

/// Empty when fine; otherwise a sentence with the remedy.
QString checkSeries(const SeriesPlan& series, const workspace::Workspace& workspace);
/// Of a series that checkSeries() finds fine.
std::vector<SeriesVariant> variantsOf(const SeriesPlan& series, const workspace::Workspace& workspace);

} // namespace sg::load
