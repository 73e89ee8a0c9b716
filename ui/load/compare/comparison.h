// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/breaker_story.h"
#include "core/load/target_settings.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sg::ui {

/// How a kept run ended.
enum class RunVerdict { Valid, Passed, Missed, Invalid, Failed, CutOff };
QString verdictWord(RunVerdict verdict); ///< "valid", "passed", "missed", "INVALID", "failed", "cut off"

/// A stretch of a compared run, counted from its own start.
struct ComparedMoment
{
    double second = 0;
    std::optional<double> p50Ms, p95Ms, p99Ms;
    double perSecond = 0;            ///< answered
    std::optional<double> failShare; ///< 0..1; empty: nothing ended in it
};

struct ComparedRun
{
    QString id;
    QString title, subtitle; ///< "Run 35, outage-2min"; "prod-chat · 20 Nov 13:40 · 46 800 requests"
    RunVerdict verdict = RunVerdict::Valid;
    QString verdictWords; ///< "Missed 3 of 4 objectives"
    bool isBaseline = false;
    std::vector<std::pair<double, double>> percentiles; ///< share of the answers 0..1, ms; rising
    std::vector<ComparedMoment> moments;
    std::vector<std::pair<QString, QString>> settings; ///< name, value: what may differ
    QString note;
    std::vector<load::BreakerStory> breakers{};
    std::vector<std::pair<double, QString>> limits{}; ///< of the response time, ms: "p95 ≤ 4.00 s"
};

/// A run's figure against that of the reference.
struct MetricChange
{
    std::optional<double> change;    ///< relative (−0.42), or in points where the metric is a share (0.0083)
    std::optional<double> low, high; ///< of its 95 % interval; empty: not known
    bool isPoints = false;
    bool isNotJudged{}; ///< one of the two runs is not valid
};

struct ComparedMetric
{
    QString name;
    QString formula;                    ///< for the tool tip
    std::vector<QString> values;        ///< one a run, with unit
    std::vector<MetricChange> changes;  ///< one a run; that of the reference is empty
    std::optional<bool> isHigherBetter; ///< empty: neither is
};

struct Comparison
{
    static constexpr std::size_t kFewest = 2, kMost = 5;
    std::vector<ComparedRun> runs;
    std::size_t reference = 0; ///< the baseline among them, or the first
    std::vector<ComparedMetric> metrics;
    QString settingsNote{}; ///< what is not known of their settings
};

enum class ChangeWord { NoData, NoClearChange, Better, Worse, Different, NotJudged };
/// What may be said: nothing clear where the interval holds 0 or is not known; better or worse by the metric's nature.
ChangeWord wordOf(const MetricChange& change, std::optional<bool> isHigherBetter);
QString inWords(ChangeWord word);               ///< "better", "no clear change"
QString changeText(const MetricChange& change); ///< "−42 %", "+0.83 pt", an en dash for none
/// One sentence: "p95: A 3.62 s, B 2.09 s, −42 % (−48 % to −37 %), better".
QString sentenceOf(const ComparedMetric& metric, std::size_t run);

/// Limits that all of the runs were judged by.
std::vector<std::pair<double, QString>> limitsIn(const std::vector<ComparedRun>& runs);

QString letterOf(std::size_t run); ///< "A", "B", …

/// Settings that are not the same in all of the runs: name, and the value in each (an en dash where it has none).
using Difference = load::SettingDifference;
std::vector<Difference> differencesOf(const std::vector<ComparedRun>& runs);
/// Names of those that are the same in all.
QStringList sameIn(const std::vector<ComparedRun>& runs);

} // namespace sg::ui
