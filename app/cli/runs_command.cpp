// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/kept_run_named.h"
#include "app/cli/runs_limit.h"
#include "app/session/run_folder.h"
#include "core/history/csv_cells.h"
#include "core/history/run_archive.h"
#include "core/history/run_comparison.h"
#include "core/load/comparison_documents.h"
#include "core/load/import_results.h"
#include "core/load/report.h"
#include "core/load/report_documents.h"
#include "core/load/report_words.h"
#include "core/policy/text.h"

#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

namespace sg::app {

namespace {

using namespace history;

const QString kName = QStringLiteral("runs");
constexpr int kMostCompared = 5;

int refuse(const HistoryError& error)
{
    printError(error.words + QLatin1Char(' ') + error.remedy);
    return kBadUsage;
}

void warnOf(const RunArchive& archive)
{
    if (const auto& fault = archive.state().fault)
        printError(QStringLiteral("Warning: ") + fault->words + QLatin1Char(' ') + fault->remedy);
}

QJsonObject jsonOf(const RunSummary& run)
{
    return {{QStringLiteral("id"), run.id},
            {QStringLiteral("started"), run.started.toString(Qt::ISODateWithMs)},
            {QStringLiteral("name"), run.name},
            {QStringLiteral("target"), run.target},
            {QStringLiteral("verdict"), run.verdict},
            {QStringLiteral("note"), run.note},
            {QStringLiteral("baseline"), run.isBaseline},
            {QStringLiteral("pinned"), run.isPinned},
            {QStringLiteral("figures"), run.figures}};
}

int listRuns(RunArchive& archive, const QCommandLineParser& parser)
{
    bool isFine = true;
    const int most = parser.isSet(QStringLiteral("most")) ? parser.value(QStringLiteral("most")).toInt(&isFine) : 20;
    if (!isFine || most < 1 || most > RunArchive::kMostOnPage)
        return usageError(QStringLiteral("--most takes a whole number from 1 to %1.").arg(RunArchive::kMostOnPage),
                          kName);
    const auto page = archive.list(0, most);
    if (!page)
        return refuse(page.error());
    warnOf(archive);
    if (parser.isSet(QStringLiteral("json"))) {
        QJsonArray runs;
        for (const RunSummary& run : page->runs)
            runs.append(jsonOf(run));
        const HistoryState& state = archive.state();
        printJson({{QStringLiteral("total"), static_cast<qint64>(page->total)},
                   {QStringLiteral("bytes"), static_cast<qint64>(state.bytes)},
                   {QStringLiteral("most_runs"), static_cast<qint64>(state.mostRuns)},
                   {QStringLiteral("most_bytes"), static_cast<qint64>(state.mostBytes)},
                   {QStringLiteral("runs"), runs}});
        return kFine;
    }
    int number = 0;
    for (const RunSummary& run : page->runs)
        printOut(QStringLiteral("%1  %2  %3  %4  %5 %6 %7")
                     .arg(QString::number(++number).rightJustified(3), run.id,
                          run.started.toLocalTime().toString(Qt::ISODate), run.verdict.leftJustified(7),
                          run.isBaseline ? QStringLiteral("baseline")
                          : run.isPinned ? QStringLiteral("pinned")
                                         : QStringLiteral("-"),
                          run.name, run.note.simplified().left(60))
                     .trimmed());
    printOut(QStringLiteral("%1 of %2 runs. Kept: %3")
                 .arg(page->runs.size())
                 .arg(page->total)
                 .arg(roomWords(archive.state())));
    return kFine;
}

/// Its requests as they are kept, or for a spreadsheet.
int showRows(const RunArchive& archive, const RunSummary& run, bool isLocal)
{
    QFile csv(archive.files().requestsPathOf(run.id)), out;
    if (!csv.open(QIODevice::ReadOnly)) {
        printError(
            QStringLiteral("%1: %2. The requests of this run were not kept.").arg(csv.fileName(), csv.errorString()));
        return kBadUsage;
    }
    out.open(stdout, QIODevice::WriteOnly);
    tl::expected<void, QString> done;
    if (isLocal)
        done = writeLocalCsv(csv, out, QLocale::system());
    while (done && !isLocal && !csv.atEnd())
        if (const QByteArray block = csv.read(64 * 1024); out.write(block) != block.size())
            done = tl::unexpected(out.errorString());
    if (done && out.flush())
        return kFine;
    printError(QStringLiteral("The requests could not be printed: %1. Free some space where they go.")
                   .arg(done ? out.errorString() : done.error()));
    return kBadUsage;
}

int showRun(RunArchive& archive, const QString& name, const QCommandLineParser& parser)
{
    const auto run = keptRunNamed(archive, name);
    if (!run)
        return refuse(run.error());
    if (parser.isSet(QStringLiteral("csv")) || parser.isSet(QStringLiteral("csv-local")))
        return showRows(archive, run->summary, parser.isSet(QStringLiteral("csv-local")));
    if (parser.isSet(QStringLiteral("plan"))) {
        printJson(run->plan);
        return kFine;
    }
    const QString title = run->summary.name.isEmpty() ? run->summary.id : run->summary.name;
    if (parser.isSet(QStringLiteral("json")))
        printJson(run->report);
    else if (parser.isSet(QStringLiteral("html")))
        printOut(load::htmlOf(run->report, title));
    else if (parser.isSet(QStringLiteral("markdown")))
        printOut(load::markdownOf(run->report, title));
    else
        printOut(load::tableOf(run->report));
    return kFine;
}

ComparedRun comparedRun(const RunArchive& archive, const RunRecord& run)
{
    ComparedRun compared{run.report, {}};
    QFile csv(archive.files().requestsPathOf(run.summary.id));
    if (!csv.open(QIODevice::ReadOnly))
        return compared;
    const QJsonObject measured = run.report.value(QLatin1String("measured")).toObject();
    const QJsonValue to = measured.value(QLatin1String("to_ms"));
    auto rows = tallyOfRows(csv, fromMs(measured.value(QLatin1String("from_ms")).toDouble()),
                            to.isDouble() ? fromMs(to.toDouble()) : Nanos::max());
    if (rows)
        compared.rows = *std::move(rows);
    else
        printError(QStringLiteral("Warning: %1: %2. Its percentiles are shown without intervals.")
                       .arg(csv.fileName(), rows.error()));
    return compared;
}

QJsonValue numberOrNull(const std::optional<double>& value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

QJsonValue rangeOf(const std::optional<stats::Estimate>& estimate)
{
    return estimate ? QJsonValue(QJsonArray{estimate->low, estimate->high}) : QJsonValue();
}

QJsonObject jsonOf(const ComparedFigure& figure)
{
    QJsonArray runs;
    for (std::size_t i = 0; i < figure.runs.size(); ++i) {
        const ComparedValue& value = figure.runs[i];
        const auto& change = value.change;
        runs.append(QJsonObject{
            {QStringLiteral("value"), numberOrNull(value.value)},
            {QStringLiteral("interval_95"), rangeOf(value.estimate)},
            {QStringLiteral("change"), change ? QJsonValue(change->value) : QJsonValue()},
            {QStringLiteral("change_interval_95"), rangeOf(change)},
            {QStringLiteral("means"), QLatin1String(toString(changeOf(figure, i)))},
            {QStringLiteral("words"), i > 0 ? QJsonValue(meaningWords(figure, i)) : QJsonValue()},
        });
    }
    return {{QStringLiteral("figure"), figure.name},
            {QStringLiteral("unit"), text(measure::toString(measure::infoOf(figure.metric).unit))},
            {QStringLiteral("runs"), runs}};
}

QString changeWords(const ComparedFigure& figure, std::size_t run)
{
    const ComparedValue& value = figure.runs[run];
    const QString unit = text(measure::toString(measure::infoOf(figure.metric).unit));
    const QString shown = load::valueWords(numberOrNull(value.value), unit);
    if (run == 0 || !value.value)
        return shown;
    if (!value.change)
        return QStringLiteral("%1 (%2)").arg(shown, meaningWords(figure, run));
    // Shares differ by points.
    const QString step = unit == QLatin1String("%") ? QStringLiteral("points") : unit;
    const auto part = [&](double number) { return load::valueWords(number, step); };
    return QStringLiteral("%1 (%2%3 [%4, %5] %6)")
        .arg(shown, value.change->value > 0 ? QStringLiteral("+") : QString(), part(value.change->value),
             load::valueWords(value.change->low, {}), part(value.change->high), meaningWords(figure, run));
}

/// Its id, name and verdict, and what has to be known of its rows.
QString runLine(const QString& id, const load::DocumentRun& run)
{
    QStringList parts{id, run.summary.name};
    if (!run.summary.verdict.isEmpty())
        parts << QStringLiteral("(%1)").arg(run.summary.verdict);
    parts << rowsNote(run.compared);
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

/// A result file of ours or of another load generator.
tl::expected<ComparedRun, QString> comparedFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(QStringLiteral("%1 cannot be read: %2.").arg(path, file.errorString()));
    ComparedRun compared;
    compared.rows.emplace();
    const auto results = load::importResults(file, [&](const measure::Sample& sample) { compared.rows->add(sample); });
    if (!results)
        return tl::unexpected(QStringLiteral("%1: %2").arg(path, results.error()));
    for (const QString& note : results->notes)
        printError(QStringLiteral("%1: %2").arg(path, note));
    return compared;
}

int compareNamed(RunArchive& archive, const QStringList& names, const QCommandLineParser& parser)
{
    if (names.size() < 2 || names.size() > kMostCompared)
        return usageError(QStringLiteral("runs compare takes two to five runs."), kName);
    std::vector<ComparedRun> runs;
    std::vector<load::DocumentRun> documents;
    QJsonArray summaries;
    for (const QString& name : names) {
        if (QFileInfo(name).isFile()) {
            auto compared = comparedFile(name);
            if (!compared) {
                printError(compared.error());
                return kBadUsage;
            }
            runs.push_back(*std::move(compared));
            summaries.append(QJsonObject{{QStringLiteral("id"), name}});
            RunSummary summary;
            summary.id = QFileInfo(name).fileName();
            documents.push_back({summary, {}, runs.back()});
            continue;
        }
        const auto run = keptRunNamed(archive, name);
        if (!run)
            return refuse(run.error());
        runs.push_back(comparedRun(archive, *run));
        summaries.append(jsonOf(run->summary));
        documents.push_back({run->summary, run->plan, runs.back()});
    }
    if (parser.isSet(QStringLiteral("html")) || parser.isSet(QStringLiteral("markdown"))) {
        printOut(parser.isSet(QStringLiteral("html")) ? load::comparisonHtml(documents)
                                                      : load::comparisonMarkdown(documents));
        return kFine;
    }
    const auto figures = compareRuns(runs);
    if (parser.isSet(QStringLiteral("json"))) {
        QJsonArray list;
        for (const ComparedFigure& figure : figures)
            list.append(jsonOf(figure));
        printJson({{QStringLiteral("runs"), summaries}, {QStringLiteral("figures"), list}});
        return kFine;
    }
    for (std::size_t i = 0; i < documents.size(); ++i)
        printOut(QStringLiteral("%1: %2").arg(
            QString(QChar(u'A' + static_cast<int>(i))),
            runLine(summaries.at(static_cast<qsizetype>(i))[QLatin1String("id")].toString(), documents[i])));
    printOut(
        QStringLiteral("Changes against A with their 95 % interval. Of twenty figures one may look clear by chance."));
    for (const ComparedFigure& figure : figures)
        for (std::size_t i = 0; i < figure.runs.size(); ++i)
            printOut(QStringLiteral("  %1 %2: %3")
                         .arg((i == 0 ? figure.name : QString()).leftJustified(18),
                              QString(QChar(u'A' + static_cast<int>(i))), changeWords(figure, i)));
    return kFine;
}

/// Says what was done to which run: their numbers change with each that is deleted.
int changeRun(RunArchive& archive, const QString& name, const QString& did,
              const std::function<HistoryResult<void>(const RunSummary& run)>& change)
{
    const auto run = keptRunNamed(archive, name);
    const auto done = run ? change(run->summary) : tl::unexpected(run.error());
    if (!done)
        return refuse(done.error());
    printOut(QStringLiteral("%1: %2 %3").arg(did, run->summary.id, run->summary.name).trimmed());
    return kFine;
}

HistoryResult<void> removeUnpinned(RunArchive& archive, const RunSummary& run)
{
    if (!run.isPinned)
        return archive.remove(run.id);
    return tl::unexpected(HistoryError{HistoryFault::Invalid, QStringLiteral("The run %1 is pinned.").arg(run.id),
                                       QStringLiteral("Take the pin off first: switchgear-cli runs pin %1 --clear.")
                                           .arg(run.id)});
}

int dispatch(RunArchive& archive, const QCommandLineParser& parser)
{
    const QStringList words = parser.positionalArguments();
    const QString verb = words.value(0), name = words.value(1);
    const bool clears = parser.isSet(QStringLiteral("clear"));
    if (verb == QLatin1String("list") && words.size() == 1)
        return listRuns(archive, parser);
    if (verb == QLatin1String("compare"))
        return compareNamed(archive, words.mid(1), parser);
    if (verb == QLatin1String("show") && words.size() == 2)
        return showRun(archive, name, parser);
    if (verb == QLatin1String("note") && words.size() == 3)
        return changeRun(archive, name, QStringLiteral("Noted"),
                         [&](const RunSummary& run) { return archive.setNote(run.id, words.at(2)); });
    if (verb == QLatin1String("baseline") && words.size() == 2)
        return changeRun(archive, name, clears ? QStringLiteral("No baseline any more") : QStringLiteral("Baseline"),
                         [&](const RunSummary& run) { return archive.setBaseline(run.id, !clears); });
    if (verb == QLatin1String("pin") && words.size() == 2)
        return changeRun(archive, name, clears ? QStringLiteral("Pinned no more") : QStringLiteral("Pinned"),
                         [&](const RunSummary& run) { return archive.setPinned(run.id, !clears); });
    if (verb == QLatin1String("limit") && words.size() == 1)
        return limitRuns(archive, parser);
    if (verb == QLatin1String("delete") && words.size() == 2)
        return changeRun(archive, name, QStringLiteral("Deleted"),
                         [&](const RunSummary& run) { return removeUnpinned(archive, run); });
    return usageError(
        QStringLiteral("Say what to do: list, show RUN, compare RUN RUN..., note RUN TEXT, baseline RUN, pin "
                       "RUN, limit or delete RUN."),
        kName);
}

} // namespace

int runsCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "The load runs that are kept: list, show RUN, compare RUN RUN... (the first is what the others are compared "
        "with), note RUN TEXT, baseline RUN, pin RUN (never deleted to make room), limit (how much is kept), delete "
        "RUN. "
        "RUN is an id, or its number in the list (1: the newest). Exit "
        "codes: 0 fine, 2 bad usage, no such run, or the runs cannot be read or written. compare also takes files: "
        "load --csv, k6 --out json, inference-perf's requests, or the rows of an exported Locust file."));
    parser.addPositionalArgument(QStringLiteral("what"), QStringLiteral("What to do, and with which runs."));
    parser.addOptions({
        {QStringLiteral("folder"), QStringLiteral("Where runs are kept; default: %1.").arg(runFolder()),
         QStringLiteral("FOLDER")},
        {QStringLiteral("most"), QStringLiteral("list: so many at most (default 20)."), QStringLiteral("N")},
        {QStringLiteral("json"), QStringLiteral("list, show, compare: print JSON.")},
        {QStringLiteral("html"), QStringLiteral("show, compare: print a page.")},
        {QStringLiteral("markdown"), QStringLiteral("show, compare: print a summary in Markdown.")},
        {QStringLiteral("csv"), QStringLiteral("show: print its requests.")},
        {QStringLiteral("csv-local"), QStringLiteral("show: print its requests for a spreadsheet of this country: "
                                                     "semicolons, decimals as they are written here.")},
        {QStringLiteral("plan"), QStringLiteral("show: print its plan, for load --plan.")},
        {QStringLiteral("clear"), QStringLiteral("baseline, pin: it is that no more.")},
    });
    addLimitOptions(parser);
    if (const auto code = parseArguments(parser, kName, arguments))
        return *code;
    const QString folder = parser.value(QStringLiteral("folder"));
    RunArchive archive(folder.isEmpty() ? runFolder() : folder);
    return dispatch(archive, parser);
}

} // namespace sg::app
