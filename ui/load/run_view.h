// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/load/strip/strip_picture.h"
#include "ui/load/verdict/objective_chips.h"
#include "ui/load/verdict/verdict_banner.h"

/// A run's picture as its widgets show it. Pure.
namespace sg::ui::runview {

/// `endBefore`: where the time axis ended so far, 0 for a new run.
StripPicture stripOf(const load::RunProgress& progress, double endBefore);
std::vector<StripLimit> limitsOf(const load::LoadPlan& plan); ///< percentiles of the response time
std::vector<ObjectiveChip> chipsOf(const load::RunProgress& progress);
/// Of a run that has ended; None before.
VerdictBanner::Content verdictOf(const load::RunProgress& progress);

QString metricText(measure::Metric metric, double value);   ///< with its unit, as the screen writes numbers
QString objectiveName(const measure::Objective& objective); ///< "p95", "first token p99", "success rate"
QString limitText(const measure::Objective& objective);     ///< "≤ 4.00 s"

} // namespace sg::ui::runview
