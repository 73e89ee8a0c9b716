// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/load_options.h"
#include "app/cli/stop.h"

/// `switchgear-cli load --strategies …` and `--endpoints …`: several runs and their table.
namespace sg::app {

/// The arguments with those that --experiment NAME stands for in its place; options after it win. The error is a
/// sentence with its remedy.
tl::expected<QStringList, QString> withExperiment(const QStringList& arguments);

void addSeriesOptions(QCommandLineParser& parser);
/// Nothing: one run. The error is a sentence with its remedy.
tl::expected<std::optional<SeriesOptions>, QString> readSeriesOptions(const QCommandLineParser& parser);

/// Runs them, prints and saves what came of it; an exit code.
int runSeries(Session& session, const LoadOptions& options, Stop& stop);

/// Of one run, by its report (load_command.cpp).
int exitCodeOf(const QJsonObject& report, const LoadOptions& options);

} // namespace sg::app
