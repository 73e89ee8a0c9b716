// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/comparison.h"

#include "ui/format/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::Comparison)
};

QString amountText(double change, bool isPoints)
{
    const double value = change * 100;
    const int decimals = isPoints ? 2 : std::abs(value) < 9.95 ? 1 : 0;
    const QString text = format::number(value, decimals);
    const bool isRoundZero = std::abs(value) < 0.5 * std::pow(10, -decimals);
    const QString sign = value > 0 && !isRoundZero ? QStringLiteral("+") : QString();
    return sign + text + QChar(0x202F) + (isPoints ? Words::tr("pt") : QStringLiteral("%"));
}

load::SettingComparison settingsOf(const std::vector<ComparedRun>& runs)
{
    std::vector<load::SettingLines> lines;
    for (const ComparedRun& run : runs)
        lines.push_back(run.settings);
    return load::compareSettings(lines, format::unknown());
}

} // namespace

QString verdictWord(RunVerdict verdict)
{
    switch (verdict) {
    case RunVerdict::Valid:
        return Words::tr("valid");
    case RunVerdict::Passed:
        return Words::tr("passed");
    case RunVerdict::Missed:
        return Words::tr("missed");
    case RunVerdict::Invalid:
        return Words::tr("INVALID");
    case RunVerdict::CutOff:
        return Words::tr("cut off");
    case RunVerdict::Failed:
        break;
    }
    return Words::tr("failed");
}

ChangeWord wordOf(const MetricChange& change, std::optional<bool> isHigherBetter)
{
    if (!change.change)
        return ChangeWord::NoData;
    if (change.isNotJudged)
        return ChangeWord::NotJudged;
    if (!change.low || !change.high || (*change.low <= 0 && *change.high >= 0))
        return ChangeWord::NoClearChange;
    if (!isHigherBetter)
        return ChangeWord::Different;
    return (*change.low > 0) == *isHigherBetter ? ChangeWord::Better : ChangeWord::Worse;
}

QString inWords(ChangeWord word)
{
    switch (word) {
    case ChangeWord::NoData:
        return Words::tr("no data");
    case ChangeWord::NoClearChange:
        return Words::tr("no clear change");
    case ChangeWord::Better:
        return Words::tr("better");
    case ChangeWord::Worse:
        return Words::tr("worse");
    case ChangeWord::NotJudged:
        return Words::tr("INVALID: not judged");
    case ChangeWord::Different:
        break;
    }
    return Words::tr("different");
}

QString changeText(const MetricChange& change)
{
    return change.change ? amountText(*change.change, change.isPoints) : format::unknown();
}

QString sentenceOf(const ComparedMetric& metric, std::size_t run)
{
    QStringList values;
    for (std::size_t i = 0; i < metric.values.size(); ++i)
        values << QStringLiteral("%1 %2").arg(letterOf(i), metric.values[i]);
    QString text = QStringLiteral("%1: %2").arg(metric.name, values.join(QStringLiteral(", ")));
    if (run >= metric.changes.size() || !metric.changes[run].change)
        return text;
    const MetricChange& change = metric.changes[run];
    text += QStringLiteral(", %1").arg(changeText(change));
    if (change.low && change.high)
        text += Words::tr(" (%1 to %2)")
                    .arg(amountText(*change.low, change.isPoints), amountText(*change.high, change.isPoints));
    return text + QStringLiteral(", ") + inWords(wordOf(change, metric.isHigherBetter));
}

std::vector<std::pair<double, QString>> limitsIn(const std::vector<ComparedRun>& runs)
{
    std::vector<std::pair<double, QString>> limits;
    if (runs.empty())
        return limits;
    for (const auto& limit : runs.front().limits)
        if (std::ranges::all_of(
                runs, [&](const ComparedRun& run) { return std::ranges::find(run.limits, limit) != run.limits.end(); }))
            limits.push_back(limit);
    return limits;
}

QString letterOf(std::size_t run)
{
    return QString(QChar(u'A' + static_cast<char16_t>(run)));
}

std::vector<Difference> differencesOf(const std::vector<ComparedRun>& runs)
{
    return settingsOf(runs).differences;
}

QStringList sameIn(const std::vector<ComparedRun>& runs)
{
    return settingsOf(runs).same;
}

} // namespace sg::ui
