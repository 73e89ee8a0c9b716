// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"
#include "core/load/series.h"

#include <tl/expected.hpp>

class QCommandLineParser;

namespace sg::app {

/// Files that a load leaves beside what it prints.
struct LoadOutputs
{
    std::optional<QString> report, html, markdown, csv;
    std::optional<QString> keptAs; ///< the name under which it is kept in the history
};

/// Runs instead of one.
struct SeriesOptions
{
    load::SeriesKind kind = load::SeriesKind::Strategies;
    std::vector<load::Strategy> strategies;
    load::StrategySettings settings;
    std::vector<std::string> endpoints;
    bool takesAll = false; ///< all endpoints of the workspace
};

/// What `switchgear-cli load` was asked for.
struct LoadOptions
{
    SessionOptions session;
    load::LoadPlan plan;
    bool targetGiven = false;
    bool json = false;
    LoadOutputs outputs;
    std::optional<QString> exportTo; ///< instead of a run: "k6", "locust", "inference-perf"
    std::optional<double> minSuccessRate;
    std::optional<SeriesOptions> series{};
    QStringList inputs{}; ///< files that are read
};

void addLoadOptions(QCommandLineParser& parser);
/// Reads the files that are named, too. The error is a sentence with its remedy.
tl::expected<LoadOptions, QString> readLoadOptions(const QCommandLineParser& parser);

} // namespace sg::app
