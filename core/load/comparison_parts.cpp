// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/comparison_parts.h"

#include "core/load/breaker_story.h"
#include "core/load/report_words.h"
#include "core/measure/spelling.h"
#include "core/policy/text.h"

#include <algorithm>

namespace sg::load::comparison {

namespace {

using history::ComparedFigure;

const QString kUnknown = QStringLiteral("–");

QString unitOf(const ComparedFigure& figure)
{
    return text(measure::toString(measure::infoOf(figure.metric).unit));
}

QString signedWords(double value)
{
    return (value > 0 ? QStringLiteral("+") : QString()) + valueWords(value, {});
}

QString figureCell(const ComparedFigure& figure, std::size_t run)
{
    const history::ComparedValue& value = figure.runs[run];
    const QString shown = valueWords(value.value ? QJsonValue(*value.value) : QJsonValue(), unitOf(figure));
    if (run == 0 || !value.value || !figure.runs.front().value)
        return shown;
    if (!value.change)
        return shown + QStringLiteral(" (%1)").arg(meaningWords(figure, run));
    return QStringLiteral("%1 (%2 [%3, %4], %5)")
        .arg(shown, signedWords(value.change->value), signedWords(value.change->low), signedWords(value.change->high),
             meaningWords(figure, run));
}

QString secondsWords(double seconds)
{
    return valueWords(seconds, QStringLiteral("s"));
}

} // namespace

QString letter(std::size_t run)
{
    return QString(QChar(u'A' + static_cast<char16_t>(run)));
}

QString title(const DocumentRun& run)
{
    return run.summary.name.isEmpty() ? run.summary.id : run.summary.name;
}

QString heading(const std::vector<DocumentRun>& runs)
{
    return runs.empty() ? QStringLiteral("No runs to compare")
                        : QStringLiteral("Comparison with %1").arg(title(runs.front()));
}

std::vector<Row> runRows(const std::vector<DocumentRun>& runs)
{
    std::vector<Row> rows;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const history::RunSummary& summary = runs[i].summary;
        const QString started = summary.started.isValid() ? summary.started.toUTC().toString(Qt::ISODate) : kUnknown;
        rows.push_back({letter(i), title(runs[i]), summary.target.isEmpty() ? kUnknown : summary.target, started,
                        summary.verdict.isEmpty() ? kUnknown : summary.verdict,
                        QStringList{summary.note, rowsNote(runs[i].compared)}.join(QLatin1Char(' ')).trimmed()});
    }
    return rows;
}

std::vector<Row> figureRows(const std::vector<DocumentRun>& runs)
{
    std::vector<history::ComparedRun> compared;
    for (const DocumentRun& run : runs)
        compared.push_back(run.compared);
    std::vector<Row> rows;
    for (const ComparedFigure& figure : history::compareRuns(compared)) {
        Row row{figure.words};
        for (std::size_t i = 0; i < figure.runs.size(); ++i)
            row << figureCell(figure, i);
        rows.push_back(row);
    }
    return rows;
}

std::vector<Row> breakerRows(const std::vector<DocumentRun>& runs)
{
    std::vector<Row> rows;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const BreakerStory& story : breakerStoriesIn(runs[i].compared.report))
            rows.push_back({QString::fromStdString(story.endpoint), letter(i),
                            story.firstOpen ? secondsWords(*story.firstOpen) : QStringLiteral("never"),
                            secondsWords(story.openSeconds), QString::number(story.trips)});
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.front(); });
    return rows;
}

Settings settings(const std::vector<DocumentRun>& runs)
{
    const auto targetOf = [](const DocumentRun& run) {
        return run.compared.report.value(QLatin1String("target")).toObject();
    };
    // Where one does not know how its target was set, every line of the others would look like a difference.
    const bool hasTargets = std::ranges::none_of(runs, [&](const DocumentRun& run) { return targetOf(run).isEmpty(); });
    Settings all;
    if (!hasTargets)
        all.note = QStringLiteral("How chain and endpoints were set is not kept with every one of them.");
    std::vector<SettingLines> lines;
    for (const DocumentRun& run : runs)
        lines.push_back(settingLines(run.plan, hasTargets ? targetOf(run) : QJsonObject()));
    static_cast<SettingComparison&>(all) = compareSettings(lines, kUnknown);
    return all;
}

} // namespace sg::load::comparison
