// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"
#include "core/load/plan.h"

#include <tl/expected.hpp>

class QCommandLineParser;

namespace sg::app {

/// What `switchgear-cli load` was asked for.
struct LoadOptions
{
    SessionOptions session;
    load::LoadPlan plan;
    bool targetGiven = false;
    bool json = false;
    std::optional<QString> reportFile;
    std::optional<double> minSuccessRate;
};

void addLoadOptions(QCommandLineParser& parser);
/// Reads the files that are named, too. The error is a sentence with its remedy.
tl::expected<LoadOptions, QString> readLoadOptions(const QCommandLineParser& parser);

} // namespace sg::app
