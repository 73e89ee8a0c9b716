// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"

#include <QStringList>

/// The sentences of the load page, made from a run's picture. Pure: the wall clock comes in as an argument.
namespace sg::ui::loadwords {

QString span(double seconds); ///< "9:42", from an hour on "1:02:05"
QString targetWord(const load::LoadPlan& plan);
/// "200 requests, 10 users", "Poisson, ramp 60s from 0/s to 20/s": what is sent, when, and when it ends.
QString loadWords(const load::LoadPlan& plan);
QString title(int number, const load::LoadPlan& plan);
QString subtitle(const load::LoadPlan& plan);
/// What a closed load of this many users does, in words.
QString closedLoad(int concurrency);

/// The line under the progress bar; the parts called strong are bold.
struct ProgressLine
{
    QString strongLeft, left, right, strongRight;
    QString text() const;
    bool operator==(const ProgressLine&) const = default;
};
ProgressLine progressLine(const load::RunProgress& progress, std::int64_t nowUnixMs);

/// "$1.20", "≥ $1.20" where some of it has no price, "≈ $1.20" where some of it is estimated, "unknown" where nothing
/// is known: never 0 for unknown.
QString cost(std::optional<double> usd, bool isLowerBound, bool isEstimated = false);

struct EstimateWords
{
    QString likely, worst, note;
    bool operator==(const EstimateWords&) const = default;
};
EstimateWords estimate(const load::CostEstimate& estimate, const load::LoadPlan& plan);

/// Of an ended run without one answer: what was met first and the way on; empty for every other run.
QString whyNothingCame(const QJsonObject& report);
bool isActive(load::RunState state); ///< starting, running or stopping
QString attemptsLine(const load::RunProgress& progress);

/// What a report says at a glance.
struct Verdict
{
    bool isValid = false;
    QStringList reasons;
};
Verdict verdict(const QJsonObject& report);

/// What a tool tip says of a metric, or of a percentile of it.
QString formulaOf(measure::Metric metric, int percentile = 0);

struct Figure
{
    QString name, value;
    QString formula{}; ///< how the value comes about, for the tool tip
    bool operator==(const Figure&) const = default;
};
/// The figures of a finished run, from its report; what the report does not know is an en dash.
std::vector<Figure> figures(const QJsonObject& report);
/// The counts of a run that is on.
std::vector<Figure> figures(const load::RunProgress& progress);

/// "switchgear-load-practice-20261130-143208.json": safe on every file system.
QString fileName(const load::LoadPlan& plan, std::int64_t nowUnixMs);

} // namespace sg::ui::loadwords
